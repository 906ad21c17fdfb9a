# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit Primitive: from a mesh to a collision that reads back as the primitive, where the mesh is."""

from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from ..scenes import add, box_link, box_mesh, empty, mesh_data, module, only_link, read, select, tag

pytestmark = pytest.mark.usefixtures("scene")

TURN = Euler((0.3, -0.5, 1.1))


def primitives():
    shapes = module("core.body.shapes")
    return [
        shapes.Box((1.0, 2.0, 3.0)),
        shapes.Sphere(0.7),
        shapes.Cylinder(0.5, 3.0),
        shapes.Capsule(0.5, 2.0),
        shapes.Cone(0.5, 2.0),
        shapes.Ellipsoid((0.5, 1.0, 1.5)),
    ]


KINDS = ["BOX", "SPHERE", "CYLINDER", "CAPSULE", "CONE", "ELLIPSOID"]


def shape_of(kind):
    return primitives()[KINDS.index(kind)]


def sizes(shape):
    if shape.kind in ("box", "ellipsoid"):
        return sorted(shape.size if shape.kind == "box" else shape.radii)
    return [shape.radius] if shape.kind == "sphere" else [shape.radius, shape.length]


def mesh_of(shape):
    return module("sdf_inertia_addon.scene.geometry").mesh_of(shape, "mesh")


def tilted(shape):
    """Return the primitive's mesh, turned and moved in its own data, so that no axis of the object's fits."""
    mesh = mesh_of(shape)
    mesh.transform(Matrix.LocRotScale((3.0, -1.0, 2.0), TURN, None))
    return mesh


def mesh_volume(ob):
    import bmesh

    bm = bmesh.new()
    bm.from_mesh(ob.data)
    volume = bm.calc_volume(signed=True)
    bm.free()
    return volume


def fitted(ob, **options):
    """Fit, and return the object that is new, if any."""
    before = set(bpy.data.objects)
    select(ob)
    assert bpy.ops.sdf_inertia.fit_primitive(**options) == {"FINISHED"}
    bpy.context.view_layer.update()
    return next(iter(set(bpy.data.objects) - before), None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_primitives_mesh_is_closed_outward_and_reads_back_as_it(kind):
    shape = shape_of(kind)
    ob = tag(add(mesh_of(shape)), "link", "collision", geometry=kind, use_density=True)
    assert 0.9 < mesh_volume(ob) / shape.moments().volume <= 1.0 + 1e-6
    assert "open_mesh" not in {finding.code for finding in only_link().all_findings()}
    (collision,) = read()[0].links[0].collisions
    assert collision.geometry.kind == kind.lower()
    assert sizes(collision.geometry) == pytest.approx(sizes(shape), rel=1e-6)


@pytest.mark.versions
@pytest.mark.parametrize("kind", KINDS)
def test_a_visual_gets_a_collision_of_its_shape_where_it_is(kind):
    shape = shape_of(kind)
    link = tag(empty("link", location=(1, 2, 3), rotation_euler=(0.1, 0.2, 0.3)), "link", use_density=True)
    ob = tag(add(tilted(shape), "wheel_visual", link, location=(0.5, 0, 0)), "visual")
    made = fitted(ob, rule="ENCLOSING")
    assert (made.name, made.parent) == ("wheel_collision", link)
    settings = made.sdf_inertia
    assert (settings.is_collision, settings.is_visual, settings.is_link) == (True, False, False)
    assert settings.geometry == kind
    assert [ob.sdf_inertia.is_visual, ob.sdf_inertia.is_collision] == [True, False]
    (collision,) = read()[0].links[0].collisions
    assert sizes(collision.geometry) == pytest.approx(sizes(shape), rel=2e-2 if kind == "ELLIPSOID" else 1e-5)
    # Its centroid is the primitive's, by way of the mesh's own data and the object's place in the link.
    centroid = shape.moments().centroid
    expected = np.array(ob.matrix_world @ (Matrix.LocRotScale((3, -1, 2), TURN, None) @ Matrix.Translation(centroid)))
    found = np.array(made.matrix_world @ Matrix.Translation(centroid))
    assert found[:3, 3] == pytest.approx(expected[:3, 3], abs=2e-2 if kind == "CONE" else 1e-4)


def test_a_scaled_mirrored_link_holds_the_collision_in_place():
    link = tag(empty("link", scale=(-2, 1, 0.5)), "link", use_density=True)
    ob = tag(add(box_mesh((1, 2, 3)), "ob", link, location=(1, 1, 1)), "visual")
    bpy.context.view_layer.update()
    made = fitted(ob)
    assert list(made.matrix_world.translation) == pytest.approx(list(ob.matrix_world.translation), abs=1e-6)
    assert only_link().inertial.mass == pytest.approx(1000 * 2 * 2 * 1.5, rel=1e-5)
    assert np.abs(np.array(made.matrix_world.to_scale())) == pytest.approx([1, 1, 1], abs=1e-5)


def test_a_collision_whose_axes_fit_becomes_the_primitive_itself():
    ob = tag(add(box_mesh((1, 2, 3)), "ob", tag(empty(), "link")), "collision", use_density=True)
    assert fitted(ob) is None
    assert ob.sdf_inertia.geometry == "BOX" and ob.sdf_inertia.is_collision


def test_a_rotated_collision_is_replaced_with_its_density():
    link = tag(empty("link"), "link")
    ob = tag(add(tilted(shape_of("BOX")), "ob", link), "collision", material="ABS", infill=30.0)
    made = fitted(ob)
    assert (made.name, made.sdf_inertia.geometry) == ("ob_collision", "BOX")
    assert (ob.sdf_inertia.is_collision, ob.sdf_inertia.is_visual) == (False, True)
    assert (made.sdf_inertia.material, made.sdf_inertia.infill) == ("ABS", 30.0)
    assert only_link().inertial.mass == pytest.approx(6 * 312, rel=1e-5)


def test_what_is_asked_for_is_done_whatever_fits():
    ob = tag(add(box_mesh((1, 2, 3)), "ob", tag(empty(), "link")), "collision")
    assert fitted(ob, shape="BOX", result="OBJECT") is not None
    ob = tag(add(tilted(shape_of("BOX")), "tilted", bpy.data.objects["link"]), "collision")
    assert fitted(ob, shape="BOX", result="SETTING") is None
    assert ob.sdf_inertia.geometry == "BOX"


def test_the_same_volume_keeps_mass_and_centre_of_mass():
    corners = np.array([(0, 0, 0), (2, 0, 0), (0, 1, 0), (0, 0, 3)], dtype=float)
    link = tag(empty("link"), "link", inertia="FILLED", use_density=True)
    ob = tag(add(mesh_data(corners, ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))), "ob", link), "collision")
    before = only_link().inertial
    for kind in KINDS:
        made = fitted(ob, shape=kind, result="OBJECT")
        after = only_link().inertial
        assert after.mass == pytest.approx(before.mass, rel=1e-5)
        assert after.com == pytest.approx(before.com, abs=1e-5)
        bpy.data.objects.remove(made)
        tag(ob, "collision")


def test_many_are_fitted_at_once_and_the_selection_stays():
    link = tag(empty("link"), "link", use_density=True)
    obs = [tag(add(tilted(shape), shape.kind, link), "visual") for shape in primitives()]
    select(*obs)
    bpy.ops.sdf_inertia.fit_primitive()
    assert set(bpy.context.selected_objects) == set(obs)
    made = [ob for ob in bpy.data.objects if ob.sdf_inertia.is_collision]
    assert sorted(ob.sdf_inertia.geometry for ob in made) == sorted(KINDS)
    volumes = sum(mesh_volume(ob) for ob in obs)
    assert only_link().inertial.mass == pytest.approx(1000 * volumes, rel=1e-4)


def test_undo_takes_the_new_collision_back():
    link = tag(empty("link"), "link")
    ob = tag(add(tilted(shape_of("BOX")), "ob", link), "collision")
    bpy.ops.ed.undo_push(message="before")
    fitted(ob)
    bpy.ops.ed.undo_push(message="Fit Primitive")
    assert "ob_collision" in bpy.data.objects
    bpy.ops.ed.undo()
    assert "ob_collision" not in bpy.data.objects
    assert bpy.data.objects["ob"].sdf_inertia.is_collision
    bpy.ops.ed.redo()
    assert bpy.data.objects["ob_collision"].sdf_inertia.geometry == "BOX"


def test_meshes_are_not_changed():
    ob = tag(add(tilted(shape_of("CAPSULE")), "ob", tag(empty(), "link")), "visual")
    before = [tuple(vertex.co) for vertex in ob.data.vertices]
    uid, matrix = ob.data.session_uid, ob.matrix_world.copy()
    fitted(ob)
    assert [tuple(vertex.co) for vertex in ob.data.vertices] == before
    assert (ob.data.session_uid, ob.matrix_world) == (uid, matrix)


def test_modifiers_count():
    ob = tag(add(box_mesh((1, 1, 1)), "ob", tag(empty(), "link", use_density=True)), "visual")
    array = ob.modifiers.new("array", "ARRAY")
    array.count = 3
    fitted(ob)
    assert only_link().inertial.mass == pytest.approx(3000, rel=1e-5)


def test_without_a_link_the_collision_hangs_on_the_mesh_as_reported(capfd):
    ob = add(box_mesh(), "ob")
    made = fitted(ob)
    assert made.parent == ob
    assert "no link above it yet" in capfd.readouterr().out


def test_an_open_mesh_is_fitted_by_its_hull_and_that_is_reported(capfd):
    corners = [(x, y, z) for z in (0.0, 1.0) for x, y in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))]
    faces = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6)]
    ob = tag(add(mesh_data(corners, faces), "ob", tag(empty(), "link", use_density=True)), "visual")
    fitted(ob)
    assert only_link().inertial.mass == pytest.approx(1000, rel=1e-5)
    assert "hull" in capfd.readouterr().out


@pytest.mark.parametrize("data", [None, "flat", "points"])
def test_what_has_no_volume_is_refused(data):
    flat = mesh_data([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    points = mesh_data([(0, 0, 0), (1, 1, 1)], [])
    ob = add({None: None, "flat": flat, "points": points}[data], "ob")
    count = len(bpy.data.objects)
    select(ob)
    with pytest.raises(RuntimeError, match="ob"):
        bpy.ops.sdf_inertia.fit_primitive()
    assert len(bpy.data.objects) == count


def test_a_collision_of_vertices_alone_becomes_their_box():
    ob = tag(add(mesh_data([(0, 0, 0), (1, 2, 3)], []), "ob"), "link", "collision", use_density=True)
    assert fitted(ob) is None
    assert only_link().inertial.mass == pytest.approx(6000)


def test_every_shape_of_the_core_can_be_chosen_and_has_a_number_of_its_own():
    items = module("sdf_inertia_addon.scene.properties").GEOMETRIES
    assert {item[0].lower() for item in items} == {"mesh", *module("core.body.shapes").SHAPES}
    numbers = [item[-1] for item in items]
    assert len({*numbers, 7}) == len(numbers) + 1  # 7 is Best of All


def test_best_of_all_is_the_default_and_numbers_of_shapes_stay():
    shape = bpy.ops.sdf_inertia.fit_primitive.get_rna_type().properties["shape"]
    assert shape.default == "BEST"
    geometry = add(box_mesh()).sdf_inertia.bl_rna.properties["geometry"]
    assert {item.identifier: item.value for item in shape.enum_items if item.identifier != "BEST"} == {
        item.identifier: item.value for item in geometry.enum_items if item.identifier != "MESH"
    }


def test_a_cylinder_of_blenders_own_keeps_its_mass():
    bpy.ops.mesh.primitive_cylinder_add(radius=0.5, depth=2.0, rotation=(0.5, 0.4, 0.3))
    ob = bpy.context.active_object
    tag(ob, "visual").parent = tag(empty("link"), "link", use_density=True)
    bpy.context.view_layer.update()
    made = fitted(ob)
    assert made.sdf_inertia.geometry == "CYLINDER"
    area = 32 / 2 * np.sin(2 * pi / 32) * 0.25
    assert only_link().inertial.mass == pytest.approx(1000 * 2 * area, rel=1e-5)


def test_the_selected_object_is_fitted_and_not_an_unselected_active_one():
    part = box_link("part")
    other = box_link("other")
    select(part)
    bpy.context.view_layer.objects.active = other
    assert bpy.ops.sdf_inertia.fit_primitive() == {"FINISHED"}
    assert (part.sdf_inertia.geometry, other.sdf_inertia.geometry) == ("BOX", "MESH")
