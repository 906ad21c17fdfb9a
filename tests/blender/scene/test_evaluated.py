# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluated mesh counts: modifiers, edit mode while it is open, text and curves, meshes with several users."""

from math import pi

import bmesh
import bpy
import numpy as np
import pytest

from ..faulty_meshes import TENT, TENT_SIDES
from ..scenes import (
    FLOAT32,
    MATRIX,
    add,
    assert_same,
    box_inertial,
    box_link,
    box_mesh,
    findings,
    integrated,
    mesh_data,
    only_link,
    read,
    select,
    tag,
    wedge_mesh,
    world_inertial,
    world_triangles,
)

pytestmark = pytest.mark.usefixtures("scene")


def array(ob):
    modifier = ob.modifiers.new("array", "ARRAY")
    modifier.count = 3
    modifier.relative_offset_displace = (2, 0, 0)


def mirror(ob):
    ob.modifiers.new("mirror", "MIRROR").use_mirror_merge = False


def solidify(ob):
    ob.modifiers.new("solidify", "SOLIDIFY").thickness = -0.25


def subdivide(ob):
    ob.modifiers.new("subdivide", "SUBSURF").levels = 2


@pytest.mark.parametrize("modify", [array, mirror, subdivide])
def test_a_modified_mesh_weighs_as_the_mesh_that_blender_shows(modify):
    ob = tag(add(wedge_mesh(), location=(1, 2, 3), rotation_euler=(1, 2, 3)), "link", "collision")
    plain = only_link().inertial.mass
    modify(ob)
    assert abs(only_link().inertial.mass - plain) > 1e-3 * plain
    assert_same(world_inertial(only_link()), integrated(world_triangles(ob)), 4 * FLOAT32)


def test_a_solidified_sheet_is_a_plate():
    ob = tag(add(mesh_data([(-1, -2, 0), (1, -2, 0), (1, 2, 0), (-1, 2, 0)], [(0, 1, 2, 3)])), "link", "collision")
    assert findings()["open_mesh"].severity == "error"
    solidify(ob)
    mass, com, inertia = box_inertial((2, 4, 0.25))
    centre = world_triangles(ob).reshape(-1, 3).mean(axis=0)
    assert abs(centre[2]) == pytest.approx(0.125)
    assert_same(world_inertial(only_link()), (mass, com + (0, 0, centre[2]), inertia), MATRIX)


@pytest.mark.fault(55)
def test_a_modifier_that_the_viewport_does_not_show_does_not_count():
    ob = box_link()
    array(ob)
    assert only_link().inertial.mass == pytest.approx(3000)
    ob.modifiers["array"].show_viewport = False
    ob.modifiers["array"].show_render = True
    assert only_link().inertial.mass == pytest.approx(1000)


def test_shape_keys_count():
    ob = box_link()
    ob.shape_key_add(name="basis")
    key = ob.shape_key_add(name="tall")
    for point in key.data:
        point.co.z *= 3
    key.value = 1.0
    assert_same(world_inertial(only_link()), box_inertial((1, 1, 3)), MATRIX)


def grow_in_edit_mode(ob, factor):
    mesh = bmesh.from_edit_mesh(ob.data)
    for vertex in mesh.verts:
        vertex.co *= factor
    bmesh.update_edit_mesh(ob.data)


@pytest.mark.fault(55)
@pytest.mark.parametrize("modify, copies", [(lambda ob: None, 1), (array, 3)])
def test_open_edit_mode_is_live(modify, copies):
    ob = box_link()
    modify(ob)
    select(ob)
    for _step in range(2):  # the second time everything is remembered that could be
        bpy.ops.object.mode_set(mode="EDIT")
        before = only_link().inertial.mass
        grow_in_edit_mode(ob, 2)
        assert only_link().inertial.mass == pytest.approx(8 * before)
        grow_in_edit_mode(ob, 0.5)
        assert only_link().inertial.mass == pytest.approx(before)
        grow_in_edit_mode(ob, 2)
        assert ob.mode == "EDIT"
        bpy.ops.object.mode_set(mode="OBJECT")
        assert only_link().inertial.mass == pytest.approx(8 * before)
    assert only_link().inertial.mass == pytest.approx(copies * 1000 * 64)


def test_in_edit_mode_a_modifier_counts_as_it_is_shown_there():
    ob = box_link()
    array(ob)
    ob.modifiers["array"].show_in_editmode = False
    select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    assert only_link().inertial.mass == pytest.approx(1000)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert only_link().inertial.mass == pytest.approx(3000)


def test_another_user_of_a_mesh_in_edit_mode_is_live_too():
    mesh = box_mesh()
    first, second = (tag(add(mesh, name), "link", "collision") for name in ("first", "second"))
    assert [body.inertial.mass for body in read()[1]] == pytest.approx([1000, 1000])
    select(first)
    bpy.ops.object.mode_set(mode="EDIT")
    for factor in (1, 8, 64):
        assert [body.inertial.mass for body in read()[1]] == pytest.approx([1000 * factor] * 2)
        grow_in_edit_mode(first, 2)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [body.inertial.mass for body in read()[1]] == pytest.approx([512000] * 2)
    second.modifiers.new("array", "ARRAY").count = 2
    assert [body.inertial.mass for body in read()[1]] == pytest.approx([512000, 1024000])


def test_deleting_in_edit_mode_is_seen():
    ob = box_link()
    select(ob)
    assert only_link().inertial.mass == pytest.approx(1000)
    bpy.ops.object.mode_set(mode="EDIT")
    mesh = bmesh.from_edit_mesh(ob.data)
    mesh.faces.ensure_lookup_table()
    mesh.faces.remove(mesh.faces[0])
    bmesh.update_edit_mesh(ob.data)
    assert findings()["open_mesh"].severity == "error"


@pytest.mark.parametrize("mode", ["SCULPT", "VERTEX_PAINT", "WEIGHT_PAINT"])
def test_other_modes_change_nothing(mode):
    ob = box_link()
    select(ob)
    bpy.ops.object.mode_set(mode=mode)
    assert only_link().inertial.mass == pytest.approx(1000)
    assert ob.mode == mode


def test_a_vertex_moved_by_a_script_is_seen():
    ob = box_link()
    assert only_link().inertial.mass == pytest.approx(1000)
    for vertex in ob.data.vertices:
        vertex.co *= 2
    ob.data.update()
    assert only_link().inertial.mass == pytest.approx(8000)


def test_undo_of_an_edit_is_seen():
    select(box_link("ob"))
    bpy.ops.ed.undo_push(message="before")
    assert only_link().inertial.mass == pytest.approx(1000)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.resize(value=(2, 2, 2))
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.ed.undo_push(message="after")
    assert only_link().inertial.mass == pytest.approx(8000)
    bpy.ops.ed.undo()
    assert only_link().inertial.mass == pytest.approx(1000)
    bpy.ops.ed.redo()
    assert only_link().inertial.mass == pytest.approx(8000)


def test_an_extruded_text_is_a_solid():
    text = bpy.data.curves.new("text", "FONT")
    text.body, text.extrude = "SDF", 0.1
    ob = tag(add(text), "link", "collision")
    assert_same(world_inertial(only_link()), integrated(world_triangles(ob)), 1e-12)


def test_a_bevelled_circle_is_a_torus():
    bpy.ops.curve.primitive_bezier_circle_add(radius=2)
    ob = tag(bpy.context.object, "link", "collision")
    ob.data.bevel_depth, ob.data.bevel_resolution, ob.data.resolution_u = 0.5, 32, 64
    # 2π² R r², less what the polygons cut off: of 68 sides, 2/3 (π/68)², and a Bézier circle is one to 3e-4.
    assert only_link().inertial.mass == pytest.approx(1000 * 2 * pi**2 * 2 * 0.25, rel=2e-3)
    assert_same(world_inertial(only_link()), integrated(world_triangles(ob)), 1e-12)


@pytest.mark.parametrize("geometry", ["MESH", "BOX"])
@pytest.mark.parametrize("kind", ["CURVE", "SURFACE", "FONT"])
def test_a_curve_without_splines_is_an_error(kind, geometry):
    curve = bpy.data.curves.new("bare", kind)
    if kind == "FONT":
        curve.body = ""
    tag(add(curve, "bare"), "link", "collision", geometry=geometry)
    found = findings()["no_faces" if geometry == "MESH" else "no_extent"]
    assert found.severity == "error" and "bare" in found.subject


@pytest.mark.parametrize("kind", ["CAMERA", "LIGHT", "EMPTY"])
def test_an_object_that_can_have_no_mesh_is_an_error(kind):
    data = {"CAMERA": lambda: bpy.data.cameras.new("c"), "LIGHT": lambda: bpy.data.lights.new("l", "POINT")}
    tag(add(data.get(kind, lambda: None)(), "thing"), "link", "collision")
    found = findings()["no_geometry"]
    assert found.severity == "error" and kind.capitalize() in found.message and found.remedy


def test_a_metaball_is_a_solid():
    bpy.ops.object.metaball_add(radius=1)
    ob = tag(bpy.context.object, "link", "collision")
    assert_same(world_inertial(only_link()), integrated(world_triangles(ob)), 1e-12)


def test_users_of_one_mesh_each_count_where_they_stand():
    mesh = wedge_mesh()
    obs = [tag(add(mesh, f"ob{i}", location=(i, 0, 0), scale=(1, 1 + i, -1)), "link", "collision") for i in range(3)]
    bodies = read()[1]
    for ob, body in zip(obs, bodies, strict=True):
        assert_same(world_inertial(body), integrated(world_triangles(ob)), 1e-12)


def test_quads_are_cut_as_blender_cuts_them():
    # A warped quad has two readings; the one that Blender draws is the one that counts.
    corners = [(0, 0, 0), (1, 0, 0.3), (1, 1, 0), (0, 1, 0.4), (0, 0, -1), (1, 0, -1), (1, 1, -1), (0, 1, -1)]
    faces = [(0, 1, 2, 3), (7, 6, 5, 4), (4, 5, 1, 0), (5, 6, 2, 1), (6, 7, 3, 2), (7, 4, 0, 3)]
    ob = tag(add(mesh_data(corners, faces)), "link", "collision")
    assert_same(world_inertial(only_link()), integrated(world_triangles(ob)), 1e-12)


@pytest.mark.fault(24)
def test_a_concave_polygon_counts_as_blender_cuts_it():
    outline = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
    corners = [(x, y, z) for z in (0, 1) for x, y in outline]
    # Each L begins at another corner, so that some fans would leave it.
    faces = [(3, 2, 1, 0, 5, 4), (8, 9, 10, 11, 6, 7), *((i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6) for i in range(6))]
    ob = tag(add(mesh_data(corners, faces)), "link", "collision")
    assert only_link().inertial.mass == pytest.approx(5000, rel=1e-12)
    assert_same(world_inertial(only_link()), integrated(world_triangles(ob)), 1e-12)


@pytest.mark.fault(56)
def test_linked_objects_are_read_and_never_written_into(tmp_path):
    base = box_link("base")
    tag(add(wedge_mesh(), "part", base), "collision")
    before = world_inertial(only_link())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_there, here):
        here.objects = ["base", "part"]
    for ob in here.objects:
        assert ob.library is not None
        bpy.context.scene.collection.objects.link(ob)
    assert_same(world_inertial(only_link()), before, 1e-12)


@pytest.mark.fault(56)
def test_an_overridden_library_object_is_read_with_its_overrides(tmp_path):
    box_link("base")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_there, here):
        here.objects = ["base"]
    ob = here.objects[0].override_create()
    bpy.context.scene.collection.objects.link(ob)
    ob.scale = (2, 1, 1)
    assert ob.override_library is not None
    assert_same(world_inertial(only_link()), box_inertial((2, 1, 1)), 1e-12)


def test_a_thousand_objects_are_read_each_once():
    mesh = box_mesh()
    base = tag(add(mesh, "base"), "link", "collision")
    for i in range(999):
        tag(add(mesh, f"part{i}", base, location=(0, 0, i % 7)), "collision")
    body = only_link()
    assert len(body.parts) == 1000
    assert body.inertial.mass == pytest.approx(1e6)
    assert np.isfinite(body.inertial.inertia).all()


def bent(faces):
    tag(add(mesh_data(TENT, faces)), "link", "collision")
    return [finding for code, finding in findings().items() if code == "bent_quads"]


@pytest.mark.fault(25)
def test_quads_that_are_not_plane_are_reported_with_their_uncertainty():
    (finding,) = bent(TENT_SIDES)
    volume = only_link().volume
    assert volume == pytest.approx(1 + 0.5 / 3, rel=1e-6) or volume == pytest.approx(1 + 0.5 / 6, rel=1e-6)
    assert finding.severity == "warning"
    assert f"{50.0 / 6 / volume:.2f} %" in finding.message


def test_quads_among_other_faces_are_reported_too():
    halves = [(0, 3, 2), (0, 2, 1)]
    assert len(bent(halves + TENT_SIDES[1:])) == 1


def test_of_a_top_cut_into_triangles_nothing_is_reported():
    top = TENT_SIDES[1]
    assert bent([TENT_SIDES[0], top[:3], (top[0], *top[2:]), *TENT_SIDES[2:]]) == []
