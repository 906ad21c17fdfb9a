# SPDX-License-Identifier: GPL-3.0-or-later
"""An instance is geometry of its instancer, if that is tagged; else the tags of the instanced object count."""

import bpy
import numpy as np
import pytest

from ..scenes import (
    FLOAT32,
    MATRIX,
    add,
    assert_same,
    box_inertial,
    box_link,
    box_mesh,
    empty,
    findings,
    integrated,
    only_link,
    read,
    tag,
    wedge_mesh,
    world_inertial,
)

pytestmark = pytest.mark.usefixtures("scene")


def shelf(*obs, name="shelf"):
    """Return a collection of these objects that no scene shows."""
    collection = bpy.data.collections.new(name)
    for ob in obs:
        bpy.context.scene.collection.objects.unlink(ob)
        collection.objects.link(ob)
    return collection


def instance(collection, name="instance", parent=None, **attributes):
    return empty(name, parent, instance_type="COLLECTION", instance_collection=collection, **attributes)


def nodes(ob, build):
    """Give an object geometry nodes: `build` gets the tree's nodes and returns the socket to output."""
    tree = bpy.data.node_groups.new("nodes", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    new = tree.nodes.new
    tree.links.new(build(new, tree.links.new), new("NodeGroupOutput").inputs[0])
    ob.modifiers.new("nodes", "NODES").node_group = tree
    return tree


def row_of(instance_socket, count=4, step=3.0):
    """Return a builder: `instance_socket` on points in a row."""

    def build(new, link):
        points, row = new("GeometryNodeMeshLine"), new("GeometryNodeInstanceOnPoints")
        points.inputs["Count"].default_value = count
        points.inputs["Offset"].default_value = (step, 0, 0)
        link(points.outputs[0], row.inputs["Points"])
        link(instance_socket(new, link), row.inputs["Instance"])
        return row.outputs[0]

    return build


def cube_socket(new, _link):
    return new("GeometryNodeMeshCube").outputs[0]


def row_of_cubes(count=4, step=3.0):
    """Return mass, centre of mass and tensor of unit cubes in a row, by Steiner's six lines."""
    mass, com, inertia = 1000.0 * count, step * (count - 1) / 2, 0
    for i in range(count):
        offset = i * step - com
        inertia += box_inertial((1, 1, 1))[2] + 1000.0 * np.diag([0, offset**2, offset**2])
    return mass, np.array([com, 0, 0]), inertia


# --- collections -----------------------------------------------------------------------------------------------------


@pytest.mark.fault(55)
def test_tags_of_instanced_objects_count_at_each_instance():
    wheel = tag(add(wedge_mesh(), "wheel", location=(0, 0, 1)), "collision")
    wheels = shelf(wheel)
    base = tag(empty("base"), "link")
    places = [{"location": (2, 0, 0)}, {"location": (-2, 1, 0), "scale": (-1, 1, 2)}, {"rotation_euler": (1, 2, 3)}]
    for i, place in enumerate(places):
        instance(wheels, f"corner{i}", base, **place)
    body = only_link()
    assert [part.name for part in body.parts] == ["corner0_wheel", "corner1_wheel", "corner2_wheel"]
    corners = []
    for matrix in [
        i.matrix_world.copy() for i in bpy.context.evaluated_depsgraph_get().object_instances if i.is_instance
    ]:
        M = np.array(matrix, dtype=np.float64)
        points = np.array([vertex.co for vertex in wheel.data.vertices], dtype=np.float64) @ M[:3, :3].T + M[:3, 3]
        triangles = np.array([polygon.vertices for polygon in wheel.data.polygons])
        corners.append(points[triangles if np.linalg.det(M[:3, :3]) > 0 else triangles[:, ::-1]])
    assert len(corners) == 3
    assert_same(world_inertial(body), integrated(np.concatenate(corners)), 4 * FLOAT32)


def test_an_instanced_link_is_a_link_for_each_instance_with_its_own_parts():
    leg = tag(empty("leg"), "link")
    tag(add(box_mesh(), "foot", leg), "collision")
    legs = shelf(leg, bpy.data.objects["foot"])
    instance(legs, "left", location=(0, 1, 0))
    instance(legs, "right", location=(0, -1, 0))
    model, bodies = read()
    assert [(link.name, [c.name for c in link.collisions]) for link in model.links] == [
        ("left_leg", ["left_foot"]),
        ("right_leg", ["right_foot"]),
    ]
    assert [body.pose.p.tolist() for body in bodies] == [[0, 1, 0], [0, -1, 0]]
    assert [body.inertial.com.tolist() for body in bodies] == [[0, 0, 0], [0, 0, 0]]


def test_instances_within_instances_count():
    bolt = tag(add(box_mesh(), "bolt"), "collision")
    plate = instance(shelf(bolt, name="bolts"), "plate", location=(0, 0, 5))
    twice = shelf(plate, instance(plate.instance_collection, "other", location=(0, 0, -5)), name="plates")
    base = tag(empty("base"), "link")
    instance(twice, "all", base, location=(1, 0, 0))
    body = only_link()
    assert body.inertial.mass == pytest.approx(2000)
    assert body.inertial.com == pytest.approx([1, 0, 0], abs=1e-12)
    assert body.inertial.inertia[0, 0] == pytest.approx(2000 / 6 + 2000 * 25)


@pytest.mark.parametrize("tags", [("link", "collision"), ("link", "visual", "collision")])
def test_the_instances_of_a_tagged_empty_are_its_geometry(tags):
    box = tag(add(box_mesh(), "box"), "collision", use_density=True, density=5.0)  # its own tag does not count there
    other = add(box_mesh((1, 1, 2), (0, 0, 4)), "other")
    tag(instance(shelf(box, other), "both", scale=(2, 1, 1)), *tags, use_density=True, density=10.0)
    body = only_link()
    assert [part.name for part in body.parts] == ["both"]
    assert body.inertial.mass == pytest.approx(10 * 2 * (1 + 2), rel=MATRIX)
    assert body.inertial.com == pytest.approx([0, 0, 4 * 2 / 3], abs=MATRIX * 4)


def test_a_primitive_fits_the_instances_of_a_tagged_empty():
    ends = add(box_mesh(centre=(0, 0, -2)), "low"), add(box_mesh(centre=(0, 0, 2)), "high")
    tag(instance(shelf(*ends)), "link", "collision", geometry="BOX")
    assert_same(world_inertial(only_link()), box_inertial((1, 1, 5)), MATRIX)


def test_untagged_instances_are_nothing():
    shelf(add(box_mesh(), "box"))
    instance(bpy.data.collections["shelf"])
    assert read()[0].links == ()


@pytest.mark.parametrize("maker_tags", [(), ("link", "collision")])
def test_hidden_instances_are_an_error_and_never_a_smaller_mass(maker_tags):
    base = tag(empty("base"), "link")
    shelf(tag(add(box_mesh(), "wheel"), "collision"))
    instance(bpy.data.collections["shelf"], "seen", base)
    corner = tag(instance(bpy.data.collections["shelf"], "corner", base), *maker_tags)
    assert "hidden_instances" not in findings()
    corner.hide_set(True)
    found = findings()["hidden_instances"]
    assert found.severity == "error" and "corner" in found.subject and "eye" in found.remedy


def test_the_eye_of_an_instanced_object_does_not_matter():
    wheel = box_link("wheel")
    instance(bpy.context.scene.collection.children.get("shelf") or shelf(wheel), "corner")
    bpy.context.scene.collection.objects.link(wheel)
    wheel.hide_set(True)
    assert sorted(link.name for link in read()[0].links) == ["corner_wheel", "wheel"]


# --- geometry nodes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("realised", [False, True])
def test_instances_on_points_are_geometry_of_their_host(realised):
    def build(new, link):
        row = row_of(cube_socket)(new, link)
        if not realised:
            return row
        realise = new("GeometryNodeRealizeInstances")
        link(row, realise.inputs[0])
        return realise.outputs[0]

    host = box_link("host")
    nodes(host, build)
    assert len([i for i in bpy.context.evaluated_depsgraph_get().object_instances if i.is_instance]) == 4 * (
        not realised
    )
    assert_same(world_inertial(only_link()), row_of_cubes(), MATRIX)


def test_a_change_of_the_nodes_is_seen_at_once():
    host = box_link()
    tree = nodes(host, row_of(cube_socket))
    assert only_link().inertial.mass == pytest.approx(4000)
    tree.nodes["Cube"].inputs["Size"].default_value = (2, 2, 2)
    assert only_link().inertial.mass == pytest.approx(32000)


def test_a_hosts_own_mesh_and_its_instances_add_up():
    def build(new, link):
        join = new("GeometryNodeJoinGeometry")
        link(row_of(cube_socket, count=2, step=4.0)(new, link), join.inputs[0])
        link(new("NodeGroupInput").outputs[0], join.inputs[0])
        return join.outputs[0]

    host = tag(add(box_mesh(centre=(-4, 0, 0)), scale=(0.5, 0.5, 0.5)), "link", "collision")
    nodes(host, build)
    mass, com, inertia = row_of_cubes(3, 4.0)
    assert_same(world_inertial(only_link()), (mass / 8, com / 2 - (2, 0, 0), inertia / 32), MATRIX)


def test_loose_points_of_the_host_beside_its_instances_are_ignored():
    def build(new, link):
        join = new("GeometryNodeJoinGeometry")
        link(row_of(cube_socket)(new, link), join.inputs[0])
        link(new("GeometryNodeMeshLine").outputs[0], join.inputs[0])
        return join.outputs[0]

    nodes(box_link(), build)
    assert_same(world_inertial(only_link()), row_of_cubes(), MATRIX)


def test_tagged_objects_instanced_by_an_untagged_host_count_at_each_point():
    wheel = tag(add(box_mesh(), "wheel"), "collision")
    shelf(wheel)

    def wheel_socket(new, _link):
        info = new("GeometryNodeObjectInfo")
        info.inputs["Object"].default_value = wheel
        info.inputs["As Instance"].default_value = True
        return info.outputs["Geometry"]

    base = tag(empty("base"), "link")
    nodes(add(box_mesh(), "host", base), row_of(wheel_socket))
    body = only_link()
    assert len(body.parts) == len({part.name for part in body.parts}) == 4
    assert_same(world_inertial(body), row_of_cubes(), MATRIX)


def test_a_hidden_host_of_instances_is_an_error():
    host = box_link("host")
    nodes(host, row_of(cube_socket))
    assert "hidden_instances" not in findings()
    host.hide_set(True)
    assert findings()["hidden_instances"].severity == "error"


def test_a_nan_in_an_instance_is_an_error():
    bad = add(box_mesh(), "bad")
    bad.data.vertices[3].co.x = float("nan")
    shelf(bad)
    tag(instance(bpy.data.collections["shelf"], "maker"), "link", "collision")
    assert findings()["not_finite"].severity == "error"


# --- what Blender lists as an instance of itself ---------------------------------------------------------------------


def text(body="I"):
    curve = bpy.data.curves.new("text", "FONT")
    curve.body, curve.extrude = body, 0.5
    return curve


def test_a_text_in_a_collection_counts_once_per_instance():
    word = tag(add(text(), "word"), "link", "collision")
    mass = only_link().inertial.mass
    word.sdf_inertia.is_link = False
    shelf(word)
    base = tag(empty("base"), "link")
    for i in range(2):
        instance(bpy.data.collections["shelf"], f"copy{i}", base)
    assert only_link().inertial.mass == pytest.approx(2 * mass)


def test_a_text_as_geometry_of_a_tagged_empty_counts_once():
    word = tag(add(text(), "word"), "link", "collision")
    mass = only_link().inertial.mass
    tag(word, is_link=False, is_collision=False)
    tag(instance(shelf(word), "sign", scale=(2, 1, 1)), "link", "collision")
    assert only_link().inertial.mass == pytest.approx(2 * mass)


def test_a_curve_with_instances_counts_its_own_mesh_once():
    def build(new, link):
        join = new("GeometryNodeJoinGeometry")
        link(row_of(cube_socket, count=2)(new, link), join.inputs[0])
        link(new("NodeGroupInput").outputs[0], join.inputs[0])
        return join.outputs[0]

    word = tag(add(text(), location=(1, 2, 3), rotation_euler=(1, 2, 3)), "link", "collision")
    word.data.offset_x = -5  # beside the cubes: what overlaps counts once
    mass = only_link().inertial.mass
    nodes(word, build)
    assert only_link().inertial.mass == pytest.approx(mass + 2000)


# --- disabled --------------------------------------------------------------------------------------------------------


def _exclude(ob):
    group = bpy.data.collections.new("unused")
    bpy.context.scene.collection.children.link(group)
    bpy.context.scene.collection.objects.unlink(ob)
    group.objects.link(ob)
    bpy.context.view_layer.layer_collection.children["unused"].exclude = True


@pytest.mark.parametrize("disable", [lambda ob: setattr(ob, "hide_viewport", True), _exclude])
def test_a_disabled_instancer_of_tagged_objects_is_reported(disable):
    link = box_link("wheel")
    maker = instance(shelf(link), "maker")
    assert len(read()[0].links) == 1 and "not_evaluated" not in findings()
    disable(maker)
    assert read()[0].links == ()
    assert (findings()["not_evaluated"].severity, findings()["not_evaluated"].subject) == ("warning", "maker")


def test_a_disabled_instancer_of_nothing_tagged_is_nobodys_business():
    maker = instance(shelf(add(box_mesh(), "stone")), "maker")
    maker.hide_viewport = True
    assert findings() == {}


def test_a_template_that_is_itself_instanced_is_not_called_disabled():
    bolt = box_link("bolt")
    plate = instance(shelf(bolt, name="bolts"), "plate")
    plates = shelf(plate, name="plates")
    bpy.context.scene.collection.children.link(plates)
    bpy.context.view_layer.layer_collection.children["plates"].exclude = True
    instance(plates, "all")
    assert len(read()[0].links) == 1
    assert "not_evaluated" not in findings()
