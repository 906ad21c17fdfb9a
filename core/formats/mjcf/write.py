# SPDX-License-Identifier: Apache-2.0
"""Writes a model as MJCF, MuJoCo's own format: the same links, numbers and meshes as in its SDF.

A body's frame is that of its link, as in SDF; its joint has a place and an axis in it. So the inertials have the very
numbers of the SDF. MuJoCo takes these, and never computes any. What MJCF lacks is a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np
from lxml import etree

from ...body.inertial import MUJOCO_LEAST, Inertial
from ...body.pose import Pose
from ...body.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere
from ...document.numbers import few, few_texts, inertial_to_write, number, pose_texts
from ...errors import Finding
from ...mesh.hull import is_flat
from ...mesh.integrate import enclosed_volume
from ...mesh.surface import Surface
from ...mesh.topology.edges import Edges
from ...mesh.topology.merging import by_place
from ...robot.extent import extent_of
from ...robot.joints import kinematic_order, split_tree
from ...robot.model import WORLD, Collision, Geometry, Joint, Link, Mesh, Model, Texture, Visual
from ...robot.resolve import LinkBody
from ...units import few_text
from ..sdf.spec.names import UniqueNames
from ..sdf.write import document_bytes
from ..urdf.write import Element, lacking_shapes
from .written_joints import LOOPS, TYPES, followed, write_actuators, write_constraints, write_exclusions, write_joint

LEAST = 1e-14
"""Ten times the least volume [m³] and area [m²] of a mesh that MuJoCo accepts, mjMINVAL."""


def mjcf_findings(model: Model, bodies: Iterable[LinkBody]) -> tuple[Finding, ...]:
    """Check what of a model MJCF cannot express (``not_in_mjcf``).

    Parameters
    ----------
    bodies : iterable of LinkBody
        The links that are to be written.

    Returns
    -------
    tuple of Finding
        Errors for screws and for moving bodies too light for MuJoCo. Warnings for joints that are left out or held at a
        point, for meshes that MuJoCo refuses, and for joints that follow a joint that is not written. Infos for shapes
        that become meshes, for maximum velocities and for gear ratios.
    """
    resolved = {body.name: body for body in bodies}
    tree, closing = split_tree(model.joints, resolved)
    findings = [Finding.of("error", "not_in_mjcf", joint.child, "kind") for joint in tree if joint.kind == "screw"]
    for joint in closing:
        if joint.kind not in LOOPS:
            findings.append(Finding.of("warning", "not_in_mjcf", joint.child, "loop", joint=joint.name))
        elif joint.kind in ("revolute", "continuous"):
            findings.append(Finding.of("warning", "not_in_mjcf", joint.child, "hinge", joint=joint.name))
    leaders = followed(tree)
    for joint in tree:
        if joint.mimic is not None and joint.mimic.joint not in leaders:
            values = {"joint": joint.name, "followed": joint.mimic.joint}
            findings.append(Finding.of("warning", "not_in_mjcf", joint.child, "follows", **values))
    if not model.static:
        findings += [
            Finding.of("error", "not_in_mjcf", name, "light", least=MUJOCO_LEAST)
            for name in _light(resolved, tree)
            if not resolved[name].refused
        ]
    for link in model.links:
        parts: tuple[Collision | Visual, ...] = (*link.collisions, *link.visuals)
        flat = [part.name for part in parts if not _is_usable(part)]
        if flat and link.name in resolved:
            findings.append(Finding.of("warning", "not_in_mjcf", link.name, "flat", parts=", ".join(flat)))
    for name, shapes in lacking_shapes(model, resolved, "mjcf"):
        findings.append(Finding.of("info", "not_in_mjcf", name, "shapes", shapes=shapes))
    textured = [link.name for link in model.links for visual in link.visuals if visual.texture is not None]
    if textured:
        links = few_text([*dict.fromkeys(textured)], 5)
        findings.append(Finding.of("info", "not_in_mjcf", model.name, "textures", count=len(textured), links=links))
    fast = [joint.name for joint in tree if joint.velocity is not None]
    geared = [joint.name for joint in tree if joint.gear_ratio != 1.0]
    for form, names in (("velocity", fast), ("gear", geared)):
        if names and not model.static:
            joints = few_text(names, 5)
            findings.append(Finding.of("info", "not_in_mjcf", model.name, form, count=len(names), joints=joints))
    return tuple(findings)


def mjcf_bytes(
    model: Model, bodies: Iterable[LinkBody], uris: Mapping[Geometry | Texture, str], _digests: object = None
) -> bytes:
    """Write a model that `mjcf_findings` has no error about.

    Parameters
    ----------
    model : Model
        Of shapes that MJCF has, and meshes.
    bodies : iterable of LinkBody
        The links to write, resolved; a link of the model without one is left out.
    uris : mapping of Mesh to str
        The path of each mesh's file, which has its surface; its stretch is a scale.
    """
    return document_bytes(_Writing(model, {body.name: body for body in bodies}, uris).root())


def write_inertial(body: Element, inertial: Inertial) -> None:
    """Write a body's inertial in the numbers of the SDF, which MuJoCo accepts, too."""
    pose, inertia = inertial_to_write(inertial)
    texts = pose_texts(pose)
    element = etree.SubElement(body, "inertial", pos=" ".join(texts[:3]), mass=few(inertial.mass))
    if set(texts[3:]) != {"0"}:  # then the tensor is diagonal
        x, y, z, w = Pose.from_sdf([float(text) for text in texts]).to_quaternion().tolist()
        element.set("quat", " ".join(map(number, (w, x, y, z))))
    values = [*map(number, Inertial(inertial.mass, pose.p, inertia).to_mujoco()["fullinertia"])]
    diagonal = set(values[3:]) == {"0"}  # MuJoCo takes moments of 0 only in this form
    element.set("diaginertia" if diagonal else "fullinertia", " ".join(values[:3] if diagonal else values))


def usable(mesh: Mesh, collides: bool) -> bool:
    """Return True if MuJoCo loads a mesh: one that collides needs a hull, another 4 vertices and some area."""
    surface = _single(mesh)
    others = surface.vertices[surface.used()]
    for _ in range(3):  # without those at the same place as the first
        others = others[(others != others[:1]).any(axis=1)]
    # The sum of the areas of all triangles: half the length of each cross product.
    a, b, c = (surface.vertices[surface.triangles[:, corner]].astype(np.float64) for corner in range(3))
    area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0
    return len(others) > 0 and area > LEAST and not (collides and is_flat(surface))


def inertia_of(mesh: Mesh) -> str:
    """Return how MuJoCo shall compute a mesh's inertia, if it ever has to: ``exact`` for a solid, else ``shell``.

    Exact refuses faces that are not wound alike, and little volume; shell refuses nothing.
    """
    surface = _single(mesh)
    solid = Edges.around(by_place(surface).points).plain and enclosed_volume(surface) > LEAST
    return "exact" if solid and not is_flat(surface) else "shell"


def _single(mesh: Mesh) -> Surface:
    """Return a mesh's surface in float32, as MuJoCo keeps it."""
    return Surface(mesh.baked.vertices.astype(np.float32), mesh.baked.triangles)


def _is_usable(part: Collision | Visual) -> bool:
    return not isinstance(part.geometry, Mesh) or usable(part.geometry, isinstance(part, Collision))


def _light(resolved: Mapping[str, LinkBody], tree: list[Joint]) -> list[str]:
    """Return the moving links that MuJoCo refuses: they are too light, and so is all that is fixed to them."""
    joint_of = {joint.child: joint for joint in tree}
    heavy = set()
    light = []
    for name in reversed(kinematic_order(resolved, tree)):
        body, joint = resolved[name].inertial, joint_of.get(name)
        held = joint is not None and joint.kind == "fixed"
        if name in heavy or (body is not None and min(body.mass, *body.principal().moments) > MUJOCO_LEAST):
            heavy |= {joint.parent} if joint is not None and held else set()
        elif not held:
            light.append(name)
    return light[::-1]


@dataclass(frozen=True, eq=False)
class _Writing:
    """A model that is being written; `assets` are the names of meshes by path, scale and kind of inertia."""

    model: Model
    resolved: Mapping[str, LinkBody]
    uris: Mapping[Geometry | Texture, str]
    assets: dict[tuple[str, float, str], str] = field(default_factory=dict)
    names: dict[str, UniqueNames] = field(default_factory=dict)

    def root(self) -> Element:
        root = etree.Element("mujoco", model=self.model.name)
        etree.SubElement(root, "compiler", angle="radian", autolimits="true", inertiagrouprange="3 3")
        etree.SubElement(root, "option", integrator="implicitfast")
        default = etree.SubElement(root, "default")
        visual = etree.SubElement(default, "default", {"class": "visual"})
        etree.SubElement(visual, "geom", group="2", contype="0", conaffinity="0", mass="0")
        etree.SubElement(etree.SubElement(default, "default", {"class": "collision"}), "geom", group="3")
        asset = etree.SubElement(root, "asset")
        world = etree.SubElement(root, "worldbody")
        etree.SubElement(world, "light", pos="0 0 10", dir="0 0 -1", directional="true")
        ground = etree.SubElement(world, "geom", name=self.unique("geom", "floor"), type="plane", size="0 0 1")
        ground.set("pos", f"0 0 {few(self.lowest())}")
        tree, closing = split_tree(self.model.joints, self.resolved)
        home = self.bodies(world, {joint.child: joint for joint in tree})
        contact, equality, actuator = (etree.SubElement(root, tag) for tag in ("contact", "equality", "actuator"))
        if not self.model.static:
            inertials = {name: body.inertial or Inertial.zero for name, body in self.resolved.items()}
            write_exclusions(contact, tree)
            write_constraints(equality, tree, closing)
            write_actuators(actuator, tree, {link.name: link.pose for link in self.model.links}, inertials)
        etree.SubElement(etree.SubElement(root, "keyframe"), "key", name="home", qpos=" ".join(home))
        for (path, scale, inertia), name in self.assets.items():
            mesh = etree.SubElement(asset, "mesh", name=name, file=path, inertia=inertia)
            if scale != 1.0:
                mesh.set("scale", " ".join([number(scale)] * 3))
        for section in (asset, contact, equality, actuator):
            if not len(section):
                root.remove(section)
        return root

    def unique(self, kind: str, wanted: str) -> str:
        """Return a name that no other element of this kind has."""
        return self.names.setdefault(kind, UniqueNames()).keep(wanted)

    def lowest(self) -> float:
        """Return the height of the ground [m]: 0, or that of the lowest collision, so that nothing begins in it."""
        low = 0.0
        for link in self.model.links:
            extent = extent_of(link.collisions, link.pose.R) if link.name in self.resolved else None
            low = low if extent is None else min(low, float(extent.low[2] + link.pose.p[2]))
        return low

    def bodies(self, world: Element, joint_of: Mapping[str, Joint]) -> list[str]:
        """Write the links, each in its parent, and return the positions of their joints at home."""
        links = {link.name: link for link in self.model.links if link.name in self.resolved}
        elements, home = {WORLD: world}, list[str]()
        for name in kinematic_order(links, joint_of.values()):
            link, joint = links[name], joint_of.get(name)
            parent = WORLD if joint is None else joint.parent
            X_PL = link.pose if parent == WORLD else links[parent].pose.inverse() @ link.pose
            elements[name] = body = etree.SubElement(elements[parent], "body", {"name": name, **_place(X_PL)})
            inertial = self.resolved[name].inertial
            if inertial is not None:  # otherwise it has none, and its geoms have a mass of 0
                write_inertial(body, inertial)
            if joint is None and not self.model.static:
                etree.SubElement(body, "freejoint")
                home += [*few_texts(link.pose.p), *_quaternion(link.pose)]
            elif joint is not None and joint.kind in TYPES and not self.model.static:
                home += write_joint(body, joint)
            self.geoms(body, link)
            for frame in self.model.frames:
                if frame.attached_to == name:
                    etree.SubElement(body, "site", {"name": frame.name, **_place(frame.pose)})
        return home

    def geoms(self, body: Element, link: Link) -> None:
        weighed = self.resolved[link.name].parts
        masses = {part.name: part.inertial.mass for part in weighed if part.inertial is not None}
        parts: list[tuple[str, Collision | Visual]] = [("visual", visual) for visual in link.visuals]
        parts += [("collision", collision) for collision in link.collisions]
        for kind, part in parts:
            if not _is_usable(part):
                continue
            name = self.unique("geom", f"{link.name}_{part.name}")
            texts = {"name": name, "class": kind}
            if isinstance(part.geometry, Mesh):
                texts |= {"type": "mesh", "mesh": self.asset(part.geometry, kind)}
            elif isinstance(part.geometry, Shape):
                texts |= {"type": part.geometry.kind, "size": " ".join(map(few, _sizes(part.geometry)))}
            if isinstance(part, Visual):
                if part.color is not None:
                    texts["rgba"] = " ".join(number(round(channel, 4)) for channel in part.color)
            elif weighed or self.resolved[link.name].inertial is None:  # what it is if somebody removes the inertial
                texts["mass"] = few(masses.get(part.name, 0.0))
            etree.SubElement(body, "geom", texts | _place(part.pose))

    def asset(self, mesh: Mesh, kind: str) -> str:
        """Return the name of a mesh, by which it is written once."""
        path, scale = self.uris[mesh], float(mesh.stretch[0, 0])
        key = (path, scale, "shell" if kind == "visual" else inertia_of(mesh))
        if key not in self.assets:
            self.assets[key] = self.unique("mesh", PurePosixPath(path).stem)
        return self.assets[key]


def _place(pose: Pose) -> dict[str, str]:
    """Return the attributes of a pose that is not the identity."""
    texts = {"pos": few_texts(pose.p), "quat": _quaternion(pose)}
    trivial = (["0", "0", "0"], ["1", "0", "0", "0"])
    return {name: " ".join(values) for name, values in texts.items() if values not in trivial}


def _quaternion(pose: Pose) -> list[str]:
    x, y, z, w = pose.to_quaternion().tolist()
    return few_texts((w, x, y, z), 1.0)


def _sizes(shape: Shape) -> list[float]:
    """Return the sizes of a shape as MuJoCo has them: half of lengths."""
    match shape:
        case Box():
            return [side / 2.0 for side in shape.size]
        case Sphere():
            return [shape.radius]
        case Cylinder() | Capsule():
            return [shape.radius, shape.length / 2.0]
        case Ellipsoid():
            return list(shape.radii)
    raise ValueError(f"MJCF has no {shape.kind}")
