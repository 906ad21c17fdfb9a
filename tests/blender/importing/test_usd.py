# SPDX-License-Identifier: GPL-3.0-or-later
"""USD in Blender: what was exported comes back, and what is accepted goes into a layer over the file."""

import re

import bpy
import numpy as np
import pytest

from ..export.test_urdf import export, lever
from ..scenes import imported, live_model

pytest.importorskip("pxr", reason="OpenUSD has no wheel for this Python")
pytestmark = pytest.mark.usefixtures("scene")

GIVEN = {"joint_use_limits": True, "joint_lower": -1.0, "joint_upper": 0.5, "joint_effort": 5.0}
GIVEN |= {"joint_damping": 0.25, "joint_friction": 0.125}


def bodies():
    return {link.body.name: link.body.inertial for link in live_model().links}


def links_of(path):
    imported(path)
    return {ob.sdf_inertia.sdf_name: ob for ob in bpy.data.objects if ob.sdf_inertia.is_link}


@pytest.fixture
def path(tmp_path):
    lever(inertia="FILLED", **GIVEN)
    assert export(tmp_path / "robot.usda") == {"FINISHED"}
    return tmp_path / "robot.usda"


def test_an_export_comes_back_with_its_numbers(path):
    given = bodies()
    places = {ob.name: np.array(ob.matrix_world) for ob in bpy.data.objects}
    bpy.ops.wm.read_homefile(use_empty=True)
    links = links_of(path)
    for name, body in bodies().items():
        assert body.mass == pytest.approx(given[name].mass, rel=1e-6)
        np.testing.assert_allclose(body.com, given[name].com, atol=1e-6)
        np.testing.assert_allclose(body.inertia, given[name].inertia, atol=1e-6 * given[name].inertia.max())
        np.testing.assert_allclose(links[name].matrix_world, places[name], atol=1e-6)
    settings = links["bar"].sdf_inertia
    assert (settings.joint_type, links["bar"].parent.name) == ("REVOLUTE", "base")
    assert {name: getattr(settings, name) for name in GIVEN} == pytest.approx(GIVEN, rel=1e-6)


def test_write_back_leaves_the_file_and_writes_a_layer_over_it(path):
    given = bodies()["bar"]
    doubled = re.sub(r"(?<=newton:inertia = \[)([^,]+), ", lambda text: f"{2 * float(text[1])}, ", path.read_text())
    path.write_text(doubled)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.sdf_inertia.accept_computed(target=links_of(path)["bar"].name) == {"FINISHED"}
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert path.read_text() == doubled
    bpy.ops.wm.read_homefile(use_empty=True)
    imported(path.with_name("robot.inertia.usda"))
    np.testing.assert_allclose(bodies()["bar"].inertia, given.inertia, atol=1e-6 * given.inertia.max())
