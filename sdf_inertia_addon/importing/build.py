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
from ...core.errors import Finding, InertiaError, has_error
from ...core.formats.robot_file import ImportedRobot, not_imported
from ...core.mesh.methods import METHODS
from ...core.mesh.surface import Surface
from ...core.robot.calculators import chosen_method, lengths_of
from ...core.robot.joints import own_joints
from ...core.robot.model import DYNAMICS, WORLD, Collision, Joint, Link, Mesh, Visual
from ..names import PROPERTIES
from ..scene.geometry import mesh_of
from ..scene.joint_reader import KINDS
from ..scene.link_reader import WRITE_AS
from ..scene.scene_read import metres_per_unit
from ..scene.start_values import UPPER, as_kept
from .mesh_files import MeshFiles

JOINT_TYPES = {kind: name for name, kind in KINDS.items()}

WRITTEN_AS = {kind: name for name, kind in WRITE_AS.items()}

SIZE = 0.05
"""Of the empties [m]."""

NO_LIMIT = 1e16
"""What a limit is set to where a joint has only the other one: SDFormat's own for none."""


def build(
    robot: ImportedRobot, files: MeshFiles, scene: bpy.types.Scene, into: bpy.types.Collection
) -> bpy.types.Collection:
    """Make the objects of a robot in a collection of their own; return that.

    Parameters
    ----------
    robot : ImportedRobot
    files : MeshFiles
        Has the meshes that have materials.
    scene : bpy.types.Scene
        Its unit of length is used; nothing in it is changed.
    into : bpy.types.Collection
    """
    collection = bpy.data.collections.new(robot.model.name)
    into.children.link(collection)
    _Building(robot, files, collection, metres_per_unit(scene)).all()
    return collection


@dataclass(eq=False)
class _Building:
    """One robot that is being made."""

    robot: ImportedRobot
    files: MeshFiles
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
            mesh, kind = self._mesh(geometry, part.name), "MESH"
            scale = np.diag(geometry.stretch) / self.unit
        else:
            assert isinstance(geometry, Shape)
            mesh, kind = mesh_of(geometry.scaled(1.0 / self.unit), part.name), geometry.kind.upper()
        ob = self._new(part.name, mesh)
        if isinstance(part, Visual) and part.color is not None:
            self._color(ob, mesh, part.color)
        self._place(ob, part.pose, link, scale)
        settings: Any = getattr(ob, PROPERTIES)
        settings.geometry = kind
        if isinstance(part, Visual):
            settings.is_visual = True
            return
        settings.is_collision = True
        if part.density is not None:
            settings.density, settings.use_density = part.density, True
        settings.write_as = WRITTEN_AS[part.write_as]
        _set_method(settings, part.params, self.unit)
        ob.display_type, ob.hide_render = "WIRE", True

    def _mesh(self, geometry: Mesh, name: str) -> bpy.types.Mesh:
        surface = geometry.surface
        if surface not in self.surfaces:
            use = self.robot.meshes[geometry]
            own = self.files.mesh(use.path, surface, name) if use.submesh is None else None
            if own is None:
                own = bpy.data.meshes.new(name)
                own.from_pydata(surface.vertices.tolist(), [], surface.triangles.tolist())
                own.update()
            self.surfaces[surface] = own
        return self.surfaces[surface]

    def _color(self, ob: bpy.types.Object, mesh: bpy.types.Mesh, color: tuple[float, float, float, float]) -> None:
        """Give an object a colour of its own: others may share its mesh."""
        material = self.materials.get(color)
        if material is None:
            material = self.materials[color] = bpy.data.materials.new(self.robot.model.name)
            material.diffuse_color = color
            material.use_nodes = True
            shader = next((node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"), None)
            if shader is not None:
                base: Any = shader.inputs["Base Color"]
                base.default_value = color
        if not mesh.materials:
            nothing: Any = None
            mesh.materials.append(nothing)
        for slot in ob.material_slots:
            slot.link = "OBJECT"
            slot.material = material

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
        for name in DYNAMICS:
            setattr(settings, f"joint_{name}", getattr(joint, name))
        settings.joint_pitch = joint.pitch / self.unit
        if hangs and not (np.array_equal(joint.pose.R, np.eye(3)) and not joint.pose.p.any()):
            frame = self._empty(f"{joint.name}_frame", "SINGLE_ARROW")
            self._place(frame, joint.pose, child)
            settings.joint_frame = frame


def _quaternion(R: FloatArray) -> Quaternion:
    return Matrix(R.tolist()).to_quaternion()


def _set_method(settings: Any, params: Mapping[str, str] | None, unit: float) -> None:
    """Set the method of auto params where it is one of ours; parameters that are none hide those of the link."""
    if params is None:
        return
    method = chosen_method(params)
    if method not in METHODS or unheld(params):
        return
    settings.method = method.upper()
    for name, length in lengths_of(params).items():
        setattr(settings, name, length / unit)


def unheld(params: Mapping[str, str] | None) -> list[str]:
    """Return the auto params that the settings of an object cannot hold."""
    try:
        known = {"method", *lengths_of(params or {})}
    except InertiaError:
        return list(params or {})
    own = chosen_method(params or {}) in METHODS
    return [name for name in params or {} if not own or name.rpartition(":")[2] not in known]


def left_out(robot: ImportedRobot) -> list[Finding]:
    """Say what of a robot no setting of an object can hold."""
    found = []
    for link in robot.model.links:
        for own, params in (
            (link.name, link.params),
            *((f"{link.name}/{one.name}", one.params) for one in link.collisions),
        ):
            lost = unheld(params)
            if lost:
                found.append(not_imported(own, "parameters", names=", ".join(lost)))
    for joint in robot.model.joints:
        zero = [name for name in ("effort", "velocity") if getattr(joint, name) == 0.0]
        if zero:
            found.append(not_imported(joint.child, "no_limit", names=" and ".join(zero)))
    return found
