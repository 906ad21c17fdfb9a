# SPDX-License-Identifier: GPL-3.0-or-later
"""What an object's name says it is, by the conventions that robot and game pipelines share.

Words are parted by ``_ - . $`` and spaces; case, Blender's ``.001`` and other numbers at the end do not matter. The
first or the last word counts: ``wheel_collision``, ``visual_wheel``, ``UCX_Wheel_01``, ``wheel-colonly``,
``arm_link.002``. From Phobos and URDF importers (visual, collision), Unreal (UCX_, UBX_, USP_, UCP_: convex, box,
sphere, capsule), Godot (-col, -convcol, -colonly, -convcolonly, with ``- $ _`` alike), and robots by hand (_col, _vis,
_link).
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Tag = Literal["link", "collision", "mass", "visual", "frame"]

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
"""Unreal's prefixes of collisions, each with the geometry it stands for; its convex hull is the mesh as it is."""

_SEPARATORS = re.compile(r"[_\-.$\s]+")
_NUMBER = re.compile(r"\d+$")


class NameRule(NamedTuple):
    """What a name says: the tag, and a collision's geometry where it says that too (else empty)."""

    tag: Tag
    geometry: str = ""


def rule_of(name: str) -> NameRule | None:
    """Return what an object's name says it is, or None.

    Where both ends say something, a part is meant rather than a link (``base_link_visual``, ``collision_base_link``),
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
