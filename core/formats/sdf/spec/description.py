# SPDX-License-Identifier: Apache-2.0
"""The part of SDF that affects inertia, as a table: elements, attributes, types and counts of SDF 1.12.

libsdformat converts every older file to 1.12. Other elements, such as sensors, lights and materials, are ignored. A
test compares the table with libsdformat's own descriptions inside Drake's library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ....body.shapes import SHAPES
from ....document.element import Element

SDF_SHAPES = {kind: shape.fields for kind, shape in SHAPES.items() if "sdf" in shape.formats}
"""SDF's own shapes, each with its sizes and the count of numbers in each."""

_SIZES = {1: "f", 3: "v"}

_ROWS = "\n".join(
    f"{kind} = {' '.join(f'{name}:{_SIZES[count]}!' for name, count in fields.items())}"
    for kind, fields in SDF_SHAPES.items()
)

TABLE = f"""
sdf = @version:s! world* model* ...
world = @name:s! include* frame* joint* model* ...
include = @merge:b? uri:s! name:s? static:b? placement_frame:s? pose? ...
model = @name:s! @canonical_link:s? @placement_frame:s? static:b? include* model* frame* pose? link* joint* ...
frame = @name:s! @attached_to:s* pose? ...
joint = @name:s! @type:s! parent:s! child:s! thread_pitch:f? screw_thread_pitch:f? axis? axis2? pose? ...
axis = xyz:v!( @expressed_in:s? ) dynamics?( damping:f? friction:f? ... ) limit?( lower:f? upper:f? effort:f?
 velocity:f? ... ) mimic?( @joint:s! @axis:s? ... ) ...
link = @name:s! pose? inertial? collision* visual* ...
pose:p = @relative_to:s? @rotation_format:s? @degrees:b?
inertial = @auto:b? mass:f? density:f? auto_inertia_params?(  ) pose:p?( @rotation_format:s? @degrees:b? ) inertia?(
 ixx:f! ixy:f! ixz:f! iyy:f! iyz:f! izz:f! ) fluid_added_mass?( xx:f? xy:f? xz:f? xp:f? xq:f? xr:f? yy:f? yz:f? yp:f?
 yq:f? yr:f? zz:f? zp:f? zq:f? zr:f? pp:f? pq:f? pr:f? qq:f? qr:f? rr:f? )
collision = @name:s! density:f? auto_inertia_params?(  ) pose? geometry! ...
visual = @name:s! pose? geometry! ...
geometry = empty?(  ) heightmap? image? mesh? plane? polyline? {"? ".join(SDF_SHAPES)}?
{_ROWS}
heightmap = uri:s! size:v? pos:v? ...
image = uri:s! scale:f! height:f! ...
mesh = @optimization:s? convex_decomposition?( ... ) uri:s! submesh?( name:s!
 center:b? ) scale:v?
plane = normal:v! size:w!
polyline = point:w+ height:f!
"""
"""Attributes (``@name``), elements described inline (their content in parentheses), then those on lines of their own.

Types, after a colon: f double, b boolean, s text, v three numbers, w two numbers, p pose. Counts:
! exactly one, ? at most one, * any, + at least one. Three dots mean that other content is ignored.
"""


@dataclass(frozen=True)
class Slot:
    """An attribute or a child: its type (empty for a mere container), and its count."""

    kind: str
    count: str = "?"
    structure: Structure = field(default_factory=lambda: Structure())

    @property
    def required(self) -> bool:
        """True if it may not be empty, and an attribute may not be missing."""
        return self.count == "!"


@dataclass
class Structure:
    """The content of an element; `open` if SDF allows more in it than affects inertia."""

    kind: str = ""
    attributes: dict[str, Slot] = field(default_factory=dict)
    children: dict[str, Slot] = field(default_factory=dict)
    open: bool = False

    @cached_property
    def required(self) -> list[str]:
        """The attributes that it must have."""
        return [name for name, slot in self.attributes.items() if slot.required]


_WORD = re.compile(r"(@?)(\w+)(?::(\w))?([!?*+])(\()?")


def _read(table: str) -> dict[str, Structure]:
    lines = [line.partition(" =") for line in table.strip().replace("\n ", " ").splitlines()]
    heads = [head.partition(":") for head, _, _ in lines]
    known = {name: Structure(kind) for name, _, kind in heads}
    known["axis2"] = known["axis"]
    for (name, _, _), (_, _, content) in zip(heads, lines, strict=True):
        _fill(known[name], iter(content.split()), known)
    return known


def _fill(structure: Structure, words: Iterator[str], known: dict[str, Structure]) -> None:
    for word in words:
        if word == ")":
            return
        if word == "...":
            structure.open = True
            continue
        match = _WORD.fullmatch(word)
        assert match is not None, word
        attribute, name, kind, count, opened = match.groups()
        inner = known[name] if not (attribute or kind or opened) else Structure(kind or "")
        if opened:
            _fill(inner, words, known)
        (structure.attributes if attribute else structure.children)[name] = Slot(inner.kind, count, inner)


ROOT = Slot("", "!", _read(TABLE)["sdf"])
"""The root of the table, ``<sdf>``, with the description of every element that is checked as its descendants."""


LOADED = (*sorted([*SDF_SHAPES, "plane"]), "mesh", "heightmap", "polyline")
"""Shapes in the order in which libsdformat looks for them, whatever their order in the file."""

NOT_LOADED = ("image", "empty")
"""Shapes that libsdformat describes and then ignores."""


def shape_of(geometry: Element | None) -> Element | None:
    """Return the shape that libsdformat uses, or None if there is none."""
    if geometry is None:
        return None
    by_tag: dict[str, Element] = {}
    for child in geometry:
        by_tag.setdefault(child.tag, child)
    return next((by_tag[tag] for tag in (*LOADED, *NOT_LOADED) if tag in by_tag), None)
