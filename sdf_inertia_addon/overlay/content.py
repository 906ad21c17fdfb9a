# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes what is drawn, from the links and the settings of the overlay, without GPU and Blender."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import inf
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.errors import Severity
from ...core.robot.extent import extent_of
from ...core.robot.joints import own_joints, posed
from ...core.robot.model import Link
from ...core.robot.resolve import LinkBody
from ..colors import TOTAL, TOTAL_ON_LIGHT, Color
from ..live.model import is_unfinished
from ..translations.words import iface_, language
from .bodies import Bodies
from .body_view import BodyView
from .ghosts import Ghost, ghosts_of
from .joint_view import JointView
from .style import OverlayStyle
from .texts import first_error_title, how_exact, mass_text, share_text, sign_of, waiting_text

if TYPE_CHECKING:
    from ..live import LiveLink, LiveModel

_corners: WeakKeyDictionary[Link, FloatArray | None] = WeakKeyDictionary()
"""Of the box around the geometry of a link [m]; None without geometry."""


@dataclass(frozen=True)
class VisibleLinks:
    """What the user looks at, as numbers of links in the model: the active one, the selected, those to be seen, and
    the one under the mouse."""

    active: int | None = None
    selected: frozenset[int] = frozenset()
    visible: frozenset[int] | None = None  # None: all
    hovered: int | None = None

    def chosen(self, index: int) -> bool:
        """Return True if the user wants to know of a link whatever others there are."""
        return index in (self.active, self.hovered) or index in self.selected

    def shows(self, index: int, scope: str) -> bool:
        """Return True if a link is in the scope and not hidden."""
        if self.visible is not None and index not in self.visible:
            return False
        if scope == "ACTIVE":
            return index == self.active
        return scope == "ALL" or index in self.selected or index == self.active


@dataclass(frozen=True, eq=False)
class Content:
    """What is drawn, and how; `metres_per_unit` is the length of a Blender unit [m].

    `ghosts` are of links whose joints are shown at other positions; their bodies are among the views. `size` is that
    of the model's geometry [m].
    """

    views: tuple[BodyView, ...]
    metres_per_unit: float = 1.0
    style: OverlayStyle = OverlayStyle()
    joints: tuple[JointView, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    size: float = inf

    @cached_property
    def bodies(self) -> Bodies:
        """The views as arrays."""
        return Bodies.of(self.views, self.metres_per_unit)


def content_of(
    model: LiveModel,
    style: OverlayStyle,
    visible: VisibleLinks,
    colors: Sequence[int],
    positions: Mapping[str, float] | None = None,
) -> Content:
    """Return what is drawn of a model: links, parts of the active one, the total, joints, ghosts.

    Parameters
    ----------
    model : LiveModel
    style : OverlayStyle
    visible : VisibleLinks
    colors : sequence of int
        Number of each link's colour in the palette.
    positions : mapping of str to float, optional
        At which joints are shown, by name [rad, m]; 0 for all others.
    """
    positions = positions or {}
    poses = posed({link.body.name: link.body.pose for link in model.links}, model.joints, positions)
    joints = _joints(model, style, visible, positions, poses) if style.show_joints else ()
    spoken = {view.joint.child: view.joint for view in joints}
    views: list[BodyView] = []
    ghosts: list[Ghost] = []
    for index, link in enumerate(model.links):
        if not visible.shows(index, style.scope):
            continue
        color = style.palette[colors[index] % len(style.palette)]
        active = index == visible.active
        view = _link(link, color, active, visible.chosen(index), style)
        if index in (visible.active, visible.hovered) and view.name in spoken:
            joint = spoken[view.name]
            view = replace(view, lines=(*view.lines, f"{joint.name}: {iface_(joint.kind)}"))
        has_mass = link.body.mode != "none"
        views += [view] if has_mass else []
        if view.name in poses:
            pose = poses[view.name]
            moved = replace(view, frame=pose, active=False, labelled=False, chosen=False)
            views += [moved] if has_mass else []
            if link.body.link is not None:
                ghosts += ghosts_of(link.body.link, pose, color, model.metres_per_unit)
        if active and style.show_parts and link.body.inertial is not None:
            views += _parts(link, color, style)
    if style.show_total:
        views += _total(model, style, poses)
    return Content(
        tuple(views), model.metres_per_unit, style, joints, tuple(ghosts), _size_of(link.body for link in model.links)
    )


def _joints(
    model: LiveModel,
    style: OverlayStyle,
    visible: VisibleLinks,
    positions: Mapping[str, float],
    poses: Mapping[str, Pose],
) -> tuple[JointView, ...]:
    """Return the joints of the links that are shown, where their parents are shown."""
    number = {link.body.name: index for index, link in enumerate(model.links)}
    tree_joints, views = own_joints(model.joints), []
    for joint in model.joints:
        child = number[joint.child]
        if not visible.shows(child, style.scope):
            continue
        frame = model.links[child].body.pose @ joint.pose
        if joint.parent in poses:  # what moves the parent moves the joint
            frame = poses[joint.parent] @ model.links[number[joint.parent]].body.pose.inverse() @ frame
        in_tree = tree_joints[joint.child] is joint
        views.append(JointView(joint, frame, positions.get(joint.name, 0.0), in_tree and child == visible.active))
    return tuple(views)


def views_of_bodies(bodies: Sequence[LinkBody], colors: Sequence[int]) -> list[BodyView]:
    """Return what to show of links that were exported, each with the number of its colour in the palette."""
    style = OverlayStyle()
    shown = [(body, n) for body, n in zip(bodies, colors, strict=True) if body.mode != "none"]
    return [_body(body, style.palette[n % len(style.palette)], style) for body, n in shown]


_known: WeakKeyDictionary[LiveLink, dict[tuple[Color, bool, bool, OverlayStyle, str], BodyView]] = WeakKeyDictionary()


def _link(link: LiveLink, color: Color, active: bool, chosen: bool, style: OverlayStyle) -> BodyView:
    # Remembered by the link's identity: one that did not change is the same view as before.
    known = _known.setdefault(link, {})
    key = (color, active, chosen, style, language())
    if key not in known:
        labelled = style.labels == "ALL" or (active and style.labels == "ACTIVE")
        known.clear()
        body = _body(link.body, color, style, active, link.stale, labelled, link.checking)
        known[key] = replace(body, chosen=chosen)
    return known[key]


def _body(
    body: LinkBody,
    color: Color,
    style: OverlayStyle,
    active: bool = False,
    stale: bool = False,
    labelled: bool = True,
    checking: bool = False,
) -> BodyView:
    findings = body.all_findings()
    if body.inertial is None:
        if stale:
            waiting = (waiting_text(findings),)
            return BodyView(body.name, waiting, body.pose, None, color, "link", active, stale, None, labelled)
        unfinished = is_unfinished(body)
        none_yet, none = iface_("no collision yet"), iface_("no inertia")
        refused = (none_yet,) if unfinished else (none, first_error_title(findings))
        severity: Severity = "warning" if unfinished else "error"
        return BodyView(body.name, refused, body.pose, None, color, "link", active, stale, severity, labelled)
    sure = waiting_text(findings) if stale else iface_("checking…") if checking else how_exact(body)
    line = f"{mass_text(body.inertial.mass, style.units)}  {sure}"
    severity = sign_of(findings)
    return BodyView(body.name, (line,), body.pose, body.inertial, color, "link", active, stale, severity, labelled)


def _parts(link: LiveLink, color: Color, style: OverlayStyle) -> Iterator[BodyView]:
    whole = link.body.inertial
    if len(link.body.parts) < 2:  # the one part is the link
        return
    for part in link.body.parts:
        if part.inertial is not None and whole is not None:
            share = share_text(part.inertial.mass, whole.mass)
            labelled = style.labels != "NONE"
            yield BodyView(
                part.name, (share,), link.body.pose, part.inertial, color, "part", True, link.stale, None, labelled
            )


def _total(model: LiveModel, style: OverlayStyle, poses: Mapping[str, Pose]) -> Iterator[BodyView]:
    total = model.total(poses)
    count = sum(link.body.mode != "none" for link in model.links)
    if total is not None and count > 1:
        text = f"{mass_text(total.mass, style.units)}  {iface_('{count} links', count=count)}"
        stale = any(link.stale for link in model.links)
        color = TOTAL_ON_LIGHT if style.on_light else TOTAL
        yield BodyView(
            iface_("Total"), (text,), Pose.identity, total, color, "total", False, stale, None, style.labels != "NONE"
        )


def _size_of(bodies: Iterable[LinkBody]) -> float:
    """Return the diagonal [m] of the box around the geometry of links, where they are; infinite without geometry.

    A solid that is larger must not hide the geometry.
    """
    placed = [(body.pose, corners) for body in bodies if (corners := _corners_of(body)) is not None]
    if not placed:
        return inf
    R, p = (np.stack([getattr(pose, name) for pose, _ in placed]) for name in "Rp")
    corners = np.stack([corners for _, corners in placed]) @ R.transpose(0, 2, 1) + p[:, None]
    return float(np.linalg.norm(np.ptp(corners.reshape(-1, 3), axis=0)))


def _corners_of(body: LinkBody) -> FloatArray | None:
    """Return the corners (8, 3) of the box around a link's geometry [m], in its frame; found once for each link."""
    link = body.link
    if link is None:
        return None
    if link not in _corners:
        extent = extent_of([*link.parts, *link.visuals])
        _corners[link] = None if extent is None else np.array(list(product(*zip(extent.low, extent.high, strict=True))))
    return _corners[link]
