# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds which objects of a scene are links, parts, visuals and frames, by their names or by their parents.

Names follow the conventions of robot and game pipelines: words are separated by ``_ - . $``
and spaces; case, Blender's ``.001`` and other numbers at the end do not matter. The first or the last word decides:
``wheel_collision``, ``visual_wheel``, ``UCX_Wheel_01``, ``wheel-colonly``, ``arm_link.002``. From Phobos and URDF
importers (visual, collision), Unreal (UCX_, UBX_, USP_, UCP_: convex, box, sphere, capsule), Godot (-col, -convcol,
-colonly, -convcolonly, with ``- $ _`` alike), and robots by hand (_col, _vis, _link).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..translations.words import n_

Tag = Literal["link", "collision", "mass", "visual", "frame"]
Rule = Literal["names", "hierarchy", "both"]
Kind = Literal["mesh", "empty", "other"]

WORDS: dict[str, Tag] = {
    "collision": "collision",
    "collisions": "collision",
    "collider": "collision",
    "coll": "collision",
    "col": "collision",
    "colonly": "collision",
    "convcol": "collision",
    "convcolonly": "collision",
    "visual": "visual",
    "visuals": "visual",
    "vis": "visual",
    "mass": "mass",
    "link": "link",
}

PREFIXES = {"ucx": "MESH", "ubx": "BOX", "usp": "SPHERE", "ucp": "CAPSULE"}
"""Unreal's prefixes of collisions, each with its geometry; its convex hull is the mesh unchanged."""

_SEPARATORS = re.compile(r"[_\-.$\s]+")
_NUMBER = re.compile(r"\d+$")


class NameRule(NamedTuple):
    """What a name means: the tag, and the geometry of a collision if the name gives it (else empty)."""

    tag: Tag
    geometry: str = ""


@dataclass(frozen=True)
class Candidate:
    """An object of the scene.

    Parameters
    ----------
    parent : int or None
        The parent's index in the sequence.
    kind : {"mesh", "empty", "other"}
        A mesh or an object that makes one, nothing, or something without mass such as a lamp.
    chosen : bool
        True if the rules are to tag it; the others are only context.
    tags : frozenset of {"link", "collision", "mass", "visual", "frame"}
        Its present tags; a tagged object stays unchanged.
    """

    name: str
    parent: int | None = None
    kind: Kind = "mesh"
    chosen: bool = True
    tags: frozenset[Tag] = frozenset()


@dataclass(frozen=True)
class NewTags:
    """New tags of an object, empty for one left alone, and the reason; some names give a `geometry`."""

    tags: frozenset[Tag] = frozenset()
    geometry: str = ""
    reason: str = ""


TAGGED = n_("tagged already")
NO_MESH = n_("without a mesh")
NO_RULE = n_("whose names say nothing")
NO_PARTS = n_("empties that are not links")
NO_LINK = "no_link"
"""The last one does not leave the object alone: it is tagged, but its link is missing."""


def tags_by_rules(objects: Sequence[Candidate], rule: Rule, meshes_are: frozenset[Tag]) -> list[NewTags]:
    """Return the new tags of each object.

    An empty that is named as a part (``collisions``) groups parts: its name applies to the meshes below it. An empty in
    a link with nothing below it is a frame of that link, by every rule.

    Parameters
    ----------
    rule : {"names", "hierarchy", "both"}
        ``names``: the result of `rule_of`. ``hierarchy``: an empty with a mesh as its child is a link, and so is a mesh
        that has no link above it; meshes are parts of the nearest link. ``both``: names first, then the hierarchy for
        the rest.
    meshes_are : frozenset of {"collision", "visual"}
        What a mesh below a link is by hierarchy. A mesh without a telling name gets none of the tags that other names
        give in the same link: next to ``wheel_collision``, ``wheel`` is the visual.
    """
    tagging = _Tagging(objects, rule)
    if rule != "names":
        tagging.add_links()
        tagging.add_parts(meshes_are)
    tagging.add_frames()
    return [tagging.new_tags(number) for number in range(len(objects))]


class _Tagging:
    """Objects with the rules that their names give, and the tags that they have so far."""

    def __init__(self, objects: Sequence[Candidate], rule: Rule) -> None:
        self.objects = objects
        self.rules = [None if rule == "hierarchy" else self._name_rule(number) for number in range(len(objects))]
        self.tags: list[frozenset[Tag]] = [candidate.tags for candidate in objects]
        for number, named in enumerate(self.rules):
            tag = None if named is None else named.tag
            if tag is not None and self._is_open(number) and (tag == "link" or objects[number].kind == "mesh"):
                self.tags[number] = frozenset({tag})

    def add_links(self) -> None:
        meshes = (candidate for candidate in self.objects if candidate.kind == "mesh")
        with_mesh = {mesh.parent for mesh in meshes if mesh.chosen or mesh.tags}
        for number in self._open("empty"):
            if self.rules[number] is None and number in with_mesh:
                self.tags[number] = frozenset({"link"})
        # From the top down, so that a mesh is a part of the mesh above it.
        for number in sorted(self._open("mesh"), key=lambda number: len(self._above(number))):
            if not self.tags[number] and self._link_of(number) is None:
                self.tags[number] = frozenset({"link"})

    def add_parts(self, meshes_are: frozenset[Tag]) -> None:
        stated: dict[int, set[Tag]] = {}
        for number, tags in enumerate(self.tags):
            link = self._link_of(number)
            if link is not None:
                stated.setdefault(link, set()).update(tags - {"link"})
        for number in self._open("mesh"):
            link = self._link_of(number)
            if link is None or self.tags[number] - {"link"}:
                continue
            present = stated[link]
            lacking: frozenset[Tag] = meshes_are - present
            # Whatever the names of the others mean, a mesh is something: a visual next to collisions, or the reverse.
            other: Tag = "visual" if "collision" in present else "collision"
            self.tags[number] |= lacking if lacking or {"collision", "visual"} <= present else {other}

    def add_frames(self) -> None:
        parents = {candidate.parent for candidate in self.objects}
        for number in self._open("empty"):
            if not self.tags[number] and number not in parents and self._link_of(number) is not None:
                self.tags[number] = frozenset({"frame"})

    def new_tags(self, number: int) -> NewTags:
        candidate, named, tags = self.objects[number], self.rules[number], self.tags[number]
        if not candidate.chosen:
            return NewTags()
        if not self._is_open(number):
            return NewTags(reason=TAGGED if candidate.tags else NO_MESH)
        if not tags:
            return NewTags(reason=NO_PARTS if candidate.kind == "empty" else NO_RULE)
        geometry = named.geometry if named is not None and "collision" in tags else ""
        return NewTags(tags, geometry, NO_LINK if self._link_of(number) is None else "")

    def _name_rule(self, number: int) -> NameRule | None:
        """Return what the name means; for a mesh with no such name, that of the empties that group it."""
        candidate = self.objects[number]
        rule, parent = rule_of(candidate.name), candidate.parent if candidate.kind == "mesh" else None
        while rule is None and parent is not None and self.objects[parent].kind == "empty":
            rule, parent = rule_of(self.objects[parent].name), self.objects[parent].parent
            if rule is not None and rule.tag == "link":
                return None
        return rule

    def _is_open(self, number: int) -> bool:
        candidate = self.objects[number]
        return candidate.chosen and not candidate.tags and candidate.kind != "other"

    def _open(self, kind: Kind) -> list[int]:
        numbers = range(len(self.objects))
        return [number for number in numbers if self.objects[number].kind == kind and self._is_open(number)]

    def _above(self, number: int) -> list[int]:
        """Return an object and its ancestors, the nearest first."""
        line, parent = [number], self.objects[number].parent
        while parent is not None:
            line.append(parent)
            parent = self.objects[parent].parent
        return line

    def _link_of(self, number: int) -> int | None:
        return next((above for above in self._above(number) if "link" in self.tags[above]), None)


def rule_of(name: str) -> NameRule | None:
    """Return what an object's name means, or None.

    If both ends have a meaning, a part wins over a link (``base_link_visual``, ``collision_base_link``),
    and of two parts the last word.
    """
    words = [_NUMBER.sub("", word) for word in _SEPARATORS.split(name.casefold())]
    words = [word for word in words if word]
    if not words:
        return None
    if words[0] in PREFIXES and len(words) > 1:
        return NameRule("collision", PREFIXES[words[0]])
    meanings = [WORDS[word] for word in (words[-1], words[0]) if word in WORDS]
    parts = [tag for tag in meanings if tag != "link"]
    return NameRule((parts or meanings)[0]) if meanings else None
