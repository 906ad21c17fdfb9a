# SPDX-License-Identifier: GPL-3.0-or-later
"""The links, joints, frames and models of a scope, and what libsdformat refuses about their connections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...errors import InertiaError
from ..codes import sdf_error
from ..spec.element_faults import shown
from ..spec.values import text_of
from ..xml.document import Document, Element, child_of
from .frames import circle_text

WORLD = "world"
MODEL = "__model__"
ROOT = "__root__"
"""libsdformat's name for what is above a top-level model."""

UNSAID = "__default__"
"""libsdformat's name for an end of a joint without a name."""

BodyKey = tuple[int, str]
"""A link, a static model or the world, as a comparable key."""


@dataclass(frozen=True)
class Joint:
    """A joint, and the meaning of ``__model__`` there: merged contents have another frame for it."""

    name: str
    element: Element
    document: Document
    root: str


@dataclass
class ScopeContents:
    """The contents of a model or world.

    Parameters
    ----------
    is_world, static : bool
    canonical : str
        The model's ``canonical_link``; may be empty.
    fixed_to : dict
        The name in this scope that each name is fixed to; None for a link.
    nested : dict
        The models in it.
    places : dict
        The place of each name in its file.
    unread : bool
        True if an include in it was not read: then no name is surely missing.
    """

    is_world: bool = False
    static: bool = False
    canonical: str = ""
    fixed_to: dict[str, str | None] = field(default_factory=dict)
    nested: dict[str, ScopeContents] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
    places: dict[str, object] = field(default_factory=dict)
    unread: bool = False
    _bodies: dict[str, BodyKey | None] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Return True if a name, ``a::b`` for b in a nested model, is one that joints may use."""
        head, deeper = self._split(name)
        if deeper:
            return self.nested[head].has(deeper)
        own = WORLD if self.is_world else MODEL
        return self.unread or name in self.fixed_to or name in self.nested or name == own

    @property
    def links(self) -> Iterator[str]:
        """Its own links."""
        return (name for name, target in self.fixed_to.items() if target is None)

    def body(self, name: str) -> BodyKey | None:
        """Return the link, static model or world that a name is fixed to; None if that itself has an error."""
        chain: list[str] = []
        found: BodyKey | None = None
        met = set()
        while name not in self._bodies:
            chain.append(name)
            met.add(name)
            following = self._next(name)
            if not isinstance(following, str):
                found = following
                break
            if following in met:
                break
            name = following
        else:
            found = self._bodies[name]
        self._bodies.update(dict.fromkeys(chain, found))
        return found

    def _next(self, name: str) -> str | BodyKey | None:
        """Return the name that a name is fixed to, or the end of the chain."""
        if name == WORLD:
            return (0, WORLD)
        if name in ("", MODEL):
            if self.is_world:
                return (0, WORLD)
            if self.static:
                return (id(self), MODEL)
            return self.canonical or next(self.links, next(iter(self.nested), None))
        head, deeper = self._split(name)
        if deeper:
            return self.nested[head].body(deeper)
        if name in self.fixed_to:
            target = self.fixed_to[name]
            return (id(self), name) if target is None else target
        return self.nested[name].body(MODEL) if name in self.nested else None

    def joint(self, name: str) -> Joint | None:
        """Return a joint by its name, ``a::b`` for one of a nested model."""
        head, deeper = self._split(name)
        if deeper:
            return self.nested[head].joint(deeper)
        return self.joints.get(name)

    def _split(self, name: str) -> tuple[str, str]:
        if name in self.fixed_to:  # up to SDFormat 1.7 a name itself may contain "::"
            return name, ""
        head, _, deeper = name.partition("::")
        return (head, deeper) if deeper and head in self.nested else (name, "")

    def refusals(self, place: object) -> Iterator[InertiaError]:
        """Yield what libsdformat refuses before it resolves any pose: the model as a whole, names, and cycles."""
        for joint in self.joints.values():
            yield from _refused_names(joint, *ends(joint))
        if not self.is_world and not self.static:
            if self.canonical and not self.has(self.canonical):
                yield sdf_error("canonical_link_not_found", place, "model", canonical=shown(self.canonical))
            if not self.nested and not self.unread and next(self.links, None) is None:
                yield sdf_error("no_link", place, "model")
        for name, target in self.fixed_to.items():
            if target and target not in (WORLD, ROOT) and not self.has(target):
                code = "child_not_found" if name in self.joints else "attached_to_not_found"
                yield sdf_error(code, self.places[name], "none" if target == UNSAID else "", name=shown(target))
        yield from self._circles()

    def late_refusals(self) -> Iterator[InertiaError]:
        """Yield what libsdformat refuses last: the ends of joints, and their frames."""
        for joint in self.joints.values():
            yield from self._refused_ends(joint, *ends(joint))
            yield from self._refused_axes(joint)

    def _circles(self) -> Iterator[InertiaError]:
        """Yield the cycles of joints and frames that are fixed to each other."""
        done: set[str] = set()
        for start in self.fixed_to:
            chain: dict[str, None] = {}
            name: str | None = start
            while name in self.fixed_to and name not in done and name not in chain:
                chain[name] = None
                name = self.fixed_to[name]
                if name in ("", MODEL) and self.canonical and not self.is_world and not self.static:
                    name = self.canonical
            if name in chain:
                circle = circle_text(list(chain), name)
                yield sdf_error("attached_to_cycle", self.places[name], circle=circle)
            done.update(chain)

    def _refused_ends(self, joint: Joint, parent: str, child: str) -> Iterator[InertiaError]:
        if ROOT in (parent, child) or child == WORLD or parent == child:
            return
        if not self.has(child):
            return  # already reported
        if parent != WORLD and not self.has(parent):
            yield _error("parent_not_found", joint, parent=shown(parent))
        elif parent == joint.name:
            yield _error("parent_not_found", joint, "itself")
        else:
            a, b = self.body(parent), self.body(child)
            if b == (0, WORLD):
                yield _error("child_is_world", joint, "fixed", child=shown(child))
            elif a is not None and a == b:
                ends_ = {"parent": shown(parent), "child": shown(child)}
                yield _error("parent_is_child", joint, "one_body", **ends_, body=_shown(a))

    def _refused_axes(self, joint: Joint) -> Iterator[InertiaError]:
        for tag in ("axis", "axis2"):
            axis = child_of(joint.element, tag)
            xyz, mimic = child_of(axis, "xyz"), child_of(axis, "mimic")
            frame = "" if xyz is None else xyz.get("expressed_in", "").strip()
            if frame and not self.has(joint.root if frame == MODEL and joint.root else frame):
                yield _error("axis_frame_not_found", joint, tag=tag, frame=shown(frame))
            if mimic is not None:
                form, values = self._refused_mimic(joint, tag, mimic)
                if form:
                    yield _error("bad_mimic", joint, form, tag=tag, **values)

    def _refused_mimic(self, joint: Joint, tag: str, mimic: Element) -> tuple[str, dict[str, str]]:
        """Return the form of the message why a mimic is refused, and its values; an empty form if it is not."""
        leader, axis = mimic.get("joint", "").strip(), mimic.get("axis", "axis").strip() or "axis"
        if leader == joint.name and axis == tag:
            return "itself", {}
        if axis not in ("axis", "axis2"):
            return "other_axis", {"axis": shown(axis)}
        found = self.joint(leader)
        if found is None:
            return "" if self.unread else "no_joint", {"leader": shown(leader)}
        has_axis = child_of(found.element, axis) is not None
        return "" if has_axis else "no_axis", {"axis": axis, "leader": shown(leader)}


def ends(joint: Joint) -> tuple[str, str]:
    """Return the names of a joint's parent and child, with libsdformat's own name for a missing one."""
    found = [child_of(joint.element, tag) for tag in ("parent", "child")]
    names = [UNSAID if element is None else text_of(element) for element in found]
    parent, child = (joint.root if name == MODEL and joint.root else name for name in names)
    return parent, child


def fixed_pairs(contents: ScopeContents) -> Iterator[tuple[BodyKey, BodyKey]]:
    """Yield the pairs of bodies that the fixed joints of a scope join."""
    for joint in contents.joints.values():
        if joint.element.get("type", "").strip().lower() == "fixed":
            a, b = (contents.body(name) for name in ends(joint))
            if a is not None and b is not None:
                yield a, b


def _refused_names(joint: Joint, parent: str, child: str) -> Iterator[InertiaError]:
    for tag, name in (("parent", parent), ("child", child)):
        if name == ROOT:
            yield _error("reserved_name", joint, "joint_root", tag=tag)
    if child == WORLD:
        yield _error("child_is_world", joint)
    elif parent == child:
        yield _error("parent_is_child", joint, child=shown(child))


def _error(code: str, joint: Joint, form: str = "", /, **values: str) -> InertiaError:
    return sdf_error(code, joint.document.at(joint.element), form, joint=shown(joint.name), **values)


def _shown(body: BodyKey) -> str:
    return "the world" if body == (0, WORLD) else f"link {shown(body[1])}" if body[1] != MODEL else "a static model"
