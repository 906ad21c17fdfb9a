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


TAGGED = "tagged already"
NO_MESH = "without a mesh"
NO_RULE = "whose names say nothing"
NO_PARTS = "empties that are no link"
NO_LINK = "collisions or visuals without a link above them"
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
    rules = [None if rule == "hierarchy" else _name_rule(objects, number) for number in range(len(objects))]
    tags: list[frozenset[Tag]] = [one.tags for one in objects]
    for number, found in enumerate(rules):
        one = objects[number]
        if found is not None and _open(one) and (found.tag == "link" or one.kind == "mesh"):
            tags[number] = frozenset({found.tag})
    if rule != "names":
        _add_links(objects, tags, rules)
        _add_parts(objects, tags, meshes_are)
    _add_frames(objects, tags)
    return [_new_tags(one, rules[number], tags, objects, number) for number, one in enumerate(objects)]


def _name_rule(objects: Sequence[Candidate], number: int) -> NameRule | None:
    """Return what the name means; for a mesh with no such name, that of the empties that group it (``collisions``)."""
    found = rule_of(objects[number].name)
    parent = objects[number].parent if objects[number].kind == "mesh" else None
    while found is None and parent is not None and objects[parent].kind == "empty":
        found, parent = rule_of(objects[parent].name), objects[parent].parent
        if found is not None and found.tag == "link":
            return None
    return found


def _open(one: Candidate) -> bool:
    return one.chosen and not one.tags and one.kind != "other"


def _add_links(objects: Sequence[Candidate], tags: list[frozenset[Tag]], rules: Sequence[NameRule | None]) -> None:
    with_mesh = {one.parent for one in objects if one.kind == "mesh" and (one.chosen or one.tags)}
    for number, one in enumerate(objects):
        if _open(one) and one.kind == "empty" and rules[number] is None and number in with_mesh:
            tags[number] = frozenset({"link"})
    # From the top down, so that a mesh is a part of the mesh above it.
    for number in sorted(range(len(objects)), key=lambda number: len(_above(objects, number))):
        one = objects[number]
        if _open(one) and not tags[number] and one.kind == "mesh" and _link_of(objects, tags, number) is None:
            tags[number] = frozenset({"link"})


def _add_parts(objects: Sequence[Candidate], tags: list[frozenset[Tag]], meshes_are: frozenset[Tag]) -> None:
    stated: dict[int, set[Tag]] = {}
    for number in range(len(objects)):
        link = _link_of(objects, tags, number)
        if link is not None:
            stated.setdefault(link, set()).update(tags[number] - {"link"})
    for number, one in enumerate(objects):
        if not _open(one) or one.kind != "mesh" or tags[number] - {"link"}:
            continue
        link = _link_of(objects, tags, number)
        if link is not None:
            present = stated[link]
            left: frozenset[Tag] = meshes_are - present
            # Whatever the names of the others mean, a mesh is something: a visual next to collisions, or the reverse.
            other: Tag = "visual" if "collision" in present else "collision"
            tags[number] |= left if left or {"collision", "visual"} <= present else {other}


def _add_frames(objects: Sequence[Candidate], tags: list[frozenset[Tag]]) -> None:
    parents = {one.parent for one in objects}
    for number, one in enumerate(objects):
        alone = _open(one) and one.kind == "empty" and not tags[number] and number not in parents
        if alone and _link_of(objects, tags, number) is not None:
            tags[number] = frozenset({"frame"})


def _above(objects: Sequence[Candidate], number: int) -> list[int]:
    """Return an object and its ancestors, the nearest first."""
    found = [number]
    parent = objects[number].parent
    while parent is not None:
        found.append(parent)
        parent = objects[parent].parent
    return found


def _link_of(objects: Sequence[Candidate], tags: Sequence[frozenset[Tag]], number: int) -> int | None:
    return next((above for above in _above(objects, number) if "link" in tags[above]), None)


def _new_tags(
    one: Candidate, named: NameRule | None, tags: list[frozenset[Tag]], objects: Sequence[Candidate], number: int
) -> NewTags:
    if not one.chosen:
        return NewTags()
    if one.tags:
        return NewTags(reason=TAGGED)
    if one.kind == "other":
        return NewTags(reason=NO_MESH)
    found = tags[number]
    if not found:
        if one.kind == "empty":
            return NewTags(reason=NO_PARTS)
        return NewTags(reason=NO_RULE)
    geometry = named.geometry if named is not None and "collision" in found else ""
    missing = _link_of(objects, tags, number) is None
    return NewTags(found, geometry, NO_LINK if missing else "")


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
    found = [WORDS[word] for word in (words[-1], words[0]) if word in WORDS]
    parts = [tag for tag in found if tag != "link"]
    return NameRule((parts or found)[0]) if found else None
