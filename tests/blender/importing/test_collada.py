# SPDX-License-Identifier: GPL-3.0-or-later
"""COLLADA in Blender: its places, units, materials and textures, whatever version of Blender reads it."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from ...ros_package import collada, write_package
from ..scenes import imported, module

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(119)]


def corners(ob):
    A = np.array(ob.matrix_local, dtype=np.float64)
    points = np.array([vertex.co for vertex in ob.data.vertices], dtype=np.float64)
    return points @ A[:3, :3].T + A[:3, 3]


def test_units_are_applied_and_the_up_axis_is_not(tmp_path):
    parts = imported(write_package(tmp_path))
    for name, scale in (("look", 1.0), ("hull", 1.0), ("steel", 2.0)):
        points = corners(parts[name])
        np.testing.assert_allclose(points.min(axis=0), np.array([0.05, 0.0, 0.0]) * scale, atol=1e-8)
        np.testing.assert_allclose(points.max(axis=0), np.array([0.07, 0.03, 0.04]) * scale, atol=1e-8)
        assert len(parts[name].data.polygons) == 12


def test_materials_keep_names_colours_and_faces(tmp_path):
    mesh = imported(write_package(tmp_path))["look"].data
    assert [material.name for material in mesh.materials] == ["Label", "Blue Paint"]
    assert [face.material_index for face in mesh.polygons] == [0] * 4 + [1] * 8
    blue = mesh.materials["Blue Paint"]
    shader = next(node for node in blue.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    assert tuple(shader.inputs["Base Color"].default_value) == pytest.approx((0.1, 0.2, 0.9, 1.0))
    assert tuple(blue.diffuse_color) == pytest.approx((0.1, 0.2, 0.9, 1.0))


def test_a_texture_is_laid_by_the_coordinates_of_the_file(tmp_path):
    mesh = imported(write_package(tmp_path))["look"].data
    nodes = mesh.materials["Label"].node_tree.nodes
    (image,) = [node.image for node in nodes if node.type == "TEX_IMAGE"]
    assert Path(image.filepath).name == "label.png" and tuple(image.size) == (1, 1)
    places = {"0 0": 0, "1 0": 0, "1 1": 0, "0 1": 0}
    for face in list(mesh.polygons)[:4]:
        for loop in face.loop_indices:
            u, v = mesh.uv_layers.active.data[loop].uv
            places[f"{u:g} {v:g}"] += 1
    assert list(places.values()) == [4, 2, 4, 2]  # each square is two triangles about its first corner


def test_a_material_of_the_urdf_wins_over_those_of_the_mesh(tmp_path):
    steel = imported(write_package(tmp_path))["steel"]
    assert [slot.material.name for slot in steel.material_slots] == ["steel", "steel"]
    assert steel.data == bpy.data.objects["look"].data


@pytest.mark.parametrize(
    "image",
    ["../../outside.png", "/etc/hostname", "no.png", "http://127.0.0.1/x.png", "", "%00.png", "n" * 300, "part.dae"],
)
def test_no_picture_is_read_outside_of_the_package(image, tmp_path):
    path = write_package(tmp_path)
    (tmp_path / "outside.png").write_bytes((path.parents[1] / "materials" / "textures" / "label.png").read_bytes())
    (path.parents[1] / "meshes" / "part.dae").write_text(collada(image))
    look = imported(path)["look"]
    assert [material.name for material in look.data.materials] == ["Label", "Blue Paint"]
    assert not bpy.data.images


def test_a_file_with_a_doctype_is_refused_and_named(tmp_path, capfd):
    path = write_package(tmp_path)
    mesh = path.parents[1] / "meshes" / "part.dae"
    mesh.write_text('<!DOCTYPE COLLADA [<!ENTITY a "b">]>' + mesh.read_text())
    parts = imported(path)
    assert "look" not in parts and "box" in parts
    assert "part.dae" in capfd.readouterr().out
    assert len(parts["base"].sdf_inertia.missing.splitlines()) == 2


def test_faces_with_normals_of_their_own_are_smooth(tmp_path):
    path = write_package(tmp_path)
    mesh = path.parents[1] / "meshes" / "part.dae"
    normals = (
        '<source id="n"><float_array id="na" count="6">0 0 1 0.6 0 0.8</float_array><technique_common>'
        '<accessor source="#na" count="2" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>'
        '<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">'
    )
    text = collada().replace('<vertices id="v">', normals, 1)
    text = text.replace('<input semantic="TEXCOORD" source="#t" offset="1" set="0"/>',
                        '<input semantic="NORMAL" source="#n" offset="1"/>')  # fmt: skip
    assert " 0 0 3 1 2 2 1 3 4 0 5 1 6 2 7 3" in text
    mesh.write_text(text.replace(" 0 0 3 1 2 2 1 3 4 0 5 1 6 2 7 3", " 0 0 3 1 2 0 1 1 4 0 5 0 6 0 7 0"))
    faces = imported(path)["look"].data.polygons
    assert [face.use_smooth for face in faces] == [True, True] + [False] * 10


def test_submeshes_of_a_file_are_imported_by_name_with_their_materials(tmp_path):
    path = write_package(tmp_path)
    sdf = tmp_path / "cart_description" / "model.sdf"
    sdf.write_text(
        "<sdf version='1.9'><model name='m'><link name='l'><visual name='v'><geometry><mesh>"
        "<uri>meshes/part.dae</uri><submesh><name>box</name></submesh></mesh></geometry></visual></link></model></sdf>"
    )
    mesh = imported(sdf)["v"].data
    assert path.exists() and [material.name for material in mesh.materials] == ["Label", "Blue Paint"]


def test_a_large_file_is_read_whole(tmp_path):
    load_mesh = module("core.files.mesh_store").load_mesh
    path = write_package(tmp_path)
    part = path.parents[1] / "meshes" / "part.dae"
    nodes = "".join(f'<node name="b{n}"><instance_geometry url="#g"/></node>' for n in range(2000))
    part.write_text(collada().replace('<visual_scene id="s">', f'<visual_scene id="s">{nodes}'))
    mesh = imported(path)["look"].data
    assert len(mesh.polygons) == 12 * 2001 == len(load_mesh(part, (part.parent,)).surface.triangles)


def test_no_picture_is_read_in_a_folder_that_contains_the_home(tmp_path, monkeypatch):
    find_texture = module("core.files.look").find_texture
    (tmp_path / "me" / "meshes").mkdir(parents=True)
    (tmp_path / "other.png").touch()
    (tmp_path / "me" / "mine.png").touch()
    assert find_texture("../mine.png", tmp_path / "me" / "meshes") == (tmp_path / "me" / "mine.png").resolve()
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "me"))
    assert find_texture("../other.png", tmp_path / "me") is None
    assert find_texture("../mine.png", tmp_path / "me" / "meshes") is None


def test_a_part_that_the_reader_leaves_out_is_reported(tmp_path, capfd):
    path = write_package(tmp_path)
    mesh = path.parents[1] / "meshes" / "part.dae"
    lost = '<node name="m"><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="one"'
    lost += ' target="#lost"/></technique_common></bind_material></instance_geometry></node>'
    mesh.write_text(mesh.read_text().replace('<visual_scene id="s">', f'<visual_scene id="s">{lost}'))
    imported(path)
    assert "Not all of it could be read" in capfd.readouterr().out
