# SPDX-License-Identifier: Apache-2.0
"""What libsdformat refuses about the joints, frames and links of a scope, and loops of joints."""

from __future__ import annotations

from collections.abc import Iterator

from ...document.element import child_of
from ...errors import Finding, InertiaError, Severity
from .scope import MODEL, UNSAID, WORLD, BodyKey, Joint, Scope, circle_text
from .spec.codes import sdf_error
from .spec.element_faults import shown

ROOT = "__root__"
"""libsdformat's name for what is above a top-level model."""

Edges = dict[BodyKey, list[tuple[BodyKey, Joint]]]


def refusals(scope: Scope) -> Iterator[InertiaError]:
    """Yield what libsdformat refuses before it resolves any pose: the model as a whole, names, and cycles."""
    for joint in scope.joints.values():
        parent, child = joint.ends
        for tag, name in (("parent", parent), ("child", child)):
            if name == ROOT:
                yield _error("reserved_name", joint, "joint_root", tag=tag)
        if child == WORLD:
            yield _error("child_is_world", joint)
        elif parent == child:
            yield _error("parent_is_child", joint, child=shown(child))
    if not scope.is_world and not scope.static:
        if scope.canonical and not scope.has(scope.canonical):
            yield sdf_error("canonical_link_not_found", scope.place, "model", canonical=shown(scope.canonical))
        if not scope.nested and not scope.unread and next(scope.links, None) is None:
            yield sdf_error("no_link", scope.place, "model")
    for name, frame in scope.frames.items():
        target = frame.fixed_to
        if target and not scope.has(target):
            scope.astray.add(name)
            code = "child_not_found" if name in scope.joints else "attached_to_not_found"
            yield sdf_error(code, frame.place, "none" if target == UNSAID else "", name=shown(target))
    yield from _circles(scope)


def _circles(scope: Scope) -> Iterator[InertiaError]:
    """Yield the cycles of joints and frames that are fixed to each other."""
    done: set[str] = set()
    for start in scope.frames:
        chain: dict[str, None] = {}
        name: str | None = start
        while name in scope.frames and name not in done and name not in chain:
            chain[name] = None
            name = scope.frames[name].fixed_to
            if name in ("", MODEL) and scope.canonical and not scope.is_world and not scope.static:
                name = scope.canonical
        if name in chain:
            yield sdf_error("attached_to_cycle", scope.frames[name].place, circle=circle_text(list(chain), name))
        if name in chain or name in scope.astray:
            scope.astray.update(chain)
        done.update(chain)


def late_refusals(scope: Scope) -> Iterator[InertiaError]:
    """Yield what libsdformat refuses last: the ends of joints, and their axes."""
    for joint in scope.joints.values():
        yield from _refused_ends(scope, joint)
        for tag in ("axis", "axis2"):
            yield from _refused_axis(scope, joint, tag)


def _refused_ends(scope: Scope, joint: Joint) -> Iterator[InertiaError]:
    parent, child = joint.ends
    if ROOT in (parent, child) or child == WORLD or parent == child or not scope.has(child):
        return  # already reported
    if parent != WORLD and not scope.has(parent):
        yield _error("parent_not_found", joint, parent=shown(parent))
    elif parent == joint.name:
        yield _error("parent_not_found", joint, "itself")
    else:
        a, b = scope.body(parent), scope.body(child)
        if b == (0, WORLD):
            yield _error("child_is_world", joint, "fixed", child=shown(child))
        elif a is not None and a == b:
            body = "the world" if a == (0, WORLD) else f"link {shown(a[1])}" if a[1] != MODEL else "a static model"
            yield _error("parent_is_child", joint, "one_body", parent=shown(parent), child=shown(child), body=body)


def _refused_axis(scope: Scope, joint: Joint, tag: str) -> Iterator[InertiaError]:
    axis = child_of(joint.element, tag)
    xyz, mimic = child_of(axis, "xyz"), child_of(axis, "mimic")
    frame = "" if xyz is None else xyz.get("expressed_in", "").strip()
    if frame and not scope.has(joint.root if frame == MODEL and joint.root else frame):
        yield _error("axis_frame_not_found", joint, tag=tag, frame=shown(frame))
    if mimic is None:
        return
    name, other = mimic.get("joint", "").strip(), mimic.get("axis", "axis").strip() or "axis"
    leader = scope.joint(name)
    if name == joint.name and other == tag:
        yield _error("bad_mimic", joint, "itself", tag=tag)
    elif other not in ("axis", "axis2"):
        yield _error("bad_mimic", joint, "other_axis", tag=tag, axis=shown(other))
    elif leader is None and not scope.unread:
        yield _error("bad_mimic", joint, "no_joint", tag=tag, leader=shown(name))
    elif leader is not None and child_of(leader.element, other) is None:
        yield _error("bad_mimic", joint, "no_axis", tag=tag, axis=other, leader=shown(name))


def _error(code: str, joint: Joint, form: str = "", /, **values: str) -> InertiaError:
    return sdf_error(code, joint.element, form, joint=shown(joint.name), **values)


def joint_loops(scope: Scope) -> Iterator[Finding]:
    """Yield the cycles of parents and children, one for each start that leads to one; libsdformat accepts them.

    Two links that are each other's parent are an error. A longer cycle may be a linkage, which engines without a tree
    of links can load: a warning. Linkages whose joints all lead away from one base are not cycles.
    """
    edges: Edges = {}
    for joint in scope.joints.values():
        a, b = map(scope.body, joint.ends)
        if a is not None and b is not None and a != b and a != (0, WORLD):
            edges.setdefault(a, []).append((b, joint))
    done: set[BodyKey] = set()
    for start in edges:
        circle = _loop(start, edges, done)
        if circle:
            names = circle_text([body[1] for body in circle], circle[0][1])
            joint = next(joint for body, joint in edges[circle[-1]] if body == circle[0])
            severity: Severity = "error" if len(circle) == 2 else "warning"
            yield Finding.of(severity, "joint_loop", str(joint.element), "file", names=names)


def _loop(start: BodyKey, edges: Edges, done: set[BodyKey]) -> list[BodyKey]:
    """Return the first cycle that is reached from a body; `done` are bodies that were fully searched."""
    path: dict[BodyKey, None] = {}
    waiting: list[tuple[BodyKey, bool]] = [(start, False)]
    while waiting:
        body, leaving = waiting.pop()
        if leaving:
            path.pop(body)
            done.add(body)
        elif body in path:
            bodies = list(path)
            done.update(bodies)
            return bodies[bodies.index(body) :]
        elif body not in done:
            path[body] = None
            waiting.append((body, True))
            waiting += [(child, False) for child, _ in edges.get(body, ())]
    return []
