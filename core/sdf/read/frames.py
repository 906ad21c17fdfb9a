# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose graph: the pose of each link, joint, frame and nested model in its model.

Every pose is given relative to one other frame of the same scope, so a chain of such steps ends at the scope's own
frame, or is a cycle. Results, good or bad, are cached for each frame, so that one pass resolves a scope. (SDFormat,
"Pose Frame Semantics", versions 1.7 to 1.12.)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...body.pose import Pose
from ...errors import InertiaError
from ..codes import sdf_error


@dataclass
class Frame:
    """A named frame of a scope.

    Parameters
    ----------
    pose : Pose
        Relative to `base`.
    base : str
        A name in the same scope; empty for the scope's own frame.
    place : object
        Its place in the file: text, or an object that becomes text in a message.
    attached_to : str
        The frame that it is fixed to, if not its base.
    missing : str
        The code of the error if `base` does not exist.
    found : Pose or InertiaError or None
        In the scope's own frame, or why it cannot be resolved; None until needed.
    attached : bool or InertiaError
        True if `attached_to` was followed to its end, or why there is no end.
    """

    pose: Pose
    base: str
    place: object
    attached_to: str = ""
    missing: str = "frame_not_found"
    found: Pose | InertiaError | None = None
    attached: bool | InertiaError = False


@dataclass
class Scope:
    """The frames of a model or world by name, and the scopes nested in it.

    `own` lists the names of the scope's own frame: ``__model__``, or ``world``. `given` holds the kinds and names of
    its elements as written in the files. `unread` is true if an include in it was not read: then a missing name may be
    in the included model.
    """

    own: tuple[str, ...] = ("__model__",)
    frames: dict[str, Frame] = field(default_factory=dict)
    nested: dict[str, Scope] = field(default_factory=dict)
    given: set[tuple[str, str]] = field(default_factory=set)
    unread: bool = False

    def pose(self, name: str, place: object = "") -> Pose:
        """Return the pose of a frame in this scope's own frame; ``a::b`` is frame b of the nested model a.

        Raises
        ------
        InertiaError
            ``frame_not_found`` or ``frame_cycle``, which lists the cycle.
        """
        head, deeper = self._split(name)
        if not head:
            return Pose.identity
        if head not in self.frames:
            raise self._missing("frame_not_found", place, name)
        X = self._resolved(head)
        return X @ self.nested[head].pose(deeper, place) if deeper else X

    def check(self, name: str) -> None:
        """Raise the error in the pose of a frame, or in what it is attached to."""
        chain: dict[str, None] = {}
        outcome: bool | InertiaError = True
        try:
            self._follow_attached(name, chain)
        except InertiaError as error:
            outcome = error
            raise
        finally:
            for one in chain:
                self.frames[one].attached = outcome
        self._resolved(name)

    def _follow_attached(self, name: str, chain: dict[str, None]) -> None:
        """Add to `chain` each frame on the way from one to what it is finally attached to."""
        while (frame := self.frames[name]).attached is not True:
            _raise_again(frame.attached)
            chain[name] = None
            head, deeper = self._split(frame.attached_to)
            if not head:
                return
            if head not in self.frames or (deeper and not self._has(frame.attached_to)):
                code = frame.missing if frame.attached_to == frame.base else "attached_to_not_found"
                raise self._missing(code, frame.place, frame.attached_to)
            if head in chain:
                raise _cycle("attached_to_cycle", frame.place, [*chain], head)
            name = head

    def _has(self, name: str) -> bool:
        head, deeper = self._split(name)
        return not head or (head in self.frames and (not deeper or self.nested[head]._has(deeper)))

    def _split(self, name: str) -> tuple[str, str]:
        """Split a name into a frame of this scope and the rest; the scope's own frame is the empty name."""
        if not name or name in self.own:
            return "", ""
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
        while name:
            frame = self.frames[name]
            if isinstance(frame.found, Pose):
                return frame.found
            _raise_again(frame.found)
            if name in chain:
                raise _cycle("frame_cycle", frame.place, [*chain], name)
            head, deeper = self._split(frame.base)
            chain[name] = deeper
            if head and head not in self.frames:
                raise self._missing(frame.missing, frame.place, frame.base)
            name = head
        return Pose.identity

    def _missing(self, code: str, place: object, name: str) -> InertiaError:
        return sdf_error(code, place, "unread" if self.unread else "", name=f"'{name}'")


def _raise_again(known: object) -> None:
    if isinstance(known, InertiaError):
        raise InertiaError(*known.args)


LISTED = 10
"""Frames of a cycle that a message lists."""


def circle_text(chain: list[str], closing: str) -> str:
    """Return the cycle at the end of a chain of names; of a long one, both ends."""
    names = [*chain[chain.index(closing) :], closing]
    count = len(names) - 1
    if count > LISTED:
        names = [*names[: LISTED // 2], f"... ({count} in all)", *names[-LISTED // 2 :]]
    return " -> ".join(names)


def _cycle(code: str, place: object, chain: list[str], closing: str) -> InertiaError:
    return sdf_error(code, place, "frames", circle=circle_text(chain, closing))
