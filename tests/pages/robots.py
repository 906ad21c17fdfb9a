# SPDX-License-Identifier: GPL-3.0-or-later
"""The robots whose pages are tested."""

from ..reference_data import DATA
from ..versions import CHECKOUT

ARM = CHECKOUT / "examples" / "arm.urdf"
DESK_ARM = CHECKOUT / "examples" / "desk_arm_description" / "urdf" / "desk_arm.urdf.xacro"
BIPED = CHECKOUT / "examples" / "biped_description" / "urdf" / "biped.urdf"
ROVER = CHECKOUT / "build" / "pages" / "rover" / "model.sdf"
"""Exported by `make test-pages`."""

OF_DATA = (
    "auto_inertia_pendulum/auto_inertia_pendulum.sdf",
    "iiwa_description/iiwa14_polytope_collision.sdf",
    "inertial_complete/inertial_complete.sdf",
    "inertial_stats/inertial_stats.sdf",
    "wsg_50_description/schunk_wsg_50_with_tip.sdf",
)

ROBOTS = (ARM, DESK_ARM, BIPED, ROVER, *(DATA / "models" / name for name in OF_DATA))

INERTIAL = (
    '<inertial><mass value="0.5"/><inertia ixx="2e-3" iyy="3e-3" izz="4e-3" ixy="1e-4" ixz="0" iyz="0"/></inertial>'
)
BOX = '<geometry><box size="0.1 0.12 0.08"/></geometry>'


def sixty_links():
    """Return the URDF of six chains of ten links each, which start close to each other."""
    links, joints = [], []
    for number in range(60):
        links.append(f'<link name="link_{number}">{INERTIAL}<visual>{BOX}</visual><collision>{BOX}</collision></link>')
        if number:
            chain, step = divmod(number - 1, 10)
            parent = 0 if step == 0 else number - 1
            place = f"{0.13 * (chain - 2.5):.3f} 0 0.1" if step == 0 else "0.02 0.11 0.05"
            ends = f'<parent link="link_{parent}"/><child link="link_{number}"/>'
            joints.append(
                f'<joint name="joint_{number}" type="revolute">{ends}<origin xyz="{place}" rpy="0.05 0 0.1"/>'
                '<axis xyz="1 0 1"/><limit lower="-1" upper="1.5" effort="1" velocity="1"/></joint>'
            )
    return f'<robot name="crowd">{"".join(links + joints)}</robot>'


def every_joint():
    """Return the SDF of a chain with a joint of each kind that moves, balls apart."""
    limited = "<axis><xyz>0.6 0 0.8</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis>"
    axes = {
        "revolute": limited,
        "continuous": "<axis><xyz>0 1 0</xyz></axis>",
        "prismatic": limited,
        "screw": f"{limited}<screw_thread_pitch>0.05</screw_thread_pitch>",
        "universal": f"{limited}<axis2><xyz>0 1 0</xyz></axis2>",
        "fixed": "",
    }
    return chain("joints", {kind: (kind, axis) for kind, axis in axes.items()})


def ball_and_followers():
    """Return the SDF of a ball, a joint beyond it, one that follows that, and one that follows the follower."""
    axis = "<axis><xyz>0.6 0 0.8</xyz>{}</axis>".format
    mimic = '<mimic joint="{}" axis="axis"><multiplier>{}</multiplier><offset>{}</offset></mimic>'.format
    followers = {"second": mimic("leader", -2, 0.1), "third": mimic("second", 0.5, 0.3)}
    revolute = {name: ("revolute", axis(more)) for name, more in {"leader": "", **followers}.items()}
    return chain("followers", {"ball": ("ball", ""), **revolute})


def chain(model, joints):
    """Return the SDF of a chain of links with joints by name: their kinds and axes."""
    inertial = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
    parts, parent = [f'<link name="base">{inertial}</link>'], "base"
    for number, (name, (kind, axes)) in enumerate(joints.items()):
        parts.append(f'<link name="of_{name}"><pose>0.1 0.2 {0.3 * number} 0.1 0.2 0.3</pose>{inertial}</link>')
        ends = f"<parent>{parent}</parent><child>of_{name}</child><pose>0.05 0 -0.1 0 0.4 0</pose>"
        parts.append(f'<joint name="{name}" type="{kind}">{ends}{axes}</joint>')
        parent = f"of_{name}"
    return f'<sdf version="1.11"><model name="{model}">{"".join(parts)}</model></sdf>'
