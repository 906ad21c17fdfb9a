# SPDX-License-Identifier: Apache-2.0
"""The frames of a model or world: where each is, and to which body it is fixed.

Every pose is given relative to one other frame of the same scope, so a chain of such steps ends at the scope's own
frame, or is a cycle; so does the chain of what is fixed to what. Results, good or bad, are cached for each frame, so
that one pass resolves a scope. (SDFormat, "Pose Frame Semantics", versions 1.7 to 1.12.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...body.pose import Pose
from ...document.element import Element, child_of, text_of
from ...errors import InertiaError
from .spec.codes import sdf_error
from .spec.element_faults import shown

WORLD = "world"
MODEL = "__model__"

UNSAID = "__default__"
"""libsdformat's name for an end of a joint without a name."""

LISTED = 10
"""Frames of a cycle that a message lists."""

BodyKey = tuple[int, str]
"""A link, a static model or the world, as a comparable key."""


@dataclass
class Frame:
    """A named frame of a scope: a link, joint, frame, nested model, or the own frame of a merged model.

    Parameters
    ----------
    pose : Pose
        Relative to `base`.
    base : str
        A name in the same scope; empty for the scope's own frame.
    place : Element
    fixed_to : str or None
        A name in the same scope, empty for the scope's own frame; None for a link or a nested model.
    missing : str
        The code of the error if `base` does not exist.
    resolved : Pose or InertiaError or None
        In the scope's own frame, or why it cannot be resolved; None until needed.
    """

    pose: Pose
    base: str
    place: Element
    fixed_to: str | None = None
    missing: str = "frame_not_found"
    resolved: Pose | InertiaError | None = None


@dataclass(frozen=True)
class Joint:
    """A joint, and the meaning of ``__model__`` there: merged contents have another frame for it."""

    name: str
    element: Element
    root: str

    @property
    def kind(self) -> str:
        """Its type, in lower case."""
        return self.element.get("type", "").strip().lower()

    @property
    def ends(self) -> tuple[str, str]:
        """The names of its parent and child, with libsdformat's own name for a missing one."""
        elements = (child_of(self.element, tag) for tag in ("parent", "child"))
        names = (UNSAID if element is None else text_of(element) for element in elements)
        parent, child = (self.root if name == MODEL and self.root else name for name in names)
        return parent, child


@dataclass
class Scope:
    """The frames and joints of a model or world by name, and the scopes nested in it.

    Parameters
    ----------
    place : Element or None
    is_world, static : bool
    canonical : str
        The model's ``canonical_link``; may be empty.
    given : set
        The kinds and names of its elements as written in the files.
    astray : set
        The frames that are fixed to what does not exist, or to themselves: `joints.refusals` fills it.
    placed : Pose
        Of a model that is in no world and no other model, as its file places it.
    unread : bool
        True if an include in it was not read: then a missing name may be in the included model.
    """

    place: Element | None = None
    is_world: bool = False
    static: bool = False
    canonical: str = ""
    frames: dict[str, Frame] = field(default_factory=dict)
    nested: dict[str, Scope] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
    given: set[tuple[str, str]] = field(default_factory=set)
    astray: set[str] = field(default_factory=set)
    placed: Pose = Pose.identity
    unread: bool = False
    _bodies: dict[str, BodyKey | None] = field(default_factory=dict)

    @property
    def links(self) -> Iterator[str]:
        """Its own links."""
        return (name for name, frame in self.frames.items() if frame.fixed_to is None and name not in self.nested)

    @property
    def _own(self) -> tuple[str, str]:
        """The names of its own frame."""
        return "", WORLD if self.is_world else MODEL

    def has(self, name: str) -> bool:
        """Return True if a name, ``a::b`` for b in a nested model, is one that joints and frames may use."""
        head, deeper = self._split(name)
        if deeper:
            return self.nested[head].has(deeper)
        return self.unread or name in self.frames or name == self._own[1]

    def joint(self, name: str) -> Joint | None:
        """Return a joint by its name, ``a::b`` for one of a nested model."""
        head, deeper = self._split(name)
        return self.nested[head].joint(deeper) if deeper else self.joints.get(name)

    def pose(self, name: str, place: Element | str = "") -> Pose:
        """Return the pose of a frame in this scope's own frame; ``a::b`` is frame b of the nested model a.

        Raises
        ------
        InertiaError
            ``frame_not_found`` or ``frame_cycle``, which lists the cycle.
        """
        if name in self._own:
            return Pose.identity
        head, deeper = self._split(name)
        if head not in self.frames:
            raise self._missing("frame_not_found", place, name)
        X = self._resolved(head)
        return X @ self.nested[head].pose(deeper, place) if deeper else X

    def _resolved(self, name: str) -> Pose:
        """Walk up the chain of bases to a resolved frame, then back down; not by recursion, since chains may be
        long."""
        chain: dict[str, str] = {}  # each frame, and the rest of its base's name, which is in a nested model
        X = Pose.identity
        try:
            while name not in self._own:
                frame = self.frames[name]
                if isinstance(frame.resolved, InertiaError):
                    raise InertiaError(*frame.resolved.args)
                if frame.resolved is not None:
                    X = frame.resolved
                    break
                if name in chain:
                    raise sdf_error("frame_cycle", frame.place, "frames", circle=circle_text([*chain], name))
                head, chain[name] = self._split(frame.base)
                if head not in self._own and head not in self.frames:
                    raise self._missing(frame.missing, frame.place, frame.base)
                name = head
            for name, deeper in reversed(chain.items()):
                frame = self.frames[name]
                if deeper:
                    X = X @ self.nested[self._split(frame.base)[0]].pose(deeper, frame.place)
                X = frame.resolved = X @ frame.pose if deeper or X is not Pose.identity else frame.pose
        except InertiaError as error:
            for frame in map(self.frames.__getitem__, chain):
                frame.resolved = error if frame.resolved is None else frame.resolved
            raise
        return X

    def body(self, name: str) -> BodyKey | None:
        """Return the link, static model or world that a name is fixed to; None if that itself has an error."""
        chain: dict[str, None] = {}
        end: BodyKey | None = None
        while name not in self._bodies:
            chain[name] = None
            following = self._next(name)
            if not isinstance(following, str):
                end = following
                break
            if following in chain:
                break
            name = following
        else:
            end = self._bodies[name]
        self._bodies.update(dict.fromkeys(chain, end))
        return end

    def _next(self, name: str) -> str | BodyKey | None:
        """Return the name that a name is fixed to, or the end of the chain."""
        if name == WORLD or (self.is_world and name in ("", MODEL)):
            return (0, WORLD)
        if name in ("", MODEL):
            if self.static:
                return (id(self), MODEL)
            return self.canonical or next(self.links, next(iter(self.nested), None))
        head, deeper = self._split(name)
        if head in self.nested:
            return self.nested[head].body(deeper or MODEL)
        if name not in self.frames:
            return None
        target = self.frames[name].fixed_to
        return (id(self), name) if target is None else target

    def fixed_pairs(self) -> Iterator[tuple[BodyKey, BodyKey]]:
        """Yield the pairs of bodies that its fixed joints join."""
        for joint in self.joints.values():
            if joint.kind == "fixed":
                a, b = map(self.body, joint.ends)
                if a is not None and b is not None:
                    yield a, b

    def _split(self, name: str) -> tuple[str, str]:
        """Split a name into a name of this scope and the rest, which is in a nested model."""
        if name in self.frames:  # up to SDFormat 1.7 a name itself may contain "::"
            return name, ""
        head, _, deeper = name.partition("::")
        return (head, deeper) if deeper and head in self.nested else (name, "")

    def _missing(self, code: str, place: Element | str, name: str) -> InertiaError:
        return sdf_error(code, place, "unread" if self.unread else "", name=shown(name))


def circle_text(chain: list[str], closing: str) -> str:
    """Return the cycle at the end of a chain of names; of a long one, both ends."""
    names = [*chain[chain.index(closing) :], closing]
    count = len(names) - 1
    if count > LISTED:
        names = [*names[: LISTED // 2], f"... ({count} in all)", *names[-LISTED // 2 :]]
    return " -> ".join(names)
