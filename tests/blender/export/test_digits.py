# SPDX-License-Identifier: GPL-3.0-or-later
"""A file has the digits that a user typed, without the rounding of Blender's float32."""

import re
from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from ..scenes import add, box_mesh, empty, exported, read, tag, wedge_mesh
from .test_export import pose_matrix

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(123)]

NUMBER = re.compile(r"-?[0-9.]+(?:e-?[0-9]+)?")


def robot():
    """Return a base with an arm on it, turned by right angles and placed by decimals."""
    base = tag(add(box_mesh((0.3, 0.2, 0.14)), "base", location=(0.14, 0.2, 0.07)), "link", "collision", geometry="BOX")
    arm = tag(add(box_mesh((0.1, 0.1, 0.4)), "arm", base, location=(0.1, 0, 0.33)), "link", "collision")
    arm.rotation_euler = (pi / 2, 0, pi)
    tag(
        arm,
        joint_type="REVOLUTE",
        joint_use_limits=True,
        joint_lower=-pi / 2,
        joint_upper=2.1,
        joint_axis=(0, 0.6, 0.8),
    )
    hand = tag(add(box_mesh((0.02, 0.06, 0.03)), "hand", arm, location=(0, 0, 0.7)), "link")
    tag(add(box_mesh((0.02, 0.06, 0.03)), "finger", hand, location=(0.03, 0, 0.1)), "collision", geometry="BOX")
    tag(hand, joint_type="FIXED")
    return base


@pytest.mark.parametrize("file_format", ["sdf", "urdf"])
@pytest.mark.parametrize("inertia", ["AUTO", "FILLED"])
def test_numbers_are_those_that_were_typed(tmp_path, file_format, inertia):
    robot()
    exported(tmp_path, file_format=file_format, inertia=inertia)
    words = (tmp_path / "model" / f"model.{file_format}").read_text()
    words = re.sub('version="[^"]*"', "", words).replace('"', " ").replace("<", " <").split()
    numbers = [word.rpartition(">")[2] for word in words if NUMBER.fullmatch(word.rpartition(">")[2])]
    assert "0.14" in numbers
    assert [one for one in numbers if len(one.partition("e")[0].replace(".", "").lstrip("-0")) > 10] == []
    assert [one for one in numbers if 0.0 < abs(float(one)) < 1e-6] == []


def test_poses_have_few_digits_and_right_angles(tmp_path):
    robot()
    root = exported(tmp_path)
    poses = {link.get("name"): link.findtext("pose") for link in root.iter("link")}
    assert poses == {
        "base": "0.14 0.2 0.07 0 0 0",
        "arm": "0.24 0.2 0.4 1.570796327 0 3.141592654",
        "hand": "0.24 0.9 0.4 1.570796327 0 3.141592654",
    }
    assert root.findtext(".//link[@name='hand']/collision/pose") == "0.03 0 0.1 0 0 0"
    assert root.findtext(".//joint[@name='arm_joint']/axis/limit/lower") == "-1.5707964"


def test_a_scene_in_millimetres_is_written_in_few_digits_of_metres(tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.001
    base = tag(add(box_mesh((300, 200, 140)), "base", location=(140, 0, 33.3)), "link", "collision", geometry="BOX")
    tag(add(box_mesh((7, 7, 7)), "foot", base, location=(0.7, -123.4, 0)), "collision", geometry="BOX")
    root = exported(tmp_path)
    assert root.findtext(".//link/pose") == "0.14 0 0.0333 0 0 0"
    assert [size.text for size in root.iterfind(".//collision//size")] == ["0.3 0.2 0.14", "0.007 0.007 0.007"]
    assert root.findtext(".//collision[@name='foot']/pose") == "0.0007 -0.1234 0 0 0 0"


def test_a_frame_in_another_link_has_few_digits(tmp_path):
    base = robot()
    tag(empty("tip", base, location=(0.1, 0.7, 1.1)), "frame")
    assert exported(tmp_path).findtext(".//frame/pose") == "0.1 0.7 1.1 0 0 0"


def test_a_box_under_a_turned_parent_keeps_its_typed_sizes(tmp_path):
    top = empty("top", rotation_euler=(0.3, 1.1, -0.7), location=(5, 7, 9))
    tag(add(box_mesh((0.3, 0.2, 0.14)), "box", top, location=(0.1, 0.2, 0.3)), "link", "collision", geometry="BOX")
    assert exported(tmp_path).findtext(".//box/size") == "0.3 0.2 0.14"


@pytest.mark.parametrize("seed", range(20))
def test_poses_are_blenders_to_the_precision_of_float32(tmp_path, seed):
    rng = np.random.default_rng(seed)

    def place():
        return {"location": 10.0 ** rng.uniform(-3, 1) * rng.normal(size=3), "rotation_euler": rng.uniform(-4, 4, 3)}

    link = tag(add(wedge_mesh(), "link", empty("top", **place()), **place()), "link", "collision")
    part = tag(add(box_mesh((0.01, 0.02, 0.03)), "part", link, **place()), "collision", geometry="BOX")
    root = exported(tmp_path)
    X = pose_matrix(root.findtext(".//link/pose"))
    for found, ob in ((X, link), (X @ pose_matrix(root.findtext(".//collision[@name='part']/pose")), part)):
        own = np.array(ob.matrix_world)
        own[:3, :3] /= np.linalg.norm(own[:3, :3], axis=0)
        np.testing.assert_allclose(found[:3, :3], own[:3, :3], rtol=0, atol=2e-6)
        size = max(np.abs(own[:3, 3]).max(), np.abs(np.array(link.matrix_world)[:3, 3]).max(), 0.015)  # of the box
        np.testing.assert_allclose(found[:3, 3], own[:3, 3], rtol=0, atol=1e-6 * size)


def test_a_filled_inertial_agrees_with_the_panel(tmp_path):
    robot()
    root = exported(tmp_path, inertia="FILLED")
    _model, bodies = read("FILLED")
    for body in bodies:
        element = root.find(f".//link[@name='{body.name}']/inertial")
        assert float(element.findtext("mass")) == pytest.approx(body.inertial.mass, rel=1e-9)
        for name, cell in {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2)}.items():
            assert float(element.findtext(f"inertia/{name}")) == pytest.approx(body.inertial.inertia[cell], rel=1e-9)


def test_a_mesh_about_its_own_origin_has_no_pose(tmp_path):
    tag(add(box_mesh((0.1, 0.2, 0.3)), "cube"), "link", "collision")
    (collision,) = exported(tmp_path).iter("collision")
    assert collision.find("pose") is None


def test_a_right_angle_that_a_parent_turned_is_right(tmp_path):
    top = empty("top")
    top.matrix_world = Matrix.Rotation(0.4, 4, "X")
    turned = add(box_mesh(), "turned", top)
    tag(turned, "link", "collision")
    turned.matrix_parent_inverse = top.matrix_world.inverted()
    turned.matrix_basis = Matrix.Rotation(pi / 2, 4, "Y")
    assert exported(tmp_path).findtext(".//link/pose") == "0 0 0 0 1.570796327 0"
