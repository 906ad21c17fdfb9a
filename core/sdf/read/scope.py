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
from ...errors import InertiaError
from ..codes import sdf_error
from ..spec.element_faults import shown
from ..xml.document import Document, Element

WORLD = "world"
MODEL = "__model__"

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
    place : object
        Its place in the file: text, or an object that becomes text in a message.
    fixed_to : str or None
        A name in the same scope, empty for the scope's own frame; None for a link or a nested model.
    missing : str
        The code of the error if `base` does not exist.
    found : Pose or InertiaError or None
        In the scope's own frame, or why it cannot be resolved; None until needed.
    """

    pose: Pose
    base: str
    place: object
    fixed_to: str | None = None
    missing: str = "frame_not_found"
    found: Pose | InertiaError | None = None


@dataclass(frozen=True)
class Joint:
    """A joint, and the meaning of ``__model__`` there: merged contents have another frame for it."""

    name: str
    element: Element
    document: Document
    root: str


@dataclass
class Scope:
    """The frames and joints of a model or world by name, and the scopes nested in it.

    Parameters
    ----------
    place : object
        The place of its element.
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

    place: object = ""
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

    def has(self, name: str) -> bool:
        """Return True if a name, ``a::b`` for b in a nested model, is one that joints and frames may use."""
        head, deeper = self._split(name)
        if deeper:
            return self.nested[head].has(deeper)
        return self.unread or name in self.frames or name == self._own

    def joint(self, name: str) -> Joint | None:
        """Return a joint by its name, ``a::b`` for one of a nested model."""
        head, deeper = self._split(name)
        if deeper:
            return self.nested[head].joint(deeper)
        return self.joints.get(name)

    def pose(self, name: str, place: object = "") -> Pose:
        """Return the pose of a frame in this scope's own frame; ``a::b`` is frame b of the nested model a.

        Raises
        ------
        InertiaError
            ``frame_not_found`` or ``frame_cycle``, which lists the cycle.
        """
        if name in ("", self._own):
            return Pose.identity
        head, deeper = self._split(name)
        if head not in self.frames:
            raise self._missing("frame_not_found", place, name)
        X = self._resolved(head)
        return X @ self.nested[head].pose(deeper, place) if deeper else X

    def body(self, name: str) -> BodyKey | None:
        """Return the link, static model or world that a name is fixed to; None if that itself has an error."""
        chain: dict[str, None] = {}
        found: BodyKey | None = None
        while name not in self._bodies:
            chain[name] = None
            following = self._next(name)
            if not isinstance(following, str):
                found = following
                break
            if following in chain:
                break
            name = following
        else:
            found = self._bodies[name]
        self._bodies.update(dict.fromkeys(chain, found))
        return found

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

    @property
    def _own(self) -> str:
        return WORLD if self.is_world else MODEL

    def _split(self, name: str) -> tuple[str, str]:
        """Split a name into a name of this scope and the rest, which is in a nested model."""
        if name in self.frames:  # up to SDFormat 1.7 a name itself may contain "::"
            return name, ""
        head, _, deeper = name.partition("::")
        return (head, deeper) if deeper and head in self.nested else (name, "")

    def _resolved(self, name: str) -> Pose:
        """Walk up the chain of bases to a resolved frame, then back down; without recursion, since chains may be
        long."""
        chain: dict[str, str] = {}
        try:
            X = self._climb(name, chain)
            for name, deeper in reversed(chain.items()):
                frame = self.frames[name]
                if deeper:
                    X = X @ self.nested[self._split(frame.base)[0]].pose(deeper, frame.place)
                X = frame.found = X @ frame.pose if deeper or X is not Pose.identity else frame.pose
        except InertiaError as error:
            for name in chain:
                if self.frames[name].found is None:
                    self.frames[name].found = error
            raise
        return X

    def _climb(self, name: str, chain: dict[str, str]) -> Pose:
        """Add to `chain` each frame on the way up to a resolved one, with the rest of its base's name."""
        while name not in ("", self._own):
            frame = self.frames[name]
            if isinstance(frame.found, Pose):
                return frame.found
            if frame.found is not None:
                raise InertiaError(*frame.found.args)
            if name in chain:
                raise sdf_error("frame_cycle", frame.place, "frames", circle=circle_text([*chain], name))
            head, chain[name] = self._split(frame.base)
            if head not in ("", self._own) and head not in self.frames:
                raise self._missing(frame.missing, frame.place, frame.base)
            name = head
        return Pose.identity

    def _missing(self, code: str, place: object, name: str) -> InertiaError:
        return sdf_error(code, place, "unread" if self.unread else "", name=shown(name))


LISTED = 10
"""Frames of a cycle that a message lists."""


def circle_text(chain: list[str], closing: str) -> str:
    """Return the cycle at the end of a chain of names; of a long one, both ends."""
    names = [*chain[chain.index(closing) :], closing]
    count = len(names) - 1
    if count > LISTED:
        names = [*names[: LISTED // 2], f"... ({count} in all)", *names[-LISTED // 2 :]]
    return " -> ".join(names)
