# SPDX-License-Identifier: Apache-2.0
"""The robot of a USD stage as a model, as it is imported and converted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ...errors import Finding
from ...robot.model import WORLD, Collision, InertiaMode, Link, Model, Unusable, Visual
from ..robot_file import ImportedRobot, LostPart, elements_left_out, mesh_not_imported, part_key
from .joints import JointTree
from .links import UsdLink
from .read import UsdRobot

_Shown = TypeVar("_Shown", Collision, Visual)


def usd_model(robot: UsdRobot, links: Sequence[UsdLink], tree: JointTree, findings: Sequence[Finding]) -> ImportedRobot:
    """Return a robot as a model; a link that nothing gives mass has the mode ``none``."""
    notes, lost = [*findings], list[LostPart]()
    imported = {link.local_name: _link(link, notes, lost) for link in links}
    stage, document = robot.stage, robot.document
    others = dict(stage["other"])
    if stage["uninstanced_colliders"]:
        others["colliders outside of all bodies"] = stage["uninstanced_colliders"]
    notes += elements_left_out(str(document.root), others, "info")
    between = {*imported, WORLD}
    joints = tuple(joint for joint in tree.joints if {joint.parent, joint.child} <= between)
    return ImportedRobot(
        document.path or Path(document.name),
        Model(robot.name, tuple(imported.values()), joints),
        {link.name: link.manual for link in imported.values()},
        {},
        tuple(dict.fromkeys(notes)),
        tuple(lost),
    )


def _link(link: UsdLink, notes: list[Finding], lost: list[LostPart]) -> Link:
    """Return a link whose parts can all be read; one that engines compute keeps the densities of its colliders.

    It has their numbers if these are not the sum of solids that can be read.
    """
    read, given, manual = link.drawn, link.given, link.inertial
    unread = any(isinstance(part.geometry, Unusable) for part in read.weighed)
    masses = [shape.own.mass for shape in link.read.colliders if shape.own.mass is not None]
    shapes_differ = any(shape.own.has_own_shape for shape in link.read.colliders)
    if link.auto and (unread or shapes_differ or given.com is not None or (masses and given.mass is not None)):
        manual = link.body.inertial
    mode: InertiaMode = "manual" if manual is not None else "filled" if link.auto else "none"
    return replace(
        read,
        name=link.local_name,
        mode=mode,
        manual=manual,
        mass=given.mass if mode == "filled" else None,
        collisions=tuple(_readable(link.local_name, read.collisions, notes, lost)),
        visuals=tuple(_readable(link.local_name, read.visuals, notes, lost)),
    )


def _readable(link: str, parts: Sequence[_Shown], notes: list[Finding], lost: list[LostPart]) -> Iterator[_Shown]:
    for part in parts:
        if isinstance(part.geometry, Unusable):
            lost.append(LostPart(link, part_key(part)))
            notes.append(mesh_not_imported(f"'{part.name}'", part.geometry.error))
        else:
            yield part
