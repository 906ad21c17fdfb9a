# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a link's objects as values of core, and sets the settings of an imported link. Units are converted here.

Frames: every object has an affine map to the world, x_world = M x_object (Blender units). A link's frame is the
location and rotation of its M without its mirrors, exactly as they will read in the file; a part's map into it,
A = frame⁻¹ M in metres, keeps all the rest (scale, mirror, shear, the rounding of M), so no choice of frame changes
the physics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from mathutils import Matrix

from ...core.arrays import FloatArray
from ...core.body.inertial import Inertial
from ...core.body.pose import Pose
from ...core.errors import Finding, InertiaError, has_error
from ...core.formats.sdf.spec.names import UniqueNames, valid_name
from ...core.mesh.methods import METHODS
from ...core.robot.calculators import chosen_method, lengths_of
from ...core.robot.model import Collision, Frame, InertiaMode, Link, Look, Part, Unusable, Visual, WriteAs
from . import geometry
from .evaluated.instances import TaggedInstance
from .material_reader import WHITE, look_of, texture_of
from .properties import PROPERTY_OF, SDF_INERTIA_PG_object
from .settings import check_choices, check_infill, params_of, shortest, stated_density, stated_mass, unknown_material
from .start_values import UPPER, as_kept

WRITE_AS: dict[str, WriteAs] = {
    "AS_IS": "as_is",
    "CONVEX_HULL": "convex_hull",
    "SIMPLIFIED": "simplified",
    "DECOMPOSED": "decomposed",
}

MODES: dict[str, InertiaMode] = {"AUTO": "auto", "FILLED": "filled", "MANUAL": "manual", "NONE": "none"}

NAMES = {mode: name for name, mode in MODES.items()}

NOT_COMPUTED = ("MANUAL", "NONE")
"""How the inertia of a link is set whose parts nobody weighs."""


def manual_inertial(settings: SDF_INERTIA_PG_object, metres_per_unit: float) -> Inertial:
    """Return the inertial that was entered by hand, or imported from a file."""
    return kept_inertial([settings.manual_mass, *settings.manual_com, *settings.manual_inertia], metres_per_unit)


def kept_inertial(numbers: Iterable[float], metres_per_unit: float) -> Inertial:
    """Return the inertial of ten numbers that properties keep: mass, centre of mass, Ixx Iyy Izz Ixy Ixz Iyz."""
    mass, x, y, z, xx, yy, zz, xy, xz, yz = map(shortest, numbers)
    return Inertial(mass, metres_per_unit * np.array([x, y, z]), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))


def set_manual(settings: Any, inertial: Inertial, metres_per_unit: float) -> None:
    """Enter an inertial by hand."""
    settings.inertia, settings.manual_mass = "MANUAL", inertial.mass
    settings.manual_com = inertial.com / metres_per_unit
    # An impossible tensor is shown as it is.
    raw = [inertial.inertia[place] for place in UPPER]
    settings.manual_inertia = raw if has_error(inertial.findings()) else as_kept(inertial)


def set_link_settings(settings: Any, link: Link, metres_per_unit: float) -> None:
    """Set what `LinkReader` reads from the settings of a link's object, all but its frame and parts."""
    if link.manual is None:
        settings.inertia = NAMES[link.mode]
        if link.density is not None:
            settings.density, settings.use_density = link.density, True
        if link.mass is not None:
            settings.mass, settings.use_mass = link.mass, True
        set_method(settings, link.params, metres_per_unit)
        return
    set_manual(settings, link.manual, metres_per_unit)


def set_method(settings: Any, params: Mapping[str, str] | None, metres_per_unit: float) -> None:
    """Set the method and its lengths, if the object's settings can express these parameters."""
    if params is None or not_expressible(params):
        return
    settings.method = chosen_method(params).upper()
    for name, length in lengths_of(params).items():
        setattr(settings, PROPERTY_OF.get(name, name), 100.0 * length if name == "infill" else length / metres_per_unit)


def not_expressible(params: Mapping[str, str] | None) -> list[str]:
    """Return the names of the auto parameters that the settings of an object cannot express."""
    try:
        known = {"method", *lengths_of(params or {})}
    except InertiaError:
        return list(params or {})
    known_method = chosen_method(params or {}) in METHODS
    return [name for name in params or {} if not known_method or name.rpartition(":")[2] not in known]


def named(names: UniqueNames, instance: TaggedInstance) -> str:
    """Give an object its name: that of the file it was imported from as it is, any other as SDF names should be."""
    return names.keep(instance.name_in_file) if instance.name_in_file else names.give(instance.name)


def _is_more(visual: TaggedInstance) -> bool:
    """Return True if a visual is something else too, as which it is read; a mass alone is in no file."""
    return visual.is_collision or visual.settings.is_link or (visual.is_mass and not visual.name_in_file)


def _is_seen_as_in_file(part: TaggedInstance) -> bool:
    return part.is_visual and bool(part.name_in_file) and not _is_more(part)


def _visual_name(part: TaggedInstance, siblings: UniqueNames) -> str:
    # If the object is something else too, that has already reported the changed name.
    return siblings.give(f"{valid_name(part.name) if _is_more(part) else part.name}_visual")


class LinkReader:
    """One reading of some links, whose names differ; lives no longer than the call."""

    def __init__(self, unit: float, links: list[TaggedInstance], for_file: bool = False) -> None:
        self.unit = unit
        self.for_file = for_file
        """Textures and the looks of collisions are read, too: for an export, not for the panels."""
        self.names, self.joint_names = UniqueNames(), UniqueNames()  # only in SDF a joint needs a name of its own
        self.link_names = {link: named(self.names, link) for link in links}

    def link(self, root: TaggedInstance, parts: list[TaggedInstance], inertia: str, empty: bool = False) -> Link:
        name = self.link_names[root]
        settings = root.settings
        problem = root.misplaced()
        if problem is not None:
            return Link(name, findings=(problem.finding(),))
        try:
            check_choices(settings, "inertia", "method", "joint_type")
        except InertiaError as error:
            return Link(name, findings=(error.about(name).finding(),))
        findings = list(self._frame_findings(root, name))
        frame = self.frame_of(root)
        siblings, seen = UniqueNames(), UniqueNames()
        for ob in dict.fromkeys([root, *(part for part in parts if part.is_collision or part.is_mass)]):
            findings += unknown_material(ob.settings, f"{name}/{ob.name}" if ob is not root else name)
        collisions = tuple(self._collision(part, root, frame, siblings) for part in parts if part.is_collision)
        masses = tuple(self._part(part, root, frame, siblings) for part in parts if part.is_mass)
        # In a file, a visual may be called as a collision is.
        names_as_in_file = {part: seen.keep(part.name_in_file) for part in parts if _is_seen_as_in_file(part)}
        for taken in names_as_in_file.values():
            siblings.take(taken)
        names = {part: names_as_in_file.get(part) or _visual_name(part, siblings) for part in parts if part.is_visual}
        visuals = tuple(self._visual(part, visual_name, frame, findings) for part, visual_name in names.items())
        # Nobody asks these for their moments, so nobody else would notice that there are none.
        unweighed = settings.inertia in NOT_COMPUTED
        unasked: list[Part | Visual] = [
            *visuals,
            *(collision for collision in collisions if unweighed or not collision.has_mass),
        ]
        unasked += masses if unweighed else ()
        for shown in unasked:
            if isinstance(shown.geometry, Unusable):
                findings.append(shown.geometry.error.about(f"{name}/{shown.name}").finding())
        self.names.findings += [finding.about(name) for finding in siblings.findings + seen.findings]
        return Link(
            name,
            frame,
            MODES[settings.inertia if inertia == "AS_SET" or settings.inertia == "NONE" else inertia],
            stated_density(settings),
            stated_mass(settings),
            params_of(settings, self.unit) or {},
            manual_inertial(settings, self.unit) if settings.inertia == "MANUAL" else None,
            collisions,
            visuals,
            tuple(findings),
            empty,
            masses,
        )

    def frame_of(self, root: TaggedInstance) -> Pose:
        """Return the pose of an object in the world [m], without its scale and its mirrors."""
        return self.pose(root.upright)

    def pose(self, matrix_world: Matrix) -> Pose:
        """Return location and rotation of a map to the world, as they will read in a file [m]."""
        location, rotation, _scale = matrix_world.decompose()
        xyzw = (rotation.x, rotation.y, rotation.z, rotation.w)
        metres = self.unit * np.array(location, dtype=np.float64)
        return geometry.settled(Pose.from_quaternion(metres, xyzw).R, metres, float(np.abs(metres).max()))

    def between(self, frame: Pose, other: Pose) -> Pose:
        """Return a pose in the world in a frame that is in the world too."""
        pose = frame.inverse() @ other
        return geometry.settled(pose.R, pose.p, float(np.abs([frame.p, other.p]).max()))

    def _map(self, part: TaggedInstance, frame: Pose) -> tuple[FloatArray, FloatArray, float]:
        """Return the part's map into the link's frame and the size of its coordinates, see `part_geometry`."""
        M = np.array(part.matrix_world, dtype=np.float64)
        A = self.unit * (frame.R.T @ M[:3, :3])
        place = self.unit * M[:3, 3]
        return A, frame.R.T @ (place - frame.p), float(np.abs([place, frame.p]).max())

    def _part(self, part: TaggedInstance, root: TaggedInstance, frame: Pose, siblings: UniqueNames) -> Part:
        """Return a part that has mass and does not collide."""
        name = named(siblings, part)
        apart = part is not root  # on an object that is link and part, density, mass and method are the link's
        density = stated_density(part.settings) if apart else None
        mass = stated_mass(part.settings) if apart else None
        pose, shape = Pose.identity, None
        try:
            part.require()
            check_choices(part.settings, "geometry", "method", "write_as")
            inherits = not apart or part.settings.method == "INHERIT"
            method, dense = (root.settings if is_links else part.settings for is_links in (inherits, density is None))
            check_infill(method, dense)
            pose, shape = geometry.part_geometry(part, part.settings.geometry, *self._map(part, frame))
        except InertiaError as error:
            return Part(name, pose, Unusable(error), density, mass=mass)
        params = params_of(method, self.unit, shape)
        if inherits and params == params_of(root.settings, self.unit):
            params = None  # written once, on the link, unless a voxel size depends on the shape
        return Part(name, pose, shape, density, params, mass=mass)

    def _collision(self, part: TaggedInstance, root: TaggedInstance, frame: Pose, siblings: UniqueNames) -> Collision:
        solid = self._part(part, root, frame, siblings)
        has_mass = part.settings.has_mass or part.settings.is_mass
        return Collision(
            solid.name,
            solid.pose,
            solid.geometry,
            solid.density,
            solid.params,
            mass=solid.mass,
            has_mass=has_mass,
            write_as=WRITE_AS.get(part.settings.write_as, "as_is"),  # an unknown one has refused the part
            simplify_tolerance=self.unit * shortest(part.settings.simplify_tolerance),
            look=look_of(part) if self.for_file else Look(),
        )

    def frames(self, root: TaggedInstance, frames: list[TaggedInstance]) -> tuple[Frame, ...]:
        """Return the frames of a link that have a place in the scene, each in the frame of the link."""
        if root.misplaced() is not None:
            return ()
        link_frame = self.frame_of(root)
        placed = [frame for frame in frames if frame.misplaced() is None]
        name = self.link_names[root]
        return tuple(
            Frame(
                named(self.names, frame),
                self.between(link_frame, self.frame_of(frame)),
                name,
                frame.settings.joint_name if frame.name_in_file else "",
            )
            for frame in placed
        )

    def _visual(self, part: TaggedInstance, name: str, frame: Pose, findings: list[Finding]) -> Visual:
        try:
            part.require()
            check_choices(part.settings, "geometry")
            kind = "MESH" if _is_more(part) else part.settings.geometry  # what also collides is seen as it is
            look = look_of(part)
            pose, shape = geometry.part_geometry(part, kind, *self._map(part, frame))
            visual = Visual(name, pose, shape, look.color, look.metalness, look.roughness)
            texture, noted = texture_of(part, part.name, kind == "MESH") if self.for_file else (None, ())
            findings += noted
            return visual if texture is None else replace(visual, texture=texture, color=WHITE)
        except InertiaError as error:
            return Visual(name, Pose.identity, Unusable(error))

    def _frame_findings(self, root: TaggedInstance, name: str) -> list[Finding]:
        M = np.array(root.matrix_world, dtype=np.float64)[:3, :3]
        if not np.linalg.norm(M, axis=0).all():
            return []  # its parts have findings about that; without parts it does not matter
        sheared, findings = geometry.shear(M), []
        if sheared > geometry.SHEAR:
            findings.append(Finding.of("info", "link_sheared", name, sheared=sheared))
        if np.linalg.det(M) < 0.0:
            by_hand = root.settings.inertia == "MANUAL"
            form = "turned" if not root.mirror[1] else "manual" if by_hand else ""
            findings.append(Finding.of("warning" if form else "info", "link_mirrored", name, form))
        return findings
