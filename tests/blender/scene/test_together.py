# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel edits is set on all that is selected, of the same kind; a script's assignment on one object alone."""

import bpy
import pytest

from ..scenes import add, box_link, box_mesh, empty, module, select, tag

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(116, 117, 122)]


@pytest.fixture
def robot():
    """A base, three wheels that are links and collisions, and two servos that are parts of the base."""
    base = box_link("base")
    wheels = [box_link(f"wheel {index}", base) for index in range(3)]
    servos = [tag(add(box_mesh(), f"servo {index}", base), "mass") for index in range(2)]
    return base, wheels, servos


def selected():
    return bpy.context.scene.sdf_inertia_selected


def values(objects, name):
    return [getattr(ob.sdf_inertia, name) for ob in objects]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("geometry", "CYLINDER"),
        ("method", "VOXEL"),
        ("infill", 25.0),
        ("density", 700.0),
        ("material", "PLA"),
        ("mass", 0.25),
        ("joint_type", "CONTINUOUS"),
        ("joint_lower_angle", -0.5),
        ("joint_effort", 2.0),
        ("joint_along", "MINUS_Y"),
        ("mass_in_grams", 250.0),
        ("joint_axis", (0.0, 1.0, 0.0)),
    ],
)
def test_a_setting_goes_to_all_selected_links_and_to_nothing_else(robot, name, value):
    base, wheels, servos = robot
    select(wheels[0], *wheels, servos[0])
    before = values([base, *servos], name)
    setattr(selected().links, name, value)
    assert [tuple(v) if name == "joint_axis" else v for v in values(wheels, name)] == pytest.approx([value] * 3)
    assert values([base, *servos], name) == before
    shown = getattr(selected().links, name)
    assert (tuple(shown) if name == "joint_axis" else shown) == value


def test_a_mass_typed_for_parts_goes_to_the_parts(robot):
    base, wheels, servos = robot
    select(servos[1], *servos, wheels[0])
    selected().parts.mass = 0.055
    assert values(servos, "mass") == pytest.approx([0.055, 0.055])
    assert values([base, *wheels], "mass") == [1.0] * 4


def test_the_link_of_an_active_part_is_changed_alone(robot):
    base, wheels, servos = robot
    select(servos[0], *servos, *wheels)
    selected().links.method = "HULL"
    assert values([base, *wheels], "method") == ["HULL", "INHERIT", "INHERIT", "INHERIT"]


def test_what_is_active_and_not_selected_is_changed_alone(robot):
    _base, wheels, _servos = robot
    select(wheels[0], *wheels)
    wheels[0].select_set(False)
    selected().links.geometry = "SPHERE"
    assert values(wheels, "geometry") == ["SPHERE", "MESH", "MESH"]


def test_a_script_that_sets_one_object_changes_no_other(robot):
    _base, wheels, _servos = robot
    select(wheels[0], *wheels)
    wheels[0].sdf_inertia.geometry = "BOX"
    assert values(wheels, "geometry") == ["BOX", "MESH", "MESH"]


def test_the_root_that_is_selected_too_gets_no_joint(robot):
    base, wheels, _servos = robot
    select(wheels[0], base, *wheels)
    selected().links.joint_type = "REVOLUTE"
    assert values([base, *wheels], "joint_type") == ["NONE", "REVOLUTE", "REVOLUTE", "REVOLUTE"]


def test_joints_from_hierarchy_are_of_the_type_that_is_chosen(robot):
    base, wheels, _servos = robot
    select(base, *wheels)
    assert bpy.ops.sdf_inertia.joints_from_hierarchy(joint_type="CONTINUOUS") == {"FINISHED"}
    assert values([base, *wheels], "joint_type") == ["NONE", *["CONTINUOUS"] * 3]


def test_set_joint_leaves_the_root_alone_and_says_so(robot, capfd):
    base, wheels, _servos = robot
    select(base, *wheels)
    assert bpy.ops.sdf_inertia.set_joint(joint_type="CONTINUOUS") == {"FINISHED"}
    assert values([base, *wheels], "joint_type") == ["NONE", *["CONTINUOUS"] * 3]
    assert "3 joints set; no link is above base: left alone" in capfd.readouterr().out


def test_limits_are_begun_on_all_selected_links(robot):
    base, wheels, _servos = robot
    select(wheels[0], base, *wheels)
    selected().links.joint_type = "REVOLUTE"
    assert bpy.ops.sdf_inertia.set_joint_limits(use=True) == {"FINISHED"}
    assert values([base, *wheels], "joint_use_limits") == [False, True, True, True]


def test_a_shape_is_not_given_to_a_link_that_has_none_of_its_own(robot):
    _base, wheels, _servos = robot
    frame = tag(empty("holder"), "link")
    select(wheels[0], frame, *wheels)
    selected().links.geometry = "BOX"
    assert frame.sdf_inertia.geometry == "MESH"


def test_nothing_active_reads_as_nothing_set():
    bpy.context.view_layer.objects.active = None
    selected().links.density = 5.0
    assert selected().links.density == 1000.0


def test_nothing_of_it_is_saved():
    group = type(selected().links).bl_rna
    assert all(one.is_skip_save for one in group.properties if one.is_runtime)


@pytest.mark.fault(227)
def test_values_of_the_selected_that_differ_are_counted(robot):
    base, wheels, servos = robot
    count = module("sdf_inertia_addon.scene.together").count_values
    select(wheels[0], *wheels)
    assert count(selected().links, "density") == count(selected().links, "joint_axis") == 1
    wheels[1].sdf_inertia.density, wheels[2].sdf_inertia.density = 700.0, 2700.0
    wheels[1].sdf_inertia.joint_axis = (1.0, 0.0, 0.0)
    assert (count(selected().links, "density"), count(selected().links, "joint_axis")) == (3, 2)
    assert count(wheels[1].sdf_inertia, "density") == 1  # of one object
    selected().links.density = 800.0
    assert count(selected().links, "density") == 1
    base.sdf_inertia.joint_type, wheels[0].sdf_inertia.joint_type = "FIXED", "NONE"
    select(wheels[0], base, wheels[0])  # the root gets no joint, so its own is no second value
    assert count(selected().links, "joint_type") == 1
    select(servos[0], *servos)
    servos[0].sdf_inertia.mass = 0.5
    assert count(selected().parts, "mass") == 2


@pytest.mark.fault(227)
@pytest.mark.parametrize(("along", "axis"), [("PLUS_X", (1, 0, 0)), ("MINUS_Z", (0, 0, -1)), ("OTHER", (0, 0, 1))])
def test_the_axis_of_a_joint_is_chosen_by_a_button(robot, along, axis):
    settings = robot[1][0].sdf_inertia
    settings.joint_along = along
    assert tuple(settings.joint_axis) == axis
    settings.joint_axis = (0.6, 0.8, 0.0)
    assert settings.joint_along == "OTHER"
