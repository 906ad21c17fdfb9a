# SPDX-License-Identifier: GPL-3.0-or-later
"""OBJ read all at once is OBJ read line by line: to the bit, group by group, and with the same complaint."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import obj_file
from core.files.mesh_file import load_surface
from core.files.obj_file import all_faces, read_obj

from .. import mesh_files


def by_line(text):
    vertices, groups = obj_file._read_by_line(text)
    return vertices, [(name, group) for (_, name, _), group in groups.items()]


def same(text):
    """Assert that both ways give the same, and return whether the quick one gave it."""
    try:
        expected = by_line(text)
    except ValueError as error:
        with pytest.raises(ValueError) as caught:
            read_obj(text)
        assert str(caught.value) == str(error)
        return False
    vertices, groups = read_obj(text)
    np.testing.assert_array_equal(vertices, expected[0])
    for (name, faces), (own, group) in zip(groups, expected[1], strict=True):
        assert name == own
        np.testing.assert_array_equal(faces.triangles, group.triangles)
        np.testing.assert_array_equal(faces.quads, group.quads)
        assert faces.triangles.dtype == faces.quads.dtype == group.triangles.dtype == np.int64
    return "\\" not in text and obj_file._read_plain(text) is not None


@pytest.mark.thorough
def test_files_of_the_data_are_read_as_an_independent_reader_has_them(data):
    paths = sorted(path for path in data.rglob("*.obj") if "nan" not in path.name and "inf_" not in path.name)
    assert len(paths) > 10
    quick = 0
    for path in paths:
        text = path.read_text(errors="replace")
        quick += same(text)
        vertices, groups = read_obj(text)
        triangles, _ = all_faces(groups)
        expected, faces = mesh_files.read(path)
        np.testing.assert_array_equal(triangles, faces)
        if "out_of_range" in path.name:
            continue
        np.testing.assert_array_equal(vertices[triangles], expected[faces])
    assert quick > 10


LINES = st.sampled_from(
    ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1e3", "v 0 0 0 1 0 0", "v 1 2", "v a b c", "vn 0 0 1", "vt 0 0"]
    + ["f 1 2 3", "f 1/1/1 2/2/2 3/3/3", "f 1//1 2//1 3//1", "f 1 2 3 4", "f 4 3 2 1 2 3", "f -1 -2 -3", "f 0 1 2"]
    + ["f 1 2", "f 1 2 9", "f 1 2 3 # end", "f 1 2 3/1# 4", "f\t1 2 3", "f 1 2 \\", "3", "# a comment", "", "  v 1 1 1"]
    + ["o a", "g b c", "g", "usemtl red", "usemtl blue", "mtllib x.mtl", "l 1 2", "v 1 2 3\r", "f 1 2 3\r"]
)


@given(st.lists(LINES, max_size=14))
def test_both_ways_of_reading_agree(lines):
    same("\n".join(["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", *lines]))


def test_a_face_of_two_corners_is_no_face():
    head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    _, ((_, faces),) = read_obj(head + "f 1 2\nf 1 3 2\nf 4\nf 1 2 4\n")
    np.testing.assert_array_equal(faces.triangles, [[0, 2, 1], [0, 1, 3]])
    assert read_obj(head + "f 1 2\n")[1] == []


def test_what_exporters_write_is_read_at_once():
    head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\n"
    assert same(head + "f 1 3 2\nf 1//1 2//1 4//1\n")
    assert same(head + "o a\nusemtl m\nf 1 2 3 4\nf 1 2 3\n")
    assert same(head + "# f\ns off\nf 1/2/3 2/2/2 3/1/1")
    assert same("v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3")
    assert not same(head + "f -1 -2 -3")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("v 0,5 0 0", "'0,5' is not a number; decimals have a point, not a comma"),
        ("v 0 x 0", "'x' is not a number"),
        ("v 0 0", "a vertex has three numbers"),
    ],
)
def test_what_is_wrong_with_a_vertex_is_reported_in_words(line, words):
    with pytest.raises(ValueError) as refused:
        read_obj(f"v 0 0 0\n{line}\nf 1 2 1\n")
    assert "line 2 (" in str(refused.value) and words in str(refused.value)


def test_a_mark_of_byte_order_does_not_hide_the_first_vertex(tmp_path):
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", encoding="utf-8-sig")
    assert len(load_surface(path)[0].vertices) == 3
