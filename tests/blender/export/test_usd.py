# SPDX-License-Identifier: GPL-3.0-or-later
"""USD out of Blender: by the operator, a collection, the command line; Blender's own importer finds the same meshes."""

import re

import bpy
import numpy as np
import pytest
from lxml import etree

from ..scenes import add, box_mesh, module, tag
from .test_collection_export import two_robots
from .test_urdf import export, lever

pytestmark = pytest.mark.usefixtures("scene")


def masses(path):
    return [float(mass) for mass in re.findall(r"float physics:mass = (\S+)", path.read_text())]


def corners(ob):
    return np.array([ob.matrix_world @ vertex.co for vertex in ob.data.vertices])


def test_the_meshes_and_masses_are_those_of_the_scene(tmp_path):
    base, bar = lever(inertia="FILLED")
    part = add(box_mesh((0.1, 0.2, 0.3)), "part", parent=bar, location=(1, 0, 1), scale=(-1, -2, 3))
    tag(part, "collision", "visual", density=300.0)
    bpy.context.view_layer.update()
    expected = {ob.name: corners(ob) for ob in (base, part)}
    assert export(tmp_path / "robot.urdf") == export(tmp_path / "robot.usda") == {"FINISHED"}
    urdf = [float(mass.get("value")) for mass in etree.parse(tmp_path / "robot.urdf").iter("mass")]
    assert masses(tmp_path / "robot.usda") == pytest.approx(urdf, rel=1e-7)
    before = {*bpy.data.objects}
    bpy.ops.wm.usd_import(filepath=str(tmp_path / "robot.usda"))
    bpy.context.view_layer.update()
    new = {ob.name.partition(".")[0]: corners(ob) for ob in {*bpy.data.objects} - before if ob.type == "MESH"}
    for name, points in expected.items():
        order = [np.lexsort(some.round(4).T) for some in (points, new[name])]
        np.testing.assert_allclose(new[name][order[1]], points[order[0]], atol=1e-6)


def test_a_collection_and_the_command_line_write_usd(tmp_path):
    two_robots()
    export(tmp_path / "left.usda", collection="left arm")
    assert len(masses(tmp_path / "left.usda")) == 1
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "arms.blend"))
    assert module("sdf_inertia_addon.export.command").run(["--output", str(tmp_path), "--format", "usd"]) == 0
    assert len(masses(tmp_path / "arms" / "model.usda")) == 2
