# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes in every state that the panels have something of their own to show for."""

import bpy

from . import faulty_meshes
from .scenes import BOX_FACES, add, box_link, box_mesh, empty, mesh_data, tag, wedge_mesh


def nothing():
    """No object at all."""


def untagged():
    add(box_mesh(), "stranger")


def robot():
    base = tag(add(wedge_mesh(), "base", scale=(1, 2, -1)), "link", "collision", use_density=True, density=700)
    tag(add(box_mesh(), "part", base, location=(0, 0, 3)), "collision", geometry="ELLIPSOID")
    arm = tag(empty("arm", base, rotation_euler=(1, 2, 3)), "link", inertia="FILLED", use_mass=True, mass=2)
    tag(arm, joint_type="REVOLUTE", joint_use_limits=True, joint_lower=-1, joint_upper=1, joint_position=1.5)
    tag(arm, joint_rotor_inertia=1e-4, joint_gear_ratio=100.0, joint_mimic=base)
    tag(add(box_mesh(), "bone", arm), "collision", method="VOXEL", voxel_size=0.3)
    add(box_mesh(), "stranger")


def by_hand():
    ob = box_link("by hand", inertia="MANUAL", manual_mass=100.0)
    ob.sdf_inertia.manual_inertia = (20.0, 20.0, 20.0, 2.0, 0.0, 0.0)
    tag(empty("impossible"), "link", inertia="MANUAL", manual_inertia=(1, 1, 3, 0, 0, 0))


def imported():
    """Links that came from a file: right, impossible, and without anything to compare."""
    inertias = {"right": (1 / 6, 1 / 6, 1 / 6, 0, 0, 0), "impossible": (1, 1, 9, 0, 0, 0), "bare": (1, 1, 1, 0, 0, 0)}
    for name, tensor in inertias.items():
        link = tag(empty(name), "link", inertia="MANUAL", manual_mass=1.0, manual_inertia=tensor, source="arm.urdf")
        if name != "bare":
            tag(add(box_mesh(), f"{name} part", link), "collision")


def no_inertial():
    """Links without inertial: imported, with geometry and without, and of a user."""
    base = box_link("base", inertia="FILLED")
    for name, source in (("none", "arm.urdf"), ("bare none", "arm.urdf"), ("own none", "")):
        link = tag(empty(name, base), "link", inertia="NONE", source=source, joint_type="FIXED", joint_parent=base)
        if name != "bare none":
            tag(add(box_mesh(), f"{name} part", link), "collision")


def faulty():
    """A link of every mesh that a remedy is for, most in AUTO."""
    makers = ("open_box", "one_face_turned", "inside_out", "sheet")
    for name in makers:
        link = tag(empty(f"{name} link"), "link")
        tag(add(getattr(faulty_meshes, name)(), name, link), "collision")
    overlapping = faulty_meshes.joined(box_mesh(), box_mesh(centre=(0.5, 0, 0)))
    tag(add(overlapping, "overlap"), "link", "collision", material="Steel")


def auto():
    """Links in AUTO of which Gazebo makes something else."""
    shell = tag(empty("shell link"), "link")
    tag(add(faulty_meshes.open_box(), "shell", shell), "collision", method="SHELL", thickness=0.02)
    voxels = tag(empty("voxel link"), "link")
    tag(add(wedge_mesh(), "coarse", voxels), "collision", method="VOXEL", voxel_size=0.3)
    # What Gazebo integrates over, x n_x, is nothing here: the face that is left stands at x = 0.
    half = mesh_data(faulty_meshes.CORNERS, [face for face in BOX_FACES if face != (1, 2, 6, 5)])
    refused = tag(empty("refused link"), "link")
    tag(add(half, "half", refused), "collision", method="SHELL", thickness=0.02)


def incomplete():
    tag(empty("lonely"), "link")
    tag(add(box_mesh(), "orphan"), "collision")
    tag(add(bpy.data.meshes.new("none"), "no faces"), "link", "collision")
    tag(add(bpy.data.curves.new("line", "CURVE"), "line"), "link", "collision")


def instanced():
    wheel = box_link("wheel", material="Rubber")
    collection = bpy.data.collections.new("wheels")
    collection.objects.link(wheel)
    bpy.context.scene.collection.objects.unlink(wheel)
    for index in range(4):
        place = empty(f"at {index}", location=(3 * index, 0, 0))
        place.instance_type, place.instance_collection = "COLLECTION", collection


STATES = (nothing, untagged, robot, by_hand, imported, no_inertial, faulty, auto, incomplete, instanced)
