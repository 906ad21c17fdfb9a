# SPDX-License-Identifier: Apache-2.0
"""The versions of SDFormat, and what older ones write differently."""

from __future__ import annotations

from ....document.document import Document
from ....document.element import Element, child_of, text_of
from .codes import sdf_error
from .element_faults import MOVED

VERSIONS = tuple((1, minor) for minor in (0, *range(2, 13)))
"""Supported versions of SDFormat: 1.0, and 1.2 to 1.12."""


def parse_version(text: str) -> tuple[int, int] | None:
    """Return a version such as 1.11 as numbers; None for any other text."""
    major, point, minor = text.strip().partition(".")
    if not (point and major.isascii() and major.isdigit() and minor.isascii() and minor.isdigit()):
        return None
    return (int(major), int(minor)) if len(text) < 20 else None


def version_of(document: Document) -> tuple[int, int]:
    """Return a document's version of SDF; the oldest if it cannot be read."""
    return parse_version(document.root.get("version", "")) or VERSIONS[0]


def before_1_7(document: Document) -> bool:
    """Return True if siblings of different kinds may share a name in a document's version."""
    return version_of(document) < (1, 7)


def checked_document(document: Document) -> Document:
    """Return a document if it is SDFormat of a supported version.

    Raises
    ------
    InertiaError
        ``not_sdf`` or ``bad_version``.
    """
    root = document.root
    if root.tag != "sdf":
        raise sdf_error("not_sdf", root, tag=root.tag)
    text = root.get("version")
    if text is None:
        raise sdf_error("bad_version", root, "missing")
    if parse_version(text) not in VERSIONS:
        raise sdf_error("bad_version", root, "unknown", codes=(39, 5), text=ascii(text[:40]))
    if version_of(document) == (1, 0):
        _add_elements_of_attributes(root)
    return document


def _add_elements_of_attributes(root: Element) -> None:
    """Add to a document of 1.0 the elements that libsdformat makes of attributes. (Its 1_0.convert.)"""
    for element in list(root.iter()):
        if element.tag == "origin" and "pose" in element.attrib:
            element.tag, element.text = "pose", element.attrib.pop("pose")
            element.attrib.clear()
        elif element.tag in ("parent", "child") and "link" in element.attrib:
            element.text = element.attrib.pop("link")
        elif element.tag != "mass":
            for name, inside in MOVED.get(element.tag, {}).items():
                if inside and name in element.attrib and name != "filename":  # libsdformat reads no such element
                    element.add(name, element.attrib.pop(name)).calls = ()  # its path is its own


def relative_to_of(posed: Element | None) -> str:
    """Return the frame that a ``<pose>`` is relative to; empty if it names none, or without a pose.

    Up to SDFormat 1.6 the attribute is called ``frame``.
    """
    if posed is None:
        return ""
    name = posed.get("relative_to", "")
    return posed.get("frame", "") if not name and before_1_7(posed.document) else name


def in_model_frame(axis: Element) -> bool:
    """Return True if an axis is given as before 1.7, in its model's frame: up to 1.4 that was the only one."""
    element = child_of(axis, "use_parent_model_frame")
    if element is None:
        return version_of(axis.document) < (1, 5)
    return before_1_7(axis.document) and text_of(element).lower() in ("true", "1")
