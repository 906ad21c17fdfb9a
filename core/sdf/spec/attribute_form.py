# SPDX-License-Identifier: GPL-3.0-or-later
"""SDF 1.0 has values as attributes, as URDF does; libsdformat turns them into elements, for this version alone."""

from __future__ import annotations

from ..xml.document import Document

_SIZES = {
    "box": ("size",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "mesh": ("filename", "scale"),
}

MOVED: dict[str, dict[str, bool]] = {
    **{tag: dict.fromkeys(names, True) for tag, names in _SIZES.items()},
    "model": {"static": True},
    "inertial": {"mass": True, "density": True},
    "inertia": dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), True),
    "axis": {"xyz": True},
    "axis2": {"xyz": True},
    "mass": {"value": False},
    "origin": {"pose": False, "xyz": False, "rpy": False},
    "parent": {"link": False},
    "child": {"link": False},
}
"""Attributes by element: true if each becomes an element in it, false if it becomes the element's own text."""


def elements_of_attributes(document: Document) -> None:
    """Give a document of 1.0 the elements that libsdformat reads in place of its attributes.

    (1_0.convert of libsdformat.) The new elements have the places of those that had the attributes.
    """
    for element in list(document.root.iter("*")):
        if element.tag == "origin" and "pose" in element.attrib:
            element.tag, element.text = "pose", element.attrib.pop("pose")
            element.attrib.clear()
        elif element.tag in ("parent", "child") and "link" in element.attrib:
            element.text = element.attrib.pop("link")
        elif element.tag != "mass":
            for name, inside in MOVED.get(element.tag, {}).items():
                if inside and name in element.attrib and name != "filename":  # libsdformat reads no <filename>
                    document.add(element, name, element.attrib.pop(name))
