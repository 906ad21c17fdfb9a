# SPDX-License-Identifier: GPL-3.0-or-later
"""Statics in the viewport: torques that follow the joints' sliders, and the robot on its feet."""

from math import cos, pi

import bpy
import numpy as np
import pytest

from ..scenes import add, box_mesh, module, tag
from .test_joints_shown import content

pytestmark = pytest.mark.usefixtures("scene")

LEVER, MASS, GRAVITY = 0.5, 8.0, 9.81


@pytest.fixture
def crane():
    """A box of 20 kg on the ground with a beam of 8 kg that turns about its end, at the box's middle, 1 m up."""
    base = add(box_mesh((0.8, 0.8, 0.2), (0, 0, 0.1)), "base")
    beam = add(box_mesh((1, 0.1, 0.1), (LEVER, 0, 0)), "beam", parent=base, location=(0, 0, 1))
    tag(base, "link", "collision", use_mass=True, mass=20.0)
    tag(beam, "link", "collision", use_mass=True, mass=MASS)
    tag(beam, joint_type="REVOLUTE", joint_axis=(0, 1, 0), joint_effort=50.0)
    bpy.context.view_layer.update()
    return base, beam


def test_statics_are_off_by_default(crane):
    shown = content()
    assert shown.statics.loads == () and shown.statics.com is None


def test_the_torque_follows_the_slider_and_its_colour_the_effort(crane):
    view = module("sdf_inertia_addon.overlay.statics_view")
    for angle, color in ((0.0, view.WARNING), (pi / 3, view.ENOUGH)):
        crane[1].sdf_inertia.joint_position = angle
        (load,) = content(show_statics=True).statics.loads
        assert load.torque == pytest.approx(-MASS * GRAVITY * LEVER * cos(angle), rel=1e-5) and load.share == -1.0
        assert view.margin_color(load.view.joint, load.torque) == color
    crane[1].sdf_inertia.joint_effort = 19.0
    (load,) = content(show_statics=True).statics.loads
    assert view.margin_color(load.view.joint, load.torque) == view.ERROR and load.text == "Holds 19.6 N·m of 19 N·m"


def test_the_ground_is_red_where_the_centre_of_mass_is_not_above_the_feet(crane):
    view = module("sdf_inertia_addon.overlay.statics_view")
    standing = content(show_statics=True).statics
    assert standing.color == view.ENOUGH and standing.com[0] == pytest.approx(MASS * LEVER / (20.0 + MASS))
    np.testing.assert_allclose(np.ptp(standing.support.polygon, axis=0), 0.8, rtol=1e-6)
    crane[1].sdf_inertia.mass = 200.0
    assert content(show_statics=True).statics.color == view.ERROR


def test_a_link_without_numbers_is_named_instead(crane):
    crane[1].sdf_inertia.mass = 0.0
    statics = content(show_statics=True).statics
    assert statics.loads == () and "'beam'" in statics.problem
