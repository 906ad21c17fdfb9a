# SPDX-License-Identifier: Apache-2.0
"""A robot's scene as one HTML file, with meshes of fewer faces where it would be too large.

It needs no network, and its policy allows no other script than its own.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from math import isfinite

import numpy as np

from ..arrays import FloatArray, Ints
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..errors import counts_text
from ..escapes import without_infinite
from ..mesh.surface import Surface
from ..robot.report import Json, inertial_json
from ..units import number_text
from ..version import version
from .robot_scene import RobotScene, SceneJoint, SceneLink, ShownPart
from .tables import (
    engine_table,
    finding_list,
    heads,
    joint_sliders,
    link_rows,
    number_tables,
    repair_switch,
    statics_table,
    text,
    total_row,
)

MOST = 100_000
"""Triangles in one page: about 2.5 MB of text, which phones draw smoothly."""

CROWD = 16
"""Links from which on axes are only shown if they are asked for: they would hide the robot."""

COARSEST = 4
"""Cells along the longest side of a simplified mesh, at least."""

SCRIPTS = ("scene.js", "labels.js", "page.js")
"""The page's scripts, in the order in which they run."""

_LICENCE = re.compile(r"^.*SPDX-License-Identifier.*\n", re.MULTILINE)
_MARK = re.compile(r"\{\{(\w+)\}\}")


class DrawnMeshes:
    """The meshes of a page, in the order in which they are first used.

    Parameters
    ----------
    surfaces : iterable of Surface
    most : int
        Triangles of all of them together. If there are more, the largest are simplified, for display only.
    """

    def __init__(self, surfaces: Iterable[Surface], most: int = MOST) -> None:
        unique = {id(surface): surface for surface in surfaces}
        self._numbers = {key: number for number, key in enumerate(unique)}
        self.surfaces = list(unique.values())  # which keeps their ids
        counts = [len(surface.triangles) for surface in self.surfaces]
        self.before = sum(counts)
        cap = _cap(counts, most)
        self.drawn = [_clustered(surface, cap) for surface in self.surfaces]
        self.after = sum(len(triangles) for _, triangles in self.drawn)

    def number(self, surface: Surface) -> int:
        """Return the number of a surface."""
        return self._numbers[id(surface)]

    def json(self) -> list[Json]:
        """Return positions and triangles of each mesh: base64 of little-endian float32, and of uint16 or uint32."""
        return [
            {"positions": _text(points, "<f4"), "wide": len(points) > 0xFFFF, "triangles": _indices(points, triangles)}
            for points, triangles in self.drawn
        ]


def page_html(scene: RobotScene) -> str:
    """Return the page of a scene; the same scene gives the same text."""
    parts = parts_of(scene)
    meshes = DrawnMeshes(part.surface for part in parts)
    style, library = asset("page.css"), asset("three.min.js")
    script = "\n".join(map(asset, SCRIPTS))
    data = json.dumps(
        without_infinite(page_data(scene, meshes)), allow_nan=False, ensure_ascii=True, separators=(",", ":")
    )
    has_visuals = any(link.visuals for link in scene.links)
    return filled(
        asset("page.html"),
        {
            "title": text(scene.title),
            "file": text(scene.file),
            "version": text(version()),
            "summary": _summary(scene),
            "repair": repair_switch(scene),
            "heads": heads(scene),
            "rows": link_rows(scene),
            "total": total_row(scene),
            "notes": _notes(scene, meshes),
            "numbers": number_tables(scene),
            "engines": engine_table(scene),
            "statics": statics_table(scene),
            "count": str(len(scene.findings)) if scene.findings else "",
            "findings": finding_list(scene),
            "joints": joint_sliders(scene),
            "visuals": " checked" if has_visuals else " disabled",
            "collisions": _checked(scene, has_visuals),
            "axes": " checked" * (sum(link.listed for link in scene.links) < CROWD),
            "alike": "" if any(link.alike for link in scene.links) else " hidden",
            "data": data.replace("<", "\\u003c"),  # so that no text ends the script
            "style": style,
            "library": library,
            "script": script,
            "style_hash": digest(style),
            "script_hashes": " ".join(f"'sha256-{digest(source)}'" for source in (library, script)),
        },
    )


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


def asset(name: str) -> str:
    """Return the text of a file that pages are made of, without its licence: a page is under that of its robot."""
    return _LICENCE.sub("", files(__package__).joinpath(name).read_text(encoding="utf-8"))


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a template with values for its marks; marks in the values are text."""
    return _MARK.sub(lambda mark: values[mark[1]], template)


def digest(content: str) -> str:
    """Return what a content security policy names an inline script or style by."""
    return b64encode(sha256(content.encode()).digest()).decode()


def _summary(scene: RobotScene) -> str:
    links = sum(link.listed for link in scene.links)
    mass = "" if scene.total is None else f"{number_text(scene.total.mass)} kg"
    mass += f" of {scene.counted} · " if scene.left_out and mass else " · " if mass else ""
    head = escape(f"{scene.file} · {links} link{'s' * (links != 1)} · {mass}")
    counts = counts_text(scene_finding.finding.severity for scene_finding in scene.findings) or "no errors or warnings"
    return f'{head}<a href="#findings">{counts}</a>'


def _notes(scene: RobotScene, meshes: DrawnMeshes) -> str:
    notes = []
    if not any(link.is_mesh for link in scene.links):
        notes.append("Computed is what follows from the geometry at the mass in the file.")
    if total_row(scene):
        notes.append("Centres are in the frames of the links; that of the total in the world, all joints at 0.")
        notes += [f"The total is {text(scene.left_out)}."] if scene.left_out else []
    if meshes.after < meshes.before:
        notes.append(
            f"Meshes are simplified for display, from {meshes.before:,} to {meshes.after:,} triangles;"
            " the numbers are those of the full meshes."
        )
    return " ".join(notes)


def _checked(scene: RobotScene, has_visuals: bool) -> str:
    if not any(link.collisions for link in scene.links):
        return " disabled"
    return "" if has_visuals else " checked"


def _link(link: SceneLink, meshes: DrawnMeshes) -> Json:
    return {
        "name": link.name,
        "pose": _matrix(link.pose),
        "published": solid_json(link.published),
        "computed": solid_json(link.computed),
        "planned": solid_json(link.planned),
        "alike": link.alike,
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
        "follows": scene_joint.follows and [*scene_joint.follows],
    }


def _limit(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def _matrix(pose: Pose) -> list[float]:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = pose.R, pose.p
    return _numbers(matrix)


def _numbers(array: FloatArray) -> list[float]:
    return [float(number) + 0.0 for number in array.ravel()]


def _indices(points: FloatArray, triangles: Ints) -> str:
    return _text(triangles, "<u4" if len(points) > 0xFFFF else "<u2")


def _text(array: FloatArray | Ints, dtype: str) -> str:
    return b64encode(np.ascontiguousarray(array, dtype=dtype).tobytes()).decode()


def _cap(counts: list[int], most: int) -> int:
    """Return the largest number of triangles of a mesh with which all together have at most `most`."""
    rest = most
    for place, count in enumerate(sorted(counts)):
        cap = rest // (len(counts) - place)
        if count > cap:
            return cap
        rest -= count
    return max(counts, default=0)


def _clustered(surface: Surface, cap: int) -> tuple[FloatArray, Ints]:
    """Return the points and triangles of a surface; if it has more than `cap`, its vertices are merged by cells."""
    unique, merged = np.unique(surface.vertices.astype(np.float32), axis=0, return_inverse=True)
    corners: Ints = merged.reshape(-1)[surface.triangles]
    points = unique.astype(np.float64)
    if len(corners) <= cap:
        return points, corners
    low, size = points.min(axis=0), float(np.ptp(points, axis=0).max())
    few, many = COARSEST, 4096
    while many - few > 1:  # more cells keep more triangles, nearly always
        cells = (few + many) // 2
        few, many = (cells, many) if len(_merged(points, corners, low, size / cells)[1]) <= cap else (few, cells)
    return _merged(points, corners, low, size / few)


def _merged(points: FloatArray, corners: Ints, low: FloatArray, cell: float) -> tuple[FloatArray, Ints]:
    """Return a mesh with all points of a cell at their mean, without the triangles that vanish."""
    columns = ((points - low) / cell).astype(np.int64)
    keys = (columns[:, 0] << 42) | (columns[:, 1] << 21) | columns[:, 2]
    _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
    sums = np.stack([np.bincount(group, weights=points[:, axis]) for axis in range(3)], axis=-1)
    triangles = group.reshape(-1)[corners]
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    _, first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
    return sums / counts[:, None], triangles[np.sort(first)]
