# SPDX-License-Identifier: GPL-3.0-or-later
"""From Blender's evaluated scene to core values. Units are converted here, and nowhere else.

Frames: every object has an affine map to the world, x_world = M x_object (Blender units). A link's frame is the
location and rotation of its M, exactly as they will read in the file; a part's map into it, A = frame⁻¹ M in metres,
keeps all the rest (scale, mirror, shear, the rounding of M), so no choice of frame changes the physics.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.body.inertial import Inertial
from ...core.body.pose import Pose
from ...core.errors import Finding, InertiaError
from ...core.robot.model import Collision, InertiaMode, Link, Model, Unusable, Visual
from ...core.sdf.spec.names import UniqueNames, valid_name
from . import geometry
from .belonging import is_link, is_or_could_be_part
from .blocked_scripts import blocked_texts
from .instances import TaggedInstance, TaggedInstances, instance_again
from .settings import params_of, shortest, stated_density, stated_mass, unknown_material

MODES: dict[str, InertiaMode] = {"AUTO": "auto", "FILLED": "filled", "MANUAL": "manual"}


def metres_per_unit(scene: bpy.types.Scene) -> float:
    """Return the length of a Blender unit [m]; without a unit system, Blender's own labels mean metres."""
    settings = scene.unit_settings
    return 1.0 if settings.system == "NONE" else shortest(settings.scale_length)


def model_name() -> str:
    """Return the name of the scene's model: the .blend's stem, or ``model``."""
    return valid_name(Path(bpy.data.filepath).stem) if bpy.data.filepath else "model"


def read_model(
    depsgraph: bpy.types.Depsgraph, inertia: str = "AS_SET", collection: bpy.types.Collection | None = None
) -> Model:
    """Read the tagged objects of a scene, whatever their selection or visibility in the viewport.

    Parameters
    ----------
    depsgraph : bpy.types.Depsgraph
        Evaluated; its scene and view layer are read.
    inertia : {"AS_SET", "AUTO", "FILLED"}
        Overrides the links' own setting; numbers entered by hand (MANUAL) stay.
    collection : bpy.types.Collection, optional
        Read only the links in it, each with all its parts, as a model of the collection's name.

    Returns
    -------
    Model
        What could not be read is in it as a finding of severity error.
    """
    instances = TaggedInstances(depsgraph)
    reader = _Reader(metres_per_unit(depsgraph.scene), instances.links)
    inside = None if collection is None else {ob.name_full for ob in collection.all_objects}
    name = model_name() if collection is None else valid_name(collection.name)
    roots = [root for root in instances.links if _is_in(root, inside)]
    hollow = _hollow(roots, instances)
    links = tuple(reader.link(root, instances.parts[root], inertia, root in hollow) for root in roots)
    findings = _model_findings(reader, instances, inside, {link.name for link in links}) + blocked_texts(name)
    if len(links) - len(hollow) > 1:
        message = f"the {len(links) - len(hollow)} links are not joined by joints: in a simulation they move freely"
        findings.append(Finding("warning", "free_links", name, message, "include it in a model that has the joints"))
    return Model(name, links, (), tuple(findings))


@dataclass(frozen=True, eq=False)
class SceneLink:
    """A link as read, and the objects it was read from, by their full names (a library's differs).

    Parameters
    ----------
    link : Link
    object : str
        The object that is the link.
    parts : mapping of str to str
        The object of each collision, by the collision's name.
    objects : tuple of str
        The objects of all collisions and visuals, each once.
    placed : bool
        False where the link stands nowhere, and nothing of it was read.
    """

    link: Link
    object: str
    parts: Mapping[str, str]
    objects: tuple[str, ...]
    placed: bool


@dataclass(frozen=True, eq=False)
class SceneLinks:
    """All links of a scene as read, sorted as in the file.

    Parameters
    ----------
    links : tuple of SceneLink
        An instanced link stands there once per instance.
    findings : tuple of Finding
        About the model as a whole, and about what is in no link.
    instanced : bool
        Instances count among them, so an object's name does not tell where it stands.
    """

    links: tuple[SceneLink, ...]
    findings: tuple[Finding, ...]
    instanced: bool


def read_scene_links(depsgraph: bpy.types.Depsgraph) -> SceneLinks:
    """Read every link with the objects it comes from."""
    instances = TaggedInstances(depsgraph)
    reader = _Reader(metres_per_unit(depsgraph.scene), instances.links)
    hollow = _hollow(instances.links, instances)
    links = tuple(reader.scene_link(root, instances.parts[root], root in hollow) for root in instances.links)
    return SceneLinks(links, tuple(_model_findings(reader, instances)), instances.instanced)


def read_again(
    depsgraph: bpy.types.Depsgraph,
    name: str,
    root: tuple[bpy.types.Object, bool],
    parts: list[tuple[bpy.types.Object, bool]],
    hollow: bool = False,
) -> SceneLink:
    """Read one link again, of which nothing is instanced, whose objects and their names are as they were.

    Parameters
    ----------
    depsgraph : bpy.types.Depsgraph
    name : str
        The link's name in the model.
    root : tuple of bpy.types.Object and bool
        The link's object, and whether the depsgraph lists it.
    parts : list of tuple of bpy.types.Object and bool
        Those of its collisions and visuals, in their order.
    hollow : bool
        As before.
    """
    link = instance_again(*root, depsgraph)
    reader = _Reader(metres_per_unit(depsgraph.scene), [])
    reader.link_names[link] = name
    others = [link if part is root[0] else instance_again(part, listed, depsgraph) for part, listed in parts]
    return reader.scene_link(link, others, hollow)


class _Reader:
    """One reading of some links; lives no longer than the call."""

    def __init__(self, unit: float, links: list[TaggedInstance]) -> None:
        self.unit = unit
        self.names = UniqueNames()
        self.link_names = {link: self.names.give(link.name) for link in links}

    def link(self, root: TaggedInstance, parts: list[TaggedInstance], inertia: str, hollow: bool = False) -> Link:
        name = self.link_names[root]
        settings = root.settings
        problem = root.misplaced()
        if problem is not None:
            return Link(name, findings=(problem.finding(),))
        findings = list(self._frame_findings(root, name))
        frame = self._frame(root)
        siblings = UniqueNames()
        for ob in dict.fromkeys([root, *(part for part in parts if part.is_collision)]):
            findings += unknown_material(ob.settings, f"{name}/{ob.name}" if ob is not root else name)
        collisions = tuple(self._collision(part, root, frame, siblings) for part in parts if part.is_collision)
        visuals = tuple(self._visual(part, frame, siblings) for part in parts if part.is_visual)
        # Nobody asks these for their moments, so nobody else would notice that there are none.
        unasked: list[Collision | Visual] = [*visuals, *(collisions if settings.inertia == "MANUAL" else ())]
        for shown in unasked:
            if isinstance(shown.geometry, Unusable):
                findings.append(shown.geometry.error.about(f"{name}/{shown.name}").finding())
        self.names.findings += [finding.about(name) for finding in siblings.findings]
        return Link(
            name,
            frame,
            MODES[settings.inertia if inertia == "AS_SET" else inertia],
            stated_density(settings),
            stated_mass(settings),
            params_of(settings, self.unit) or {},
            self._manual(root) if settings.inertia == "MANUAL" else None,
            collisions,
            visuals,
            tuple(findings),
            hollow,
        )

    def scene_link(self, root: TaggedInstance, parts: list[TaggedInstance], hollow: bool = False) -> SceneLink:
        link = self.link(root, parts, "AS_SET", hollow)
        originals = [part.original.name_full for part in parts if part.is_collision]
        names = [collision.name for collision in link.collisions]
        by_name = dict(zip(names, originals, strict=False))  # a link without a place has no collisions either
        objects = tuple(part.original.name_full for part in parts)
        return SceneLink(link, root.original.name_full, by_name, objects, root.misplaced() is None)

    def _frame(self, root: TaggedInstance) -> Pose:
        location, rotation, _scale = root.matrix_world.decompose()
        xyzw = (rotation.x, rotation.y, rotation.z, rotation.w)
        metres = self.unit * np.array(location, dtype=np.float64)
        return Pose.from_sdf(Pose.from_quaternion(metres, xyzw).to_sdf())

    def _map(self, part: TaggedInstance, frame: Pose) -> tuple[FloatArray, FloatArray]:
        """Return A (3, 3) and t (3,) of the part's map into the link's frame: metres from its own units."""
        M = np.array(part.matrix_world, dtype=np.float64)
        A = self.unit * (frame.R.T @ M[:3, :3])
        return A, frame.R.T @ (self.unit * M[:3, 3] - frame.p)

    def _collision(self, part: TaggedInstance, root: TaggedInstance, frame: Pose, siblings: UniqueNames) -> Collision:
        name = siblings.give(part.name)
        own = part is not root  # on an object that is link and collision, density and method are the link's
        density = stated_density(part.settings) if own else None
        pose, shape = Pose.identity, None
        try:
            part.require()
            pose, shape = geometry.part_geometry(part, part.settings.geometry, *self._map(part, frame))
        except InertiaError as error:
            return Collision(name, pose, Unusable(error), density)
        inherits = not own or part.settings.method == "INHERIT"
        params = params_of(root.settings if inherits else part.settings, self.unit, shape)
        if inherits and params == params_of(root.settings, self.unit):
            params = None  # said once, on the link; only a voxel size that depends on the shape is not
        return Collision(name, pose, shape, density, params)

    def _visual(self, part: TaggedInstance, frame: Pose, siblings: UniqueNames) -> Visual:
        # What else the object is has told already that its name is not as it was.
        told = part.is_collision or part.settings.is_link
        name = siblings.give(f"{valid_name(part.name) if told else part.name}_visual")
        try:
            part.require()
            return Visual(name, *geometry.part_geometry(part, "MESH", *self._map(part, frame)), part.color())
        except InertiaError as error:
            return Visual(name, Pose.identity, Unusable(error))

    def _manual(self, root: TaggedInstance) -> Inertial:
        xx, yy, zz, xy, xz, yz = (shortest(number) for number in root.settings.manual_inertia)
        com = self.unit * np.array([shortest(number) for number in root.settings.manual_com])
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return Inertial(shortest(root.settings.manual_mass), com, inertia)

    def _frame_findings(self, root: TaggedInstance, name: str) -> list[Finding]:
        M = np.array(root.matrix_world, dtype=np.float64)[:3, :3]
        if not np.linalg.norm(M, axis=0).all():
            return []  # its own parts will say so; an empty without parts has nothing to say
        sheared, findings = geometry.shear(M), []
        if sheared > geometry.SHEAR:
            message = f"its axes are sheared (cosine {sheared:.2g}); the link frame takes only location and rotation"
            findings.append(Finding("info", "link_sheared", name, message))
        if np.linalg.det(M) < 0.0:
            message = "it is mirrored; the link frame takes only location and rotation, the parts stay mirrored"
            findings.append(Finding("info", "link_mirrored", name, message))
        return findings


def _hollow(roots: list[TaggedInstance], instances: TaggedInstances) -> frozenset[TaggedInstance]:
    """Return the links that hold nothing; none of them where that are all, which is no model."""
    found = [root for root in roots if not instances.parts[root] and _holds_nothing(root)]
    return frozenset(found) if len(found) < len(roots) else frozenset()


def _holds_nothing(root: TaggedInstance) -> bool:
    ob, settings = root.original, root.settings
    if settings.inertia == "MANUAL" or is_or_could_be_part(ob):
        return False
    return not any(is_or_could_be_part(child) or is_link(child) for child in ob.children_recursive)


def _model_findings(
    reader: _Reader, instances: TaggedInstances, inside: set[str] | None = None, links: Set[str] = frozenset()
) -> list[Finding]:
    """Return what is to be said of the model as a whole, or of what is `inside` a collection."""
    findings = list(dict.fromkeys(reader.names.findings))  # link and collision of one object are renamed alike
    if inside is not None:  # the links outside have been given their names, too
        findings = [finding for finding in findings if finding.subject in {*inside, *links}]
    findings += [_orphan(part) for part in instances.orphans if _is_in(part, inside)]
    failures = instances.failures
    findings += [failure.finding() for failure in failures if inside is None or failure.subject in inside]
    findings += [notice for notice in instances.notices if inside is None or notice.subject in inside]
    return findings


def _is_in(instance: TaggedInstance, names: set[str] | None) -> bool:
    """Say whether an object, or what makes this instance of it, is among objects by their full names."""
    makers = (instance.original, instance.instancer or instance.original)
    return names is None or any(maker.name_full in names for maker in makers)


def _orphan(part: TaggedInstance) -> Finding:
    kind = "collision" if part.is_collision else "visual"
    message = f"it is tagged as a {kind}, but neither it nor an object above it is a link"
    remedy = "tag its parent as a link, parent it to one, or untag it"
    return Finding("error", "no_link", part.original.name_full, message, remedy)  # a library's may have a namesake
