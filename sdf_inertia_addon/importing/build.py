# SPDX-License-Identifier: GPL-3.0-or-later
"""A published robot as objects: an empty for each link and frame, below it an object for each collision and visual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.body.shapes import Shape
from ...core.errors import has_error
from ...core.mesh.surface import Surface
from ...core.robot.calculators import chosen_method
from ...core.robot.joints import own_joints
from ...core.robot.model import WORLD, Collision, Joint, Link, Mesh, Visual
from ...core.sdf.published.robot import PublishedRobot
from ..names import PROPERTIES
from ..scene.joint_reader import KINDS
from ..scene.primitive_mesh import mesh_of
from ..scene.scene_read import metres_per_unit
from ..scene.start_values import UPPER, as_kept

JOINT_TYPES = {kind: name for name, kind in KINDS.items()}

SIZE = 0.05
"""Of the empties [m]."""

NO_LIMIT = 1e16
"""What a limit is set to where a joint has only the other one: SDFormat's own for none."""


def build(robot: PublishedRobot, scene: bpy.types.Scene, into: bpy.types.Collection) -> bpy.types.Collection:
    """Make the objects of a robot in a collection of their own; return that.

    Parameters
    ----------
    robot : PublishedRobot
    scene : bpy.types.Scene
        Its unit of length is used; nothing in it is changed.
    into : bpy.types.Collection
    """
    collection = bpy.data.collections.new(robot.model.name)
    into.children.link(collection)
    _Building(robot, collection, metres_per_unit(scene)).all()
    return collection


@dataclass(eq=False)
class _Building:
    """One robot that is being made."""

    robot: PublishedRobot
    collection: bpy.types.Collection
    unit: float
    links: dict[str, bpy.types.Object] = field(default_factory=dict)
    surfaces: dict[Surface, bpy.types.Mesh] = field(default_factory=dict)
    materials: dict[tuple[float, ...], bpy.types.Material] = field(default_factory=dict)

    def all(self) -> None:
        model, state = self.robot.model, sha256(self.robot.path.read_bytes()).hexdigest()
        own = own_joints(model.joints)
        poses = {link.name: link.pose for link in model.links}
        for link in model.links:
            self.links[link.name] = self._empty(link.name, "ARROWS")
        for link in model.links:
            ob, joint = self.links[link.name], own.get(link.name)
            above = None if joint is None else self.links.get(joint.parent)
            local = link.pose if above is None or joint is None else poses[joint.parent].inverse() @ link.pose
            self._place(ob, local, above)
            settings: Any = getattr(ob, PROPERTIES)
            settings.is_link = True
            settings.source, settings.source_model = str(self.robot.path.absolute()), model.name
            settings.source_hash = state
            self._inertia(settings, link)
            parts: tuple[Collision | Visual, ...] = (*link.collisions, *link.visuals)
            for part in parts:
                self._part(part, ob)
        for joint in model.joints:
            self._joint(joint, own[joint.child] is joint)
        for frame in model.frames:
            ob = self._empty(frame.name, "PLAIN_AXES")
            self._place(ob, frame.pose, self.links[frame.attached_to])
            getattr(ob, PROPERTIES).is_frame = True

    def _new(self, name: str, data: bpy.types.ID | None) -> bpy.types.Object:
        ob = bpy.data.objects.new(name, data)
        self.collection.objects.link(ob)
        getattr(ob, PROPERTIES).sdf_name = name
        return ob

    def _empty(self, name: str, look: Any) -> bpy.types.Object:
        ob = self._new(name, None)
        ob.empty_display_type, ob.empty_display_size = look, SIZE / self.unit
        return ob

    def _place(
        self, ob: bpy.types.Object, pose: Pose, parent: bpy.types.Object | None, scale: FloatArray | None = None
    ) -> None:
        """Put an object below another, by quaternions: Euler angles would lose digits."""
        ob.parent = parent
        ob.rotation_mode = "QUATERNION"
        ob.location = pose.p / self.unit
        ob.rotation_quaternion = _quaternion(pose.R)
        if scale is not None:
            ob.scale = Vector(scale.tolist())

    def _part(self, part: Collision | Visual, link: bpy.types.Object) -> None:
        geometry = part.geometry
        scale = None
        if isinstance(geometry, Mesh):
            mesh, kind = self._mesh(geometry.surface, part.name), "MESH"
            scale = np.diag(geometry.stretch) / self.unit
        else:
            assert isinstance(geometry, Shape)
            mesh, kind = mesh_of(geometry.scaled(1.0 / self.unit), part.name), geometry.kind.upper()
        if isinstance(part, Visual) and part.color is not None:
            mesh = self._colored(mesh, part.color)
        ob = self._new(part.name, mesh)
        self._place(ob, part.pose, link, scale)
        settings: Any = getattr(ob, PROPERTIES)
        settings.geometry = kind
        if isinstance(part, Visual):
            settings.is_visual = True
            return
        settings.is_collision = True
        if part.density is not None:
            settings.density, settings.use_density = part.density, True
        _set_method(settings, part.params, self.unit)
        ob.display_type, ob.hide_render = "WIRE", True

    def _mesh(self, surface: Surface, name: str) -> bpy.types.Mesh:
        if surface not in self.surfaces:
            mesh = bpy.data.meshes.new(name)
            mesh.from_pydata(surface.vertices.tolist(), [], surface.triangles.tolist())
            mesh.update()
            self.surfaces[surface] = mesh
        return self.surfaces[surface]

    def _colored(self, mesh: bpy.types.Mesh, color: tuple[float, float, float, float]) -> bpy.types.Mesh:
        material = self.materials.get(color)
        if material is None:
            material = self.materials[color] = bpy.data.materials.new(self.robot.model.name)
            material.diffuse_color = color
            material.use_nodes = True
            shader = next((node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"), None)
            if shader is not None:
                base: Any = shader.inputs["Base Color"]
                base.default_value = color
        if list(mesh.materials) == [material]:
            return mesh
        if len(mesh.materials):
            mesh = mesh.copy()
            mesh.materials.clear()
        mesh.materials.append(material)
        return mesh

    def _inertia(self, settings: Any, link: Link) -> None:
        if link.manual is None:
            settings.inertia = "AUTO" if link.mode == "auto" else "FILLED"
            if link.density is not None:
                settings.density, settings.use_density = link.density, True
            if link.mass is not None:
                settings.mass, settings.use_mass = link.mass, True
            _set_method(settings, link.params, self.unit)
            return
        body = link.manual
        settings.inertia, settings.manual_mass = "MANUAL", body.mass
        settings.manual_com = body.com / self.unit
        # An impossible one is shown as it is.
        raw = [body.inertia[place] for place in UPPER]
        settings.manual_inertia = raw if has_error(body.findings()) else as_kept(body)

    def _joint(self, joint: Joint, hangs: bool) -> None:
        child = self.links[joint.child]
        ob = child
        if not hangs:  # it closes a loop
            ob = self._empty(joint.name, "SPHERE")
            self._place(ob, joint.pose, child)
            settings: Any = getattr(ob, PROPERTIES)
            settings.is_joint, settings.joint_child = True, child
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
        settings.joint_damping, settings.joint_friction = joint.damping, joint.friction
        settings.joint_pitch = joint.pitch / self.unit
        if hangs and not (np.array_equal(joint.pose.R, np.eye(3)) and not joint.pose.p.any()):
            frame = self._empty(f"{joint.name}_frame", "SINGLE_ARROW")
            self._place(frame, joint.pose, child)
            settings.joint_frame = frame


def _quaternion(R: FloatArray) -> Quaternion:
    return Matrix(R.tolist()).to_quaternion()


def _set_method(settings: Any, params: Mapping[str, str] | None, unit: float) -> None:
    """Set the method of auto params where it is one of ours."""
    if not params:
        return
    method = chosen_method(params)
    settings.method = method.upper() if method in ("exact", "voxel", "hull", "shell") else "INHERIT"
    for name in ("voxel_size", "thickness"):
        text = next((value for key, value in params.items() if key.rpartition(":")[2] == name), None)
        if text is not None:
            setattr(settings, name, float(text) / unit)
