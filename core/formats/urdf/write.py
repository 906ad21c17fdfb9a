# SPDX-License-Identifier: Apache-2.0
"""Writes a model as URDF: the same links, numbers and meshes as in its SDF, as far as URDF allows.

In URDF a link's frame is that of its parent joint. So a link whose joint has another pose gets the joint's frame, and
all of its contents are expressed in that frame; the bodies do not change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from lxml import etree

from ...body.inertial import COMPONENTS, Inertial
from ...body.pose import Pose
from ...body.shapes import Shape
from ...document.numbers import few, few_texts, inertial_to_write, number, pose_texts
from ...errors import Finding
from ...robot.joints import split_tree
from ...robot.model import WORLD, Collision, Geometry, Joint, Link, Mesh, Model, Texture, Visual
from ...robot.resolve import LinkBody
from ...units import few_text
from ..sdf.spec.names import UniqueNames
from ..sdf.write import NAMESPACES, document_bytes, drake, mimic_texts, unit, with_followers

KINDS = ("fixed", "revolute", "continuous", "prismatic")

UNLIMITED = 1e16
"""Means no limit where URDF requires a number, as in libsdformat."""

Element = Any  # lxml has no public type for it


def urdf_findings(model: Model, bodies: Iterable[LinkBody]) -> tuple[Finding, ...]:
    """Check what of a model URDF cannot express (``not_in_urdf``).

    Parameters
    ----------
    bodies : iterable of LinkBody
        The links that are to be written.

    Returns
    -------
    tuple of Finding
        Errors for what prevents a robot: a joint of a kind that URDF lacks, links without a parent. Warnings for joints
        that are left out, since their child already has one, for springs, and for a static model. Infos for shapes that
        become meshes, and for the place of the root.
    """
    written = [body.name for body in bodies]
    joints, closing = split_tree(model.joints, written)
    findings = [
        Finding.of("error", "not_in_urdf", joint.child, "kind", kind=joint.kind)
        for joint in joints
        if joint.kind not in KINDS
    ]
    findings += [
        Finding.of("warning", "not_in_urdf", joint.child, "second_parent", joint=joint.name) for joint in closing
    ]
    roots = _roots(written, joints)
    if len(roots) > 1:
        values = {"count": len(roots), "links": few_text(roots, 5)}
        findings.append(Finding.of("error", "not_in_urdf", model.name, "roots", **values))
    if model.static and WORLD not in roots:
        findings.append(Finding.of("warning", "not_in_urdf", model.name, "static"))
    for link in model.links:
        if roots == [link.name] and set(pose_texts(link.pose)) != {"0"}:
            texts = pose_texts(link.pose)
            turn = " ".join(texts[3:]) if set(texts[3:]) != {"0"} else ""
            values = {"link": link.name, "place": " ".join(texts[:3]), "turn": turn}
            findings.append(Finding.of("info", "not_in_urdf", model.name, "root", **values))
    sprung = [joint.name for joint in joints if joint.spring_stiffness]
    if sprung:
        values = {"count": len(sprung), "joints": few_text(sprung, 5)}
        findings.append(Finding.of("warning", "not_in_urdf", model.name, "springs", **values))
    for name, shapes in lacking_shapes(model, written, "urdf"):
        findings.append(Finding.of("info", "not_in_urdf", name, "shapes", shapes=shapes))
    return tuple(findings)


def lacking_shapes(model: Model, names: Collection[str], file_format: str) -> Iterator[tuple[str, str]]:
    """Yield each link with shapes that a format lacks, and their kinds: they become meshes."""
    for link in model.links:
        parts: tuple[Collision | Visual, ...] = (*link.collisions, *link.visuals)
        used = [part.geometry for part in parts]
        kinds = [shape.kind for shape in used if isinstance(shape, Shape) and file_format not in shape.formats]
        if kinds and link.name in names:
            yield link.name, ", no ".join(dict.fromkeys(kinds))


def urdf_bytes(
    model: Model, bodies: Iterable[LinkBody], uris: Mapping[Geometry | Texture, str], _digests: object = None
) -> bytes:
    """Write a model that `urdf_findings` has no error about.

    Parameters
    ----------
    model : Model
        Of shapes that URDF has, and meshes.
    bodies : iterable of LinkBody
        The links to write, resolved; a link of the model without one is left out.
    uris : mapping of Mesh to str
        The URI of each mesh's file, which has its surface; its stretch is a scale.
    """
    resolved = {body.name: body for body in bodies}
    links = [link for link in model.links if link.name in resolved]
    joints = with_followers(split_tree(model.joints, resolved)[0])
    # Of a link's frame L, and of its joint's J, which is the link's frame in URDF; M is the model's.
    X_LJ = dict.fromkeys(resolved, Pose.identity) | {joint.child: joint.pose for joint in joints}
    X_MJ = {link.name: link.pose @ X_LJ[link.name] for link in links}
    X_MJ[WORLD] = Pose.identity
    used = {"drake": NAMESPACES["drake"]} if any(joint.has_motor for joint in joints) else None
    root = etree.Element("robot", name=model.name, nsmap=used)
    names = UniqueNames()
    for joint in joints:
        names.take(joint.name)
    # MuJoCo removes the folders from the names of meshes by default.
    etree.SubElement(etree.SubElement(root, "mujoco"), "compiler", strippath="false")
    if any(joint.parent == WORLD for joint in joints):
        etree.SubElement(root, "link", name=WORLD)
    elif model.dummy_root and links:
        _dummy_root(root, model, _roots(list(resolved), joints)[0])
    for link in links:
        _link(root, link, resolved[link.name], X_LJ[link.name].inverse(), uris)
    for joint in joints:
        _joint(root, joint, X_MJ[joint.parent].inverse() @ X_MJ[joint.child])
    for frame in model.frames:
        if frame.attached_to in resolved:
            etree.SubElement(root, "link", name=frame.name)
            X_JF = X_LJ[frame.attached_to].inverse() @ frame.pose
            name = names.keep(frame.joint or f"{frame.name}_joint")
            _joint(root, Joint(name, "fixed", frame.attached_to, frame.name), X_JF)
    for joint in joints:
        if joint.has_motor:
            _transmission(root, joint)
    return document_bytes(root)


def _roots(names: list[str], joints: list[Joint]) -> list[str]:
    children = {joint.child for joint in joints}
    roots = [name for name in names if name not in children]
    return [WORLD, *roots] if any(joint.parent == WORLD for joint in joints) else roots


def _link(robot: Element, link: Link, body: LinkBody, X_JL: Pose, uris: Mapping[Geometry | Texture, str]) -> None:
    """Write a link in the frame J of its joint, in which the frame L of the model's link has the pose X_JL."""
    element = etree.SubElement(robot, "link", name=link.name)
    if body.inertial is not None:  # otherwise it has none
        write_inertial(element, body.inertial.transformed(X_JL))
    parts: list[tuple[str, Collision | Visual]] = [("visual", visual) for visual in link.visuals]
    parts += [("collision", collision) for collision in link.collisions]
    for tag, part in parts:
        child = etree.SubElement(element, tag, name=part.name)
        _origin(child, X_JL @ part.pose)
        _geometry(etree.SubElement(child, "geometry"), part.geometry, uris)
        if isinstance(part, Visual) and part.color is not None:
            # Materials are identified by name in a whole robot, so each has its own.
            material = etree.SubElement(child, "material", name=f"{link.name}_{part.name}")
            etree.SubElement(material, "color", rgba=" ".join(number(round(channel, 4)) for channel in part.color))
            if part.texture is not None:
                etree.SubElement(material, "texture", filename=uris[part.texture])


def write_inertial(link: Element, body: Inertial) -> None:
    """Write a body into a link element, in numbers that gz-math accepts."""
    inertial = etree.SubElement(link, "inertial")
    pose, inertia = inertial_to_write(body)
    _origin(inertial, pose)
    etree.SubElement(inertial, "mass", value=few(body.mass))
    etree.SubElement(inertial, "inertia", {name: number(inertia[cell]) for name, cell in COMPONENTS.items()})


def _geometry(parent: Element, geometry: Geometry, uris: Mapping[Geometry | Texture, str]) -> None:
    if isinstance(geometry, Mesh):
        mesh = etree.SubElement(parent, "mesh", filename=uris[geometry])
        scale = np.diag(geometry.stretch).tolist()
        if scale != [1.0, 1.0, 1.0]:
            mesh.set("scale", " ".join(map(number, scale)))
    elif isinstance(geometry, Shape):
        sizes = zip(geometry.fields, geometry.values(), strict=True)
        texts = {name: " ".join(map(few, value if isinstance(value, tuple) else (value,))) for name, value in sizes}
        etree.SubElement(parent, geometry.kind, texts)


def _joint(robot: Element, joint: Joint, origin: Pose) -> None:
    limited = joint.lower is not None or joint.upper is not None
    kind = "continuous" if joint.kind == "revolute" and not limited else joint.kind
    element = etree.SubElement(robot, "joint", name=joint.name, type=kind)
    _origin(element, origin)
    etree.SubElement(element, "parent", link=joint.parent)
    etree.SubElement(element, "child", link=joint.child)
    if kind == "fixed":
        return
    etree.SubElement(element, "axis", xyz=" ".join(few_texts(unit(joint.axis), 1.0)))
    bounds = {"effort": joint.effort, "velocity": joint.velocity}
    if kind != "continuous":
        lower = -UNLIMITED if joint.lower is None else joint.lower
        bounds = {"lower": lower, "upper": joint.upper, **bounds}
    if kind != "continuous" or any(bound is not None for bound in bounds.values()):
        texts = {name: few(UNLIMITED if value is None else value) for name, value in bounds.items()}
        etree.SubElement(element, "limit", texts)
    losses = {"damping": joint.damping, "friction": joint.friction}
    if any(losses.values()):
        etree.SubElement(element, "dynamics", {name: few(value) for name, value in losses.items() if value})
    if joint.mimic is not None:
        etree.SubElement(element, "mimic", mimic_texts(joint.mimic))


def _transmission(robot: Element, joint: Joint) -> None:
    """Write a joint's rotor and gear: ROS reads the reduction, Drake its own elements."""
    element = etree.SubElement(robot, "transmission", name=f"{joint.name}_transmission")
    etree.SubElement(element, "type").text = "transmission_interface/SimpleTransmission"
    etree.SubElement(element, "joint", name=joint.name)
    actuator = etree.SubElement(element, "actuator", name=f"{joint.name}_motor")
    etree.SubElement(actuator, "mechanicalReduction").text = few(joint.gear_ratio)
    etree.SubElement(actuator, drake("gear_ratio"), value=few(joint.gear_ratio))
    etree.SubElement(actuator, drake("rotor_inertia"), value=few(joint.rotor_inertia))


def _dummy_root(robot: Element, model: Model, root: str) -> None:
    """Write a link without mass above the root, at the same place: KDL ignores the mass of a root."""
    names = UniqueNames()
    for items in (model.links, model.joints, model.frames):
        for item in items:
            names.take(item.name)
    name = names.keep(f"{root}_root")
    etree.SubElement(robot, "link", name=name)
    _joint(robot, Joint(names.keep(f"{name}_joint"), "fixed", name, root), Pose.identity)


def _origin(parent: Element, pose: Pose) -> None:
    texts = pose_texts(pose)
    if set(texts) != {"0"}:
        etree.SubElement(parent, "origin", xyz=" ".join(texts[:3]), rpy=" ".join(texts[3:]))
