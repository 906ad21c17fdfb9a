# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that MuJoCo makes one of, where an MJCF asks for it, as MuJoCo itself makes them."""

import numpy as np
import pytest

from core import read_robot

mujoco = pytest.importorskip("mujoco")

CRANE = """<mujoco><compiler fusestatic="{fuse}" angle="radian"/><worldbody>
<body name="post" pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .4" mass="4"/>
<body name="beam" pos=".2 .1 .3" euler="0.3 0 0.7"><geom type="capsule" size=".05 .2" mass="2"/>
<body name="hook" pos=".3 0 0" euler="0.5 0.2 0"><inertial pos="0 .02 .01" mass="1.5"
fullinertia=".02 .03 .025 .001 -.002 .003"/></body></body>
<body name="wheel" pos="0 0 -.5"><joint axis="0 1 0"/><geom type="cylinder" size=".1 .02" mass="1"/></body>
</body></worldbody></mujoco>"""


@pytest.mark.fault(192)
@pytest.mark.parametrize("fuse", ["true", "false"])
def test_bodies_are_fused_as_mujoco_fuses_them(fuse, tmp_path):
    path = tmp_path / "crane.xml"
    path.write_text(CRANE.format(fuse=fuse))
    model = mujoco.MjModel.from_xml_path(str(path))
    bodies = read_robot(path).compare_engines("mujoco").bodies
    assert len(bodies) == model.nbody - 1 == (2 if fuse == "true" else 4)
    for body in bodies:
        (case,) = body.cases
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, body.name)
        np.testing.assert_allclose(case.inertial.mass, model.body_mass[number], rtol=1e-9)
        np.testing.assert_allclose(case.inertial.com, model.body_ipos[number], atol=1e-9)
        moments = np.sort(model.body_inertia[number])
        np.testing.assert_allclose(case.inertial.principal().moments, moments, rtol=1e-7)
