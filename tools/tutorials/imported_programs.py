# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of the tutorial on a downloaded robot, and what they print."""

from __future__ import annotations

IN_MUJOCO = '''import mujoco


def load(urdf):
    """Load a robot that hangs on a stand."""
    spec = mujoco.MjSpec.from_file(urdf)
    spec.compiler.fusestatic = False  # otherwise the torso becomes part of the world, without a mass
    return spec.compile()


def swing(model, seconds=0.2):
    """Lift the left leg, let go, and return the state."""
    data = mujoco.MjData(model)
    data.joint("left_hip").qpos = -0.9
    while data.time < seconds:
        mujoco.mj_step(model, data)
    return data


if __name__ == "__main__":
    model = load("biped/model.urdf")
    for number in range(1, model.nbody):  # 0 is the world
        body = model.body(number)
        print(f"{body.name:11} {body.mass[0]:.4f} kg")
    print(f"together    {sum(model.body_mass):.4f} kg")
    print(f"left hip    {swing(model).joint('left_hip').qpos[0]:+.1f} rad, from -0.9")
'''

IN_DRAKE = '''from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant


def load(sdf):
    """Load a robot; return the plant, and its bodies without the world."""
    plant = MultibodyPlant(1e-3)
    (model,) = Parser(plant).AddModels(sdf)
    plant.Finalize()
    return plant, [plant.get_body(index) for index in plant.GetBodyIndices(model)]


if __name__ == "__main__":
    plant, bodies = load("biped/model.sdf")
    for body in bodies:
        print(f"{body.name():11} {body.default_mass():.4f} kg")
    print(f"together    {plant.CalcTotalMass(plant.CreateDefaultContext()):.4f} kg")
'''

MASSES = {
    "torso": 2.356,
    **{
        f"{side}_{part}": mass
        for side in ("left", "right")
        for part, mass in (("thigh", 0.3366), ("shank", 0.1354), ("foot", 0.2056))
    },
}
"""The masses in the file [kg], in its order."""

DRAKE_PRINTS = "".join(
    f"{name:11} {mass:.4f} kg\n" for name, mass in {**MASSES, "together": sum(MASSES.values())}.items()
)

MUJOCO_PRINTS = DRAKE_PRINTS + "left hip    -0.4 rad, from -0.9\n"

GAZEBO_PRINTS = """\
biped/model.sdf: good
  7 links: no invalid inertial; 6 agree with their geometry within 5 %, 1 differs by 32 %
"""

LISTED = """biped/
├── meshes/        five OBJ files: the twins share their shanks and feet
├── model.config   for Gazebo
├── model.sdf      for Gazebo and Drake
└── model.urdf     for ROS, Drake and MuJoCo"""
