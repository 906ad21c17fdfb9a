# SPDX-License-Identifier: Apache-2.0
"""A link's inertial as text to paste into an SDF, a URDF, an MJCF or a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from lxml import etree

from ..body.inertial import COMPONENTS, Inertial
from ..document.numbers import number
from ..robot.part import Body
from ..robot.resolve import LinkBody
from .mjcf import write as model_mjcf
from .sdf.write import Element, write_inertial
from .urdf import write as model_urdf


def sdf_text(body: Body) -> str:
    """Return an SDFormat ``<inertial>``, as an export writes it into a filled link."""
    link = etree.Element("link")
    write_inertial(link, _inertial(body))
    return _lines(link[0])


def urdf_text(body: Body) -> str:
    """Return a URDF ``<inertial>``: its origin is in the link's frame, its products have SDF's sign."""
    link = etree.Element("link")
    model_urdf.write_inertial(link, _inertial(body))
    return _lines(link[0])


def mjcf_text(body: Body) -> str:
    """Return an ``<inertial>`` of MJCF, with the full tensor in the body's frame."""
    element = etree.Element("body")
    model_mjcf.write_inertial(element, _inertial(body))
    return _lines(element[0])


def markdown_text(body: LinkBody) -> str:
    """Return a table of a link and its parts: SI, every digit, in the link's frame, tensors about their own centre."""
    names = ("mass [kg]", *(f"com {axis} [m]" for axis in "xyz"), *(f"{name} [kg·m²]" for name in COMPONENTS))
    head = f"| {_cell(body.name)} | {' | '.join(names)} |\n|---|{'---:|' * len(names)}\n"
    rows = [_row(_cell(part.name), part) for part in body.parts]
    return head + "".join(rows) + _row("**link**", body)


FORMATS: Mapping[str, Callable[[LinkBody], str]] = MappingProxyType(
    {"SDF": sdf_text, "URDF": urdf_text, "MARKDOWN": markdown_text}
)
"""Functions that return the text of a link with an inertial."""

OF_BODY: Mapping[str, Callable[[Body], str]] = MappingProxyType({"sdf": sdf_text, "urdf": urdf_text, "mjcf": mjcf_text})
"""Functions that return the ``<inertial>`` of a body, by the format of its file."""


def _row(name: str, body: Body) -> str:
    inertial = _inertial(body)
    values = [inertial.mass, *inertial.com.tolist(), *(inertial.inertia[cell] for cell in COMPONENTS.values())]
    return f"| {name} | {' | '.join(number(value) for value in values)} |\n"


def _cell(name: str) -> str:
    return name.replace("|", r"\|")


def _inertial(body: Body) -> Inertial:
    if body.inertial is None:
        raise ValueError(f"{body.name} was refused")  # callers must check first
    return body.inertial


def _lines(element: Element) -> str:
    etree.indent(element, "  ")
    text: str = etree.tostring(element, encoding="unicode")
    return text + "\n"
