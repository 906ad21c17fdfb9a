# SPDX-License-Identifier: GPL-3.0-or-later
"""PLY in all its dresses: each file is written here, number by number, and must be the mesh that it was made from."""

import json
import struct
import sys

import numpy as np
import pytest

from core.cli.main import main
from core.errors import InertiaError
from core.files.mesh_file import load_surface
from core.files.ply_file import read_ply
from core.mesh.integrate import mesh_moments

FORMS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}

CORNERS = [(x, y, z) for z in (0.0, 3.0) for y in (0.0, 2.0) for x in (0.0, 1.0)]
QUADS = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
TRIANGLES = [(a, b, c) for q in QUADS for a, b, c in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]
# Around the box, then its two ends.
STRIPS = [4, 0, 5, 1, 7, 3, 6, 2, 4, 0, -1, 1, 0, 3, 2, -1, 4, 5, 6, 7]


def ply(form, elements):
    """Write elements, each (name, [property lines' ends], rows of (type, values) for each property)."""
    order, head, body = FORMS[form], ["ply", f"format {form} 1.0", "comment a b c"], []
    for name, properties, rows in elements:
        head += [f"element {name} {len(rows)}", *(f"property {line}" for line in properties)]
        for row in rows:
            pieces = []
            for line, value in zip(properties, row, strict=True):
                words = line.split()
                letters = {"float": "f", "double": "d", "int": "i", "uchar": "B", "short": "h"}
                if words[0] == "list":
                    pieces += [(letters[words[1]], len(value)), *((letters[words[2]], one) for one in value)]
                else:
                    pieces.append((letters[words[0]], value))
            if order:
                body.append(struct.pack(order + "".join(letter for letter, _ in pieces), *(one for _, one in pieces)))
            else:
                body.append((" ".join(str(one) for _, one in pieces) + "\n").encode())
    return "\n".join([*head, "end_header\n"]).encode() + b"".join(body)


def vertices(kind="float"):
    return "vertex", [f"{kind} x", f"{kind} y", f"{kind} z"], CORNERS


def faces(rows, name="vertex_indices"):
    return "face", [f"list uchar int {name}"], [(row,) for row in rows]


def strips(*rows, name="vertex_indices"):
    return "tristrips", [f"list int int {name}"], [(row,) for row in rows]


def as_set(triangles):
    """Return triangles, each from its lowest corner on."""
    return sorted(tuple(np.roll(row, -int(np.argmin(row))).tolist()) for row in np.asarray(triangles))


def same_solid(data):
    points, triangles, _ = read_ply(data)
    read, expected = mesh_moments(points, triangles), mesh_moments(np.array(CORNERS), np.array(TRIANGLES))
    assert read.volume == expected.volume == 6.0
    np.testing.assert_allclose(read.centroid, expected.centroid, rtol=1e-15)
    np.testing.assert_allclose(read.covariance, expected.covariance, rtol=0, atol=1e-14)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["vertex_index", "vertex_indices", "corners"])
def test_faces_are_read_whatever_the_form_and_the_name(form, name):
    points, triangles, quads = read_ply(ply(form, [vertices(), faces(TRIANGLES, name)]))
    np.testing.assert_array_equal(points, CORNERS)
    np.testing.assert_array_equal(triangles, TRIANGLES)
    assert len(quads) == 0


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["vertex_index", "vertex_indices", "corners"])
def test_strips_are_the_same_box(form, name):
    data = ply(form, [vertices(), strips(STRIPS, name=name)])
    assert len(read_ply(data)[1]) == len(TRIANGLES)
    same_solid(data)


@pytest.mark.parametrize("form", FORMS)
def test_strips_in_rows_of_their_own_are_the_same_as_after_a_restart(form):
    text = " ".join(map(str, STRIPS)).split("-1")
    rows = [[int(word) for word in row.split()] for row in text]
    assert len(rows) == 3
    one, many = (read_ply(ply(form, [vertices(), strips(*some)]))[1] for some in ([STRIPS], rows))
    np.testing.assert_array_equal(one, many)


def test_every_other_triangle_of_a_strip_winds_backwards():
    triangles = read_ply(ply("ascii", [vertices(), strips([5, 0, 1, 2, 3, -1, 4, 5, 6, 7, -1, 1, 2])]))[1]
    assert as_set(triangles) == as_set([(5, 0, 1), (1, 0, 2), (1, 2, 3), (4, 5, 6), (6, 5, 7)])


def test_a_corner_repeated_in_a_strip_makes_no_triangle_but_counts():
    triangles = read_ply(ply("ascii", [vertices(), strips([0, 1, 2, 2, 4, 4, 5, 6])]))[1]
    assert as_set(triangles) == as_set([(0, 1, 2), (4, 6, 5)])


@pytest.mark.parametrize("form", FORMS)
def test_faces_and_strips_are_one_mesh(form):
    same_solid(ply(form, [vertices(), faces(TRIANGLES[:2] + TRIANGLES[4:]), strips([4, 5, 6, 7])]))


@pytest.mark.parametrize("form", FORMS)
def test_faces_of_different_lengths_and_what_is_not_asked_for(form):
    """Mixed lists in binary are what trimesh refuses."""
    coloured = [(*corner, 7, 8) for corner in CORNERS]
    mixed = [(q, [0.5] * len(q), 3) for q in QUADS[:3] + TRIANGLES[6:]]
    data = ply(
        form,
        [
            ("camera", ["float focal"], [(1.5,)]),
            ("vertex", ["double x", "double y", "double z", "uchar red", "short tag"], coloured),
            ("edge", ["int vertex1", "int vertex2"], [(0, 1), (1, 2)]),
            ("face", ["list uchar int vertex_index", "list uchar float texcoord", "uchar flags"], mixed),
        ],
    )
    same_solid(data)
    points, _, quads = read_ply(data)
    assert points.dtype == np.float64
    np.testing.assert_array_equal(quads, QUADS[:3])


def test_what_the_header_calls_float_is_float32():
    assert read_ply(ply("ascii", [vertices("float"), faces(QUADS)]))[0].dtype == np.float32
    assert read_ply(ply("ascii", [vertices("double"), faces(QUADS)]))[0].dtype == np.float64


def test_the_command_line_reads_strips_without_a_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)  # importing it raises
    (tmp_path / "box.ply").write_bytes(ply("binary_big_endian", [vertices(), strips(STRIPS)]))
    surface, findings = load_surface(tmp_path / "box.ply", 0.001)
    assert not findings and len(surface.triangles) == 12
    assert mesh_moments(surface.vertices, surface.triangles).volume == pytest.approx(6e-9, rel=1e-14)


def test_points_alone_are_a_mesh_without_faces(tmp_path):
    (tmp_path / "points.ply").write_bytes(ply("ascii", [vertices()]))
    with pytest.raises(InertiaError, match="8 vertices and no faces"):
        load_surface(tmp_path / "points.ply")


BAD = {
    "cut off": ply("binary_little_endian", [vertices(), strips(STRIPS)])[:-1],
    "more than it says": ply("ascii", [vertices(), faces(QUADS)]) + b"1 2 3\n",
    "a word": ply("ascii", [vertices(), faces(QUADS)]).replace(b"4 0 2 3 1", b"4 0 2 x 1"),
    "half a corner": ply("ascii", [vertices(), faces(QUADS)]).replace(b"4 0 2 3 1", b"4 0 2.5 3 1"),
    "an infinite list": ply("ascii", [vertices(), faces(QUADS)]).replace(b"4 0 2 3 1", b"inf 0 2 3 1"),
    "a list of less than nothing": ply("ascii", [vertices(), faces(QUADS)]).replace(b"4 0 2 3 1", b"-4 0 2 3 1"),
    "two corners": ply("ascii", [vertices(), faces([(0, 1)])]),
    "no z": ply("ascii", [vertices(), faces(QUADS)]).replace(b"float z", b"float w"),
    "no type": ply("ascii", [vertices(), faces(QUADS)]).replace(b"float z", b"half z"),
    "no form": ply("ascii", [vertices(), faces(QUADS)]).replace(b"format ascii", b"format xml"),
    "two lists of no name": ply(
        "ascii", [vertices(), ("face", ["list uchar int a", "list uchar int b"], [((0, 1, 2), (1, 2, 3))])]
    ),
    "nothing": b"",
    "no end": b"ply\nformat ascii 1.0\n",
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_ply_is_refused(name, tmp_path):
    (tmp_path / "bad.ply").write_bytes(BAD[name])
    with pytest.raises(InertiaError) as refused:
        load_surface(tmp_path / "bad.ply")
    assert refused.value.code == "unreadable_file" and refused.value.remedy


SENTENCES = {
    "two corners": "a face of it has 2 corners, or the counts in its header are wrong",
    "a word": "'x' is not a number",
    "cut off": "its header says 'element tristrips 1', which its data do not fit",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_what_is_wrong_is_reported_in_words(name, tmp_path):
    (tmp_path / "bad.ply").write_bytes(BAD[name])
    with pytest.raises(InertiaError) as refused:
        load_surface(tmp_path / "bad.ply")
    assert SENTENCES[name] in refused.value.message


def test_a_decimal_comma_is_named_by_its_line(tmp_path):
    head, _, body = ply("ascii", [vertices(), faces(QUADS)]).partition(b"end_header\n")
    first, rest = body.split(b"\n", 1)
    (tmp_path / "bad.ply").write_bytes(b"%send_header\n%s\n0,5 0 0\n%s" % (head, first, rest))
    line = head.count(b"\n") + 3
    with pytest.raises(InertiaError, match=f"line {line}: '0,5' is not a number; decimals have a point, not a comma"):
        load_surface(tmp_path / "bad.ply")


def test_a_corner_that_is_not_a_vertex_is_reported(tmp_path):
    (tmp_path / "bad.ply").write_bytes(ply("ascii", [vertices(), strips([0, 1, 2, 8])]))
    with pytest.raises(InertiaError) as refused:
        load_surface(tmp_path / "bad.ply")
    assert refused.value.code == "index_out_of_range"


def test_trimesh_reads_the_same_faces(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    rng = np.random.default_rng(3)
    points, rows = rng.normal(size=(50, 3)), rng.permuted(np.tile(np.arange(50), (40, 1)), axis=1)[:, :3]
    for encoding in ("ascii", "binary"):
        data = trimesh.Trimesh(points, rows, process=False).export(file_type="ply", encoding=encoding)
        found, triangles, _ = read_ply(data)
        np.testing.assert_array_equal(triangles, rows)
        np.testing.assert_allclose(found, points, rtol=1e-7, atol=1e-7)  # text has eight decimals


@pytest.mark.fault(165)
def test_a_header_and_a_name_in_capitals_are_read(tmp_path, capsys):
    path = tmp_path / "X.PLY"
    path.write_bytes(ply("ascii", [vertices(), faces(TRIANGLES)]).replace(b"ply\n", b"PLY\n", 1))
    surface, findings = load_surface(path)
    assert mesh_moments(surface.vertices, surface.triangles).volume == 6.0
    assert findings == ()
    assert main(["mass", str(path), "--density", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mass"] == 12.0
