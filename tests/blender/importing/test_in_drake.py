# SPDX-License-Identifier: GPL-3.0-or-later
"""Links of an imported robot stand where Drake has them, all joints at zero."""

import bpy
import numpy as np
import pytest

from ..scenes import imported

pytestmark = pytest.mark.usefixtures("scene")

NESTED = """<sdf version="1.9"><model name="m"><link name="base"/>
<model name="tool"><pose>1 0 0 0.3 0 1.2</pose>
  <link name="base"><pose>0 2 0 0 0.4 0</pose></link><link name="tip"><pose>0 2 1 0 0 0.2</pose></link>
  <joint name="turn" type="revolute"><parent>base</parent><child>tip</child><axis><xyz>1 0 0</xyz></axis></joint>
</model>
<joint name="mount" type="fixed"><parent>base</parent><child>tool::base</child></joint></model></sdf>"""

KINDS = ("revolute", "continuous", "prismatic", "fixed")


def chain(random, count):
    """Return a URDF of a tree of links with joints of all kinds, and with masses."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = f'<robot name="tree"><link name="l0">{inertial}</link>'
    for number in range(1, count):
        xyz = " ".join(map(repr, random.uniform(-0.5, 0.5, 3).tolist()))
        rpy = random.uniform(-np.pi, np.pi, 3)
        if number % 3 == 0:
            rpy[1] = random.choice([np.pi / 2, -np.pi / 2, 1.5708])  # where Euler angles are not unique
        axis = random.normal(size=3)
        text += (
            f'<link name="l{number}">{inertial}</link><joint name="j{number}" type="{KINDS[number % 4]}">'
            f'<origin xyz="{xyz}" rpy="{" ".join(map(repr, rpy.tolist()))}"/>'
            f'<parent link="l{random.integers(number)}"/><child link="l{number}"/>'
            f'<axis xyz="{" ".join(map(repr, (axis / np.linalg.norm(axis)).tolist()))}"/>'
            '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        )
    return text + "</robot>"


@pytest.mark.parametrize("seed", range(4))
def test_links_stand_where_drake_has_them(seed, tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    path = tmp_path / "tree.urdf"
    path.write_text(chain(np.random.default_rng(seed), 12))
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("l0"))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    imported(path)
    for number in range(12):
        X = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(f"l{number}")).GetAsMatrix4()
        there = np.array(bpy.data.objects[f"l{number}"].matrix_world, dtype=np.float64)
        np.testing.assert_allclose(there, X, atol=1e-6, err_msg=f"l{number}")


def test_links_of_nested_models_stand_where_drake_has_them(tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    path = tmp_path / "nested.sdf"
    path.write_text(NESTED)
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base", plant.GetModelInstanceByName("m")))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    objects = imported(path)
    for name in ("base", "tip"):
        body = plant.GetBodyByName(name, plant.GetModelInstanceByName("m::tool"))
        X = plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4()
        there = np.array(objects[f"tool::{name}"].matrix_world, dtype=np.float64)
        np.testing.assert_allclose(there, X, atol=1e-6, err_msg=name)
    for ob in objects.values():
        ob.sdf_inertia.inertia, ob.sdf_inertia.manual_mass = "MANUAL", 1.0
        ob.sdf_inertia.manual_inertia = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "out.sdf"))
    again = MultibodyPlant(0.0)
    (model,) = Parser(again).AddModels(str(tmp_path / "out.sdf"))
    again.Finalize()
    assert again.HasJointNamed("tool__turn", model) and again.num_positions() == 1 + 7
