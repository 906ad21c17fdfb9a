# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF in: its links, joints, inertials, collisions and visuals as the SDF that libsdformat would make of them.

The SDF keeps the lines of the URDF, so that findings name the place in the user's file, and the rest of the product
needs no second reader. yourdfpy, the maintained library for URDF, keeps no lines, takes a DOCTYPE and brings along some
thirty packages; so lxml, behind the same guards as for SDF.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from ..errors import InertiaError
from ..inertial import COMPONENTS
from .document import Document, Element
from .read import SdfFile, read_document

XACRO = "ros.org/wiki/xacro"

SHAPES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}


def is_urdf(document: Document) -> bool:
    """Say whether a document is a URDF."""
    return str(document.root.tag) == "robot"


def read_urdf(document: Document, roots: Sequence[Path] = ()) -> SdfFile:
    """Read a URDF as if it were the SDF of the same robot.

    A link without ``<inertial>`` has no mass in URDF, where SDF would assume 1 kg. A root link without one is taken to
    stand on the ground, as in ROS.

    Raises
    ------
    InertiaError
        ``xacro`` for a file whose macros are not expanded, or what `read_document` raises.
    """
    if any(XACRO in str(element.tag) for element in document.root.iter("*")):
        message = "it is a xacro file, whose macros are not expanded"
        raise InertiaError("xacro", document.name, message, "expand it: xacro FILE > robot.urdf")
    path = document.path
    sdf = Document.parse(_Lines(document).text().encode(), document.name, path)
    return read_document(sdf, roots, described=False)


class _Lines:
    """Writes SDF on the lines that the URDF has."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._parts: list[str] = []
        self._line = 1

    def text(self) -> str:
        root = self._document.root
        self._add(f'<sdf version="1.11"><model name={quoteattr(root.get("name") or "robot")}>')
        placed = {_child(joint): joint.get("name", "") for joint in root.iterfind("joint")}
        for element in root:
            if element.tag == "link" and element.get("name") != "world":
                self._link(element, placed)
            elif element.tag == "joint":
                self._joint(element)
        self._add("</model></sdf>")
        return "".join(self._parts)

    def _add(self, text: str, element: Element | None = None) -> None:
        if element is not None:
            missing = self._document.line(element) - self._line
            self._parts.append("\n" * max(missing, 0))
            self._line += max(missing, 0)
        self._parts.append(text)

    def _link(self, element: Element, placed: dict[str, str]) -> None:
        name = element.get("name", "")
        self._add(f"<link name={quoteattr(name)}>", element)
        if placed.get(name):
            self._add(f"<pose relative_to={quoteattr(placed[name])}/>")
        if element.find("inertial") is None:
            zeros = "".join(f"<{one}>0</{one}>" for one in ("ixx", "iyy", "izz"))
            self._add(f"<inertial><mass>0</mass><inertia>{zeros}</inertia></inertial>")
        count = 0
        for child in element:
            if child.tag == "inertial":
                self._inertial(child)
            elif child.tag in ("collision", "visual"):
                count += 1
                self._part(child, child.get("name") or f"{child.tag}_{count}")
        self._add("</link>")
        if name and name not in placed and element.find("inertial") is None:
            self._add(_joint_text(f"{name}_on_ground", "fixed", "world", name))

    def _inertial(self, element: Element) -> None:
        self._add("<inertial>", element)
        self._origin(element)
        mass, inertia = element.find("mass"), element.find("inertia")
        self._add(f"<mass>{_text(mass, 'value')}</mass>", mass)
        self._add("<inertia>", inertia)
        for name in COMPONENTS:
            self._add(f"<{name}>{_text(inertia, name)}</{name}>")
        self._add("</inertia></inertial>")

    def _part(self, element: Element, name: str) -> None:
        self._add(f"<{element.tag} name={quoteattr(name)}>", element)
        self._origin(element)
        self._add("<geometry>")
        geometry = element.find("geometry")
        for shape in () if geometry is None else geometry.iterchildren("*"):
            self._add(f"<{shape.tag}>", shape)
            if shape.tag == "mesh":
                self._add(f"<uri>{_text(shape, 'filename')}</uri>")
                if shape.get("scale"):
                    self._add(f"<scale>{_text(shape, 'scale')}</scale>")
            for size in SHAPES.get(shape.tag, ()):
                self._add(f"<{size}>{_text(shape, size)}</{size}>")
            self._add(f"</{shape.tag}>")
        self._add(f"</geometry></{element.tag}>")

    def _joint(self, element: Element) -> None:
        parent, child = element.find("parent"), element.find("child")
        if parent is None or child is None:
            return
        kind = element.get("type", "")
        name = element.get("name", "")
        self._add(f"<joint name={quoteattr(name)} type={quoteattr(kind)}>", element)
        # A joint stands where its origin says, seen from the parent; its child stands there too.
        frame = parent.get("link", "")
        self._origin(element, "__model__" if frame in ("", "world") else frame)
        self._add(f"<parent>{_text(parent, 'link')}</parent><child>{_text(child, 'link')}</child></joint>")

    def _origin(self, element: Element, relative_to: str = "") -> None:
        origin = element.find("origin")
        if origin is None and not relative_to:
            return
        attribute = f" relative_to={quoteattr(relative_to)}" if relative_to else ""
        xyz = origin.get("xyz", "0 0 0") if origin is not None else "0 0 0"
        rpy = origin.get("rpy", "0 0 0") if origin is not None else "0 0 0"
        self._add(f"<pose{attribute}>{escape(xyz)} {escape(rpy)}</pose>", origin)


def _child(joint: Element) -> str:
    child = joint.find("child")
    return "" if child is None else str(child.get("link", ""))


def _text(element: Element | None, attribute: str) -> str:
    return "" if element is None else escape(element.get(attribute, ""))


def _joint_text(name: str, kind: str, parent: str, child: str) -> str:
    return (
        f"<joint name={quoteattr(name)} type={quoteattr(kind)}>"
        f"<parent>{escape(parent)}</parent><child>{escape(child)}</child></joint>"
    )
