# SPDX-License-Identifier: GPL-3.0-or-later
"""Binary STL by itself: the same bytes as others read, whatever the comment says, and without trimesh."""

import sys

import numpy as np
import pytest

from core.errors import InertiaError
from core.files.mesh_file import load_surface
from core.files.mesh_store import load_mesh
from core.files.mesh_writers import stl_bytes
from core.files.trimesh_scene import read_binary_stl
from core.mesh.surface import Surface

from .. import mesh_files
from ..solids import box

SOURCES = ["clean/torus.STL", "clean/featuretype.STL", "clean/link1.stl", "clean/plate_holes.STL", "cases/box.stl"]


def cube():
    vertices, triangles = box()
    return stl_bytes(Surface(np.asarray(vertices, np.float32), triangles))


@pytest.mark.parametrize("name", SOURCES)
def test_corners_are_those_that_an_independent_reader_finds(name, data):
    path = data / "meshes" / name
    expected, _ = mesh_files.read(path)
    for vertices, triangles in (
        read_binary_stl(path.read_bytes()),
        (load_mesh(path, ()).surface.vertices, load_mesh(path, ()).surface.triangles),
        (load_surface(path)[0].vertices, load_surface(path)[0].triangles),
    ):
        assert vertices.dtype == np.float32
        np.testing.assert_array_equal(vertices[triangles].reshape(-1, 3), expected)


@pytest.mark.parametrize("name", SOURCES)
def test_trimesh_reads_the_same(name, data):
    trimesh = pytest.importorskip("trimesh")
    path = data / "meshes" / name
    theirs = trimesh.load_mesh(path, process=False)
    file = load_mesh(path, ()).surface
    np.testing.assert_array_equal(file.vertices[file.triangles], theirs.vertices[theirs.faces])


def test_a_comment_that_says_solid_makes_no_text_of_it(tmp_path):
    path = tmp_path / "cube.stl"
    path.write_bytes(b"solid by an exporter that does not mind".ljust(80) + cube()[80:])
    assert len(load_mesh(path, ()).surface.triangles) == 12


def test_binary_stl_needs_no_library_and_text_says_which(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)  # importing it raises
    (tmp_path / "cube.stl").write_bytes(cube())
    assert len(load_mesh(tmp_path / "cube.stl", ()).surface.triangles) == 12
    assert len(load_surface(tmp_path / "cube.stl")[0].triangles) == 12
    (tmp_path / "text.stl").write_text("solid a\nendsolid a\n")
    for read in (lambda path: load_mesh(path, ()), load_surface):
        with pytest.raises(InertiaError) as caught:
            read(tmp_path / "text.stl")
        assert caught.value.code == "no_trimesh"


@pytest.mark.parametrize("cut", [-1, 1, 50])
def test_a_file_of_another_length_than_it_says_is_refused_by_both_numbers(cut, tmp_path):
    data = cube() + b"\0" * cut if cut > 0 else cube()[:cut]
    (tmp_path / "cut.stl").write_bytes(data)
    with pytest.raises(InertiaError) as caught:
        load_mesh(tmp_path / "cut.stl", ())
    assert caught.value.code == "bad_mesh_file"
    assert "12 triangles, which take 684 bytes" in caught.value.message and str(len(data)) in caught.value.message


def test_no_triangles_are_a_mesh_without_faces(tmp_path):
    (tmp_path / "none.stl").write_bytes(bytes(84))
    with pytest.raises(InertiaError) as caught:
        load_mesh(tmp_path / "none.stl", ())
    assert caught.value.code == "no_faces"
    assert read_binary_stl(b"solid none\nendsolid none") is None
