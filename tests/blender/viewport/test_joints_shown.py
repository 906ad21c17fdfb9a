# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints as the viewport shows them, and links at other positions of their joints, without moving anything."""

from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from ..scenes import add, box_mesh, empty, live_model, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def arm():
    base = add(box_mesh((1, 1, 0.2)), "base", location=(0.3, -0.2, 0.1), rotation_euler=(0.1, 0.2, 0.3))
    upper = add(box_mesh((0.2, 0.2, 1)), "upper", parent=base, location=(0, 0, 0.6), rotation_euler=(0.0, 0.7, 0.2))
    slide = add(box_mesh((0.1, 0.1, 0.8)), "slide", parent=upper, location=(0.1, 0, 0.9))
    for ob in (base, upper, slide):
        tag(ob, "link", "collision", density=500.0)
    tag(upper, joint_type="REVOLUTE", joint_axis=(0, 1, 0), joint_use_limits=True, joint_lower=-1, joint_upper=2)
    tag(slide, joint_type="PRISMATIC", joint_axis=(1, 0, 0))
    bpy.context.view_layer.update()
    return base, upper, slide


def content(active=None, **settings):
    names = ("overlay.content", "overlay.style", "live.model")
    content, style, positions = (module(f"sdf_inertia_addon.{name}") for name in names)
    links = live_model()
    seen = content.VisibleLinks(active=active)
    found = positions.joint_positions(links)
    return content.content_of(links, style.OverlayStyle(**settings), seen, range(len(links.links)), found)


def frame(ob):
    location, rotation, _scale = ob.matrix_world.decompose()
    return np.array(Matrix.LocRotScale(location, rotation, None), dtype=float)


def matrix(pose):
    return np.block([[pose.R, pose.p[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])


def ghost_frames(shown):
    """Return where the links that are shown elsewhere stand: the second view of each."""
    seen, found = set(), {}
    for view in shown.views:
        if view.name in seen:
            found[view.name] = matrix(view.frame)
        seen.add(view.name)
    return found


def test_ghosts_are_where_blender_would_pose_the_links_and_nothing_moves(arm):
    _base, upper, slide = arm
    rng = np.random.default_rng(4)
    for _ in range(20):
        angle, way = rng.uniform(-1, 1, 2)
        tag(upper, joint_position=angle)
        tag(slide, joint_position=way)
        before = [ob.matrix_world.copy() for ob in arm]
        found = ghost_frames(content())
        bpy.context.view_layer.update()
        assert [ob.matrix_world for ob in arm] == before
        rest = [ob.matrix_basis.copy() for ob in arm]
        modes = [ob.rotation_mode for ob in arm]
        for ob in arm:
            ob.rotation_mode = "QUATERNION"
        upper.matrix_basis = rest[1] @ Matrix.Rotation(angle, 4, "Y")
        slide.matrix_basis = rest[2] @ Matrix.Translation((way, 0, 0))
        bpy.context.view_layer.update()
        for ob in (upper, slide):
            np.testing.assert_allclose(found[ob.name], frame(ob), rtol=0, atol=2e-6)
        for ob, basis, mode in zip(arm, rest, modes, strict=True):
            ob.rotation_mode = mode
            ob.matrix_basis = basis
        bpy.context.view_layer.update()


def test_ghosts_have_the_meshes_of_the_links_where_these_are_shown(arm):
    _base, upper, _slide = arm
    tag(upper, joint_position=0.5)
    shown = content()
    assert len(shown.ghosts) == 2  # what slides hangs on what turns
    ghost = shown.ghosts[1] if shown.views[-1].name == "upper" else shown.ghosts[0]
    corners = {len(one.surface.vertices) for one in shown.ghosts}
    assert corners == {8} and np.isfinite(ghost.placed).all()


def test_a_position_changes_no_number(arm):
    before = live_model()
    tag(arm[1], joint_position=0.5)
    after = live_model()
    for one, other in zip(before.links, after.links, strict=True):
        np.testing.assert_array_equal(matrix(one.body.pose), matrix(other.body.pose))
        np.testing.assert_array_equal(one.body.inertial.inertia, other.body.inertial.inertia)
    assert content().ghosts


def test_the_total_follows_the_pose_shown(arm):
    rest = live_model().total()
    tag(arm[1], joint_position=1.0)
    (total,) = [view.inertial for view in content(show_total=True).views if view.kind == "total"]
    assert total.mass == pytest.approx(rest.mass)
    assert np.linalg.norm(total.com - rest.com) > 0.01
    arm[1].rotation_mode = "QUATERNION"
    arm[1].matrix_basis = arm[1].matrix_basis @ Matrix.Rotation(1.0, 4, "Y")
    tag(arm[1], joint_position=0.0)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(live_model().total().com, total.com, atol=2e-6)


def test_a_position_outside_the_limits_is_red(arm):
    colors = module("sdf_inertia_addon.colors")
    for position, beyond in ((1.9, False), (2.1, True), (-1.1, True)):
        tag(arm[1], joint_position=position)
        (view,) = [one for one in content().joints if one.joint.child == "upper"]
        assert (view.color == colors.ERROR) == view.beyond == beyond


def lines(shown, **view):
    camera = module("sdf_inertia_addon.overlay.camera").Camera
    points = np.array([[-1.0, -1, -1], [1, 1, 2]])
    seen = camera.framing(points, 10.0, 800, 600, 1.0)
    starts, ends, _colors = module("sdf_inertia_addon.overlay.joint_view").lines_of(shown.joints, seen, 1.0)
    return starts, ends, seen


def test_axes_are_arrows_and_arcs_end_at_the_limits(arm):
    shown = content()
    (turns,) = [one for one in shown.joints if one.joint.child == "upper"]
    starts, ends, camera = lines(type(shown)(shown.views, joints=(turns,)))
    origin, axis = turns.frame.p, turns.axis()
    pixel = camera.units_per_pixel(origin)
    np.testing.assert_allclose(ends[0] - starts[0], 56.0 * pixel * axis, atol=1e-12)
    points = np.concatenate([starts, ends]) - origin
    on_arc = points[np.isclose(np.linalg.norm(points, axis=1), 26.0 * pixel) & np.isclose(points @ axis, 0.0)]
    first, last = on_arc[0], on_arc[-1]
    angle = np.arctan2(axis @ np.cross(first, last), first @ last)
    assert angle == pytest.approx(3.0)  # from -1 to 2


@pytest.mark.parametrize("kind", ["FIXED", "REVOLUTE", "CONTINUOUS", "PRISMATIC", "SCREW", "UNIVERSAL", "BALL"])
@pytest.mark.parametrize("limited", [False, True])
def test_every_joint_has_lines(arm, kind, limited):
    tag(arm[1], joint_type=kind, joint_use_limits=limited, joint_position=0.4)
    (view,) = [one for one in content().joints if one.joint.child == "upper"]
    starts, ends, _camera = lines(content())
    assert view.joint.kind == kind.lower()
    assert np.isfinite(starts).all() and np.isfinite(ends).all() and len(starts) > 3


def test_joints_can_be_switched_off(arm):
    assert len(content().joints) == 2
    assert content(show_joints=False).joints == ()


def test_the_active_link_says_its_joint(arm):
    number = [link.body.name for link in live_model().links].index("upper")
    view = content(active=number).views[number]
    assert view.lines[-1] == "upper_joint: revolute"


def test_a_joint_follows_the_object_that_says_its_frame(arm):
    pin = empty("pin", location=(1, 0, 0))
    tag(arm[1], joint_frame=pin)
    bpy.context.view_layer.update()
    for place in ((1, 0, 0), (0, 2, 0)):
        pin.location = place
        bpy.context.view_layer.update()
        (view,) = [one for one in content().joints if one.joint.child == "upper"]
        np.testing.assert_allclose(view.frame.p, place, atol=1e-6)
    arm[0].location.x += 1.0  # what it holds moves, and the frame does not
    bpy.context.view_layer.update()
    (view,) = [one for one in content().joints if one.joint.child == "upper"]
    np.testing.assert_allclose(view.frame.p, (0, 2, 0), atol=1e-6)


def test_what_is_written_is_the_pose_modelled(arm, tmp_path):
    def written():
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "robot.sdf"))
        return (tmp_path / "robot.sdf").read_bytes()

    before = written()
    tag(arm[1], joint_position=0.7)
    assert written() == before


def test_the_pose_is_put_back_at_once(arm):
    reset = bpy.ops.sdf_inertia.reset_pose
    assert not reset.poll()
    for ob in arm:
        tag(ob, joint_position=0.7)
    assert reset() == {"FINISHED"}
    assert [ob.sdf_inertia.joint_position for ob in arm] == [0.0, 0.0, 0.0]
    assert content().ghosts == ()


def test_limits_start_from_something_where_nothing_was_entered(arm):
    _base, upper, slide = arm
    limit = bpy.ops.sdf_inertia.set_joint_limits
    bpy.context.scene.unit_settings.scale_length = 0.01
    select(slide)
    limit(use=True)
    assert (slide.sdf_inertia.joint_lower, slide.sdf_inertia.joint_upper) == pytest.approx((-10.0, 10.0))
    select(upper)
    limit(use=False)
    limit(use=True)
    assert (upper.sdf_inertia.joint_lower, upper.sdf_inertia.joint_upper) == (-1.0, 2.0)
    tag(upper, joint_type="CONTINUOUS")
    upper.sdf_inertia.property_unset("joint_lower")
    upper.sdf_inertia.property_unset("joint_upper")
    limit(use=True)
    assert (upper.sdf_inertia.joint_lower, upper.sdf_inertia.joint_upper) == pytest.approx((-pi / 2, pi / 2))


def test_many_links_are_joined_alike_by_hand(arm):
    base, upper, slide = arm
    select(upper, slide, base)
    bpy.context.view_layer.objects.active = base
    set_joint = bpy.ops.sdf_inertia.set_joint
    assert set_joint(joint_type="PRISMATIC", parent="ACTIVE", axis=(0, 0, 1), use_limits=True) == {"FINISHED"}
    assert base.sdf_inertia.joint_type == "NONE"
    for ob in (upper, slide):
        own = ob.sdf_inertia
        assert (own.joint_type, own.joint_parent, own.joint_use_limits) == ("PRISMATIC", base, True)
        assert (own.joint_lower, own.joint_upper) == pytest.approx((-0.1, 0.1))
    set_joint(joint_type="CONTINUOUS", parent="WORLD")
    assert slide.sdf_inertia.joint_world and slide.sdf_inertia.joint_parent is None


def test_the_list_says_which_links_are_joined(arm):
    rows = [*module("sdf_inertia_addon.panels.rows").rows_of(live_model()).values()]
    assert {row.object: row.joint for row in rows} == {"base": "", "upper": "revolute", "slide": "prismatic"}
