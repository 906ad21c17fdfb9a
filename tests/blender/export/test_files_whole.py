# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export does to the files that it finds; tests/core/formats/written has each instant, fault and odd target."""

import hashlib
import os
import re
import stat

import bpy
import pytest
from lxml import etree

from ..scenes import add, export, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")


def meshes_of(sdf):
    return {uri.text.removeprefix("meshes/") for uri in etree.parse(sdf).iter("uri")}


def assert_whole(folder):
    """The SDF parses, and every mesh that it names is there with the content that its name promises."""
    for name in meshes_of(folder / "model.sdf"):
        data = (folder / "meshes" / name).read_bytes()
        assert hashlib.sha256(data).hexdigest()[:8] == re.search(r"-(\w{8})\.\w+$", name)[1]
    assert etree.parse(folder / "model.config").findtext("sdf") == "model.sdf"


def one_part():
    return tag(add(wedge_mesh(), "part"), "link", "collision", use_density=True)


@pytest.mark.parametrize("style", ["relative", "model", "file"])
def test_former_meshes_are_found_by_any_style_of_uri(style, tmp_path):
    ob = one_part()
    folder = export(tmp_path, uri_style=style).sdf.parent
    (old,) = (folder / "meshes").iterdir()
    ob.scale.x = 2
    export(tmp_path, uri_style=style)
    (new,) = (folder / "meshes").iterdir()
    assert new != old


@pytest.mark.fault(66)
def test_files_that_are_not_ours_stay(tmp_path):
    ob = one_part()
    folder = export(tmp_path).sdf.parent
    theirs = [folder / "README.md", folder / "meshes" / "hand.dae", folder / "meshes" / "other-01234567.obj"]
    for path in theirs:
        path.write_text("theirs")
    ob.scale.x = 2
    export(tmp_path)
    assert [path.read_text() for path in theirs] == ["theirs"] * 3


@pytest.mark.fault(66)
def test_a_symbolic_link_stays_one_and_permissions_stay(tmp_path):
    ob = one_part()
    folder = export(tmp_path).sdf.parent
    elsewhere = tmp_path / "elsewhere.sdf"
    (folder / "model.sdf").rename(elsewhere)
    elsewhere.chmod(0o640)
    (folder / "model.sdf").symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    ob.location.x = 1
    export(tmp_path)
    assert (folder / "model.sdf").is_symlink()
    assert elsewhere.read_bytes() != before
    assert elsewhere.stat().st_mode & 0o7777 == 0o640


@pytest.mark.fault(73)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_model_file_that_is_not_a_file_is_refused_and_stays(tmp_path):
    one_part()
    fifo = tmp_path / "model.sdf"
    os.mkfifo(fifo)
    with pytest.raises(RuntimeError, match="Cannot write .* it is not a regular file, so it cannot be replaced"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(fifo))
    assert stat.S_ISFIFO(fifo.stat().st_mode)
