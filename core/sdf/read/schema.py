# SPDX-License-Identifier: Apache-2.0
"""Checks the elements of a file that affect inertia against the table of SDF; ignores all others.

Errors are what libsdformat refuses to read, warnings are mistakes that it does not report: it copies an unknown
element, and uses the default.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache

from ...errors import Finding, InertiaError, Severity
from ..codes import sdf_error
from ..spec.description import ROOT, SDF_SHAPES, Slot, shape_of
from ..spec.element_faults import MOVED, attribute_form, no_attribute, reserved, shown
from ..spec.values import bad_text, in_slot, pose, text_of
from ..spec.versions import before_1_7, relative_to_of, version_of
from ..xml.document import Document, Element, child_of, qualified
from ..xml.xml_names import COLON
from .classes import CLASSES, refusals

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

REFERENCES = frozenset(
    {
        ("frame", "attached_to"),
        ("pose", "relative_to"),
        ("model", "placement_frame"),
        ("model", "canonical_link"),
    }
)
"""Attributes that name a frame."""

CLOSE = 0.75
"""Minimum similarity (difflib's ratio) of a misspelled name to the right one."""


def structure_findings(document: Document) -> list[Finding]:
    """Return the differences from SDF, in libsdformat's order.

    Errors are what libsdformat refuses, and attributes in the form of URDF. Warnings are what silently changes the
    meaning of the file: ``misspelled``, ``misplaced``, ``repeated``, and a text that it reads only in part. Infos
    are ``unknown_element``, ``unknown_attribute`` and ``missing_child``.
    """
    walk = _Walk(document)
    findings = list(walk.findings())
    for element in walk.of_classes:
        findings += [error.finding() for error in refusals(document, element)]
    return findings


class _Walk:
    """One pass over a document; `of_classes` are the elements that libsdformat makes objects of, in order."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.of_classes: list[Element] = []
        self.old = before_1_7(document)
        self.scoped = version_of(document) > (1, 7)

    def findings(self) -> Iterator[Finding]:
        yield from self._top_pose()
        waiting = [(self.document.root, ROOT)]
        names = []
        while waiting:
            element, slot = waiting.pop()
            structure = slot.structure
            form = attribute_form(self.document, element) if element.attrib else None
            if form is not None:
                yield form.finding()
            if element.attrib or structure.required:
                yield from self._attributes(element, slot)
                if self.scoped and "name" in structure.attributes and "::" in element.get("name", ""):
                    names.append(element)
            if slot.kind and form is None:
                yield from self._text(element, slot)
            if not slot.kind and element.tag in CLASSES:
                self.of_classes.append(element)
            if len(element) or element.tag == "joint" or element.tag in NEEDED:
                children, findings = self._children(element, slot, form is not None)
                yield from findings
                waiting += reversed(children)
        for element in names:
            yield reserved(self.document, element, element.get("name")).finding()

    def _top_pose(self) -> Iterator[Finding]:
        """Yield what libsdformat checks first: a top-level model has no parent for a placement."""
        posed = child_of(child_of(self.document.root, "model"), "pose")
        frame = relative_to_of(self.document, posed)
        if frame:
            yield sdf_error("top_relative_to", self.document.place(posed), frame=shown(frame)).finding()

    def _attributes(self, element: Element, slot: Slot) -> Iterator[Finding]:
        document, known = self.document, slot.structure.attributes
        for name, text in element.attrib.items():
            own = known.get(name)
            if own is None:
                if not (COLON in name or (self.old and name == "frame") or name in MOVED.get(element.tag, ())):
                    free = [one for one in known if one not in element.attrib]
                    what = f"attribute '{name}' of <{element.tag}>"
                    yield from self._unknown(element, what, name, free, slot)
                continue
            if text == "__root__" and (element.tag, name) in REFERENCES:
                yield sdf_error("bad_value", document.place(element), "root_frame", codes=(5,), name=name).finding()
            found = in_slot(own, text)
            if found == "not" and not text.strip():
                yield no_attribute(document, element, name).finding()
            elif found != "whole":
                yield _read_as(bad_text(document, element, own, text, name))
        for name in slot.structure.required:
            if name not in element.attrib:
                yield no_attribute(document, element, name).finding()

    def _text(self, element: Element, slot: Slot) -> Iterator[Finding]:
        text = text_of(element)
        if slot.kind == "p":
            try:
                pose(self.document, element)
            except InertiaError as error:
                yield _read_as(error)
        elif in_slot(slot, text) != "whole":
            yield _read_as(bad_text(self.document, element, slot, text))

    def _children(self, element: Element, slot: Slot, formed: bool) -> tuple[list[tuple[Element, Slot]], list[Finding]]:
        known = slot.structure.children
        counts: dict[str, int] = {}
        deeper: list[tuple[Element, Slot]] = []
        findings: list[Finding] = []
        for child in element.iterchildren("*"):
            name = child.tag
            own = known.get(name)
            if own is None:
                if COLON not in name:
                    findings += self._stray(element, child, slot)
                continue
            counts[name] = counts.get(name, 0) + 1
            if counts[name] == 2 and own.count in "!?" and name not in SEVERAL:
                finding = self._finding(child, "warning", "repeated", "element", parent=element.tag, tag=name)
                findings.append(finding)
            deeper.append((child, own))
        if element.tag == "geometry" and len(counts) > 1:
            shape = shape_of(element)
            counted = element.tag if shape is None else shape.tag
            shapes = ", ".join(counts)
            findings.append(self._finding(element, "warning", "repeated", "shapes", shapes=shapes, counted=counted))
        if not formed:
            findings += self._missing(element, known, counts)
        return deeper, findings

    def _missing(self, element: Element, known: dict[str, Slot], counts: dict[str, int]) -> Iterator[Finding]:
        joint = element.tag == "joint" and element.get("type") != "ball"
        if not joint and element.tag not in NEEDED:
            return
        for name, slot in known.items():
            if slot.count in "!+" and name not in counts and name not in UNSAID:
                if joint:
                    yield sdf_error(
                        "missing_element", self.document.place(element), "child", tag=element.tag, name=name
                    ).finding()
                else:
                    yield self._finding(element, "info", "missing_child", tag=element.tag, name=name)

    def _stray(self, element: Element, child: Element, slot: Slot) -> Iterator[Finding]:
        name = str(child.tag)
        form = attribute_form(self.document, child) if name == "origin" and "pose" in slot.structure.children else None
        if form is not None:
            yield form.finding()
        elif name in HOMES:
            homes = " or ".join(f"<{parent}>" for parent in HOMES[name])
            yield self._finding(child, "warning", "misplaced", "element", tag=name, parent=element.tag, homes=homes)
        else:
            what = f"<{qualified(child)}> in <{element.tag}>"
            yield from self._unknown(child, what, name, slot.structure.children, slot)

    def _unknown(self, element: Element, what: str, name: str, known: Iterable[str], slot: Slot) -> Iterator[Finding]:
        close = _close(name, tuple(known))
        if close:
            yield self._finding(element, "warning", "misspelled", what=what, close=close)
        elif not slot.structure.open:
            code = "unknown_attribute" if what.startswith("attribute") else "unknown_element"
            yield self._finding(element, "info", code, what=what)

    def _finding(self, element: Element, severity: Severity, code: str, form: str = "", /, **values: object) -> Finding:
        return Finding.of(severity, code, self.document.place(element), form, **values)


@lru_cache(1000)
def _close(name: str, known: tuple[str, ...]) -> str:
    by_lower = {one.lower(): one for one in known}
    found = get_close_matches(name.lower(), by_lower, 1, CLOSE)
    return by_lower[found[0]] if found else ""


def _read_as(error: InertiaError) -> Finding:
    """Return a finding with libsdformat's severity: a warning for a text that it still reads."""
    finding = error.finding()
    if finding.sdf_codes or finding.code == "quaternion_length":
        return finding
    return Finding("warning", "bad_value", finding.subject, finding.sentence, finding.fix)
