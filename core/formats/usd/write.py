# SPDX-License-Identifier: Apache-2.0
"""Writes a model as USD's text, for Isaac Sim, Isaac Lab and Newton: the links, numbers and meshes of its SDF.

The links are children of one prim, side by side: some versions count bodies in bodies twice. Each has all attributes of
its mass, since an engine takes one that is absent from the colliders. No library of USD is needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...body.inertial import Inertial
from ...body.shapes import Box, Capsule, Cone, Cylinder, Shape, Sphere
from ...document.numbers import few, inertial_to_write
from ...errors import Finding, Severity
from ...robot.joints import split_tree
from ...robot.massless import holders_of
from ...robot.model import WORLD, Collision, Geometry, Link, Mesh, Model, Texture, Visual
from ...robot.resolve import LinkBody
from ...units import few_text
from ..fused import fused
from ..mjcf.written_joints import driven_axes
from ..sdf.spec.names import UniqueNames
from ..urdf.write import lacking_shapes
from .mass_text import MASS_SCHEMAS, mass_lines, single, values_text
from .written_joints import TYPES, joint_prim, kind_of, write_drive, write_mimic
from .written_looks import material_prim
from .written_prims import UNSCALED, WrittenPrim, asset, display_name, extent_line, layer_bytes, pose_lines, prim_name

SCOPES = ("Joints", "Materials")

LEAST = 1e-5
"""Moments whose length as a vector is below this [kg·m²] are not given for OpenUSD's ComputeMassProperties."""


def usd_findings(model: Model, bodies: Iterable[LinkBody]) -> tuple[Finding, ...]:
    """Check what of a model USD cannot express (``not_in_usd``).

    Parameters
    ----------
    bodies : iterable of LinkBody
        The links that are to be written.

    Returns
    -------
    tuple of Finding
        Errors for screws and universal joints, and for moving bodies without a mass or moment in single precision.
        Warnings for such joints that close a loop, for springs, and for joints that follow what they cannot. Infos for
        shapes that become meshes, for gear ratios, for moments that OpenUSD does not see, and for links that become
        frames, since they have none.
    """
    resolved = {body.name: body for body in bodies}
    tree, closing = split_tree(model.joints, resolved)
    findings = [
        Finding.of("error", "not_in_usd", joint.child, "kind", kind=joint.kind)
        for joint in tree
        if joint.kind not in TYPES
    ]
    findings += [
        Finding.of("warning", "not_in_usd", joint.child, "loop", joint=joint.name, kind=joint.kind)
        for joint in closing
        if joint.kind not in TYPES
    ]
    leaders = {joint.name: kind_of(joint) for joint in tree}
    for joint in tree:
        if joint.mimic is not None and leaders.get(joint.mimic.joint) != kind_of(joint):
            form = "mixed" if leaders.get(joint.mimic.joint) else "follows"
            leader = joint.mimic.joint
            findings.append(Finding.of("warning", "not_in_usd", joint.child, form, joint=joint.name, followed=leader))
    for name, shapes in lacking_shapes(model, resolved, "usd"):
        findings.append(Finding.of("info", "not_in_usd", name, "shapes", shapes=shapes))
    if model.static:
        return tuple(findings)
    unseen = {name: _unseen(body) for name, body in resolved.items()}
    points = _held_points(model, resolved, unseen)
    light = [name for name, form in unseen.items() if form == "light" and name not in points]
    findings += [Finding.of("error", "not_in_usd", name, "light") for name in light]
    totals = {
        "points": [*points],
        "springs": [joint.name for joint in tree if joint.spring_stiffness],
        "gear": [joint.name for joint in tree if joint.gear_ratio != 1.0],
        "tiny": [name for name, form in unseen.items() if form == "tiny"],
    }
    for form, names in totals.items():
        if names:
            severity: Severity = "warning" if form == "springs" else "info"
            values: dict[str, Any] = {"count": len(names), "names": few_text(names, 5), "least": LEAST}
            findings.append(Finding.of(severity, "not_in_usd", model.name, form, **values))
    return tuple(findings)


def usd_bytes(
    model: Model, bodies: Iterable[LinkBody], uris: Mapping[Geometry | Texture, str], _digests: object = None
) -> bytes:
    """Write a model that `usd_findings` has no error about.

    Parameters
    ----------
    model : Model
        Of shapes that USD has, and meshes.
    bodies : iterable of LinkBody
        The links to write, resolved; a link of the model without one is left out. Those without inertial become
        frames, see `fused`; one that only the world holds is no body.
    uris : mapping of Mesh or Texture to str
        The path of each file. The layer of a mesh has its surface; its stretch is a scale.
    """
    model, resolved = _with_points_joined(model, {body.name: body for body in bodies})
    return _Writing(fused(model, resolved), resolved, uris).layer()


def _held_points(model: Model, resolved: Mapping[str, LinkBody], unseen: Mapping[str, str]) -> dict[str, str]:
    """Return what holds each link that fixed joints hold, and whose mass or moments are 0 in single precision."""
    light = {name: None for name, form in unseen.items() if form == "light"}
    heavy = [name for name, body in resolved.items() if body.inertial is not None and name not in light]
    return holders_of(light, heavy, model.joints)


def _with_points_joined(model: Model, resolved: Mapping[str, LinkBody]) -> tuple[Model, dict[str, LinkBody]]:
    """Return a model and its bodies with the mass of those links L in the links H that hold them; L has none then."""
    poses, joined = {link.name: link.pose for link in model.links}, {**resolved}
    holders = _held_points(model, resolved, {name: _unseen(body) for name, body in resolved.items()})
    for name, holder in holders.items():
        mass, held_by = resolved[name].inertial, joined.get(holder)
        if mass is not None and held_by is not None and held_by.inertial is not None:
            X_HL = poses[holder].inverse() @ poses[name]
            joined[holder] = replace(held_by, inertial=held_by.inertial + mass.transformed(X_HL))
        joined[name] = replace(resolved[name], inertial=None, mode="none")
    links = (replace(link, mode="none", manual=None) if link.name in holders else link for link in model.links)
    return replace(model, links=tuple(links)), joined


def _unseen(body: LinkBody) -> str:
    """Return ``light`` if a mass or all moments are 0 in single precision, ``tiny`` if OpenUSD does not see moments."""
    if body.inertial is None or body.refused:
        return ""
    moments = np.linalg.norm(body.inertial.principal().moments.astype(np.float32))
    if not (np.float32(body.inertial.mass) > 0.0 and moments > 0.0):
        return "light"
    return "tiny" if moments < LEAST else ""


@dataclass(frozen=True, eq=False)
class _Writing:
    """A model that is being written; `materials` are their paths and prims, by what they look like."""

    model: Model
    resolved: Mapping[str, LinkBody]
    uris: Mapping[Geometry | Texture, str]
    names: UniqueNames = field(default_factory=UniqueNames)
    paths: dict[str, str] = field(default_factory=dict)
    materials: dict[Hashable, tuple[str, WrittenPrim]] = field(default_factory=dict)
    material_names: UniqueNames = field(default_factory=UniqueNames)

    def layer(self) -> bytes:
        name = prim_name(self.model.name)
        root = WrittenPrim(f'Xform "{name}"', metadata=['kind = "component"', *display_name(name, self.model.name)])
        for scope in SCOPES:
            self.names.take(scope)
        self.paths[WORLD] = f"/{name}"
        for link in self.model.links:
            self.paths[link.name] = f"/{name}/{self.names.keep(prim_name(link.name))}"
        root.children += [self.link(link) for link in self.model.links]
        joints = [] if self.model.static else self.joints()
        if joints:
            root.schemas.append("PhysicsArticulationRootAPI")
        for scope, prims in zip(SCOPES, (joints, [prim for _, prim in self.materials.values()]), strict=True):
            if prims:
                root.children.append(WrittenPrim(f'Scope "{scope}"', children=prims))
        return layer_bytes(root, name)

    def link(self, link: Link) -> WrittenPrim:
        """Return a link; in a model that does not move, it is a body that is not enabled."""
        name = self.paths[link.name].rpartition("/")[2]
        prim = WrittenPrim(f'Xform "{name}"', pose_lines(link.pose), metadata=display_name(name, link.name))
        inertial = self.resolved[link.name].inertial
        if inertial is not None:
            pose, tensor = inertial_to_write(inertial)
            prim.schemas += ["PhysicsRigidBodyAPI", *MASS_SCHEMAS]
            prim.lines += mass_lines(Inertial(inertial.mass, pose.p, pose.R @ tensor @ pose.R.T))
            if self.model.static:
                prim.lines.append("bool physics:rigidBodyEnabled = false")
        names = UniqueNames()
        collisions = [(collision, _drawn(collision, link)) for collision in link.collisions]
        drawn = {visual for _, visual in collisions}
        prim.children += [self.part(visual, None, names) for visual in link.visuals if visual not in drawn]
        prim.children += [self.part(visual, collision, names) for collision, visual in collisions]
        for frame in self.model.frames:
            if frame.attached_to == link.name:
                name = names.keep(prim_name(frame.name))
                metadata = display_name(name, frame.name)
                prim.children.append(WrittenPrim(f'Xform "{name}"', pose_lines(frame.pose), metadata=metadata))
        return prim

    def part(self, visual: Visual | None, collision: Collision | None, names: UniqueNames) -> WrittenPrim:
        """Return a part that is seen, that collides, or both."""
        part = collision or visual
        assert part is not None
        name = names.keep(prim_name(part.name))
        geometry, metadata = part.geometry, display_name(name, part.name)
        if isinstance(geometry, Mesh):
            metadata.append(f"prepend references = {asset(self.uris[geometry])}")
            scale: Sequence[float] = [float(geometry.stretch[0, 0])] * 3
            prim = WrittenPrim(f'Mesh "{name}"', pose_lines(part.pose, scale), metadata=metadata)
        else:
            assert isinstance(geometry, Shape)
            scale, lines = _shape_lines(geometry)
            head = "Cube" if isinstance(geometry, Box) else type(geometry).__name__
            prim = WrittenPrim(f'{head} "{name}"', [*lines, *pose_lines(part.pose, scale)], metadata=metadata)
        if collision is not None:
            prim.schemas.append("PhysicsCollisionAPI")
            if isinstance(geometry, Mesh):
                prim.schemas.append("PhysicsMeshCollisionAPI")
                moving = "convexDecomposition" if collision.write_as == "decomposed" else "convexHull"
                hull = "none" if self.model.static else moving
                prim.lines.append(f'uniform token physics:approximation = "{hull}"')
        if visual is None:
            prim.lines.append('uniform token purpose = "guide"')
        elif visual.color is not None or visual.texture is not None:
            prim.schemas.append("MaterialBindingAPI")
            prim.lines.append(f"rel material:binding = <{self.material(visual)}>")
            if visual.color is not None:
                prim.lines.append(f"color3f[] primvars:displayColor = [{values_text(visual.color[:3], single)}]")
        return prim

    def material(self, visual: Visual) -> str:
        """Return the path of the material of a visual, which is written once."""
        image = None if visual.texture is None else self.uris[visual.texture]
        key = (visual.material, visual.color, visual.metalness, visual.roughness, image)
        if key not in self.materials:
            name = self.material_names.keep(prim_name(visual.material or "material"))
            path = f"{self.paths[WORLD]}/{SCOPES[1]}/{name}"
            self.materials[key] = path, material_prim(path, visual, image)
        return self.materials[key][0]

    def joints(self) -> list[WrittenPrim]:
        """Return the joints between bodies; to links without mass, which the world holds, they are to the world."""
        poses = {link.name: link.pose for link in self.model.links}
        bodies = {name: inertial for name in poses if (inertial := self.resolved[name].inertial) is not None}
        tree, closing = (
            [
                joint if joint.parent in bodies else replace(joint, parent=WORLD)
                for joint in joints
                if joint.kind in TYPES and joint.child in bodies
            ]
            for joints in split_tree(self.model.joints, self.paths)
        )
        names = UniqueNames()
        written = {joint.name: names.keep(prim_name(joint.name)) for joint in (*tree, *closing)}
        leaders = {joint.name: kind_of(joint) for joint in tree}
        moved = {joint.name: inertia for joint, _, inertia in driven_axes(tree, poses, bodies)}
        prims = []
        for joint in (*tree, *closing):
            # The world is the robot's root prim, which goes along where a scene places the robot.
            ends = self.paths[joint.parent], self.paths[joint.child]
            X_MJ = poses[joint.child] @ joint.pose  # M is the model's frame, P the parent's
            X_PJ = X_MJ if joint.parent == WORLD else poses[joint.parent].inverse() @ X_MJ
            prim = joint_prim(written[joint.name], joint, ends, X_PJ, joint.name not in leaders)
            if joint.name in moved:
                write_drive(prim, joint, moved[joint.name])
            elif joint.mimic is not None and leaders.get(joint.mimic.joint) == kind_of(joint):
                write_mimic(prim, joint, f"{self.paths[WORLD]}/{SCOPES[0]}/{written[joint.mimic.joint]}")
            prims.append(prim)
        return prims


def _drawn(collision: Collision, link: Link) -> Visual | None:
    """Return the visual of a link that looks like a collision, of the same shape at the same place, if it has one."""
    geometry, place = collision.geometry, collision.pose.to_sdf()
    for visual in link.visuals:
        same = visual.geometry == geometry
        if isinstance(geometry, Mesh) and isinstance(visual.geometry, Mesh):
            same = visual.geometry.surface is geometry.surface and bool(
                (visual.geometry.stretch == geometry.stretch).all()
            )
        if same and visual.pose.to_sdf() == place:
            return visual
    return None


def _shape_lines(shape: Shape) -> tuple[Sequence[float], list[str]]:
    """Return the scale and the properties of a shape: a box is a scaled cube."""
    match shape:
        case Box():
            return shape.size, ["double size = 1", extent_line((0.5, 0.5, 0.5))]
        case Sphere():
            return UNSCALED, [f"double radius = {few(shape.radius)}", extent_line([shape.radius] * 3)]
        case Capsule() | Cylinder() | Cone():
            half = shape.length / 2.0 + (shape.radius if isinstance(shape, Capsule) else 0.0)
            sizes = [f"double height = {few(shape.length)}", f"double radius = {few(shape.radius)}"]
            return UNSCALED, ['uniform token axis = "Z"', *sizes, extent_line((shape.radius, shape.radius, half))]
    raise ValueError(f"USD has no {shape.kind}")
