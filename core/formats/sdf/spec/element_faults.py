# SPDX-License-Identifier: Apache-2.0
"""Errors in an element's own text or attributes, and attributes that are written instead of elements."""

from __future__ import annotations

from ....document.element import Element
from ....errors import InertiaError
from .codes import sdf_error
from .description import SDF_SHAPES

MOVED: dict[str, dict[str, bool]] = {
    **{kind: dict.fromkeys(fields, True) for kind, fields in SDF_SHAPES.items()},
    "mesh": {"filename": True, "scale": True},
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
"""Attributes by element: true where each becomes an element in it, false where it becomes the element's own text."""


IN_ATTRIBUTE = (5, 9, 1)
"""libsdformat's numbers for an attribute that it cannot read."""

LONGEST = 40
"""Characters of a wrong text that a message quotes."""


def attribute_form(element: Element) -> InertiaError | None:
    """Return the error for an element with attributes that are elements in SDF; None if there are none."""
    names = [name for name in MOVED.get(element.tag, ()) if name in element.attrib]
    if not names:
        return None
    value = ascii(element.get(names[0]))[1:-1][:LONGEST]
    if element.tag == "origin":
        better = "<pose>x y z roll pitch yaw</pose>"
    elif MOVED[element.tag][names[0]]:
        tag = "uri" if names[0] == "filename" else names[0]
        better = f"<{tag}>{value}</{tag}> in <{element.tag}>"
    else:
        better = f"<{element.tag}>{value}</{element.tag}>"
    values = {"names": ", ".join(names), "count": len(names), "tag": element.tag, "better": better}
    return sdf_error("attribute_form", element, **values)


def no_attribute(element: Element, attribute: str) -> InertiaError:
    """Return the error for an attribute that is missing, or blank although it must not be."""
    code = "no_name" if attribute == "name" else "missing_attribute"
    codes = None if element.get(attribute) is None else IN_ATTRIBUTE
    return sdf_error(code, element, codes=codes, tag=element.tag, attribute=attribute)


def reserved(element: Element, name: str) -> InertiaError:
    """Return the error for a name that is reserved by libsdformat, or contains its ``::``."""
    form = "scoped" if "::" in name else ""
    if name == "world" and element.tag == "link" and not len(element):
        form = "world"
    return sdf_error("reserved_name", element, form, name=shown(name))


def shown(text: str) -> str:
    """Return a text as messages show it."""
    if not text.strip():
        return "blank"
    return ascii(text if len(text) <= LONGEST else text[:LONGEST] + "...")
