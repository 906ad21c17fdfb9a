# SPDX-License-Identifier: Apache-2.0
"""Links without inertial: fixed joints hold them by links with mass, or by the world; one that moves is an error."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ..errors import Finding
from .model import WORLD, Joint, Link, Model
from .resolve import LinkBody


def is_massless(link: Link) -> bool:
    """Return True if a link has no inertial, and none is computed for it."""
    return link.mode == "none" and link.manual is None


def holders_of(massless: Collection[str], heavy: Iterable[str], joints: Iterable[Joint]) -> dict[str, str]:
    """Return what holds each link without inertial: a link with mass, or `WORLD` if only the world does.

    A link is held by the nearest link with mass that it is fixed to. Fixed parents go first, so that just a root, and
    what moves on a joint itself, is held by a fixed child. A link that nothing holds is left out.

    Parameters
    ----------
    massless : collection of str
    heavy : iterable of str
        The links with mass.
    joints : iterable of Joint
    """
    children: dict[str, list[str]] = {}
    beside: dict[str, list[str]] = {}
    for joint in joints:
        if joint.kind == "fixed":
            children.setdefault(joint.parent, []).append(joint.child)
            beside.setdefault(joint.parent, []).append(joint.child)
            beside.setdefault(joint.child, []).append(joint.parent)
    holders = {name: name for name in heavy}
    _spread(holders, children, massless)
    _spread(holders, beside, massless)
    holders[WORLD] = WORLD
    _spread(holders, beside, massless)
    return {name: holders[name] for name in massless if name in holders}


def _spread(holders: dict[str, str], near: Mapping[str, Sequence[str]], massless: Collection[str]) -> None:
    """Give each link without inertial the holder of a link near it, the nearest first."""
    waiting = deque(holders)
    while waiting:
        name = waiting.popleft()
        for other in near.get(name, ()):
            if other in massless and other not in holders:
                holders[other] = holders[name]
                waiting.append(other)


def holders_in(model: Model) -> dict[str, str]:
    """Return what holds each link without inertial of a model, see `holders_of`."""
    massless = {link.name: None for link in model.links if is_massless(link)}
    heavy = [link.name for link in model.links if link.name not in massless and not link.empty]
    return holders_of(massless, heavy, model.joints)


def with_massless_refused(
    bodies: Sequence[LinkBody], joints: Iterable[Joint], static: bool = False
) -> tuple[LinkBody, ...]:
    """Return bodies with the error ``zero_mass`` for each link without inertial that nothing holds.

    In a `static` model nothing moves.
    """
    massless = {body.name: None for body in bodies if body.mode == "none"}
    if not massless or static:
        return tuple(bodies)
    heavy = [body.name for body in bodies if body.name not in massless and not (body.link and body.link.empty)]
    holders = holders_of(massless, heavy, joints)
    return tuple(
        replace(body, findings=(*body.findings, _moves(body)))
        if body.name in massless and body.name not in holders
        else body
        for body in bodies
    )


def _moves(body: LinkBody) -> Finding:
    link = body.link
    bare = link is not None and not link.parts and not link.visuals
    return Finding.of("error", "zero_mass", body.name, "bare" if bare else "none")


def with_skipped(model: Model, bodies: Sequence[LinkBody]) -> tuple[LinkBody, ...]:
    """Return bodies with the error ``zero_mass`` for each link without inertial that is held by refused ones alone.

    What is not refused then can be written without the rest.
    """
    good = [body for body in bodies if not body.refused]
    massless = {body.name: None for body in good if body.mode == "none"}
    if not massless or model.static:
        return tuple(bodies)
    holders = holders_of(massless, [body.name for body in good if body.name not in massless], model.joints)
    refused = {name: holder for name, holder in holders_in(model).items() if name in massless.keys() - holders.keys()}
    return tuple(
        replace(body, findings=(*body.findings, Finding.of("error", "zero_mass", body.name, "skipped", holder=holder)))
        if (holder := refused.get(body.name)) is not None
        else body
        for body in bodies
    )
