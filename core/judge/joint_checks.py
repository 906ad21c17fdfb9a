# SPDX-License-Identifier: Apache-2.0
"""Checks of a file's joints, and of where its links collide: what moves a robot beside its inertials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ..document.element import Element
from ..errors import Finding, InertiaError
from ..formats.file_link import FileLink
from ..formats.robot_file import RobotFile
from ..robot.extent import Extent, extent_of
from ..robot.joints import wrong_numbers
from ..robot.model import Joint, Unusable, Visual
from .among_links import drawn_by_fixed_links

ELEMENTS = {"axis_zero": "axis", "limits_swapped": "limit", "limits_in_degrees": "limit"}
"""The element of a joint that each code is about, in formats that have one."""

OF_JOINTS = ("joint_parent_missing", "two_parents", "free_links", "no_root", "axis_zero", "limits_swapped")
"""What an engine may refuse about the same element: then it says so itself."""

TOUCHING = 0.1
"""Boxes that overlap by less than this share of the shorter side lie beside each other."""

APART = 0.1
"""Boxes of unlike sizes lie beside each other only if the gap is this share of the longest side."""

NEARLY_ALL = 0.8
"""A collision of which this share is within what another link shows covers that: a motor may be drawn there."""

ALIKE = 4.0
"""Sides are alike up to this factor: a thin plate on a box only covers it."""

FEW = 0.1
"""If more than this share of the moving links have no collision, that is by choice."""


@np.errstate(over="ignore", invalid="ignore")  # absurd poses overflow; the format's reader reports them
def joint_findings(file: RobotFile, strict: bool = False) -> list[Finding]:
    """Return warnings of what is wrong with a file's joints, its tree of links, and the places of its collisions.

    With `strict`, also the moving links without collision.
    """
    joints: Mapping[str, Sequence[Joint]] = {}
    with suppress(InertiaError):  # a joint that cannot be read is a finding of its own
        joints = file.joints()
    known = {finding.code for finding in file.findings}  # of libsdformat
    of_joints = (finding for of_model in joints.values() for joint in of_model for finding in _of_joint(joint))
    findings = [finding for finding in of_joints if finding.code not in known]
    findings += file.structure_findings()
    findings += (finding for link in file.links for finding in _beside(link, file.links, joints.get(link.model, ())))
    # The inertials may be right, and some engine takes the file: what refuses it is asked for by `--for`.
    findings = [replace(finding, severity="warning") for finding in findings]
    return [*findings, *_without_collision(file)] if strict else findings


def _of_joint(joint: Joint) -> Iterator[Finding]:
    """Yield the findings about the numbers of a joint at its element, or at that of its axis or limits."""
    place = joint.place
    if isinstance(place, Element):
        for finding in wrong_numbers(joint):
            inner = next(place.iter(ELEMENTS[finding.code]), place)
            yield Finding.of(finding.severity, finding.code, str(inner), "file", **finding.sentence.values)


def _beside(link: FileLink, links: Sequence[FileLink], joints: Sequence[Joint]) -> Iterator[Finding]:
    """Yield the collisions of a link that are beside all that it shows, if no other collision is there.

    A collision is where it belongs if it covers a link that is fixed to its own, or lies within one that is joined.
    """
    collisions, visuals = link.link.collisions, link.visuals_with_extent if link.has_collision else ()
    seen = [(visual, extent_of([visual])) for visual in visuals if isinstance(visual, Visual)]
    if any(isinstance(visual.geometry, Unusable) for visual, _ in seen):
        return
    boxes = [extent_of([collision]) for collision in collisions]
    bare = [(visual, box) for visual, box in seen if box is not None and not _any_near(box, boxes)]
    if not bare or not any(boxes):
        return
    around = [box for part in drawn_by_fixed_links(link, links, joints) if (box := extent_of([part])) is not None]
    bare = [(visual, box) for visual, box in bare if not any(_is_within(box, other) for other in around)]
    others = [*(box for _, box in seen), *around]
    joined = [*_shown_by_joined_links(link, links, joints)] if bare else []
    for box, place in zip(boxes, link.collision_places, strict=False):
        if not bare or box is None or place is None:
            continue
        if not _any_near(box, others) and not any(_is_within(box, other) for other in joined):
            apart, name = min((float(np.linalg.norm(other.centre - box.centre)), each.name) for each, other in bare)
            yield Finding.of("warning", "collision_beside", str(place), visual=name, apart=apart)


def _shown_by_joined_links(link: FileLink, links: Sequence[FileLink], joints: Sequence[Joint]) -> Iterator[Extent]:
    """Yield the boxes of what the links show that a joint joins to a link, in its frame at the joints' zero."""
    pairs = ((joint.parent, joint.child) for joint in joints)
    joined = {end for pair in pairs if link.local_name in pair for end in pair} - {link.local_name}
    for other in links:
        if other.model == link.model and other.local_name in joined:
            X = link.link.pose.inverse() @ other.link.pose
            boxes = (extent_of([replace(visual, pose=X @ visual.pose)]) for visual in other.visuals)
            yield from (box for box in boxes if box is not None)


def _any_near(box: Extent, others: Sequence[Extent | None]) -> bool:
    return any(other is not None and not _are_beside(box, other) for other in others)


def _are_beside(a: Extent, b: Extent) -> bool:
    """Return True if two boxes hardly overlap, or not at all."""
    overlap = np.minimum(a.high, b.high) - np.maximum(a.low, b.low)
    shorter, longer = np.minimum(a.sides, b.sides), np.maximum(a.sides, b.sides)
    hardly = (overlap < TOUCHING * shorter) & (longer <= ALIKE * shorter)
    return bool(np.any(hardly | (overlap < -APART * max(a.longest, b.longest))))


def _is_within(a: Extent, b: Extent) -> bool:
    """Return True if nearly all of a box is within another one."""
    overlap = np.maximum(np.minimum(a.high, b.high) - np.maximum(a.low, b.low), 0.0)
    return bool(np.prod(overlap) > NEARLY_ALL * a.volume)


def _without_collision(file: RobotFile) -> Iterator[Finding]:
    """Yield the links without collision that move by themselves and are drawn, if hardly any others are so."""
    held = file.held
    loose = [link for link in file.links if not (link.static or link.is_root or link.name in held)]
    moving = [link for link in loose if link.has_geometry]
    without = [link for link in moving if not link.has_collision]
    if len(without) <= max(1.0, FEW * len(moving)) and len(moving) - len(without) > 1:
        for link in without:
            values = {"count": len(moving) - len(without), "total": len(moving)}
            yield Finding.of("info", "collision_missing", str(link.element), **values)
