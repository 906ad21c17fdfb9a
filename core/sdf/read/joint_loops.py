# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds loops of joints from a link back to itself: libsdformat does not report them, and no link of them can be a
base."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import Finding, Severity
from .frames import circle_text
from .joints import WORLD, BodyKey, Joint, ScopeContents, ends

Edges = dict[BodyKey, list[tuple[BodyKey, Joint]]]


def joint_loops(contents: ScopeContents) -> Iterator[Finding]:
    """Yield the cycles of parents and children, one for each start that leads to one.

    Two links that are each other's parent are an error. A longer cycle may be a linkage, which engines without a tree
    of links can load: a warning. Linkages whose joints all lead away from one base are not cycles.
    """
    edges: Edges = {}
    for joint in contents.joints.values():
        a, b = (contents.body(name) for name in ends(joint))
        if a is not None and b is not None and a != b and a != (0, WORLD):
            edges.setdefault(a, []).append((b, joint))
    done: set[BodyKey] = set()
    for start in edges:
        circle = _circle(start, edges, done)
        if circle:
            names = circle_text([body[1] for body in circle], circle[0][1])
            joint = next(joint for body, joint in edges[circle[-1]] if body == circle[0])
            severity: Severity = "error" if len(circle) == 2 else "warning"
            yield Finding.of(severity, "joint_loop", joint.document.place(joint.element), "file", names=names)


def _circle(start: BodyKey, edges: Edges, done: set[BodyKey]) -> list[BodyKey]:
    """Return the first cycle that is reached from a body; `done` are bodies that were fully searched."""
    path: dict[BodyKey, None] = {}
    waiting: list[tuple[BodyKey, bool]] = [(start, False)]
    while waiting:
        body, leaving = waiting.pop()
        if leaving:
            path.pop(body)
            done.add(body)
            continue
        if body in path:
            bodies = list(path)
            done.update(bodies)
            return bodies[bodies.index(body) :]
        if body in done:
            continue
        path[body] = None
        waiting.append((body, True))
        waiting += [(child, False) for child, _ in edges.get(body, ())]
    return []
