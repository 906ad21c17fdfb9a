# SPDX-License-Identifier: GPL-3.0-or-later
"""A model's files are the old or the new ones, whole, at any instant; files that are not ours are never touched."""

import hashlib
import os
import re
import signal
import stat
import subprocess
import sys
from contextlib import contextmanager

import bpy
import pytest
from lxml import etree

from ..scenes import ROOT, add, box_mesh, export, python, tag, wedge_mesh

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


def test_meshes_that_only_our_former_export_named_are_removed(tmp_path):
    ob = one_part()
    folder = export(tmp_path).sdf.parent
    (old,) = meshes_of(folder / "model.sdf")
    assert (folder / "meshes" / old).is_file()
    ob.scale.x = 2
    export(tmp_path)
    (new,) = meshes_of(folder / "model.sdf")
    assert new != old
    assert sorted(path.name for path in (folder / "meshes").iterdir()) == [new]


def test_a_change_of_the_format_removes_the_former_format(tmp_path):
    one_part()
    folder = export(tmp_path).sdf.parent
    export(tmp_path, mesh_format="stl")
    assert [path.suffix for path in (folder / "meshes").iterdir()] == [".stl"]


@pytest.mark.parametrize("style", ["relative", "model", "file"])
def test_former_meshes_are_found_by_any_style_of_uri(style, tmp_path):
    ob = one_part()
    folder = export(tmp_path, uri_style=style).sdf.parent
    ob.scale.x = 2
    export(tmp_path, uri_style=style)
    assert len(list((folder / "meshes").iterdir())) == 1


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


def test_a_mesh_that_is_only_named_like_ours_stays(tmp_path):
    one_part()
    folder = tmp_path / "model"
    (folder / "meshes").mkdir(parents=True)
    theirs = folder / "meshes" / "hand-01234567.obj"
    theirs.write_text("v 0 0 0\n")
    (folder / "model.sdf").write_text("<sdf><uri>meshes/hand-01234567.obj</uri></sdf>")
    export(tmp_path)
    assert theirs.read_text() == "v 0 0 0\n"


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


def test_an_unwritable_target_leaves_the_old_model_whole(tmp_path):
    ob = one_part()
    folder = export(tmp_path).sdf.parent
    (folder / "model.config").unlink()
    (folder / "model.config").mkdir()  # root may write anywhere, but not over a folder
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    ob.scale.x = 2
    with pytest.raises(IsADirectoryError) as refusal:
        export(tmp_path)
    assert refusal.value.filename == str(folder / "model.config")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.fault(66)
def test_a_full_disk_leaves_the_old_model_whole_and_no_temporary_file(tmp_path):
    resource = pytest.importorskip("resource")
    ob = tag(add(box_mesh(), "part"), "link", "collision", use_density=True)
    ob.modifiers.new("subdivide", "SUBSURF").levels = 3
    folder = export(tmp_path).sdf.parent
    before = (folder / "model.sdf").read_bytes()
    ob.scale.x = 2
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
        with pytest.raises(OSError):
            export(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert (folder / "model.sdf").read_bytes() == before
    assert_whole(folder)
    assert not [path for path in folder.rglob("*.tmp")]


EXPORT_FOR_EVER = """
import sys
sys.path.insert(0, sys.argv[1])
import bpy
from tests.blender import scenes

scenes.checkout().register()
bpy.ops.wm.read_homefile(use_empty=True)
ob = scenes.tag(scenes.add(scenes.box_mesh(), "part"), "link", "collision", "visual", use_density=True)
ob.modifiers.new("subdivide", "SUBSURF").levels = 4
for other in range(4):
    scenes.tag(scenes.add(scenes.wedge_mesh(), f"other{other}", ob), "collision")
for i in range(10**9):
    ob.scale.x = 1 + (i % 16) / 8
    scenes.export(sys.argv[2])
    print(i, flush=True)
"""


@contextmanager
def before_each_change(act):
    """Call `act` before every call that changes the file system: the interpreter's own audit events tell."""
    watching = [True]

    def hook(event, _arguments):
        if watching[0] and event in ("open", "os.rename", "os.remove", "os.mkdir"):
            watching[0] = False  # `act` opens files itself
            try:
                act()
            finally:
                watching[0] = True

    sys.addaudithook(hook)  # for good: there is no way to remove one
    try:
        yield
    finally:
        watching[0] = False


@pytest.mark.fault(66)
def test_between_any_two_changes_of_an_export_the_model_is_whole(tmp_path):
    """Every instant, not a random one."""
    ob = one_part()
    tag(add(wedge_mesh(), "other", ob, location=(0, 0, 1)), "collision", "visual")
    folder = export(tmp_path).sdf.parent
    ob.scale.x = 2
    seen = []

    def look():
        assert_whole(folder)
        seen.append(len(list((folder / "meshes").iterdir())))

    look()
    with before_each_change(look):
        export(tmp_path)
    look()
    assert len(seen) > 6
    assert max(seen) > seen[0] == seen[-1]  # in the middle, the new meshes stand beside the old ones


def test_leftovers_of_a_dead_process_go_and_those_of_a_living_one_stay(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    one_part()
    folder = export(tmp_path).sdf.parent
    left, living, foreign = (
        folder / ".sdf_inertia-2-0.tmp",
        folder / ".sdf_inertia-1-0.tmp",
        folder / "theirs.tmp",
    )
    for path in (left, living, foreign):
        path.write_text("half")
    with open(living, "rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # as who writes it does
        export(tmp_path)
    assert [path.exists() for path in (left, living, foreign)] == [False, True, True]


@pytest.mark.fault(68)
def test_the_same_export_twice_at_once_leaves_one_whole_model(tmp_path):
    runs = [
        subprocess.Popen(
            python("-c", EXPORT_FOR_EVER.replace("10**9", "12"), ROOT, tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for run in runs:
        run.communicate(timeout=120)
    assert (tmp_path / "model" / "model.sdf").is_file()
    assert_whole(tmp_path / "model")
    assert bpy.data.filepath == ""


@pytest.mark.fault(73)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
@pytest.mark.parametrize("name", ["model.sdf", "model.config"])
@pytest.mark.parametrize("through", ["itself", "a link"])
def test_a_model_file_that_is_no_file_is_refused_and_stays(name, through, tmp_path):
    one_part()
    folder = tmp_path / "model"
    folder.mkdir()
    fifo = folder / name if through == "itself" else tmp_path / "fifo"
    os.mkfifo(fifo)
    if through == "a link":
        (folder / name).symlink_to(fifo)
    with pytest.raises(FileExistsError, match="not a regular file, and is never replaced") as refusal:
        export(tmp_path)
    assert refusal.value.filename == str(folder / name)
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert os.listdir(folder) == [name]
    with pytest.raises(RuntimeError, match="Cannot write .* not a regular file, and is never replaced"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(folder / "model.sdf"))
    assert stat.S_ISFIFO(fifo.stat().st_mode)
