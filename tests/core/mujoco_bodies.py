# SPDX-License-Identifier: GPL-3.0-or-later
"""What MuJoCo makes of an MJCF file, held against what Drake makes of the SDF of the same model."""

import numpy as np
import pytest

from tests.core.drake_inertia import parsed


def loaded(path):
    import mujoco

    return mujoco.MjModel.from_xml_path(str(path))


def tensor_of(model, number):
    """Return a body's tensor in the axes of its frame."""
    import mujoco

    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, model.body_iquat[number])
    R = R.reshape(3, 3)
    return R @ np.diag(model.body_inertia[number]) @ R.T


def assert_same_bodies(files, positions=0, root="base", seed=0):
    """Compare all numbers of an MJCF and an SDF, and the poses from the root's at random positions of the joints."""
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    import mujoco

    mjcf, sdf = files
    model = loaded(mjcf)
    plant, _ = parsed(sdf)
    context, data = plant.CreateDefaultContext(), mujoco.MjData(model)
    names = [model.body(number).name for number in range(1, model.nbody)]
    for number, name in enumerate(names, 1):
        spatial = plant.GetBodyByName(name).default_spatial_inertia()
        com, tensor = spatial.get_com(), spatial.Shift(spatial.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
        assert model.body_mass[number] == spatial.get_mass()
        np.testing.assert_array_equal(model.body_ipos[number], com)
        np.testing.assert_allclose(tensor_of(model, number), tensor, rtol=0, atol=1e-12 * np.trace(tensor))
    rng = np.random.default_rng(seed)
    joints = [model.joint(number) for number in range(model.njnt) if model.jnt_type[number] in (2, 3)]
    for _ in range(positions):
        there = plant.GetPositions(context).copy()
        for joint in joints:
            data.qpos[joint.qposadr[0]] = value = rng.uniform(-1.5, 1.5)
            second = joint.name.endswith("_second")
            there[plant.GetJointByName(joint.name.removesuffix("_second")).position_start() + second] = value
        plant.SetPositions(context, there)
        mujoco.mj_kinematics(model, data)
        for where in names:
            X = plant.CalcRelativeTransform(context, plant.GetFrameByName(root), plant.GetFrameByName(where))
            R, Q = (data.body(name).xmat.reshape(3, 3) for name in (root, where))
            np.testing.assert_allclose(R.T @ Q, X.rotation().matrix(), rtol=0, atol=1e-6)
            between = data.body(where).xpos - data.body(root).xpos
            np.testing.assert_allclose(R.T @ between, X.translation(), rtol=0, atol=1e-6)
