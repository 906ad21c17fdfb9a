# SPDX-License-Identifier: GPL-3.0-or-later
"""Why Accept All keeps the inertial in the file, by the rules of `repair`."""

import numpy as np
import pytest

from core import Inertial, Pose
from core.body.shapes import Box
from core.judge.comparison import compared
from core.robot.model import Collision, Link

from ..robot_files import repair

pytestmark = pytest.mark.fault(118)

CUBE = Box((1.0, 1.0, 1.0))
FAR = Pose.from_sdf([3.0, 0.0, 0.0, 0.0, 0.0, 0.0])

ONE = Link("l", collisions=(Collision("a", Pose.identity, CUBE),))
TWO = Link("l", collisions=(*ONE.collisions, Collision("b", FAR, CUBE)))

UNIFORM = compared(TWO, None).computed.inertial.scaled_to(6000.0)


def kept(link, com=(0.0, 0.0, 0.0), inertia=None, mass=6000.0):
    return compared(link, Inertial(mass, np.array(com), np.eye(3) if inertia is None else np.asarray(inertia))).kept_for


def test_what_agrees_with_the_geometry_is_right():
    assert kept(ONE, inertia=1000.0 * np.eye(3)) == "agrees"
    assert kept(ONE, inertia=1040.0 * np.eye(3)) == "agrees"
    assert kept(TWO, UNIFORM.com, UNIFORM.inertia) == "agrees"


def test_a_possible_inertial_of_several_parts_is_kept():
    assert kept(TWO, UNIFORM.com, 0.7 * UNIFORM.inertia) == "several_parts"
    assert kept(ONE, inertia=700.0 * np.eye(3)) is None


def test_a_centre_far_from_the_uniform_one_is_of_no_uniform_density():
    assert kept(TWO, UNIFORM.com + (0.5, 0.0, 0.0), 0.7 * UNIFORM.inertia) == "not_uniform"
    assert kept(ONE, (0.2, 0.0, 0.0), 700.0 * np.eye(3)) == "not_uniform"


IMPOSSIBLE = np.diag([1.0, 1.0, 5.0])


def test_an_impossible_inertial_is_replaced_unless_its_centre_is_far():
    assert kept(TWO, UNIFORM.com, IMPOSSIBLE) is None
    assert kept(TWO, (0.0, 0.0, 0.0), IMPOSSIBLE) is None  # zeros are not given
    assert kept(ONE, (0.2, 0.0, 0.0), IMPOSSIBLE) is None
    assert kept(TWO, (0.5, 0.0, 0.0), IMPOSSIBLE) == "not_uniform"
    assert kept(TWO, (50.0, 0.0, 0.0), IMPOSSIBLE) is None  # no centre of this geometry


def test_a_doubtful_inertial_and_a_missing_one_are_replaced():
    assert kept(ONE, inertia=np.eye(3), mass=6.0) is None  # no solid is so light
    assert kept(TWO, UNIFORM.com, 1e-3 * UNIFORM.inertia) is None
    assert compared(TWO, None).kept_for is None


@pytest.mark.parametrize("x", [0.5, 1.4, 1.6, 50.0])
def test_repair_keeps_the_same_impossible_inertials(tmp_path, x):
    box = '<collision><origin xyz="{} 0 0"/><geometry><box size="1 1 1"/></geometry></collision>'
    text = (
        f'<robot name="r"><link name="l"><inertial><origin xyz="{x} 0 0"/><mass value="6000"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="5"/></inertial>'
        f"{box.format(0)}{box.format(3)}</link></robot>"
    )
    (tmp_path / "r.urdf").write_text(text)
    (one,) = repair(tmp_path / "r.urdf").links
    assert (one.new is None) == (kept(TWO, (x, 0.0, 0.0), IMPOSSIBLE) == "not_uniform") == (x == 0.5)
