# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the objects of an imported robot: an empty for each link and frame, with its collisions and visuals below."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.body.shapes import Shape
from ...core.errors import Finding
from ...core.files.look import Material
from ...core.formats.robot_file import ImportedRobot, not_imported, part_key
from ...core.mesh.surface import Surface
from ...core.robot.joints import own_joints
from ...core.robot.model import DYNAMICS, WORLD, Collision, Joint, Link, Mesh, Part, Visual
from ..names import PROPERTIES
from ..scene.belonging import is_unseen_collision
from ..scene.geometry import mesh_of
from ..scene.joint_reader import KINDS
from ..scene.link_reader import WRITE_AS, not_expressible, set_link_settings, set_method
from ..scene.scene_read import metres_per_unit
from ..steps import Step, Steps
from ..translations.words import iface_
from .accepted import take_back
from .materials import lay_out
from .mesh_files import MeshFiles, new_mesh

JOINT_TYPES = {kind: name for name, kind in KINDS.items()}

WRITTEN_AS = {kind: name for name, kind in WRITE_AS.items()}

EMPTY_SIZE = 0.05
"""Display size of the empties [m]."""

NO_LIMIT = 1e16
"""SDFormat's value for no limit, for a joint that has only one of its two limits."""


def build(
    robot: ImportedRobot, files: MeshFiles, scene: bpy.types.Scene, state: str, origin: Pose = Pose.identity
) -> Steps[bpy.types.Collection]:
    """Make the objects of a robot in a new collection that is in no scene yet, and return it.

    Parameters
    ----------
    robot : ImportedRobot
    files : MeshFiles
        Makes meshes with the materials and textures of their files, and knows all that is made.
    scene : bpy.types.Scene
        Gives the unit of length; it is not changed.
    state : str
        The SHA-256 of the robot's file.
    origin : Pose
        The pose of the robot's frame in the scene.
    """
    collection = bpy.data.collections.new(robot.model.name)
    files.made.append(collection)
    yield from _Building(robot, files, collection, metres_per_unit(scene), origin).make_all(state)
    return collection


def build_missing(
    robot: ImportedRobot, files: MeshFiles, scene: bpy.types.Scene, links: Mapping[str, bpy.types.Object]
) -> list[bpy.types.Object]:
    """Make the parts whose meshes were missing and are found now, below the objects of their links; return them.

    The computed inertia of such a link is no longer accepted, because its geometry has changed.
    """
    new: list[bpy.types.Object] = []
    for link in robot.model.links:
        ob = links.get(link.name)
        if ob is None:
            continue
        settings: Any = getattr(ob, PROPERTIES)
        missing = settings.missing.splitlines()
        known = {*map(part_key, link.collisions), *map(part_key, link.visuals)}
        available = [part for part in missing if part in known]
        if available:
            if settings.accepted:
                take_back(ob)
            building = _Building(robot, files, ob.users_collection[0], metres_per_unit(scene))
            new += building.make_parts(link, ob, available)
            settings.missing = "\n".join(part for part in missing if part not in known)
    return new


def hide_collisions(view_layer: bpy.types.ViewLayer, objects: Iterable[bpy.types.Object]) -> None:
    """Hide the collisions among the objects, in a view layer, if their link has visuals."""
    collisions = [ob for ob in objects if is_unseen_collision(ob)]
    links = {ob.parent for ob in collisions if ob.parent is not None}
    seen = {link for link in links if any(getattr(child, PROPERTIES).is_visual for child in link.children)}
    for ob in collisions:
        if ob.parent in seen and view_layer.objects.get(ob.name) == ob:  # it may be in an excluded collection
            ob.hide_set(True, view_layer=view_layer)


@dataclass(eq=False)
class _Building:
    """Makes the objects of one robot."""

    robot: ImportedRobot
    files: MeshFiles
    collection: bpy.types.Collection
    unit: float
    origin: Pose = Pose.identity
    links: dict[str, bpy.types.Object] = field(default_factory=dict)
    joints: dict[str, bpy.types.Object] = field(default_factory=dict)
    surfaces: dict[Surface, bpy.types.Mesh] = field(default_factory=dict)

    def make_all(self, state: str) -> Steps[None]:
        """Make the objects of all links, joints and frames, link by link; `state` is the SHA-256 of the file."""
        model = self.robot.model
        tree_joints = own_joints(model.joints)
        poses = {link.name: link.pose for link in model.links}
        for link in model.links:
            self.links[link.name] = self._empty(link.name, "ARROWS")
        for number, link in enumerate(model.links):
            yield Step(iface_("making links"), number / len(model.links))
            ob, joint = self.links[link.name], tree_joints.get(link.name)
            above = None if joint is None else self.links.get(joint.parent)
            origin = self.origin if above is None or joint is None else poses[joint.parent].inverse()
            self._place(ob, origin @ link.pose, above)
            settings: Any = getattr(ob, PROPERTIES)
            settings.is_link = True
            settings.source, settings.source_model = str(self.robot.path.absolute()), model.name
            settings.source_hash = state
            set_link_settings(settings, link, self.unit)
            settings.without_inertial = link.mode == "none"
            settings.missing = "\n".join(lost.part for lost in self.robot.lost if lost.link == link.name)
            self.make_parts(link, ob)
        for joint in model.joints:
            self._set_joint(joint, tree_joints[joint.child] is joint)
        for joint in model.joints:
            if joint.mimic is not None:
                settings = getattr(self.joints[joint.name], PROPERTIES)
                settings.joint_mimic = self.joints[joint.mimic.joint]
                settings.joint_mimic_multiplier, settings.joint_mimic_offset = joint.mimic[1:]
        for frame in model.frames:
            ob = self._empty(frame.name, "PLAIN_AXES")
            self._place(ob, frame.pose, self.links[frame.attached_to])
            settings = getattr(ob, PROPERTIES)
            settings.is_frame, settings.joint_name = True, frame.joint

    def make_parts(
        self, link: Link, ob: bpy.types.Object, only: Container[str] | None = None
    ) -> list[bpy.types.Object]:
        """Make the parts of a link below its object, or `only` those with these keys; return them."""
        parts: tuple[Collision | Visual, ...] = (*link.collisions, *link.visuals)
        masses = {part.name: part for part in link.masses}  # visuals that MuJoCo computes inertias from
        return [self._part(part, ob, masses) for part in parts if only is None or part_key(part) in only]

    def _collisions(self) -> bpy.types.Collection:
        """Return the collection of the robot's collisions; make it if needed."""
        name = f"{self.collection.name} Collisions"
        children = self.collection.children
        known = next((child for child in children if child.name.startswith(name)), None)  # or with a number
        if known is None:
            known = bpy.data.collections.new(name)
            self.files.made.append(known)
            self.collection.children.link(known)
        return known

    def _new(self, name: str, data: bpy.types.ID | None, into: bpy.types.Collection | None = None) -> bpy.types.Object:
        ob = bpy.data.objects.new(name, data)
        self.files.made += [ob] if data is None else [ob, data]
        (into or self.collection).objects.link(ob)
        getattr(ob, PROPERTIES).sdf_name = name
        return ob

    def _empty(self, name: str, look: Any) -> bpy.types.Object:
        ob = self._new(name, None)
        ob.empty_display_type, ob.empty_display_size = look, EMPTY_SIZE / self.unit
        return ob

    def _place(
        self, ob: bpy.types.Object, pose: Pose, parent: bpy.types.Object | None, scale: FloatArray | None = None
    ) -> None:
        ob.parent = parent
        ob.location = pose.p / self.unit
        ob.rotation_euler = pose.to_sdf()[3:]  # Blender's own conversion loses digits near 90 degrees of pitch
        if scale is not None:
            ob.scale = Vector(scale.tolist())

    def _part(self, part: Collision | Visual, link: bpy.types.Object, masses: Mapping[str, Part]) -> bpy.types.Object:
        geometry = part.geometry
        scale = None
        if isinstance(geometry, Mesh):
            mesh, kind = self._mesh(geometry, part.name), "MESH"
            scale = np.diag(geometry.stretch) / self.unit
        else:
            assert isinstance(geometry, Shape)
            mesh, kind = mesh_of(geometry.scaled(1.0 / self.unit), part.name), geometry.kind.upper()
        ob = self._new(part.name, mesh, None if isinstance(part, Visual) else self._collisions())
        color = part.color if isinstance(part, Visual) else part.look.color
        image = part.image if isinstance(part, Visual) else None
        if color is not None or image is not None:
            material = part.material if isinstance(part, Visual) else ""
            self._color(
                ob, mesh, self.files.materials.of(Material(material or self.robot.model.name, color, ""), image)
            )
        if image is not None and not mesh.uv_layers:
            lay_out(mesh)
        self._place(ob, part.pose, link, scale)
        settings: Any = getattr(ob, PROPERTIES)
        settings.geometry = kind
        solid = masses.get(part.name) if isinstance(part, Visual) else part
        if solid is not None and solid.density is not None:
            settings.density, settings.use_density = solid.density, True
        if solid is not None and solid.mass is not None:
            settings.mass, settings.use_mass = solid.mass, True
        if isinstance(part, Visual):
            settings.is_visual, settings.is_mass = True, solid is not None
            return ob
        settings.is_collision, settings.has_mass = True, part.has_mass
        settings.write_as = WRITTEN_AS[part.write_as]
        set_method(settings, part.params, self.unit)
        ob.display_type, ob.hide_render = "WIRE", True
        return ob

    def _mesh(self, geometry: Mesh, name: str) -> bpy.types.Mesh:
        surface = geometry.surface
        if surface not in self.surfaces:
            use = self.robot.meshes.get(geometry)  # MJCF may have the vertices in itself
            self.surfaces[surface] = (
                new_mesh(name, surface.vertices, surface.triangles if surface.quads is None else surface.quads)
                if use is None
                else self.files.mesh(use, surface, name)
            )
        return self.surfaces[surface]

    def _color(self, ob: bpy.types.Object, mesh: bpy.types.Mesh, material: bpy.types.Material) -> None:
        """Give the object its own material, since other objects may share its mesh."""
        if not mesh.materials:
            nothing: Any = None
            mesh.materials.append(nothing)
        for slot in ob.material_slots:
            slot.link = "OBJECT"
            slot.material = material

    def _set_joint(self, joint: Joint, in_tree: bool) -> None:
        """Set a joint at its child, or at an empty of its own if it closes a loop."""
        child = self.links[joint.child]
        ob = child
        if not in_tree:
            ob = self._empty(joint.name, "SPHERE")
            self._place(ob, joint.pose, child)
            settings: Any = getattr(ob, PROPERTIES)
            settings.is_joint, settings.joint_child = True, child
        self.joints[joint.name] = ob
        settings = getattr(ob, PROPERTIES)
        settings.joint_type = JOINT_TYPES[joint.kind]
        settings.joint_name = joint.name
        settings.joint_world = joint.parent == WORLD
        if joint.parent != WORLD:
            settings.joint_parent = self.links[joint.parent]
        settings.joint_axis, settings.joint_axis2 = joint.axis, joint.axis2
        slides = joint.kind == "prismatic"
        if joint.lower is not None or joint.upper is not None:
            unit = self.unit if slides else 1.0
            settings.joint_use_limits = True
            settings.joint_lower = -NO_LIMIT if joint.lower is None else joint.lower / unit
            settings.joint_upper = NO_LIMIT if joint.upper is None else joint.upper / unit
        settings.joint_effort, settings.joint_velocity = joint.effort or 0.0, joint.velocity or 0.0
        for name in DYNAMICS:
            setattr(settings, f"joint_{name}", getattr(joint, name))
        settings.joint_rotor_inertia, settings.joint_gear_ratio = joint.rotor_inertia, joint.gear_ratio
        settings.joint_pitch = joint.pitch / self.unit
        if in_tree and not (np.array_equal(joint.pose.R, np.eye(3)) and not joint.pose.p.any()):
            frame = self._empty(f"{joint.name}_frame", "SINGLE_ARROW")
            self._place(frame, joint.pose, child)
            settings.joint_frame = frame


def left_out(robot: ImportedRobot) -> list[Finding]:
    """Return findings about what the settings of objects cannot express."""
    findings = []
    for link in robot.model.links:
        for subject, params in (
            (link.name, link.params),
            *((f"{link.name}/{collision.name}", collision.params) for collision in link.collisions),
        ):
            if names := not_expressible(params):
                findings.append(not_imported(subject, "parameters", names=", ".join(names)))
    for joint in robot.model.joints:
        if zero := [name for name in ("effort", "velocity") if getattr(joint, name) == 0.0]:
            findings.append(not_imported(joint.child, "no_limit", names=" and ".join(zero)))
        if joint.spring_stiffness:
            findings.append(not_imported(joint.child, "spring", joint=joint.name))
    return findings
