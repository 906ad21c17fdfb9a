# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files as the command line reads them, against solids whose moments are known exactly."""

import base64
import json
import sys

import numpy as np
import pytest

from core import InertiaError, Moments, mesh_moments
from core.files.mesh_file import UnreadableFileError, load_surface

from ..exact import integrate
from ..solids import L_CELLS, box, cells, joined

VERTICES, TRIANGLES = cells(L_CELLS, (1.0, 0.5, 2.0), (-1.0, 0.25, 3.0))  # exact in float32


def assert_is(surface, *meshes):
    """Assert that a surface has the moments of some meshes in sum, to 1e-13: both sides round some dozen times."""
    truth, found = sum((mesh_moments(*mesh) for mesh in meshes), Moments.zero), mesh_moments(*_arrays(surface))
    assert found.volume == pytest.approx(truth.volume, rel=1e-13)
    assert found.centroid == pytest.approx(truth.centroid, abs=1e-13 * np.abs(truth.centroid).max())
    assert found.covariance == pytest.approx(truth.covariance, abs=1e-13 * np.trace(truth.covariance))


def _arrays(surface):
    return surface.vertices, surface.triangles


def placed(mesh, matrix):
    """Return a mesh under a 4 x 4 matrix, its winding kept outwards."""
    vertices = mesh[0] @ matrix[:3, :3].T + matrix[:3, 3]
    return vertices, mesh[1][:, ::-1] if np.linalg.det(matrix[:3, :3]) < 0 else mesh[1]


PARENT = np.diag([-1.0, 1.0, 1.0, 1.0])
CHILD = np.array([[0.0, -2.0, 0.0, 5.0], [1.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.5, 2.0], [0.0, 0.0, 0.0, 1.0]])


def obj_text(vertices, faces):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    return "\n".join([*lines, *("f " + " ".join(str(i + 1) for i in face) for face in faces)]) + "\n"


def stl_text(vertices, triangles):
    facets = ""
    for face in vertices[triangles].tolist():
        corners = "".join(f"vertex {x!r} {y!r} {z!r}\n" for x, y, z in face)
        facets += f"facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n"
    return f"solid s\n{facets}endsolid s\n"


def gltf_text(vertices, triangles, nodes):
    points, faces = vertices.astype("<f4").tobytes(), triangles.astype("<u4").tobytes()
    uri = "data:application/octet-stream;base64," + base64.b64encode(points + faces).decode()
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": len(points)}]
    views += [{"buffer": 0, "byteOffset": len(points), "byteLength": len(faces)}]
    accessors = [{"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3"}]
    accessors[0] |= {"min": vertices.min(0).tolist(), "max": vertices.max(0).tolist()}
    accessors += [{"bufferView": 1, "componentType": 5125, "count": triangles.size, "type": "SCALAR"}]
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "buffers": [{"uri": uri, "byteLength": len(points + faces)}],
            "bufferViews": views,
            "accessors": accessors,
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "nodes": nodes,
            "scenes": [{"nodes": [0]}],
            "scene": 0,
        }
    )


def dae_text(vertices, triangles, parent, child, unit="1"):
    numbers = " ".join(map(repr, vertices.ravel().tolist()))
    rows = [" ".join(map(repr, matrix.ravel().tolist())) for matrix in (parent, child)]
    return f"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="u" meter="{unit}"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="{vertices.size}">{numbers}</float_array><technique_common>
<accessor source="#a" count="{len(vertices)}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{len(triangles)}"><input semantic="VERTEX" source="#v" offset="0"/>
<p>{" ".join(map(str, triangles.ravel().tolist()))}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><matrix>{rows[0]}</matrix><node id="m">
<matrix>{rows[1]}</matrix><instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


@pytest.mark.fault(24)
def test_an_l_shaped_face_of_an_obj_is_read_whole(tmp_path):
    outline = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]], dtype=float)
    points = np.vstack([np.column_stack([outline, np.full(6, z)]) for z in (0.0, 1.0)])
    # Each polygon starts at another corner, so that some fans leave the polygon.
    faces = [[3, 2, 1, 0, 5, 4], [8, 9, 10, 11, 6, 7]] + [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    path = tmp_path / "l.obj"
    path.write_text(obj_text(points, faces))
    assert_is(load_surface(path)[0], cells(L_CELLS))
    assert mesh_moments(*_arrays(load_surface(path)[0])).volume == 5.0


def test_indices_relative_to_the_vertices_so_far_are_those_of_each_object(tmp_path):
    first, second = box(), box((1.0, 2.0, 3.0), (5.0, 0.0, 0.0))
    text = ""
    for vertices, triangles in (first, second):
        text += "o part\n" + "".join(f"v {x} {y} {z}\n" for x, y, z in vertices.tolist())
        text += "".join(f"f {a}//1 {b}//1 {c}//1\n" for a, b, c in (triangles - len(vertices)).tolist())
    path = tmp_path / "two.OBJ"
    path.write_text(text)
    assert_is(load_surface(path)[0], first, second)


def test_comments_continued_lines_and_materials_of_an_obj_are_skipped(tmp_path):
    lines = obj_text(VERTICES, TRIANGLES.tolist()).splitlines()
    lines = ["mtllib absent.mtl", *lines[:-1], "usemtl red", "l 1 2", lines[-1].replace(" ", " \\\r\n", 1) + " # last"]
    path = tmp_path / "l.obj"
    path.write_bytes("\r\n".join(lines).encode())
    assert_is(load_surface(path)[0], (VERTICES, TRIANGLES))


@pytest.mark.parametrize("face", ["0 1 2", "1 -99", "1 2 -99", "1 2 x", "1 2 3.5"])
def test_a_line_that_is_no_obj_is_named(tmp_path, face):
    path = tmp_path / "bad.obj"
    path.write_text(obj_text(VERTICES, TRIANGLES.tolist()) + f"f {face}\n")
    with pytest.raises(UnreadableFileError, match=f"line {len(VERTICES) + len(TRIANGLES) + 1} .'f {face}"):
        load_surface(path)


def test_an_index_past_the_last_vertex_refuses_the_mesh_and_names_the_face(tmp_path):
    path = tmp_path / "bad.obj"
    path.write_text(obj_text(VERTICES, TRIANGLES.tolist()) + "f 1 2 99\n")
    with pytest.raises(InertiaError, match="vertex 98") as error:
        load_surface(path)
    assert error.value.code == "index_out_of_range" and not isinstance(error.value, UnreadableFileError)


def test_several_solids_of_an_stl_are_one_body(tmp_path):
    pytest.importorskip("trimesh")
    other = box((1.0, 1.0, 1.0), (10.0, 0.0, 0.0))
    path = tmp_path / "two.stl"
    path.write_text(stl_text(VERTICES, TRIANGLES) + stl_text(*other))
    assert_is(load_surface(path)[0], (VERTICES, TRIANGLES), other)


@pytest.mark.parametrize("scale", [1.0, 0.001, 25.4])
def test_a_file_is_in_metres_times_the_scale(tmp_path, scale):
    pytest.importorskip("trimesh")
    path = tmp_path / "l.stl"
    path.write_text(stl_text(VERTICES, TRIANGLES))
    assert_is(load_surface(path, scale)[0], (VERTICES * scale, TRIANGLES))


def test_the_coordinates_of_an_stl_are_known_to_be_float32(tmp_path):
    pytest.importorskip("trimesh")
    path = tmp_path / "l.stl"
    path.write_text(stl_text(VERTICES, TRIANGLES))
    assert load_surface(path)[0].vertices.dtype == np.float32
    path.write_text(stl_text(VERTICES * 0.1, TRIANGLES))  # 0.1 has more digits than float32, and text can carry them
    assert load_surface(path)[0].vertices.dtype == np.float64


def test_nodes_of_a_gltf_move_scale_mirror_and_repeat_their_mesh(tmp_path):
    nodes = [
        {"children": [1, 2], "scale": [-1.0, 1.0, 1.0]},
        {"mesh": 0, "matrix": CHILD.T.ravel().tolist()},
        {"mesh": 0, "translation": [20.0, 0.0, 0.0]},
    ]
    path = tmp_path / "nodes.gltf"
    path.write_text(gltf_text(VERTICES, TRIANGLES, nodes))
    mesh, shift = (VERTICES, TRIANGLES), np.eye(4)
    shift[0, 3] = 20.0
    pair = placed(mesh, PARENT @ CHILD), placed(mesh, PARENT @ shift)
    assert all(integrate(*one).volume > 0 for one in pair)  # wound outwards although each is mirrored
    assert_is(load_surface(path)[0], *pair)


@pytest.mark.fault(113)
@pytest.mark.parametrize(
    "nodes, scene, name",
    [
        ([{"children": [1, 2]}, {"children": [3]}, {"children": [3]}, {"mesh": 0, "name": "hand"}], [0], "3 'hand'"),
        ([{"children": [1, 1]}, {"mesh": 0}], [0], "1 '1'"),
        ([{"children": [1]}, {"mesh": 0}], [0, 1], "1 '1'"),
        ([{"mesh": 0}], [0, 0], "0 '0'"),
        ([{"children": [1]}, {"mesh": 0, "children": [0], "name": "ring"}], [0], "0 '0'"),
    ],
)
def test_a_gltf_node_in_two_places_is_refused_by_its_name(tmp_path, nodes, scene, name):
    text = json.loads(gltf_text(VERTICES, TRIANGLES, nodes))
    text["scenes"] = [{"nodes": scene}]
    path = tmp_path / "two.gltf"
    path.write_text(json.dumps(text))
    with pytest.raises(UnreadableFileError, match=f"its node {name} is listed twice"):
        load_surface(path)


@pytest.mark.fault(113)
def test_a_mesh_of_two_nodes_and_a_node_of_two_scenes_are_read(tmp_path):
    shift = {"mesh": 0, "translation": [20.0, 0.0, 0.0]}
    text = json.loads(gltf_text(VERTICES, TRIANGLES, [{"mesh": 0}, shift, {"mesh": 0}]))
    text["scenes"] = [{"nodes": [0, 1]}, {"nodes": [1]}]
    path = tmp_path / "two.gltf"
    path.write_text(json.dumps(text))
    assert len(load_surface(path)[0].triangles) == 2 * len(TRIANGLES)


def test_nodes_of_a_collada_file_move_scale_and_mirror_their_mesh(tmp_path):
    pytest.importorskip("trimesh")
    pytest.importorskip("collada")
    path = tmp_path / "node.dae"
    path.write_text(dae_text(VERTICES, TRIANGLES, PARENT, CHILD))
    surface, findings = load_surface(path)
    assert_is(surface, placed((VERTICES, TRIANGLES), PARENT @ CHILD))
    assert findings == ()


def test_a_collada_geometry_that_is_left_out_is_reported(tmp_path):
    pytest.importorskip("trimesh")
    pytest.importorskip("collada")
    path = tmp_path / "broken.dae"
    text = dae_text(VERTICES, TRIANGLES, PARENT, CHILD)
    other = '<node id="k"><instance_geometry url="#absent"/></node>'
    path.write_text(text.replace("</visual_scene>", other + "</visual_scene>"))
    _, (finding,) = load_surface(path)
    assert (finding.severity, finding.code) == ("warning", "reader_warning") and "absent" in finding.message


def test_a_gltf_primitive_that_is_skipped_is_reported(tmp_path):
    text = json.loads(gltf_text(VERTICES, TRIANGLES, [{"mesh": 0}]))
    text["meshes"][0]["primitives"].append({"attributes": {"POSITION": 0}, "indices": 1, "mode": 2})
    path = tmp_path / "loop.gltf"
    path.write_text(json.dumps(text))
    _, (finding,) = load_surface(path)
    assert (finding.severity, finding.code) == ("warning", "reader_warning") and "mode" in finding.message


@pytest.mark.parametrize("text", ["", "garbage", "solid s\nendsolid s\n"])
def test_a_file_without_faces_is_a_mesh_without_faces(tmp_path, text):
    pytest.importorskip("trimesh")
    path = tmp_path / "empty.stl"
    path.write_text(text)
    with pytest.raises(InertiaError) as error:
        load_surface(path)
    assert error.value.code in ("no_faces", "unreadable_file")


def test_a_gltf_that_ends_too_early_is_unreadable(tmp_path):
    path = tmp_path / "broken.gltf"
    path.write_text(gltf_text(VERTICES, TRIANGLES, [{"mesh": 0}])[:-20])
    with pytest.raises(UnreadableFileError) as error:
        load_surface(path)
    assert error.value.code == "unreadable_file" and str(path) in str(error.value)


@pytest.mark.parametrize("name", ["absent.stl", "mesh.step", "mesh", "."])
def test_what_is_not_a_mesh_file_is_unreadable(tmp_path, name):
    with pytest.raises(UnreadableFileError) as error:
        load_surface(tmp_path / name)
    assert error.value.code in ("unreadable_file", "unknown_format")


def test_without_trimesh_obj_and_stl_are_read_and_off_says_what_to_install(tmp_path, monkeypatch):
    path = tmp_path / "l.obj"
    path.write_text(obj_text(VERTICES, TRIANGLES.tolist()))
    monkeypatch.setitem(sys.modules, "trimesh", None)  # importing it raises
    assert_is(load_surface(path)[0], (VERTICES, TRIANGLES))
    path = tmp_path / "l.stl"
    path.write_text(stl_text(VERTICES, TRIANGLES))
    assert len(load_surface(path)[0].triangles) == len(TRIANGLES)
    path = tmp_path / "l.off"
    path.write_text("OFF\n")
    with pytest.raises(UnreadableFileError, match="pip install 'sdf-inertia.mesh.'") as error:
        load_surface(path)
    assert error.value.code == "no_trimesh"


def test_real_files_have_their_true_moments(data):
    pytest.importorskip("trimesh")
    truth = json.loads((data / "truth.json").read_text())["clean"]
    names = [name for name in truth if not name.endswith(".dae")]
    assert len(names) >= 7
    for name in names:
        surface, findings = load_surface(data / "meshes" / "clean" / name)
        moments, expected = mesh_moments(*_arrays(surface)), truth[name]
        assert findings == ()
        assert moments.volume == pytest.approx(expected["volume"], rel=1e-12), name
        assert moments.centroid == pytest.approx(expected["com"], abs=1e-12 * surface.extent().max()), name
        inertia = np.trace(moments.covariance) * np.eye(3) - moments.covariance
        assert inertia == pytest.approx(np.array(expected["I"]), abs=1e-12 * np.trace(inertia)), name


def test_a_real_collada_file_has_its_true_moments(data):
    pytest.importorskip("collada")
    expected = json.loads((data / "truth.json").read_text())["clean"]["cylinder.dae"]
    surface, _ = load_surface(data / "meshes" / "clean" / "cylinder.dae")
    # The truth is of positions in single precision; the file has seven digits, which are all read.
    assert mesh_moments(*_arrays(surface)).volume == pytest.approx(expected["volume"], rel=1e-8)


def test_all_pieces_of_a_file_are_checked_by_themselves(tmp_path):
    one = joined((VERTICES, TRIANGLES), box())
    text = json.loads(gltf_text(*one, [{"children": [1, 2]}, {"mesh": 0}, {"mesh": 0, "translation": [50, 0, 0]}]))  # type: ignore[call-arg]
    path = tmp_path / "two.gltf"
    path.write_text(json.dumps(text))
    assert len(load_surface(path)[0].triangles) == 2 * len(one[1])
