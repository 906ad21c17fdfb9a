# SPDX-License-Identifier: Apache-2.0
"""Writes a model as SDFormat 1.11, and its model.config.

Numbers have the fewest digits that keep 1e-9 of their size; the order of elements is that of the model. So the same
model gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from math import hypot
from typing import Any

import numpy as np
from lxml import etree

from ...body.inertial import COMPONENTS, Inertial
from ...body.materials import WATER
from ...body.pose import Pose
from ...body.shapes import Shape
from ...document.numbers import few, few_texts, inertial_to_write, number, pose_texts
from ...robot.joints import AXES, root_of
from ...robot.model import (
    DYNAMICS,
    SPRING,
    WORLD,
    Collision,
    Geometry,
    Joint,
    Link,
    Mesh,
    Mimic,
    Model,
    Texture,
    Visual,
)
from ...robot.resolve import LinkBody
from ...version import version
from ..fused import fused

SDF_VERSION = "1.11"

NAMESPACES = {
    "gz": "http://gazebosim.org/schema",
    "sdf_inertia": "urn:sdf_inertia",
    "drake": "http://drake.mit.edu",
}
"""The prefixes of parameters and of Drake's elements. libsdformat does not need their declaration, XML parsers do."""

Element = Any  # lxml has no public type for it

COMPUTED = "computed"
"""The element, in our namespace, with what an inertial was computed from."""


def sdf_bytes(
    model: Model,
    bodies: Iterable[LinkBody],
    uris: Mapping[Geometry | Texture, str],
    digests: Mapping[Geometry, str] | None = None,
) -> bytes:
    """Write a model.

    Parameters
    ----------
    bodies : iterable of LinkBody
        The links to write, resolved; a link of the model without one is left out. Those without inertial become
        frames, see `fused`; one that only the world holds has a mass of 0.
    uris : mapping of Mesh or Texture to str
        The URI of each file. The file of a mesh has its surface; its stretch is a scale.
    digests : mapping of Mesh to str, optional
        Of each mesh's file, see `digest`: then computed inertials name what they were computed from.
    """
    resolved = {body.name: body for body in bodies}
    model = fused(model, resolved)
    links = model.links
    names = {link.name for link in links}
    computed = digests is not None and any(resolved[link.name].mode == "filled" for link in links)
    joints = [joint for joint in model.joints if joint.child in names and joint.parent in {*names, WORLD}]
    joints = with_followers(joints)
    root = etree.Element("sdf", nsmap=_used_namespaces(links, joints, computed), version=SDF_VERSION)
    element = etree.SubElement(root, "model", name=model.name)
    if model.static:
        _text(element, "static", "true")
    _pose(element, model.pose)
    base = root_of([link.name for link in links], joints) if joints else None
    if base is not None and base not in (WORLD, links[0].name):
        element.set("canonical_link", base)
    for link in links:
        _link(element, link, resolved[link.name], uris)
        if digests is not None and resolved[link.name].mode == "filled":
            _provenance(element[-1], link, resolved[link.name], digests)
    for joint in joints:
        _joint(element, joint)
    for frame in model.frames:
        if frame.attached_to in names:
            _pose(etree.SubElement(element, "frame", name=frame.name, attached_to=frame.attached_to), frame.pose)
    return document_bytes(root)


def config_bytes(model: Model, sdf_name: str) -> bytes:
    """Write the model.config that makes a folder a model."""
    root = etree.Element("model")
    _text(root, "name", model.name)
    _text(root, "version", "1.0")
    _text(root, "sdf", sdf_name).set("version", SDF_VERSION)
    if model.author:
        _text(etree.SubElement(root, "author"), "name", model.author)
    _text(root, "description", model.description or f"{model.name}, exported from Blender by SDF Inertia")
    return document_bytes(root)


def document_bytes(root: Element) -> bytes:
    """Return a file of a robot, indented."""
    etree.indent(root, "  ")
    data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"
    return data


def digest(data: bytes) -> str:
    """Return 8 hex digits that identify a mesh file's content, as in its name."""
    return sha256(data).hexdigest()[:8]


def _provenance(link_element: Element, link: Link, body: LinkBody, digests: Mapping[Geometry, str]) -> None:
    """Write in a link's inertial how it was computed, and from which mesh files; simulators ignore it."""
    inertial = link_element.find("inertial")
    attributes = {"method": body.method, "version": version()}
    if body.volume is not None and body.inertial is not None and body.volume > 0.0:
        attributes |= {"density": few(body.inertial.mass / body.volume), "volume": few(body.volume)}
    meshes = [digests[collision.geometry] for collision in link.collisions if collision.geometry in digests]
    if meshes:
        attributes["mesh"] = " ".join(meshes)
    etree.SubElement(inertial, f"{{{NAMESPACES['sdf_inertia']}}}{COMPUTED}", attributes)


def with_followers(joints: Sequence[Joint]) -> list[Joint]:
    """Return joints that follow only joints among them."""
    names = {joint.name for joint in joints}
    return [
        joint if joint.mimic is None or joint.mimic.joint in names else replace(joint, mimic=None) for joint in joints
    ]


def drake(name: str) -> str:
    """Return the tag of one of Drake's elements."""
    return f"{{{NAMESPACES['drake']}}}{name}"


def _used_namespaces(links: Iterable[Link], joints: Iterable[Joint], computed: bool) -> dict[str, str]:
    used = {"sdf_inertia"} if computed else set()
    used |= {"drake" for joint in joints if joint.has_motor or joint.mimic is not None}
    for link in links:
        for params in (link.params, *(collision.params or {} for collision in link.collisions)):
            used |= {name.partition(":")[0] for name in params}
    return {prefix: uri for prefix, uri in NAMESPACES.items() if prefix in used}


def _link(model: Element, link: Link, body: LinkBody, uris: Mapping[Geometry | Texture, str]) -> None:
    element = etree.SubElement(model, "link", name=link.name)
    _pose(element, link.pose)
    if body.mode == "auto":
        _auto_inertial(element, link)
    else:
        assert body.inertial is not None or body.mode == "none"
        write_inertial(element, body.inertial or Inertial.zero)
    for collision in link.collisions:
        child = _posed(element, "collision", collision, uris)
        if collision.write_as == "decomposed" and isinstance(collision.geometry, Mesh):
            child.find("geometry/mesh").set("optimization", "convex_decomposition")
        if body.mode == "auto":
            if collision.density is not None:
                _text(child, "density", few(collision.density))
            _params(child, collision.params)
    for visual in link.visuals:
        child = _posed(element, "visual", visual, uris)
        if visual.color is not None:
            material = etree.SubElement(child, "material")
            color = " ".join(number(round(channel, 4)) for channel in visual.color)
            _text(material, "ambient", color)
            _text(material, "diffuse", color)
            if visual.texture is not None or visual.metalness is not None:
                metal = etree.SubElement(etree.SubElement(material, "pbr"), "metal")
            if visual.texture is not None:
                _text(metal, "albedo_map", uris[visual.texture])
            if visual.metalness is not None and visual.roughness is not None:
                _text(metal, "roughness", number(round(visual.roughness, 4)))
                _text(metal, "metalness", number(round(visual.metalness, 4)))


def _joint(model: Element, joint: Joint) -> None:
    element = etree.SubElement(model, "joint", name=joint.name, type=joint.kind)
    _text(element, "parent", joint.parent)
    _text(element, "child", joint.child)
    _pose(element, joint.pose)
    for tag, direction in list(zip(("axis", "axis2"), (joint.axis, joint.axis2), strict=True))[: AXES[joint.kind]]:
        axis = etree.SubElement(element, tag)
        _text(axis, "xyz", " ".join(few_texts(unit(direction), 1.0)))
        bounds = {"lower": joint.lower, "upper": joint.upper, "effort": joint.effort, "velocity": joint.velocity}
        given = {name: value for name, value in bounds.items() if value is not None}
        limit = etree.SubElement(axis, "limit") if given else None
        for name, value in given.items():
            _text(limit, name, few(value))
        losses = {name: value for name in (*DYNAMICS, *SPRING) if (value := getattr(joint, name))}
        dynamics = etree.SubElement(axis, "dynamics") if losses else None
        for name, value in losses.items():
            _text(dynamics, name, few(value))
        if tag == "axis" and joint.mimic is not None:
            texts = mimic_texts(joint.mimic)
            mimic = etree.SubElement(axis, "mimic", joint=joint.mimic.joint, axis="axis")
            for name in ("multiplier", "offset"):
                _text(mimic, name, texts[name])
            _text(mimic, "reference", "0")
            etree.SubElement(element, drake("mimic"), texts)  # Drake ignores the one in the axis
    if joint.kind == "screw":
        _text(element, "screw_thread_pitch", few(joint.pitch))
    if joint.has_motor:
        _text(element, drake("rotor_inertia"), few(joint.rotor_inertia))
        _text(element, drake("gear_ratio"), few(joint.gear_ratio))


def mimic_texts(mimic: Mimic) -> dict[str, str]:
    """Return the attributes of a ``<mimic>``."""
    return {"joint": mimic.joint, "multiplier": few(mimic.multiplier), "offset": few(mimic.offset)}


def unit(direction: tuple[float, float, float]) -> tuple[float, ...]:
    """Return a direction of length 1, exact if it is along a coordinate axis."""
    length = hypot(*direction)
    return tuple(along / length for along in direction)


def _auto_inertial(link_element: Element, link: Link) -> None:
    inertial = etree.SubElement(link_element, "inertial", auto="true")
    if link.mass is not None:
        _text(inertial, "mass", few(link.mass))
    if link.density is not None:
        _text(inertial, "density", few(link.density))
    elif any(collision.density is None for collision in link.collisions):
        _text(inertial, "density", number(WATER))  # libsdformat warns if it has to use this default
    _params(inertial, link.params or None)


def _params(parent: Element, params: Mapping[str, str] | None) -> None:
    if params is None:
        return
    element = etree.SubElement(parent, "auto_inertia_params")
    for name, text in params.items():
        prefix, _, local = name.rpartition(":")
        _text(element, f"{{{NAMESPACES[prefix]}}}{local}", text)


def write_inertial(link_element: Element, body: Inertial) -> None:
    """Write a body into a link element, in numbers that gz-math accepts."""
    inertial = etree.SubElement(link_element, "inertial")
    _text(inertial, "mass", few(body.mass))
    pose, inertia = inertial_to_write(body)
    _text(inertial, "pose", " ".join(pose_texts(pose)))
    element = etree.SubElement(inertial, "inertia")
    for name, cell in COMPONENTS.items():
        _text(element, name, number(inertia[cell]))


def _posed(link: Element, tag: str, part: Collision | Visual, uris: Mapping[Geometry | Texture, str]) -> Element:
    element = etree.SubElement(link, tag, name=part.name)
    _pose(element, part.pose)
    _geometry(etree.SubElement(element, "geometry"), part.geometry, uris)
    return element


def _geometry(parent: Element, geometry: Geometry, uris: Mapping[Geometry | Texture, str]) -> None:
    shape = etree.SubElement(parent, geometry.kind)
    if isinstance(geometry, Mesh):
        _text(shape, "uri", uris[geometry])
        scale = np.diag(geometry.stretch).tolist()
        if scale != [1.0, 1.0, 1.0]:
            _text(shape, "scale", " ".join(number(factor) for factor in scale))
    elif isinstance(geometry, Shape):
        for name, value in zip(geometry.fields, geometry.values(), strict=True):
            numbers = value if isinstance(value, tuple) else (value,)
            _text(shape, name, " ".join(map(few, numbers)))


def _pose(parent: Element, pose: Pose) -> None:
    texts = pose_texts(pose)
    if set(texts) != {"0"}:
        _text(parent, "pose", " ".join(texts))


def _text(parent: Element, tag: str, text: str) -> Element:
    element = etree.SubElement(parent, tag)
    element.text = text
    return element
