# SPDX-License-Identifier: GPL-3.0-or-later
"""An export in another locale, in folders of odd names, and where there is no network."""

import json
import os
import shutil
import sys

import pytest

from ...core import comma_locale
from ...core.offline import Offline, assert_watched
from ..scenes import HEADLESS, ROOT, add, box_mesh, contents, export, python, tag, wedge_mesh


def test_an_export_is_the_same_in_a_locale_that_writes_a_comma(scene, tmp_path, monkeypatch, tmp_path_factory):
    base = tag(add(wedge_mesh(), "base", scale=(1.5, -2.25, 1)), "link", "collision", "visual", use_density=True)
    tag(add(box_mesh((1.5, 2.5, 3.5)), "box", base, location=(0, 0, 3.25)), "collision", geometry="BOX")
    for folder in ("sdf", "urdf"):
        done = export(tmp_path / "plain" / folder, inertia="FILLED", file_format=folder)
        assert done.sdf is not None, done.findings
    plain = contents(tmp_path / "plain")
    assert sum(b"2.25" in data for data in plain.values()) > 2
    with comma_locale.set_by(monkeypatch, tmp_path_factory.mktemp("locale")):
        for folder in ("sdf", "urdf"):
            export(tmp_path / "comma" / folder, inertia="FILLED", file_format=folder)
    assert contents(tmp_path / "comma") == plain


@pytest.fixture
def offline(tmp_path):
    watched = Offline(tmp_path)
    assert_watched(watched, sys.executable, tmp_path)
    return watched


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has network namespaces")
def test_a_headless_export_uses_no_network_whatever_its_files_are_called(offline, tmp_path):
    """In one process of Blender, for each costs seconds: no network, a path of every sort, a name that is no text."""
    folder = tmp_path / "two words" / "50%25 #1 Größe" / ("long " * 40) / "x" / ("and longer " * 15)
    folder.mkdir(parents=True)
    blend = folder / os.fsdecode(b"caf\xe9.blend")
    shutil.copy(ROOT / "examples" / "rover.blend", blend)
    words = ("--output", folder / "out", "--inertia", "filled", "--report", folder / "report.json")
    done = offline.run(tmp_path, *python(HEADLESS, blend, *words))
    assert done.returncode == 0, done.stderr
    assert offline.asked() == []
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert os.fsencode(report["file"]) == b"caf\xe9.blend"
    (model,) = report["models"]
    assert sorted(path.name for path in (folder / "out").iterdir()) == [model["name"]] == ["caf_"]
    assert (folder / "out" / "caf_" / "model.sdf").is_file()
