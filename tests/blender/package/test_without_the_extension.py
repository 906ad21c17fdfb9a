# SPDX-License-Identifier: GPL-3.0-or-later
"""A file opens where the extension is not, is changed and saved there, and comes back with every setting.

Between Blenders, too: whichever of the wheels are in the checkout, none newer than the one that opens the file again.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import bpy
import pytest

from ...thorough import THOROUGH
from ..saved import every_setting, make
from ..scenes import ROOT
from .test_saved import SAVED, settings, written_down

RUNNING = f"{bpy.app.version[0]}.{bpy.app.version[1]}"

WHEELS = {"4.5": ROOT / ".venv", **{version: ROOT / ".venvs" / f"bpy-{version}" for version in ("4.2", "5.0", "5.2")}}
OTHERS = [version for version in sorted(WHEELS) if version < RUNNING] if THOROUGH else []

# Nothing of ours is imported there.
CHANGE = """
import sys
import bpy
for path in sys.argv[1:]:
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not hasattr(bpy.types.Object, "sdf_inertia")
    bpy.data.objects.new("by somebody else", None)
    bpy.context.scene.collection.objects.link(bpy.data.objects["by somebody else"])
    bpy.ops.wm.save_mainfile()
    print("saved by", bpy.app.version_string)
bpy.ops.wm.read_homefile(use_empty=True)
"""


def in_blender(version, *arguments):
    """Run the Python of a wheel; skip where it is not."""
    interpreter = WHEELS[version] / "bin" / "python"
    if not interpreter.exists():
        pytest.skip(f"there is no bpy {version} in {WHEELS[version].relative_to(ROOT)}")
    environment = {name: text for name, text in os.environ.items() if name != "BLENDER_USER_RESOURCES"}
    command = [interpreter, *map(str, arguments)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0 and "Traceback" not in run.stderr, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module", params=[*OTHERS, RUNNING])
def brought_back(request, tmp_path_factory):
    """Copies of the saved files and one with every setting set, changed by a Blender without the extension."""
    if RUNNING not in WHEELS:
        pytest.skip(f"there is no wheel of Blender {RUNNING} whose own process could save")
    folder = tmp_path_factory.mktemp("without")
    made = folder / "every_setting.blend"
    in_blender(request.param, "-m", every_setting.__name__, made)
    paths = [made, *(Path(shutil.copy(path, folder)) for path in SAVED)]
    before = [path.read_bytes() for path in paths]
    said = in_blender(request.param, "-c", CHANGE, *paths)
    assert said.count(f"saved by {request.param}") == len(paths)
    assert all(path.read_bytes() != bytes_before for path, bytes_before in zip(paths, before, strict=True))
    return folder


@pytest.fixture
def opened(addon):
    def open_(path):
        bpy.ops.wm.open_mainfile(filepath=str(path))
        assert "by somebody else" in bpy.data.objects

    yield open_
    bpy.ops.wm.read_homefile(use_empty=True)


def test_every_setting_there_is_comes_back(brought_back, opened):
    path = brought_back / "every_setting.blend"
    opened(path)
    before = json.loads(path.with_suffix(".json").read_text("utf-8"))
    after = every_setting.settings()
    assert len(before) > 100
    assert {where: after.get(where) for where in before} == before


@pytest.mark.parametrize("name", [path.stem for path in SAVED])
def test_files_of_earlier_versions_come_back_with_theirs(brought_back, opened, tmp_path, name):
    opened(brought_back / f"{name}.blend")
    before = written_down(json.loads((make.HERE / f"{name}.json").read_text("utf-8")))
    after = dict(settings(make.contents(tmp_path)))
    assert {where: after.get(where) for where in before} == before
