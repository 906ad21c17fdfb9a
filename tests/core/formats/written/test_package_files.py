# SPDX-License-Identifier: GPL-3.0-or-later
"""What write_model leaves on disk: one file per content, other models' meshes, long names, clean refusals."""

import errno
import os
import re
from pathlib import Path, PureWindowsPath

import pytest
from lxml import etree

from core.body.pose import Pose
from core.files import mesh_writers
from core.files.whole_files import write_atomic, write_folder
from core.formats import package
from core.formats.package import Target, write_model
from core.judge.geometry.resolve_model import resolve_model
from core.robot.model import Collision, Link, Model, Visual

from ...exported import VERTICES, contents, model_of, scaled, uris, wedge, write

NAME_MAX = 255
"""Bytes of a file's name on every usual file system, and of an object's name in Blender 5."""


# --- the meshes of other models --------------------------------------------------------------------------------------


def test_an_export_keeps_the_meshes_that_another_sdf_in_the_folder_uses(tmp_path):
    shared, own = {"part": scaled(1.0)}, {"part": scaled(2.0)}
    one = write(model_of(("link", shared)), tmp_path / "one.sdf")
    two = write(model_of(("link", shared), ("other", {"own": scaled(3.0)})), tmp_path / "two.sdf")
    (used,), (_, dropped) = uris(one), uris(two)
    assert used in uris(two) and dropped not in uris(one)
    write(model_of(("link", own)), tmp_path / "two.sdf")
    assert used not in uris(two) and dropped not in uris(two)
    assert (tmp_path / used).is_file()
    assert not (tmp_path / dropped).exists()


def test_a_mesh_goes_with_the_last_sdf_that_used_it(tmp_path):
    for name in ("one.sdf", "TWO.SDF"):
        sdf = write(model_of(("link", {"part": scaled(1.0)})), tmp_path / name)
    (used,) = uris(sdf)
    write(model_of(("link", {"part": scaled(2.0)})), tmp_path / "one.sdf")
    assert (tmp_path / used).is_file()
    write(model_of(("link", {"part": scaled(2.0)})), tmp_path / "TWO.SDF")
    assert not (tmp_path / used).exists()


def test_an_export_keeps_meshes_that_its_model_was_read_from(tmp_path):
    old = write(model_of(("link", {"part": scaled(1.0)})), tmp_path / "old.sdf")
    (uri,) = uris(old)
    (tmp_path / "deep").mkdir()
    old.rename(tmp_path / "deep" / "old.sdf")  # it names ../meshes now
    write(model_of(("link", {"part": scaled(2.0)})), tmp_path / "new.sdf", needed=[tmp_path / uri])
    assert (tmp_path / uri).is_file()
    write(model_of(("link", {"part": scaled(2.0)})), tmp_path / "new.sdf")
    assert not (tmp_path / uri).exists()


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocked", ["model.sdf", "model.config", "mesh"])
def test_a_folder_in_the_place_of_a_file_is_refused_before_writing(blocked, tmp_path):
    old, new = (model_of(("link", {"part": scaled(x)})) for x in (1.0, 2.0))
    if blocked == "mesh":
        (uri,) = uris(write(new, tmp_path / "elsewhere"))
        blocked = uri
    place = tmp_path / "model" / blocked
    write(old, tmp_path)
    place.unlink(missing_ok=True)
    place.mkdir()
    before = contents(tmp_path)
    with pytest.raises(IsADirectoryError) as refusal:
        write(new, tmp_path)
    assert refusal.value.filename == str(place)
    assert contents(tmp_path) == before


def test_a_folder_named_like_an_sdf_file_stays_empty(tmp_path):
    (tmp_path / "x.sdf").mkdir()
    with pytest.raises(IsADirectoryError) as refusal:
        write(model_of(("link", {"part": scaled(1.0)})), tmp_path / "x.sdf")
    assert refusal.value.filename == str(tmp_path / "x.sdf")
    assert [path.name for path in tmp_path.rglob("*")] == ["x.sdf"]


@pytest.mark.parametrize("part", ["{folder}/arm", "../../arm", "..", "a/b", "a\\b", "C:arm", "a:b", 'a"<|>?*'])
@pytest.mark.parametrize("name", ["model.sdf", "model.urdf", "model.xml"])
def test_no_name_of_a_part_leads_out_of_the_meshes_folder(name, part, tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    target = write(model_of(("link", {part.format(folder=tmp_path): scaled(1.0)})), tmp_path / "in" / "deep" / name)
    (mesh,) = (file for file in tmp_path.rglob("*.obj"))
    assert mesh.parent == target.parent / "meshes"
    assert not set(mesh.name) & set('/\\:*?"<|>')
    assert f"meshes/{mesh.name}" in target.read_text()


def test_an_error_of_a_write_names_the_target(tmp_path):
    for target in (tmp_path / "missing" / "file", tmp_path):
        with pytest.raises(OSError) as refusal:
            write_atomic(target, b"data")
        assert refusal.value.filename == str(target)
        assert refusal.value.strerror
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "nowhere" / "file")
    with pytest.raises(FileNotFoundError) as refusal:
        write_atomic(dangling, b"data")
    assert refusal.value.filename == str(dangling)


@pytest.mark.parametrize("character", ["\x01", "\x1f", "\ufffe", "\udc80"])
def test_a_path_that_xml_cannot_hold_is_refused_by_name(character, tmp_path):
    folder = tmp_path / f"a{character}b"
    model = model_of(("link", {"part": scaled(1.0)}))
    with pytest.raises(OSError, match="XML cannot hold") as refusal:
        write(model, folder, uri_style="file")
    assert (refusal.value.errno, refusal.value.filename) == (errno.EINVAL, str(folder / "model"))
    with pytest.raises(OSError, match="XML cannot hold") as refusal:  # model.config names the SDF
        write(model, tmp_path / f"x{character}.sdf")
    assert refusal.value.filename == str(tmp_path / f"x{character}.sdf")
    assert not list(tmp_path.iterdir())


def test_a_path_with_any_other_character_is_written(tmp_path):
    folder = tmp_path / "a b&<é\U0001f600"
    sdf = write(model_of(("link", {"part": scaled(1.0)})), folder, uri_style="file")
    (uri,) = uris(sdf)
    assert uri.startswith(f"file://{folder}/model/meshes/part-")
    assert Path(uri.removeprefix("file://")).is_file()


def test_a_windows_path_has_three_slashes_and_no_percent():
    path = PureWindowsPath("C:\\my robots\\arm\\meshes\\part.obj")
    assert package._file_uri(path) == "file:///C:/my robots/arm/meshes/part.obj"


# --- one file per content --------------------------------------------------------------------------------------------


def many(links=20, parts=5, inside_out=False):
    """Return a model whose parts are of two shapes, each shape being one surface under one map."""
    surface = wedge(inside_out)
    return model_of(
        *((f"link{i}", {f"part{j}": scaled(1.0 + j % 2, surface) for j in range(parts)}) for i in range(links))
    )


@pytest.mark.parametrize("inside_out", [False, True], ids=["as modelled", "inside out"])
def test_a_hundred_parts_of_two_shapes_are_two_files_each_formatted_once(inside_out, tmp_path, monkeypatch):
    calls = []
    original = mesh_writers.obj_bytes
    monkeypatch.setattr(mesh_writers, "obj_bytes", lambda surface: calls.append(surface) or original(surface))  # type: ignore[func-returns-value]
    sdf = write(many(inside_out=inside_out), tmp_path)
    assert len(uris(sdf)) == 100
    assert len(set(uris(sdf))) == len(list((sdf.parent / "meshes").iterdir())) == len(calls) == 2


def test_a_shared_file_is_named_after_its_first_user(tmp_path):
    model = model_of(("arm", {"zebra": scaled(1.0), "ant": scaled(1.0)}), ("base", {"bee": scaled(1.0)}))
    sdf = write(model, tmp_path)
    assert len(uris(sdf)) == 3
    (uri,) = set(uris(sdf))  # three surfaces, but one content
    assert re.fullmatch(r"meshes/zebra-[0-9a-f]{8}\.obj", uri)


def test_a_collision_and_its_visual_keep_an_origin_of_their_own(tmp_path):
    mesh = scaled(1.0)
    collision, visual = Collision("a", Pose.identity, mesh), Visual("a_visual", Pose.identity, mesh)
    model = Model("model", (Link("link", density=1.0, collisions=(collision,), visuals=(visual,)),))
    bodies = resolve_model(model)
    assert bodies[0].mode == "auto"
    root = etree.parse(write_model(model, bodies, Target(tmp_path)).file)
    assert root.findtext(".//collision//uri") != root.findtext(".//visual//uri")
    # A tetrahedron's centroid is the mean of its corners.
    centroid = [float(text) for text in root.findtext(".//collision/pose").split()[:3]]
    assert centroid == pytest.approx(VERTICES.mean(axis=0).tolist(), rel=1e-15)
    assert root.find(".//visual/pose") is None


def test_two_exports_are_the_same_bytes(tmp_path):
    for mesh_format in ("obj", "stl"):
        first, second = (write(many(links=5), tmp_path / mesh_format / run, mesh_format=mesh_format) for run in "ab")
        assert len(contents(first.parent)) == 4
        assert contents(first.parent) == contents(second.parent)


@pytest.mark.fault(66)
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux tells which file a descriptor is of")
def test_meshes_are_on_disk_before_the_config_and_it_before_the_sdf(tmp_path, monkeypatch):
    events = []
    replace, fsync = os.replace, os.fsync

    def synced(descriptor):
        events.append(("sync", os.path.relpath(os.readlink(f"/proc/self/fd/{descriptor}"), tmp_path / "model")))
        fsync(descriptor)

    def replaced(source, target):
        events.remove(("sync", os.path.relpath(source, tmp_path / "model")))  # raises where it was not
        events.append(("write", os.path.relpath(target, tmp_path / "model")))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    sdf = write(many(), tmp_path)
    assert events == [
        *(("write", uri) for uri in dict.fromkeys(uris(sdf))),
        *(("sync", folder) for folder in ("meshes", ".")),
        *(("write", "model.config"), ("sync", ".")),
        *(("write", "model.sdf"), ("sync", ".")),
    ]


def test_a_mesh_that_is_a_symbolic_link_is_replaced_where_it_is(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("old")
    (tmp_path / "meshes" / "link").symlink_to(tmp_path / "there" / "file")
    write_folder(tmp_path / "meshes", {"link": b"new", "other": b"more"})
    assert (tmp_path / "meshes" / "link").is_symlink()
    assert (tmp_path / "there" / "file").read_bytes() == b"new"
    assert (tmp_path / "meshes" / "other").read_bytes() == b"more"


# --- long names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("character", ["a", "é", "漢"])
def test_names_as_long_as_blender_allows_are_written(character, tmp_path):
    long = character * (NAME_MAX // len(character.encode()))
    model = model_of(("link", {long: scaled(1.0), long[:-1] + "b": scaled(2.0)}), name=long)
    sdf = write(model, tmp_path)
    assert etree.parse(sdf).find(".//collision").get("name") == long
    assert len(set(uris(sdf))) == 2
    for uri in uris(sdf):
        stem = re.fullmatch(r"meshes/(.+)-[0-9a-f]{8}\.obj", uri)[1]
        assert long.startswith(stem) and 97 < len(stem.encode()) <= 100
        assert (sdf.parent / uri).is_file()
    assert len(sdf.parent.name.encode()) <= 110
    (tmp_path / "styled").mkdir()
    (uri, _) = uris(write(model, tmp_path / "styled", uri_style="model"))
    assert (tmp_path / "styled" / uri.removeprefix("model://")).is_file()


def test_names_that_differ_only_at_the_end_have_their_own_folders(tmp_path):
    first, second = (Target.of(tmp_path, "m" * 200 + end).folder for end in "ab")
    assert first != second
    assert Target.of(tmp_path, "m" * 100).folder == tmp_path / ("m" * 100)


def test_a_file_whose_name_is_as_long_as_can_be_is_written(tmp_path):
    path = tmp_path / ("x" * (NAME_MAX - 4) + ".sdf")
    sdf = write(model_of(("link", {"part": scaled(1.0)})), path)
    assert sdf == path and sdf.is_file()
    assert not list(tmp_path.rglob("*.tmp"))
