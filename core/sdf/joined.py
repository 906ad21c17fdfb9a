# SPDX-License-Identifier: GPL-3.0-or-later
"""Which links are held by a body with mass: fixed joints make one rigid body of links, or hold them to the world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .document import Element
from .read import SdfFile
from .values import text_of

WORLD = "world"


def held_links(file: SdfFile) -> frozenset[str]:
    """Return the links, by scoped name, that are in one rigid group with another link of some mass or with the world.

    Massless links of the group count for nothing: they hold nothing.
    """
    group: dict[str, str] = {}

    def first(name: str) -> str:
        while group.setdefault(name, name) != name:
            group[name] = group[group[name]]  # halves the way of the next one who asks
            name = group[name]
        return name

    for a, b in _fixed_pairs(file):
        group[first(a)] = first(b)
    names = [link.name for link in file.links]
    heavy = {link.name for link in file.links if link.manual is None or link.manual.mass > 0.0} | {WORLD}
    holders = Counter(first(name) for name in heavy)
    return frozenset(name for name in names if holders[first(name)] > (name in heavy))


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
