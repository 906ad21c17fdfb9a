# SPDX-License-Identifier: GPL-3.0-or-later
"""STL by itself: binary as others read it, text of every dialect, no facet lost in silence, and without trimesh."""

import sys
from time import process_time

import numpy as np
import pytest

from core.cli.main import main
from core.errors import InertiaError
from core.files.mesh_file import load_surface
from core.files.mesh_store import load_mesh
from core.files.mesh_writers import stl_bytes
from core.files.stl_file import read_stl
from core.mesh.integrate import mesh_moments
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
        read_stl(path.read_bytes()),
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


def test_stl_needs_no_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)  # importing it raises
    (tmp_path / "cube.stl").write_bytes(cube())
    (tmp_path / "text.stl").write_text(text())
    for name in ("cube.stl", "text.stl"):
        assert len(load_mesh(tmp_path / name, ()).surface.triangles) == 12
        assert len(load_surface(tmp_path / name)[0].triangles) == 12


@pytest.mark.parametrize("cut", [-1, 1, 50])
def test_a_file_of_another_length_than_it_says_is_refused_by_both_numbers(cut, tmp_path):
    data = cube() + b"\0" * cut if cut > 0 else cube()[:cut]
    (tmp_path / "cut.stl").write_bytes(data)
    with pytest.raises(InertiaError) as caught:
        load_mesh(tmp_path / "cut.stl", ())
    assert caught.value.code == "bad_mesh_file"
    assert "12 triangles, which take 684 bytes" in caught.value.message and str(len(data)) in caught.value.message


def test_no_triangles_are_a_mesh_without_faces(tmp_path):
    for name, data in (("none.stl", bytes(84)), ("text.stl", b"solid none\nendsolid none\n")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InertiaError) as caught:
            load_mesh(tmp_path / name, ())
        assert caught.value.code == "no_faces"


def test_an_empty_file_and_utf16_are_named(tmp_path):
    for data, words in ((b"", "the file is empty"), (text().encode("utf-16"), "UTF-16")):
        (tmp_path / "text.stl").write_bytes(data)
        with pytest.raises(InertiaError, match=words):
            load_surface(tmp_path / "text.stl")


# --- text ------------------------------------------------------------------------------------------------------------

FACET = """ facet normal 0 0 0
  outer loop
   vertex {} {} {}
   vertex {} {} {}
   vertex {} {} {}
  endloop
 endfacet
"""


def text(first="solid cube\n", last="endsolid cube\n", number="{}"):
    """Return the cube as text, each of its lines as exporters write it."""
    vertices, triangles = box()
    corners = np.asarray(vertices)[triangles].reshape(-1, 9)
    return first + "".join(FACET.format(*map(number.format, row)) for row in corners.tolist()) + last


def lines(new, count=7):
    """Return the text with other lines instead of those of the third facet."""
    old = text().splitlines(keepends=True)
    return "".join([*old[:15], new, *old[15 + count :]])


ONE = text("", "")
DIALECTS = {
    "as exporters write it": text(),
    "two words before a name": text(last="end solid cube\n"),
    "no end": text(last=""),
    "text after the end": text(last="endsolid\nwritten by hand, vertices as given\n"),
    "nothing around the facets": ONE,
    "in capitals": text().upper(),
    "tabs": text().replace(" ", "\t"),
    "line ends of Windows": text().replace("\n", "\r\n"),
    "line ends of old Macs": text().replace("\n", "\r"),
    "empty lines": text().replace("\n", "\n\n \n"),
    "one facet in a line": text().replace("\n  ", " ").replace("\n end", " end"),
    "one word in a line": text("solid\n", "endsolid\n").replace(" ", "\n"),
    "a name of spaces and facets": text("solid a facet of  mine\n", "endsolid a facet of  mine\n"),
    "a name of a vertex": text("solid vertex 1\n"),
    "letters of another code": text("solid \xfc\n").encode("latin-1"),
    "a byte order mark": text("\ufeffsolid\n"),
    "several solids": text(last="endsolid a\nsolid b\n") + text("", "endsolid b\nsolid\nendsolid\n"),
    "a solid that does not end": text(last="solid b\n") + ONE,
    "a comment between facets": lines("# by hand\n" + FACET.format(*[0] * 9)),
    "normals that are not numbers": text().replace("0 0 0\n  outer", "nan -nan(ind) 1.#IND\n  outer"),
    "exponents": text(number="{:.8e}"),
    "exponents of Fortran": text(number="{:.8e}").replace("e+", "D+").replace("e-", "d-"),
    "signs": text(number="{:+}"),
}
FACETS = {"several solids": 24, "a solid that does not end": 24}


@pytest.mark.fault(199)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_of_text_is_the_same_cube(dialect, tmp_path):
    data = DIALECTS[dialect]
    (tmp_path / "cube.stl").write_bytes(data if isinstance(data, bytes) else data.encode())
    surface = load_mesh(tmp_path / "cube.stl", ()).surface
    facets = FACETS.get(dialect, 12)
    assert len(surface.triangles) == facets and surface.vertices.shape == (3 * facets, 3)
    if "comment" not in dialect:
        assert mesh_moments(surface.vertices, surface.triangles).volume == pytest.approx(facets / 12, rel=1e-14)


CORNER = "   vertex 0 0 0\n"
WRONG = {
    "decimal commas": (text(number="{:.1f}").replace(".", ","), 4, "'0,0' is not a number; decimals have a point"),
    "a corner too many": (lines(FACET.format(*[0] * 9).replace(CORNER, 2 * CORNER, 1)), 21, "'endloop'"),
    "a corner too few": (lines(FACET.format(*[0] * 9).replace(CORNER, "", 1)), 20, "'vertex'"),
    "a coordinate too few": (
        lines(FACET.format(*[0] * 9).replace("0 0\n   v", "0\n   v", 1)),
        19,
        "a number is missing before 'vertex'",
    ),
    "a word of another spelling": (lines(FACET.format(*[0] * 9).replace("facet", "facett", 1)), 18, "'vertex'"),
    "facets in the line of the name": ("solid " + ONE.replace("\n", " "), 1, "'solid'"),
    "a solid within a facet": (lines(FACET.format(*[0] * 9).replace(CORNER, "solid\n" + CORNER, 1)), 18, "'solid'"),
}


@pytest.mark.fault(199)
@pytest.mark.parametrize("what", WRONG)
def test_a_text_that_would_lose_a_facet_is_refused_by_its_line(what, tmp_path):
    data, number, word = WRONG[what]
    (tmp_path / "cube.stl").write_text(data)
    with pytest.raises(InertiaError) as caught:
        load_surface(tmp_path / "cube.stl")
    assert caught.value.code == "unreadable_file"
    assert f"line {number} (" in caught.value.message and word in caught.value.message


@pytest.mark.fault(199)
def test_a_facet_that_is_cut_off_is_named_by_its_line(tmp_path):
    (tmp_path / "cube.stl").write_text(text()[:-60])
    with pytest.raises(InertiaError, match="ends within the facet that begins in line 79"):
        load_surface(tmp_path / "cube.stl")


@pytest.mark.fault(199)
@pytest.mark.parametrize("count", [0, 11, 13, 2**32 - 1])
def test_a_wrong_count_is_reported_with_the_facets_that_there_are(count, tmp_path, capsys):
    path = tmp_path / "cube.stl"
    path.write_bytes(cube()[:80] + count.to_bytes(4, "little") + cube()[84:])
    assert main(["mass", str(path)]) == 2
    message = " ".join(capsys.readouterr().err.split())
    assert f"it says it has {count} triangles" in message and "its 684 bytes fit 12" in message
    path.write_bytes(cube() + bytes(3))
    assert main(["mass", str(path)]) == 2
    assert "its 687 bytes fit 12 and 3 bytes more" in " ".join(capsys.readouterr().err.split())


def test_digits_that_float32_holds_are_float32(tmp_path):
    assert read_stl(text().encode())[0].dtype == np.float32
    assert read_stl(text().replace("1.0", "0.1").encode())[0].dtype == np.float64


def test_a_million_empty_solids_take_no_longer_than_their_bytes():
    begun = process_time()
    vertices, triangles = read_stl(b"solid endsolid\n" * 1_000_000)
    assert not len(vertices) and not len(triangles)
    assert process_time() - begun < 5.0
