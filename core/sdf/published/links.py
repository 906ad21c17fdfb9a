# SPDX-License-Identifier: GPL-3.0-or-later
"""All links of a file that have or need an inertial, whatever the file is, and whatever is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...errors import PART_REFUSED, Finding, InertiaError
from ...robot.model import Geometry, Unusable, Visual
from ..judge.check_file import is_y_up, seen_of
from ..read.collision import part_name
from ..read.link import ReadLink
from ..read.sdf_file import read_document
from ..spec.values import child_number, text_of
from ..urdf.as_sdf import is_urdf
from ..xml.document import Document, Element, Place, child_of, children_of
from .published_link import PublishedLink
from .urdf_robot import urdf_links


def links_of(document: Document, roots: Sequence[Path] = ()) -> tuple[list[PublishedLink], tuple[Finding, ...]]:
    """Return the links of an SDF or URDF file, and what is wrong with the file as a whole.

    Links of a URDF that are bare points are left out.

    Raises
    ------
    InertiaError
        Where nothing of the file can be read.
    """
    if is_urdf(document):
        return list(urdf_links(document, roots)), ()
    file = read_document(document, roots)
    return [_of_sdf(read) for read in file.links], tuple(file.findings)


def _of_sdf(read: ReadLink) -> PublishedLink:
    inertial = child_of(read.element, "inertial")
    given = inertial is not None
    mass = None
    if inertial is not None:
        try:
            mass = child_number(read.document, inertial, "mass")
        except InertiaError:
            mass = None
    whole = given and all(child_of(inertial, tag) is not None for tag in ("mass", "inertia"))
    names = dict(_names(read))
    model, _, name = read.name.rpartition("::")
    said = read.body.all_findings() if read.auto else read.findings
    errors = tuple(one for one in said if one.severity == "error" and one.code != PART_REFUSED)
    link = replace(read.link, mode="filled", manual=None, mass=None, params={}, findings=())
    published = read.manual if whole and not errors else None
    return PublishedLink(
        *(model, name, read.place, read.document, link, published, given, mass, read.auto, errors, names),
        static=read.static,
        has_visual=bool(children_of(read.element, "visual")),
        read_visuals=lambda: tuple(
            Visual(one.name, one.pose, _upright(_mesh(element), one.geometry, read.place))
            for element, one in read.visuals()
        ),
        read_seen=lambda: seen_of(read),
    )


def _upright(uri: str, geometry: Geometry, place: Place) -> Geometry:
    """Return a visual's geometry, of which something is to be computed, so that all simulators agree on it."""
    if not is_y_up(uri):
        return geometry
    message = f"Gazebo and Drake turn the visual {uri} differently: one of them by 90 degrees"
    return Unusable(InertiaError("gltf_axes", str(place), message, "convert it to OBJ, or give the link a collision"))


def _names(read: ReadLink) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    for kind in ("collision", "visual"):
        for number, element in enumerate(children_of(read.element, kind)):
            yield (kind, part_name(element, number)), tuple(filter(None, (*_materials(element), _mesh(element))))


def _mesh(element: Element) -> str:
    uri = element.find("geometry/mesh/uri")
    return "" if uri is None else text_of(uri)


def _materials(element: Element) -> Iterator[str]:
    for name in element.iterfind("material/script/name"):
        yield text_of(name)
        yield text_of(name).rpartition("/")[2]
