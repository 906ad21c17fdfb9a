# SPDX-License-Identifier: GPL-3.0-or-later
"""Which links are held by a body with mass: fixed joints make one rigid group of links, or hold them to the world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable
from typing import TypeVar

from ..read.joints import MODEL, WORLD, fixed_pairs
from ..read.sdf_file import SdfFile

Body = TypeVar("Body", bound=Hashable)


def held_links(file: SdfFile) -> frozenset[str]:
    """Return the links, by scoped name, that are in one rigid group with another link with mass or with the world."""
    pairs = [pair for contents in file.contents for pair in fixed_pairs(contents)]
    heavy = {link.body_key for link in file.links if link.manual is None or link.manual.mass > 0.0}
    heavy |= {body for pair in pairs for body in pair if body[1] in (WORLD, MODEL)}
    bodies = held(pairs, heavy)
    return frozenset(link.name for link in file.links if link.body_key in bodies)


def held(pairs: Iterable[tuple[Body, Body]], heavy: Collection[Body]) -> frozenset[Body]:
    """Return the bodies that are in one rigid group with another heavy one.

    Parameters
    ----------
    pairs : iterable of (body, body)
        Bodies that are fixed to each other.
    heavy : collection of body
        Those with mass, and the world. Massless links do not hold others.
    """
    group: dict[Body, Body] = {}

    def first(body: Body) -> Body:
        while group.setdefault(body, body) != body:
            group[body] = group[group[body]]  # halves the path of later look-ups
            body = group[body]
        return body

    for a, b in pairs:
        group[first(a)] = first(b)
    holders = Counter(first(body) for body in heavy if body in group)
    return frozenset(body for body in list(group) if holders[first(body)] > (body in heavy))
