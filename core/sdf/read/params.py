# SPDX-License-Identifier: GPL-3.0-or-later
"""``<experimental:params>`` of an include: elements of the included model added, removed, replaced or modified.

What comes out is a document of its own. (ParamPassing.cc of libsdformat 16.)
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

from lxml import etree

from ...errors import InertiaError
from ..codes import sdf_error
from ..spec.description import DESCRIBED, ROOT, Structure
from ..spec.element_faults import shown
from ..xml.by_name import ByName
from ..xml.derived_document import DerivedDocument
from ..xml.document import Document, Element, Place, child_of, qualified
from ..xml.xml_names import COLON

PARAMS = "experimental:params"

ACTIONS = ("add", "modify", "remove", "replace")

DIRECTIVES = ("element_id", "action")
"""Attributes that say what to do, and are no part of the result."""


def params_of_include(include: Element) -> Element | None:
    """Return the ``<experimental:params>`` of an include, or None."""
    return next((child for child in include.iterchildren("*") if qualified(child) == PARAMS), None)


def with_params(included: Document, params: Element, including: Document) -> tuple[Document, list[InertiaError]]:
    """Return the included document as its include would have it, and what could not be done about it.

    Like libsdformat, it leaves out what cannot be done.

    Raises
    ------
    InertiaError
        What parsing raises, should the result be too large.
    """
    change = _Change.of(including, included)
    for one in params.iterchildren("*"):
        try:
            change.apply(one)
        except InertiaError as error:
            change.errors.append(error)
    return DerivedDocument.of(change.root, change.origins, included), change.errors


@dataclass
class _Change:
    """A tree that is changed by the elements of `document`, and where each of its elements stands."""

    document: Document
    root: Element
    origins: dict[Element, Place]
    errors: list[InertiaError] = field(default_factory=list)
    by_name: ByName = field(default_factory=ByName)

    @classmethod
    def of(cls, document: Document, included: Document) -> _Change:
        root = deepcopy(included.root)
        places = (included.at(one) for one in included.root.iter("*"))
        return cls(document, root, dict(zip(root.iter("*"), places, strict=True)))

    def _error(self, element: Element, codes: tuple[int, ...], message: str, remedy: str) -> InertiaError:
        code = {2: "duplicate_name", 4: "missing_attribute", 5: "bad_value", 8: "missing_element", 9: "bad_value"}
        return sdf_error(code[codes[0]], self.document.at(element), message, remedy, codes)

    def apply(self, one: Element) -> None:
        where, action = one.get("element_id"), one.get("action")
        if where is None:
            raise self._error(one, (4,), f"<{one.tag}> of the params has no element_id", "give it one")
        if where.endswith("::"):
            raise self._error(one, (5,), f"the element_id {shown(where)} ends without a name", "write one after '::'")
        self._check_action(one, action)
        model = next((child for child in self.root.iterchildren("*") if child.tag in ("model", "actor", "light")), None)
        if model is None:
            return  # told elsewhere
        if action == "add":
            self._add(one, where, model)
            return
        found = self.by_name.find(model, where, str(one.tag))
        if found is None:
            message = f"there is no <{one.tag}> {shown(where)} to change; libsdformat finds no name of one letter"
            raise self._error(one, (8,), message, "correct the element_id")
        if action in (None, "replace"):
            self._check_described(one)
        if action is None:
            for child in one.iterchildren("*"):
                try:
                    self._child(child, found)
                except InertiaError as error:
                    self.errors.append(error)
        elif action == "modify":
            self._modify(one, found)
        elif action == "remove":
            self._remove(one, found)
        else:
            self._replace(found, one)

    def _check_action(self, one: Element, action: str | None) -> None:
        if action is not None and action not in ACTIONS:
            raise self._error(one, (5,), f"the action {shown(action)} is none", f"write {', '.join(ACTIONS)}")

    def _check_described(self, one: Element) -> None:
        if one.tag not in DESCRIBED:
            raise self._error(one, (9,), f"<{qualified(one)}> is no element that params can change", "correct the name")

    def _add(self, one: Element, where: str, model: Element) -> None:
        name = one.get("name")
        if not name:
            codes = (4,) if name is None else (5,)
            raise self._error(one, codes, f"the <{one.tag}> to be added has no name", "give it one")
        there = self.by_name.find(model, f"{where}::{name}" if where else name, str(one.tag))
        if there is not None and one.tag != "plugin":
            raise self._error(one, (2,), f"the <{one.tag}> {shown(name)} to be added is there already", "rename it")
        parent = self.by_name.find(model, where) if where else model
        if parent is None:
            raise self._error(one, (8,), f"there is no {shown(where)} to add to", "correct the element_id")
        self._check_described(one)
        self.by_name.append(parent, self._copy(one))

    def _child(self, child: Element, parent: Element) -> None:
        action = child.get("action")
        if action is None:
            raise self._error(child, (4,), f"<{qualified(child)}> of the params has no action", "give it one")
        self._check_action(child, action)
        if action in ("add", "replace") and child.tag not in _structure(parent).children:
            raise self._error(child, (9,), f"<{parent.tag}> holds no <{qualified(child)}>", "correct the name")
        if action == "add":
            self.by_name.append(parent, self._copy(child))
            return
        found = _named(parent, child, action == "modify")
        if found is None:
            raise self._error(child, (8,), f"there is no <{qualified(child)}> to {action}", "correct the name")
        if action == "remove":
            self._remove(child, found)
        elif action == "modify":
            self._modify(child, found)
        elif found.get("name") is not None and child.get("name") is None:
            raise self._error(child, (4,), f"the <{child.tag}> to replace with has no name", "give it one")
        else:
            self._replace(found, child)

    def _remove(self, one: Element, found: Element) -> None:
        if not len(one) and not (one.text or "").strip():
            self.by_name.remove(found)
            return
        for child in one.iterchildren("*"):
            inner = _named(found, child)
            if inner is None:
                error = self._error(child, (8,), f"there is no <{qualified(child)}> to remove", "correct the name")
                self.errors.append(error)
            else:
                self.by_name.remove(inner)

    def _modify(self, one: Element, found: Element) -> None:
        self._modify_attributes(one, found)
        if (one.text or "").strip():
            found.text = one.text
            self.origins[found] = self.document.at(one)
            return
        known = _structure(found).children
        for child in one.iterchildren("*"):
            inner = _named(found, child, True)
            slot = known.get(child.tag)
            if inner is None and slot is not None and slot.count in "!+":  # libsdformat made one, with its default
                inner = etree.SubElement(found, child.tag)
            if inner is None:
                message = f"there is no <{qualified(child)}> in <{found.tag}> to modify"
                self.errors.append(self._error(child, (8,), message, "correct the name"))
            elif (child.text or "").strip() or len(child):
                self._modify(child, inner)
            elif slot is not None and slot.kind:  # back to the default
                self._modify_attributes(child, inner)
                if slot.required and not inner.attrib:
                    self.by_name.remove(inner)
                else:
                    inner.text = None

    def _modify_attributes(self, one: Element, found: Element) -> None:
        known = _structure(found).attributes
        for name, text in one.attrib.items():
            if name in DIRECTIVES:
                continue
            if name in known or name in found.attrib or COLON in name:
                found.set(name, text)
                if name == "name":
                    self.by_name.forget(found.getparent())
                self.origins[found] = self.document.at(one)
            else:
                message = f"<{found.tag}> has no attribute {shown(name)}"
                self.errors.append(self._error(one, (5,), message, "correct the name"))

    def _replace(self, old: Element, new: Element) -> None:
        parent = old.getparent()
        parent.replace(old, self._copy(new))
        self.by_name.forget(parent)

    def _copy(self, one: Element) -> Element:
        """Return an element without its directives."""
        copy = deepcopy(one)
        self.origins.update(zip(copy.iter("*"), map(self.document.at, one.iter("*")), strict=True))
        for name in DIRECTIVES:
            copy.attrib.pop(name, None)
        return copy


def _named(parent: Element, wanted: Element, lenient: bool = False) -> Element | None:
    """Return the first child of a tag, with the same name where one is wanted; `lenient` takes another name, too."""
    name, first = wanted.get("name"), child_of(parent, wanted.tag)
    if name is None:
        return first
    same = next((child for child in parent.iterchildren(wanted.tag) if child.get("name") == name), None)
    return first if same is None and lenient else same


def _structure(element: Element) -> Structure:
    """Return what SDF says of an element's content, by its place in the tree."""
    structure = ROOT.structure
    steps = [element, *element.iterancestors()][-2::-1]
    for step in steps:
        slot = structure.children.get(step.tag)
        if slot is None:
            return Structure()
        structure = slot.structure
    return structure
