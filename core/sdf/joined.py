# SPDX-License-Identifier: GPL-3.0-or-later
"""Which links are one rigid body: those that fixed joints join, to each other or to the world."""

from __future__ import annotations

from collections.abc import Iterator

from .document import Element
from .read import SdfFile
from .values import text_of

WORLD = "world"


def rigid_groups(file: SdfFile) -> dict[str, frozenset[str]]:
    """Return for each link, by scoped name, the rigid group that it is part of.

    A group holds the names of links with mass, the link itself and ``world``; other massless links of the group are
    left out, for they hold nothing.
    """
    group: dict[str, str] = {}

    def first(name: str) -> str:
        while group.setdefault(name, name) != name:
            name = group[name]
        return name

    for a, b in _fixed_pairs(file):
        group[first(a)] = first(b)
    members: dict[str, set[str]] = {}
    heavy = {link.name for link in file.links if link.manual is None or link.manual.mass > 0.0}
    for name in heavy | {WORLD}:
        members.setdefault(first(name), set()).add(name)
    return {link.name: frozenset(members.get(first(link.name), set()) | {link.name}) for link in file.links}


def _fixed_pairs(file: SdfFile) -> Iterator[tuple[str, str]]:
    for world in file.document.root.iterfind("world"):
        yield from _pairs_within(world, "")
    for model in file.models:
        yield from _pairs_within(model.element, f"{model.name}::")


def _pairs_within(element: Element, scope: str) -> Iterator[tuple[str, str]]:
    def scoped(name: str) -> str:
        return name if name == WORLD else scope + name

    for joint in element.iterfind("joint"):
        parent, child = joint.find("parent"), joint.find("child")
        if joint.get("type") == "fixed" and parent is not None and child is not None:
            yield scoped(text_of(parent)), scoped(text_of(child))
    for frame in element.iterfind("frame"):
        if frame.get("attached_to"):
            yield scoped(frame.get("name", "")), scoped(frame.get("attached_to"))
