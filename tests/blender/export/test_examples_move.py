# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples are robots that move: Drake drives the rover and holds the gripper, and neither falls apart."""

import numpy as np
import pytest

pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
from pydrake.math import RigidTransform  # noqa: E402
from pydrake.multibody.parsing import Parser  # noqa: E402
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction  # noqa: E402
from pydrake.multibody.tree import PdControllerGains  # noqa: E402
from pydrake.systems.analysis import Simulator  # noqa: E402
from pydrake.systems.framework import DiagramBuilder  # noqa: E402
from pydrake.systems.primitives import ConstantVectorSource  # noqa: E402

STEP = 2e-3
"""Of the simulation [s]."""

SPEED = 4.0
"""Of the wheels [rad/s]."""


def loaded(sdf):
    """Return a diagram in the making, and a plant of one robot."""
    builder = DiagramBuilder()
    plant, _scene = AddMultibodyPlantSceneGraph(builder, STEP)
    (robot,) = Parser(plant).AddModels(str(sdf))
    return builder, plant, robot


def simulated(builder, plant, inputs, seconds):
    """Simulate with constant inputs, each a port and its value; yield the plant's context each tenth of a second."""
    for port, value in inputs:
        source = builder.AddSystem(ConstantVectorSource(value))
        builder.Connect(source.get_output_port(), port)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyContextFromRoot(simulator.get_mutable_context())
    for tenth in range(1, int(10 * seconds) + 1):
        simulator.AdvanceTo(tenth / 10.0)
        yield context


def place(plant, context, name):
    return plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(name)).translation()


@pytest.mark.parametrize("mode", ["auto", "filled"])
def test_the_rover_drives_a_metre_and_stays_whole(mode, export_example):
    sdf, model = export_example("rover", mode)
    builder, plant, robot = loaded(sdf)
    plant.RegisterCollisionGeometry(
        plant.world_body(), RigidTransform(), _ground(), "ground", CoulombFriction(0.9, 0.8)
    )
    wheels = []
    for index in plant.GetJointActuatorIndices():
        actuator = plant.get_joint_actuator(index)
        # By speed: positions count for next to nothing.
        actuator.set_controller_gains(PdControllerGains(p=1e-9, d=2.0))
        wheels.append(SPEED if actuator.joint().name().startswith("wheel") else 0.0)
    plant.Finalize()
    links = [link["name"] for link in model["links"]]
    assert plant.num_positions() == 7 + 6  # the chassis floats; four wheels, a head, a caster
    wanted = np.concatenate([np.zeros(len(wheels)), wheels])
    rest = None
    for context in simulated(builder, plant, [(plant.get_desired_state_input_port(robot), wanted)], 10.0):
        chassis = place(plant, context, "chassis")
        apart = np.array([np.linalg.norm(place(plant, context, name) - chassis) for name in links])
        rest = apart if rest is None else rest
        np.testing.assert_allclose(apart, rest, atol=1e-6)
        assert 0.0 <= chassis[2] + 0.05 < 0.3
    assert chassis[0] > 1.0, chassis
    assert abs(chassis[1]) < 0.2 * chassis[0]


def _ground():
    from pydrake.geometry import HalfSpace

    return HalfSpace()


@pytest.mark.parametrize("mode", ["auto", "filled"])
def test_the_gripper_is_held_by_position_control(mode, export_example):
    sdf, _model = export_example("gripper", mode)
    builder, plant, robot = loaded(sdf)
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
    for index in plant.GetJointActuatorIndices():
        plant.get_joint_actuator(index).set_controller_gains(PdControllerGains(p=500.0, d=10.0))
    plant.Finalize()
    assert plant.num_positions() == plant.num_actuators() == 5
    wanted = np.zeros(2 * plant.num_actuators())
    for context in simulated(builder, plant, [(plant.get_desired_state_input_port(robot), wanted)], 5.0):
        moved = np.abs(plant.GetPositions(context)).max()
        assert moved < 0.01
