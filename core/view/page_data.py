# SPDX-License-Identifier: Apache-2.0
"""A robot's scene as the JSON that the script of a page draws: metres, kg, kg·m², all digits."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..robot.report import Json, inertial_json
from .drawn_meshes import DrawnMeshes
from .robot_scene import RobotScene, SceneJoint, SceneLink, ShownPart


def page_data(scene: RobotScene, meshes: DrawnMeshes) -> Json:
    """Return the scene; poses and maps are the 16 numbers of a matrix, row by row."""
    return {
        "links": [_link(link, meshes) for link in scene.links],
        "joints": [_joint(joint) for joint in scene.joints],
        "findings": [scene_finding.link for scene_finding in scene.findings],
        "meshes": meshes.json(),
    }


def parts_of(scene: RobotScene) -> list[ShownPart]:
    """Return all that is drawn of a scene."""
    return [part for link in scene.links for part in (*link.visuals, *link.collisions)]


def solid_json(inertial: Inertial | None) -> Json | None:
    """Return an inertial in its link's frame, with principal moments and axes, and the sizes of the uniform solids."""
    if inertial is None:
        return None
    principal = inertial.principal()
    sizes: Json = {"ellipsoid": None, "box": None}
    if inertial.mass > 0.0:
        with np.errstate(over="ignore"):  # of absurd sizes nothing is drawn
            ellipsoid, box = inertial.equivalent_ellipsoid(), inertial.equivalent_box()
        if np.isfinite(box).all():
            sizes = {"ellipsoid": ellipsoid.tolist(), "box": box.tolist()}
    shown = {"moments": principal.moments.tolist(), "axes": principal.axes.tolist()}
    return inertial_json(inertial) | shown | sizes


def _link(link: SceneLink, meshes: DrawnMeshes) -> Json:
    return {
        "name": link.name,
        "pose": _matrix(link.pose),
        "published": solid_json(link.published),
        "computed": solid_json(link.computed),
        "severity": link.severity,
        "listed": link.listed,
        "visuals": _parts(link.visuals, meshes),
        "collisions": _parts(link.collisions, meshes),
    }


def _parts(parts: Iterable[ShownPart], meshes: DrawnMeshes) -> list[Json]:
    return [
        {
            "mesh": meshes.number(part.surface),
            "placed": _numbers(part.placed),
            "color": None if part.color is None or not all(map(isfinite, part.color)) else list(part.color),
        }
        for part in parts
    ]


def _joint(scene_joint: SceneJoint) -> Json:
    joint = scene_joint.joint
    return {
        "name": joint.name,
        "kind": joint.kind,
        "parent": scene_joint.parent,
        "child": scene_joint.child,
        "pose": _matrix(joint.pose),
        "axis": list(joint.axis),
        "axis2": list(joint.axis2),
        "lower": _limit(joint.lower),
        "upper": _limit(joint.upper),
        "pitch": _limit(joint.pitch) or 0.0,
    }


def _limit(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def _matrix(pose: Pose) -> list[float]:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = pose.R, pose.p
    return _numbers(matrix)


def _numbers(array: FloatArray) -> list[float]:
    return [float(number) + 0.0 for number in array.ravel()]
