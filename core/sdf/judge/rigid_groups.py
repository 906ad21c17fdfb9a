# SPDX-License-Identifier: GPL-3.0-or-later
"""Which links are held by a body with mass: fixed joints make one rigid group of links, or hold them to the world."""

from __future__ import annotations

from collections import Counter

from ..read.joints import MODEL, WORLD, BodyKey, fixed_pairs
from ..read.sdf_file import SdfFile


def held_links(file: SdfFile) -> frozenset[str]:
    """Return the links, by scoped name, that are in one rigid group with another link of some mass or with the world.

    Massless links of the group count for nothing: they hold nothing.
    """
    group: dict[BodyKey, BodyKey] = {}

    def first(body: BodyKey) -> BodyKey:
        while group.setdefault(body, body) != body:
            group[body] = group[group[body]]  # halves the way of the next one who asks
            body = group[body]
        return body

    for contents in file.contents:
        for a, b in fixed_pairs(contents):
            group[first(a)] = first(b)
    heavy = {link.body_key for link in file.links if link.manual is None or link.manual.mass > 0.0}
    heavy |= {body for body in group if body[1] in (WORLD, MODEL)}
    holders = Counter(map(first, heavy))
    return frozenset(link.name for link in file.links if holders[first(link.body_key)] > (link.body_key in heavy))
