# SPDX-License-Identifier: GPL-3.0-or-later
"""The structure of SDF 1.11 as a small table: what everything we write is validated against, and typos found by.

libsdformat copies an element that it does not know, says nothing that a user would see, and takes the default.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from ..errors import Finding, Severity
from .document import Document, Element, qualified
from .values import text_of, to_number
from .xml_names import COLON

TABLE = """
sdf: @version:s! world* model? light? actor*
world: @name:s! audio? wind? include* gravity:v3? magnetic_field:v3? atmosphere? gui? physics* scene? light* frame*
 joint* model* plugin* road* spherical_coordinates? state* population* actor*
model: @name:s! @canonical_link:s @placement_frame:s static:b? self_collide:b? allow_auto_disable:b? frame* pose? link*
 joint* plugin* gripper* include* model* enable_wind:b?
link: @name:s! gravity:b? enable_wind:b? self_collide:b? kinematic:b? must_be_base_link:b? velocity_decay? pose?
 inertial? collision* visual* sensor* projector* audio_sink* audio_source* battery* light* particle_emitter*
velocity_decay: linear:f? angular:f?
inertial: @auto:b mass:f? density:f? auto_inertia_params? pose? inertia? fluid_added_mass?
inertia: ixx:f! ixy:f? ixz:f? iyy:f! iyz:f? izz:f!
fluid_added_mass: xx:f? xy:f? xz:f? xp:f? xq:f? xr:f? yy:f? yz:f? yp:f? yq:f? yr:f? zz:f? zp:f? zq:f? zr:f? pp:f? pq:f?
 pr:f? qq:f? qr:f? rr:f?
collision: @name:s! laser_retro:f? max_contacts:i? density:f? auto_inertia_params? pose? geometry! surface?
visual: @name:s! cast_shadows:b? laser_retro:f? transparency:f? visibility_flags:i? meta? pose? material? geometry!
 plugin*
meta: layer:i?
material: script? shader? render_order:f? lighting:b? ambient:c? diffuse:c? specular:c? shininess:f? emissive:c?
 double_sided:b? pbr?
geometry: empty? box? capsule? cone? cylinder? ellipsoid? heightmap? image? mesh? plane? polyline* sphere?
empty:
box: size:v3!
capsule: radius:f! length:f!
cone: radius:f! length:f!
cylinder: radius:f! length:f!
ellipsoid: radii:v3!
sphere: radius:f!
mesh: @optimization:s convex_decomposition? uri:s! submesh? scale:v3?
convex_decomposition: max_convex_hulls:i? voxel_resolution:i?
submesh: name:s! center:b?
plane: normal:v3! size:v2!
heightmap: uri:s! size:v3? pos:v3? texture* blend* use_terrain_paging:b? sampling:i?
image: uri:s! scale:f! threshold:i! height:f! granularity:i!
polyline: point:v2+ height:f!
joint: @name:s! @type:s! parent:s! child:s! gearbox_ratio:f? gearbox_reference_body:s? thread_pitch:f?
 screw_thread_pitch:f? axis? axis2? physics? pose? sensor*
axis: xyz:v3! dynamics? limit? mimic?
axis2: xyz:v3! dynamics? limit? mimic?
xyz: @expressed_in:s
limit: lower:f? upper:f? effort:f? velocity:f? stiffness:f? dissipation:f?
dynamics: damping:f? friction:f? spring_reference:f? spring_stiffness:f?
mimic: @joint:s! @axis:s multiplier:f! offset:f! reference:f!
frame: @name:s! @attached_to:s pose?
include: @merge:b uri:s! name:s? static:b? pose? plugin* placement_frame:s?
pose: @relative_to:s @rotation_format:s @degrees:b
inertial/pose: @rotation_format:s @degrees:b
"""
"""One line for each element: attributes, then children, with type and count.

Types: f number, i whole number, b boolean, v3 and v2 numbers, c colour, s text; none: a table line of its own, or not
looked into. Counts: ! exactly one, ? at most one, * any, + at least one. Only what bears on inertia has a line.
"""

OLD = frozenset({"frame", "use_parent_model_frame", "initial_position", "damping", "filename", "provide_feedback"})
"""Names that versions before 1.7 had in other places."""

INERTIAL = ("inertial", "mass", "inertia", "density", "auto_inertia_params", "ixx", "iyy", "izz", "geometry", "static")
"""Elements whose wrong place changes the inertia."""

CLOSE = 0.75
"""Likeness (difflib's ratio) from which on a name is taken for a slip of the pen."""


@dataclass(frozen=True)
class Slot:
    """An attribute or a child: its type, empty for an element with content, and how many there are."""

    kind: str
    count: str


@dataclass(frozen=True)
class Structure:
    """What an element may hold."""

    attributes: dict[str, Slot]
    children: dict[str, Slot]


def _read(table: str) -> dict[str, Structure]:
    structures = {}
    for line in table.replace("\n ", " ").strip().splitlines():
        tag, _, rest = line.partition(":")
        attributes: dict[str, Slot] = {}
        children: dict[str, Slot] = {}
        for word in rest.split():
            name, _, kind = word.rstrip("!?*+").lstrip("@").partition(":")
            slot = Slot(kind, word[-1] if word[-1] in "!?*+" else "?")
            (attributes if word.startswith("@") else children)[name] = slot
        structures[tag] = Structure(attributes, children)
    return structures


STRUCTURES = _read(TABLE)

PARENTS = {tag: [name for name, one in STRUCTURES.items() if tag in one.children] for tag in INERTIAL}


def structure_findings(document: Document) -> Iterator[Finding]:
    """Yield what is not as SDF 1.11 has it.

    Warnings are what changes the meaning of the file without a word from libsdformat: ``misspelled``, ``misplaced``,
    ``repeated`` and ``bad_value``. Infos are ``unknown_element``, ``unknown_attribute``, ``missing_child`` and
    ``missing_attribute``; what we write ourselves has none of either.
    """
    old = document.root.get("version", "") in ("1.4", "1.5", "1.6")
    waiting = [document.root]
    while waiting:
        element = waiting.pop()
        structure = _structure(element)
        if structure is None:
            continue
        yield from _attributes(document, element, structure, old)
        yield from _children(document, element, structure, old)
        waiting += [child for child in reversed(element) if child.tag in structure.children]


def _structure(element: Element) -> Structure | None:
    parent = element.getparent()
    key = f"{parent.tag}/{element.tag}" if parent is not None else ""
    return STRUCTURES.get(key) or STRUCTURES.get(element.tag)


def _attributes(document: Document, element: Element, structure: Structure, old: bool) -> Iterator[Finding]:
    for name, text in element.attrib.items():
        slot = structure.attributes.get(name)
        if slot is not None:
            if not _is(slot.kind, text):
                yield _bad_value(document, element, f"{name}={text!a}", slot.kind)
        elif not (COLON in name or (old and name in OLD)):
            free = [one for one in structure.attributes if one not in element.attrib]
            yield _unknown(document, element, f"attribute '{name}' of <{element.tag}>", name, free, "attribute")
    for name, slot in structure.attributes.items():
        if slot.count == "!" and name not in element.attrib:
            message = f"<{element.tag}> has no attribute '{name}'"
            yield _finding(document, element, "info", "missing_attribute", message, "add it")


def _children(document: Document, element: Element, structure: Structure, old: bool) -> Iterator[Finding]:
    counts: dict[str, int] = {}
    for child in element.iterchildren("*"):
        name = child.tag
        slot = structure.children.get(name)
        if slot is None:
            if not (COLON in name or (old and name in OLD)):
                yield _stray(document, element, child, structure)
            continue
        counts[name] = counts.get(name, 0) + 1
        if counts[name] == 2 and slot.count in "!?":
            message = f"<{element.tag}> has more than one <{name}>; the first counts"
            yield _finding(document, child, "warning", "repeated", message, "remove all but one")
        if slot.kind and not _is(slot.kind, text_of(child)):
            yield _bad_value(document, child, f"<{name}> {text_of(child)[:40]!a}", slot.kind)
    if element.tag == "geometry" and len(counts) > 1:
        message = f"a geometry is one shape, here are {', '.join(counts)}"
        yield _finding(document, element, "warning", "repeated", message, "make a collision of each")
    for name, slot in structure.children.items():
        if slot.count in "!+" and name not in counts:
            message = f"<{element.tag}> has no <{name}>"
            yield _finding(document, element, "info", "missing_child", message, "add it")


def _stray(document: Document, element: Element, child: Element, structure: Structure) -> Finding:
    name = str(child.tag)
    if name in PARENTS:
        homes = " or ".join(f"<{parent}>" for parent in PARENTS[name])
        message = f"<{name}> in <{element.tag}> counts for nothing; it belongs in {homes}"
        return _finding(document, child, "warning", "misplaced", message, "move it there")
    return _unknown(document, child, f"<{qualified(child)}> in <{element.tag}>", name, structure.children, "element")


def _unknown(
    document: Document, element: Element, what: str, name: str, known: dict[str, Slot] | list[str], kind: str
) -> Finding:
    close = _close(name, known)
    if close:
        message = f"{what} is unknown to SDF and counts for nothing: did you mean '{close}'?"
        return _finding(document, element, "warning", "misspelled", message, "correct the name")
    return _finding(document, element, "info", f"unknown_{kind}", f"{what} is unknown to SDF 1.11", "")


def _close(name: str, known: dict[str, Slot] | list[str]) -> str:
    by_lower = {one.lower(): one for one in known}
    found = get_close_matches(name.lower(), by_lower, 1, CLOSE)
    return by_lower[found[0]] if found else ""


_SIZES = {"v3": (3,), "v2": (2,), "c": (3, 4)}
_TYPES = {"f": "a number", "i": "a whole number", "b": "true or false", "v3": "three numbers", "v2": "two numbers"}


def _is(kind: str, text: str) -> bool:
    """Say whether a text is of a type of the table."""
    if kind in ("", "s"):
        return True
    if kind == "b":
        return text.strip().lower() in ("true", "false", "0", "1")
    words = text.split()
    try:
        numbers = [to_number(word) for word in words]
    except ValueError:
        return False
    if kind == "i":
        return len(numbers) == 1 and numbers[0] == numbers[0] // 1
    return len(numbers) in _SIZES.get(kind, (1,))


def _bad_value(document: Document, element: Element, what: str, kind: str) -> Finding:
    expected = _TYPES.get(kind, "a colour of three or four numbers")
    return _finding(document, element, "warning", "bad_value", f"{what} is not {expected}", "correct it")


def _finding(document: Document, element: Element, severity: Severity, code: str, message: str, remedy: str) -> Finding:
    return Finding(severity, code, document.place(element), message, remedy)
