# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes what is drawn, from the links and the settings of the overlay, without GPU and Blender."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.errors import Severity
from ...core.robot.extent import Extent, extent_of
from ...core.robot.joints import own_joints, posed
from ...core.robot.model import Link
from ...core.robot.resolve import LinkBody
from ...core.units import rounded
from ..colors import TOTAL, TOTAL_ON_LIGHT, Color
from ..live.model import is_unfinished
from ..live.statics import statics_of
from ..translations.words import iface_, language
from .bodies import Bodies
from .body_view import BodyView, principal_of
from .ghosts import Ghost, ghosts_of
from .joint_view import JointView
from .statics_view import StaticsView
from .style import OverlayStyle
from .texts import (
    fault_text,
    first_error_title,
    how_exact,
    mass_text,
    share_text,
    sign_of,
    too_large_text,
    waiting_text,
)

if TYPE_CHECKING:
    from ..live import LiveLink, LiveModel

CROWD = 15
"""So many links are a crowd: their axes and ellipsoids hide the robot, and most of their labels have no room."""

LONGEST, LONGEST_UNIFORM = sqrt(5.0), sqrt(5.0 / 3.0)
"""How long the ellipsoid of any body, and that of any uniform box, is at most: twice its longest semi-axis a, relative
to the diagonal d of the box around the body. Of all bodies, two points at opposite corners spread most, by d²/4; a
uniform rod spreads by d²/12, and an ellipsoid by a²/5."""

_extents: WeakKeyDictionary[Link, Extent | None] = WeakKeyDictionary()
"""The box around the geometry of a link; None without geometry."""


class LinkSize(NamedTuple):
    """How large a link is [m]: `length` for its axes, `room` for its solid.

    Both are the diagonal of the box around its geometry; without geometry, the median of the other links', and the
    diagonal of the whole robot.
    """

    length: float
    room: float


@dataclass(frozen=True)
class VisibleLinks:
    """What the user looks at, as numbers of links in the model: the active one, the selected, those to be seen, and
    the one under the mouse."""

    active: int | None = None
    selected: frozenset[int] = frozenset()
    visible: frozenset[int] | None = None  # None: all
    hovered: int | None = None

    def chosen(self, index: int) -> bool:
        """Return True if the user wants to know of a link whatever others there are; who selects a crowd does not."""
        return index in (self.active, self.hovered) or (len(self.selected) < CROWD and index in self.selected)

    def shows(self, index: int, scope: str) -> bool:
        """Return True if a link is in the scope and not hidden."""
        if self.visible is not None and index not in self.visible:
            return False
        if scope == "ACTIVE":
            return index == self.active
        return scope in ("AUTO", "ALL") or index in self.selected or index == self.active


@dataclass(frozen=True, eq=False)
class Content:
    """What is drawn, and how; `metres_per_unit` is the length of a Blender unit [m].

    `ghosts` are of links whose joints are shown at other positions; their bodies are among the views. `geometry` are
    the maps (n, 4, 4) from the unit sphere to the links of a crowd [m], off which labels keep.
    """

    views: tuple[BodyView, ...]
    metres_per_unit: float = 1.0
    style: OverlayStyle = OverlayStyle()
    joints: tuple[JointView, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    geometry: FloatArray | None = None
    statics: StaticsView = StaticsView()

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
    shown = [index for index in range(len(model.links)) if visible.shows(index, style.scope)]
    crowded = style.scope == "AUTO" and sum(model.links[index].body.mode != "none" for index in shown) >= CROWD
    with_joint = {index for index in shown if visible.chosen(index)} if crowded else set(shown)
    joints = _joints(model, with_joint, visible.active, positions, poses) if style.show_joints else ()
    statics = StaticsView()
    if style.show_statics:
        every = _joints(model, range(len(model.links)), visible.active, positions, poses)
        statics = StaticsView.of(statics_of(model, positions), every, crowded)
    loads = statics.texts
    geometry = Geometry.of([link.body for link in model.links])
    spoken = {view.joint.child: view.joint for view in joints}
    views: list[BodyView] = []
    ghosts: list[Ghost] = []
    for index in shown:
        link = model.links[index]
        color = style.palette[colors[index] % len(style.palette)]
        active = index == visible.active
        view = _link(link, color, active, visible.chosen(index), style, geometry.sizes[index], crowded)
        if index in (visible.active, visible.hovered) and view.name in spoken:
            joint = spoken[view.name]
            view = replace(view, lines=(*view.lines, f"{joint.name}: {iface_(joint.kind)}"))
        if view.name in loads and view.labelled and (not crowded or visible.chosen(index)):
            view = replace(view, lines=(*view.lines, loads[view.name]))
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
        views += _total(model, style, poses, geometry.size)
    matrices = geometry.matrices if crowded else None
    return Content(tuple(views), model.metres_per_unit, style, joints, tuple(ghosts), matrices, statics)


def _joints(
    model: LiveModel,
    children: Container[int],
    active: int | None,
    positions: Mapping[str, float],
    poses: Mapping[str, Pose],
) -> tuple[JointView, ...]:
    """Return the joints of some links, where their parents are shown."""
    number = {link.body.name: index for index, link in enumerate(model.links)}
    tree_joints, views = own_joints(model.joints), []
    for joint in model.joints:
        child = number[joint.child]
        if child not in children:
            continue
        frame = model.links[child].body.pose @ joint.pose
        if joint.parent in poses:  # what moves the parent moves the joint
            frame = poses[joint.parent] @ model.links[number[joint.parent]].body.pose.inverse() @ frame
        in_tree = tree_joints[joint.child] is joint
        views.append(JointView(joint, frame, positions.get(joint.name, 0.0), in_tree and child == active))
    return tuple(views)


def views_of_bodies(bodies: Sequence[LinkBody], colors: Sequence[int]) -> list[BodyView]:
    """Return what to show of links that were exported, each with the number of its colour in the palette."""
    style = OverlayStyle()
    shown = [
        (_body(body, style.palette[n % len(style.palette)], style), size)
        for body, n, size in zip(bodies, colors, Geometry.of(bodies).sizes, strict=True)
        if body.mode != "none"
    ]
    return [_fitted(view, size) for view, size in shown]


_known: WeakKeyDictionary[LiveLink, dict[tuple[object, ...], BodyView]] = WeakKeyDictionary()


def _link(
    link: LiveLink, color: Color, active: bool, chosen: bool, style: OverlayStyle, size: LinkSize, crowded: bool
) -> BodyView:
    # Remembered by the link's identity: one that did not change is the same view as before.
    known = _known.setdefault(link, {})
    key = (color, active, chosen, style, size, crowded, language())
    if key not in known:
        labelled = style.labels == "ALL" or (active and style.labels == "ACTIVE")
        known.clear()
        view = replace(_body(link.body, color, style, active, link.stale, labelled, link.checking), chosen=chosen)
        fitted = _fitted(view, size)
        known[key] = _in_crowd(fitted, link.body, size) if crowded else fitted
    return known[key]


def _fitted(view: BodyView, size: LinkSize) -> BodyView:
    """Return a view whose solid does not cover the robot: fainter if it is large, none and the reason if too large."""
    times = 0.0 if view.inertial is None else 2.0 * float(principal_of(view.inertial)[1].max()) / size.room
    if times > LONGEST:
        line = too_large_text(times, view.kind == "link" and size.room == size.length)
        return replace(view, lines=(*view.lines, line), solid=0.0, reach=size.length / 2.0)
    return replace(view, solid=(LONGEST_UNIFORM / times) ** 4) if times > LONGEST_UNIFORM else view


def _in_crowd(view: BodyView, body: LinkBody, size: LinkSize) -> BodyView:
    """Return what is shown of a link among many: all if it is chosen, else its fault, else a mark of its centre."""
    if view.chosen:
        return replace(view, reach=size.length / 2.0)
    if view.severity is None:
        return replace(view, solid=0.0, reach=0.0, labelled=False)
    fault = fault_text(body.all_findings()) if view.solid else view.lines[-1]
    return replace(view, lines=(fault,), reach=size.length / 2.0)


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


def _total(model: LiveModel, style: OverlayStyle, poses: Mapping[str, Pose], size: float) -> Iterator[BodyView]:
    total = model.total(poses)
    count = sum(link.body.mode != "none" for link in model.links)
    if total is not None and count > 1:
        text = f"{mass_text(total.mass, style.units)}  {iface_('{count} links', count=count)}"
        stale = any(link.stale for link in model.links)
        color = TOTAL_ON_LIGHT if style.on_light else TOTAL
        view = BodyView(
            iface_("Total"), (text,), Pose.identity, total, color, "total", False, stale, None, style.labels != "NONE"
        )
        yield _fitted(view, LinkSize(size, size))


@dataclass(frozen=True, eq=False)
class Geometry:
    """The geometry of links, where they are.

    Parameters
    ----------
    sizes : list of LinkSize
        Of each link.
    size : float
        The diagonal of the box around all of it [m]; infinite without any.
    matrices : ndarray, shape (n, 4, 4)
        Map the unit sphere into the boxes around the geometry of the links that have any [m].
    """

    sizes: list[LinkSize]
    size: float
    matrices: FloatArray

    @classmethod
    def of(cls, bodies: Sequence[LinkBody]) -> Geometry:
        """Return the geometry of resolved links."""
        extents = {n: extent for n, body in enumerate(bodies) if (extent := _extent_of(body)) is not None}
        matrices = np.tile(np.eye(4), (len(extents), 1, 1))
        if not extents:
            return cls([LinkSize(inf, inf)] * len(bodies), inf, matrices)
        low, high = (np.array([getattr(extent, name) for extent in extents.values()]) for name in ("low", "high"))
        R, p = (np.array([getattr(bodies[n].pose, name) for n in extents]) for name in "Rp")
        matrices[:, :3, :3] = R * (high - low)[:, None] / 2.0
        matrices[:, :3, 3] = p + np.einsum("nij,nj->ni", R, (low + high) / 2.0)
        reach = np.abs(matrices[:, :3, :3]).sum(axis=2)  # of the box, along the world's axes
        size = float(
            np.linalg.norm((matrices[:, :3, 3] + reach).max(axis=0) - (matrices[:, :3, 3] - reach).min(axis=0))
        )
        diagonals = np.linalg.norm(high - low, axis=1)
        sizes = {n: LinkSize(length, length) for n, length in zip(extents, diagonals.tolist(), strict=True)}
        other = LinkSize(float(np.median(diagonals)), rounded(size, 2))  # the same from one step of a drag to the next
        return cls([sizes.get(n, other) for n in range(len(bodies))], size, matrices)


def length_of(body: LinkBody) -> float:
    """Return the diagonal of the box around a link's geometry [m]; 0 without any."""
    extent = _extent_of(body)
    return 0.0 if extent is None else float(np.linalg.norm(extent.sides))


def _extent_of(body: LinkBody) -> Extent | None:
    """Return the box around a link's geometry, in its frame; found once for each link."""
    link = body.link
    if link is None:
        return None
    if link not in _extents:
        _extents[link] = extent_of([*link.parts, *link.visuals])
    return _extents[link]
