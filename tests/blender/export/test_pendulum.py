# SPDX-License-Identifier: GPL-3.0-or-later
"""An exported link, hung up and simulated, swings as its inertia demands."""

from math import pi, sqrt

import numpy as np
import pytest
from lxml import etree

pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
from pydrake.math import RigidTransform  # noqa: E402
from pydrake.multibody.parsing import Parser  # noqa: E402
from pydrake.multibody.plant import MultibodyPlant  # noqa: E402
from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint  # noqa: E402
from pydrake.systems.analysis import Simulator  # noqa: E402

AMPLITUDE = 0.05
"""[rad]; the period of so small a swing is 0.016 % longer than in the limit, which the expectation includes."""


@pytest.fixture(scope="module", params=["rover", "gripper"])
def exported(request, export_example, tmp_path_factory):
    """Return a model.sdf without its joints, and the one of its links that has the most parts."""
    sdf, model = export_example(request.param, "as-set")
    tree = etree.parse(sdf)
    for joint in tree.findall(".//joint"):
        joint.getparent().remove(joint)
    alone = tmp_path_factory.mktemp("alone") / "model.sdf"
    tree.write(alone)
    return alone, max(model["links"], key=lambda link: len(link["parts"]))


@pytest.mark.parametrize("axis", np.eye(3), ids="xyz")
def test_a_compound_pendulum_swings_with_the_period_of_its_inertia(exported, axis):
    sdf, link = exported
    moment = axis @ matrix(link["inertia"]) @ axis
    # Hung up at 1.5 radii of gyration from its centre of mass, so that its own inertia is a third of the whole.
    arm = 1.5 * sqrt(moment / link["mass"])
    across = np.roll(axis, 1)
    pivot = np.array(link["com"]) + arm * across

    plant = MultibodyPlant(0.0)
    (instance,) = Parser(plant).AddModels(str(sdf))
    body = plant.GetBodyByName(link["name"], instance)
    hook = plant.AddFrame(FixedOffsetFrame("hook", body, RigidTransform(pivot)))
    joint = plant.AddJoint(RevoluteJoint("hinge", plant.world_frame(), hook, axis))
    plant.mutable_gravity_field().set_gravity_vector(-9.81 * across)
    plant.Finalize()

    inertia_at_pivot = moment + link["mass"] * arm**2
    expected = 2 * pi * sqrt(inertia_at_pivot / (link["mass"] * 9.81 * arm)) * (1 + AMPLITUDE**2 / 16)
    assert period(plant, joint, expected) == pytest.approx(expected, rel=1e-3)


def period(plant, joint, about):
    """Return the time between the first and the last upward zero crossing of ten swings, per swing."""
    simulator = Simulator(plant)
    simulator.get_mutable_integrator().set_target_accuracy(1e-7)
    context = simulator.get_mutable_context()
    joint.set_angle(context, AMPLITUDE)
    times = np.arange(0.0, 10.5 * about, about / 100)
    angles = []
    for time in times:
        simulator.AdvanceTo(time)
        angles.append(joint.get_angle(context))
    angles = np.array(angles)  # type: ignore[assignment]
    before = np.flatnonzero((angles[:-1] < 0) & (angles[1:] >= 0))  # type: ignore[operator]
    share = -angles[before] / (angles[before + 1] - angles[before])
    crossings = times[before] + share * (times[before + 1] - times[before])
    return (crossings[-1] - crossings[0]) / (len(crossings) - 1)


def matrix(inertia):
    xx, xy, xz, yy, yz, zz = (inertia[name] for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
