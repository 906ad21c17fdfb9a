# SPDX-License-Identifier: Apache-2.0
"""Checks the elements of a file that affect inertia against the table of SDF; ignores all others.

Errors are what libsdformat refuses to read, warnings are mistakes that it does not report: it copies an unknown
element, and uses the default. What it refuses because of other models, links and frames is in tree.py and joints.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from math import hypot

from ...document.document import Document
from ...document.element import Element, child_of, children_of, text_of
from ...errors import Finding, InertiaError
from .spec.codes import sdf_error
from .spec.description import ROOT, SDF_SHAPES, Slot, shape_of
from .spec.element_faults import MOVED, attribute_form, no_attribute, reserved, shown
from .spec.names import is_reserved
from .spec.values import bad_text, in_slot, pose, vector
from .spec.versions import before_1_7, in_model_frame, relative_to_of, version_of

HOMES = {
    "inertial": ("link",),
    **dict.fromkeys(("mass", "inertia"), ("inertial",)),
    **dict.fromkeys(("density", "auto_inertia_params"), ("inertial", "collision")),
    **dict.fromkeys(("ixx", "iyy", "izz"), ("inertia",)),
    "geometry": ("collision", "visual"),
    "static": ("model", "include"),
}
"""Elements whose wrong place changes the inertia, and where they belong."""

NEEDED = frozenset(["collision", "visual", "mesh", "plane", "heightmap", "image", "polyline", "inertia", *SDF_SHAPES])
"""Elements with children whose default nobody intends."""

UNSAID = frozenset({"ixy", "ixz", "iyz"})
"""Children whose default everybody intends."""

SEVERAL = frozenset({"polyline"})
"""Elements that the description allows once, and libsdformat reads any number of times."""

REFERENCES = {
    ("frame", "attached_to"),
    ("pose", "relative_to"),
    ("model", "placement_frame"),
    ("model", "canonical_link"),
}
"""Attributes that name a frame."""

CLOSE = 0.75
"""Minimum similarity (difflib's ratio) of a misspelled name to the right one."""

JOINT_TYPES = frozenset(
    ["ball", "continuous", "fixed", "gearbox", "prismatic", "revolute", "revolute2", "screw", "universal"]
)

NAMED = frozenset(["world", "model", "link", "joint", "frame", "visual", "collision"])
"""Elements whose name may not be reserved."""

OBJECTS = NAMED | {"sdf"}
"""Elements that libsdformat makes objects of."""

UNIQUE = {"link": ("visual", "collision"), "sdf": ("world",)}
"""Children that may not share a name with a sibling of the same kind; the walk through the models checks links, joints,
frames and models."""


def structure_findings(document: Document) -> list[Finding]:
    """Return the differences from SDF, in libsdformat's order.

    Errors are what libsdformat refuses, and attributes in the form of URDF. Warnings are what silently changes the
    meaning of the file: ``misspelled``, ``misplaced``, ``repeated``, and a text that it reads only in part. Infos
    are ``unknown_element``, ``unknown_attribute`` and ``missing_child``.
    """
    findings: list[Finding] = [*_top_pose(document.root)]
    refused: list[InertiaError] = []
    scoped: list[Element] = []
    waiting = [(document.root, ROOT)]
    while waiting:
        element, slot = waiting.pop()
        structure = slot.structure
        form = attribute_form(element) if element.attrib else None
        if form is not None:
            findings.append(form.finding())
        if element.attrib or structure.required:
            findings += _attributes(element, slot)
            if "name" in structure.attributes and "::" in element.get("name", ""):
                scoped.append(element)
        if slot.kind and form is None:
            findings += _value(element, slot)
        if element.tag in OBJECTS and not slot.kind:
            refused += _refusals(element)
        if len(element) or element.tag == "joint" or element.tag in NEEDED:
            findings += _children(element, slot, complete=form is None)
            known = structure.children
            waiting += [(child, known[child.tag]) for child in reversed(element) if child.tag in known]
    if version_of(document) > (1, 7):
        refused = [*(reserved(element, element.get("name", "")) for element in scoped), *refused]
    return findings + [error.finding() for error in refused]


def _top_pose(root: Element) -> Iterator[Finding]:
    """Yield what libsdformat checks first: a top-level model has no parent for a placement."""
    posed = child_of(child_of(root, "model"), "pose")
    frame = relative_to_of(posed)
    if frame:
        yield sdf_error("top_relative_to", posed, frame=shown(frame)).finding()


def _attributes(element: Element, slot: Slot) -> Iterator[Finding]:
    known = slot.structure.attributes
    for name, text in element.attrib.items():
        expected = known.get(name)
        if expected is None:
            old = name == "frame" and before_1_7(element.document)
            if not (":" in name or old or name in MOVED.get(element.tag, ())):
                free = [other for other in known if other not in element.attrib]
                yield from _unknown(element, f"attribute '{name}' of <{element.tag}>", name, free, slot)
            continue
        if text == "__root__" and (element.tag, name) in REFERENCES:
            yield sdf_error("bad_value", element, "root_frame", codes=(5,), name=name).finding()
        reading = in_slot(expected, text)
        if reading == "not" and not text.strip():
            yield no_attribute(element, name).finding()
        elif reading != "whole":
            yield _read_as(bad_text(element, expected, text, name))
    for name in slot.structure.required:
        if name not in element.attrib:
            yield no_attribute(element, name).finding()


def _value(element: Element, slot: Slot) -> Iterator[Finding]:
    text = text_of(element)
    if slot.kind == "p":
        try:
            pose(element)
        except InertiaError as error:
            yield _read_as(error)
    elif in_slot(slot, text) != "whole":
        yield _read_as(bad_text(element, slot, text))


def _read_as(error: InertiaError) -> Finding:
    """Return a finding with libsdformat's severity: a warning for a text that it still reads."""
    finding = error.finding()
    if finding.sdf_codes or finding.code == "quaternion_length":
        return finding
    return Finding("warning", "bad_value", finding.subject, finding.sentence, finding.fix)


def _children(element: Element, slot: Slot, complete: bool) -> Iterator[Finding]:
    """Yield what is wrong with an element's children; if `complete`, also which are missing."""
    known = slot.structure.children
    counts: dict[str, int] = {}
    for child in element:
        name = child.tag
        if name in known:
            counts[name] = counts.get(name, 0) + 1
            if counts[name] == 2 and known[name].count in "!?" and name not in SEVERAL:
                yield Finding.of("warning", "repeated", str(child), "element", parent=element.tag, tag=name)
        elif ":" not in name:
            yield from _stray(element, child, slot)
    shape = shape_of(element) if element.tag == "geometry" else None
    if len(counts) > 1 and element.tag == "geometry":
        values = {"shapes": ", ".join(counts), "counted": element.tag if shape is None else shape.tag}
        yield Finding.of("warning", "repeated", str(element), "shapes", **values)
    joint = element.tag == "joint" and element.get("type") != "ball"
    if not complete or not (joint or element.tag in NEEDED):
        return
    for name, expected in known.items():
        if expected.count in "!+" and name not in counts and name not in UNSAID:
            if joint:
                yield sdf_error("missing_element", element, "child", tag=element.tag, name=name).finding()
            else:
                yield Finding.of("info", "missing_child", str(element), tag=element.tag, name=name)


def _stray(element: Element, child: Element, slot: Slot) -> Iterator[Finding]:
    name = child.tag
    form = attribute_form(child) if name == "origin" and "pose" in slot.structure.children else None
    if form is not None:
        yield form.finding()
    elif name in HOMES:
        homes = " or ".join(f"<{parent}>" for parent in HOMES[name])
        yield Finding.of("warning", "misplaced", str(child), "element", tag=name, parent=element.tag, homes=homes)
    else:
        yield from _unknown(child, f"<{name}> in <{element.tag}>", name, slot.structure.children, slot)


def _unknown(element: Element, what: str, name: str, known: Iterable[str], slot: Slot) -> Iterator[Finding]:
    close = _close(name, tuple(known))
    if close:
        yield Finding.of("warning", "misspelled", str(element), what=what, close=close)
    elif not slot.structure.open:
        code = "unknown_attribute" if what.startswith("attribute") else "unknown_element"
        yield Finding.of("info", code, str(element), what=what)


@lru_cache(1000)
def _close(name: str, known: tuple[str, ...]) -> str:
    by_lower = {word.lower(): word for word in known}
    matches = get_close_matches(name.lower(), by_lower, 1, CLOSE)
    return by_lower[matches[0]] if matches else ""


def _refusals(element: Element) -> Iterator[InertiaError]:
    """Yield what libsdformat refuses when it makes an object of a readable element: names, types, numbers."""
    name = element.get("name", "").strip()
    if element.tag in NAMED and is_reserved(name):
        yield reserved(element, name)
    for tag in UNIQUE.get(element.tag, ()):
        named: dict[str, list[Element]] = {}
        for child in children_of(element, tag):
            named.setdefault(child.get("name", "").strip(), []).append(child)
        for repeated, same in named.items():
            if repeated and len(same) > 1:
                values = {"name": shown(repeated), "count": len(same), "tag": tag, "parent": element.tag}
                yield sdf_error("duplicate_name", same[1], "siblings", **values)
    if element.tag == "joint":
        yield from _joint_refusals(element)
    elif element.tag in ("collision", "visual"):
        shape = shape_of(child_of(element, "geometry"))
        submesh = child_of(shape, "submesh") if shape is not None and shape.tag == "mesh" else None
        if submesh is not None and child_of(submesh, "name") is None:
            yield sdf_error("missing_element", submesh, "name", codes=(8,))
    elif element.tag == "sdf":
        known: set[str] = set()
        models = children_of(element, "model")
        for model in models:
            name = model.get("name", "").strip()
            if name in known:
                yield sdf_error("duplicate_name", model, "top", codes=(2, 11), name=shown(name))
            elif known:  # libsdformat reads only one
                yield sdf_error("several_models", model, count=len(models))
            known.add(name)


def _joint_refusals(joint: Element) -> Iterator[InertiaError]:
    for tag in ("axis", "axis2"):
        axis = child_of(joint, tag)
        xyz = child_of(axis, "xyz")
        if xyz is not None and text_of(xyz) and _is_zero(xyz):
            yield sdf_error("axis_zero", xyz, tag=tag)
        if axis is not None and xyz is None and in_model_frame(axis):
            yield sdf_error("missing_element", axis, "axis", codes=(9, 1), tag=tag)
    kind = joint.get("type", "").strip().lower()
    if kind and kind not in JOINT_TYPES:
        yield sdf_error("bad_type", joint, kind=shown(kind), known=", ".join(sorted(JOINT_TYPES)))


def _is_zero(xyz: Element) -> bool:
    try:
        return hypot(*vector(xyz, 3)) < 1e-6
    except InertiaError:
        return False  # reported elsewhere
