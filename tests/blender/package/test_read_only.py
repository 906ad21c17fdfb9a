# SPDX-License-Identifier: GPL-3.0-or-later
"""An extension and a checkout that may only be read: both work, and leave nothing behind."""

import os
import shutil
import subprocess
import sys

import bpy
import pytest

from ...core.permissions import bound_by_permissions, read_only
from ..scenes import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")

ROVER = ROOT / "examples" / "rover.blend"

INSTALL = """
import os, sys
import bpy

bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
bpy.ops.wm.save_userpref()
os._exit(0)  # to disable it first would remove its wheels
"""

EXPORT = """
import os, sys, traceback
from importlib import import_module
import bpy
import addon_utils

name = "bl_ext.user_default.sdf_inertia"
bpy.ops.wm.read_userpref()
status = 4
try:
    assert addon_utils.check(name)[1]
    bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
    status = import_module(name + ".sdf_inertia_addon.export.command").run(["--output", sys.argv[2]])
except BaseException:
    traceback.print_exc()
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)  # the wheels of 4.2 and 4.5 may crash at exit
"""


def listed(folder):
    return {path.relative_to(folder) for path in folder.rglob("*")}


def run(*words, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [str(word) for word in words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=clean | environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(
    bpy.app.version < (4, 5),
    reason="the wheel of 4.2 crashes in its own read_userpref where extensions may only be read",
)
def test_an_installed_extension_that_may_only_be_read_exports(package, bare_python, tmp_path):
    drop = bound_by_permissions()
    profile = {"BLENDER_USER_RESOURCES": str(tmp_path / "profile")}
    (tmp_path / "profile").mkdir()
    # As an administrator lays it out: nothing is compiled yet.
    run(bare_python, "-B", "-c", INSTALL, package, **profile)
    extensions = tmp_path / "profile" / "extensions"
    assert list(extensions.rglob("sdf_inertia/__init__.py"))
    before = listed(extensions)
    with read_only(extensions):
        run(*drop, bare_python, "-X", "faulthandler", "-c", EXPORT, ROVER, tmp_path / "out", **profile)
        assert listed(extensions) == before
    assert (tmp_path / "out" / "rover" / "model.sdf").is_file()


def test_a_checkout_that_may_only_be_read_exports_with_its_wheels(bare_python, tmp_path):
    drop = bound_by_permissions()
    wheels = [*(ROOT / "build" / "wheels").glob(f"*-cp{sys.version_info.major}{sys.version_info.minor}-*.whl")]
    assert len(wheels) == 2
    checkout, temporary = tmp_path / "checkout", tmp_path / "temporary"
    for name in ("core", "sdf_inertia_addon"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__init__.py", "blender_manifest.toml"):
        shutil.copy(ROOT / name, checkout)
    (checkout / "build" / "wheels").mkdir(parents=True)
    for wheel in wheels:
        shutil.copy(wheel, checkout / "build" / "wheels")
    temporary.mkdir()
    before = listed(checkout)
    with read_only(checkout):
        headless = checkout / "sdf_inertia_addon" / "headless.py"
        run(*drop, bare_python, headless, ROVER, "--output", tmp_path / "out", TMPDIR=str(temporary))
        assert listed(checkout) == before
    assert (tmp_path / "out" / "rover" / "model.sdf").is_file()
    assert not [path for path in temporary.iterdir() if path.name.startswith("sdf_inertia-")]
