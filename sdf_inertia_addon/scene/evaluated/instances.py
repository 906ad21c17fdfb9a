# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds all places of tagged objects: their own, and that of each instance of them.

An instance is geometry of the object that makes it if that one is tagged as collision or visual (geometry nodes, a
tagged empty that instances a collection). Otherwise the tags of the instanced object count at each instance: a
wheel's collection placed four times is four wheels. An original that is a template only (below an object that
instances its children on vertices or faces, or in an excluded collection that is instanced) does not count itself.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import bpy
import numpy as np
import numpy.typing as npt
from mathutils import Matrix

from ....core.arrays import VertexArray
from ....core.errors import InertiaError
from ....core.mesh.surface import Surface, joined
from ...names import PROPERTIES
from ..belonging import find_upwards
from ..blocked_scripts import BlockedDrivers
from ..settings import name_in_file
from ..upright import Signs, mirror_signs, without_mirror
from .evaluated_mesh import corners_of, surface_of
from .instancers import disabled_instancers, hidden_by_eye, hidden_instances, instances, may_make_instances, tagged

if TYPE_CHECKING:
    from ..properties import SDF_INERTIA_PG_object

Path = tuple[int, ...]
"""Tells the instances of one object apart: the instancer's session_uid, then Blender's persistent_id."""

SCULPTING = "sculpting"
"""Code of the finding about a mesh whose shape is not to be had before sculpt mode is left."""

TEMPLATES = frozenset({"VERTS", "FACES"})
"""How an object may instance its children; Blender hides the children themselves then."""


class TaggedInstance:
    """A tagged object at a place, its own or that of an instance of it; lives no longer than one reading of the scene.

    Parameters
    ----------
    original : bpy.types.Object
        Has the tags and the parents.
    evaluated : bpy.types.Object or None
        Has the geometry; None if the depsgraph does not hold it.
    matrix_world : mathutils.Matrix
        Its place.
    instancer : bpy.types.Object or None
        The (original) object that makes this instance of it.
    """

    def __init__(
        self,
        original: bpy.types.Object,
        evaluated: bpy.types.Object | None,
        matrix_world: Matrix,
        instancer: bpy.types.Object | None = None,
        path: Path = (),
    ) -> None:
        self.original = original
        self.evaluated = evaluated
        self.matrix_world = matrix_world
        self.instancer = instancer
        self.path = path
        self.pieces: list[tuple[Surface, npt.NDArray[np.float64]]] = []
        """Instances that are geometry of this object: meshes and their maps (4, 4) to the world."""
        self.failure: InertiaError | None = None
        """Why an instance that is geometry of this object could not be read."""
        self.blocked: InertiaError | None = None
        """Which driver Blender did not run, if its place or its geometry depends on one."""

    @property
    def settings(self) -> SDF_INERTIA_PG_object:
        settings: SDF_INERTIA_PG_object = getattr(self.original, PROPERTIES)
        return settings

    @property
    def name(self) -> str:
        return self.original.name if self.instancer is None else f"{self.instancer.name}_{self.original.name}"

    @property
    def name_in_file(self) -> str:
        """Return its name in the file that it was imported from; empty if that does not count."""
        return name_in_file(self.original) if self.instancer is None else ""

    @cached_property
    def mirror(self) -> tuple[Signs, bool]:
        """Return along which of its axes it is mirrored, and True if its own rotation shows this."""
        return mirror_signs(self.matrix_world, self.evaluated or self.original, self.instancer)

    @property
    def upright(self) -> Matrix:
        """Return its matrix, with its axes as they were before it was mirrored."""
        return without_mirror(self.matrix_world, self.mirror[0])

    @property
    def is_collision(self) -> bool:
        return bool(self.settings.is_collision)

    @property
    def is_mass(self) -> bool:
        """Return True if it has mass and does not collide."""
        return bool(self.settings.is_mass and not self.settings.is_collision)

    @property
    def is_visual(self) -> bool:
        return bool(self.settings.is_visual)

    @property
    def is_part(self) -> bool:
        return self.is_collision or self.is_mass or self.is_visual

    @property
    def is_frame(self) -> bool:
        """Return True if it is a frame of a link, and nothing else."""
        return bool(self.settings.is_frame) and not (self.is_part or self.settings.is_link)

    def misplaced(self) -> InertiaError | None:
        """Return why it has no place, or None: it is blocked, not evaluated, or its transform is not finite."""
        if self.blocked is not None:
            return self.blocked
        if self.evaluated is None:
            return InertiaError.of("not_evaluated", self.name)
        if not np.isfinite(np.array(self.matrix_world)).all():
            return InertiaError.of("not_finite", self.name, "transform", place=tuple(self.matrix_world.translation))
        return None

    def require(self) -> None:
        """Raise if it is misplaced or being sculpted, or why an instance that is geometry of it could not be read."""
        problem = self.misplaced() or self.failure or self._sculpted()
        if problem is not None:
            raise problem

    def _sculpted(self) -> InertiaError | None:
        # Blender hands out the base mesh then, or none (4.2): neither is what is seen.
        multires = any(modifier.type == "MULTIRES" for modifier in self.original.modifiers)
        if not multires or self.original.mode != "SCULPT":
            return None
        return InertiaError.of(SCULPTING, self.name)

    def surface(self) -> Surface:
        """Return its evaluated mesh, and that of the instances it makes, in its own coordinates."""
        assert self.evaluated is not None
        if not self.pieces:
            return surface_of(self.evaluated)
        mesh = (
            _surface_if_any(self.evaluated) if self.evaluated.type == "MESH" else None
        )  # else it is one of the pieces
        places = [] if mesh is None else [(mesh, np.eye(4))]
        world_to_own = np.linalg.inv(np.array(self.matrix_world, dtype=np.float64))
        places += [(piece, world_to_own @ to_world) for piece, to_world in self.pieces]
        return joined([piece.stretched(place[:3, :3]).moved(place[:3, 3]) for piece, place in places])

    def corners(self) -> VertexArray:
        """Return the vertices (n, 3) of its evaluated mesh, with or without faces."""
        assert self.evaluated is not None
        return self.surface().vertices if self.pieces else corners_of(self.evaluated)


class TaggedInstances:
    """The tagged objects of one evaluated scene, by link.

    Attributes
    ----------
    links : list of TaggedInstance
        Sorted by name.
    parts : dict of TaggedInstance to list of TaggedInstance
        The solid parts and visuals of each link, sorted by name; a link may be a part of itself.
    frames : dict of TaggedInstance to list of TaggedInstance
        The frames of each link.
    loops : list of TaggedInstance
        Joints of their own, which close loops.
    orphans : list of TaggedInstance
        Collisions and visuals that have no link.
    failures : list of InertiaError
        Tagged instances that cannot be read, by the object that makes them.
    notices : list of Finding
        Tagged instances that are left out since the object that makes them is disabled.
    instanced : bool
        Instances count among the links and their parts, or what Blender blocked does: no object can be read alone.
    """

    def __init__(self, depsgraph: bpy.types.Depsgraph) -> None:
        self._by_path: dict[tuple[str, Path], TaggedInstance] = {}
        self._templates: set[str] = set()
        self._by_collection: dict[tuple[str, Path], list[TaggedInstance]] = {}
        self._find_objects(depsgraph)
        self._find_instances(depsgraph)
        self.failures: list[InertiaError] = []
        self._find_hidden_instancers(depsgraph)
        self.notices = disabled_instancers(depsgraph)
        everyone = sorted(
            self._by_path.values(),
            key=lambda instance: (instance.name_in_file or instance.name, instance.name, instance.path),
        )
        blocked = BlockedDrivers()
        for instance in everyone:
            instance.blocked = blocked.error_of(instance.original, instance.instancer)
        self.links = [instance for instance in everyone if instance.settings.is_link]
        self.parts: dict[TaggedInstance, list[TaggedInstance]] = {link: [] for link in self.links}
        self.frames: dict[TaggedInstance, list[TaggedInstance]] = {link: [] for link in self.links}
        self.loops = [instance for instance in everyone if instance.settings.is_joint]
        self.orphans: list[TaggedInstance] = []
        for part in everyone:
            if part.is_part or part.is_frame:
                link = self._link_of(part)
                if link is not None:
                    (self.parts if part.is_part else self.frames)[link].append(part)
                elif part.instancer is not None or part.original.name_full not in self._templates:
                    self.orphans.append(part)
        self.instanced = bool(self.failures or self.notices) or any(
            instance.instancer or instance.pieces or instance.failure or instance.blocked for instance in everyone
        )

    def _find_objects(self, depsgraph: bpy.types.Depsgraph) -> None:
        listed = {ob.original.name_full: ob for ob in depsgraph.objects}
        for ob in depsgraph.scene.objects:
            if tagged(ob) and not (ob.parent is not None and ob.parent.instance_type in TEMPLATES):
                self._by_path[ob.name_full, ()] = _itself(ob, listed.get(ob.name_full), depsgraph)

    def _find_instances(self, depsgraph: bpy.types.Depsgraph) -> None:
        for made in instances(depsgraph):
            ob, instancer = made.object.original, made.parent.original
            self._templates.add(ob.name_full)
            maker = self._by_path.get((instancer.name_full, ()))
            if maker is not None and maker.is_part:
                self._add_piece(maker, made)
            elif tagged(ob):
                path = (instancer.session_uid, *made.persistent_id)
                matrix = made.matrix_world.copy()  # the iterator reuses its own
                # made.object is the iterator's own too, and another object at its next step.
                instance = TaggedInstance(ob, made.instance_object, matrix, instancer, path)
                self._by_path[ob.name_full, path] = instance
                self._by_collection.setdefault((ob.name_full, _collection_of(path)), []).append(instance)
        for name in self._templates:
            original = self._by_path.get((name, ()))
            if original is not None and original.evaluated is None:
                del self._by_path[name, ()]

    def _find_hidden_instancers(self, depsgraph: bpy.types.Depsgraph) -> None:
        for ob in depsgraph.scene.objects:
            evaluated = hidden_by_eye(ob, depsgraph)
            if evaluated is None or not may_make_instances(evaluated):
                continue
            maker = self._by_path.get((ob.name_full, ()))
            if maker is not None and maker.is_part:
                maker.failure = hidden_instances(ob.name)
            elif ob.instance_collection is not None and any(map(tagged, ob.instance_collection.all_objects)):
                self.failures.append(hidden_instances(ob.name))

    def _add_piece(self, maker: TaggedInstance, made: bpy.types.DepsgraphObjectInstance) -> None:
        # Read at once: the objects of geometry-nodes instances do not outlive this step of the iteration.
        try:
            piece = _surface_if_any(made.object)
        except InertiaError as error:
            maker.failure = error
            return
        if piece is not None:
            maker.pieces.append((piece, np.array(made.matrix_world, dtype=np.float64)))

    def link_above(self, root: TaggedInstance) -> TaggedInstance | None:
        """Return the next link above one, in the same instance or around what makes it."""
        above = root.original.parent
        link = None if above is None else self._nearest_link(above, root.path)
        return link if link is not None or root.instancer is None else self._nearest_link(root.instancer)

    def link_for(self, ob: bpy.types.Object, root: TaggedInstance) -> TaggedInstance | None:
        """Return the link that an object is, in the instance that another one is in, or at its own place."""
        return self._link_at(ob, root.path) or self._link_at(ob, ())

    def _link_of(self, part: TaggedInstance) -> TaggedInstance | None:
        link = self._nearest_link(part.original, part.path)
        if link is None and part.instancer is not None:
            link = self._nearest_link(part.instancer)
        return link

    def _nearest_link(self, ob: bpy.types.Object, path: Path = ()) -> TaggedInstance | None:
        return find_upwards(ob, lambda above: self._link_at(above, path))

    def _link_at(self, ob: bpy.types.Object, path: Path) -> TaggedInstance | None:
        instance = self._by_path.get((ob.name_full, path))
        if instance is None and path:
            # In an instance of a collection, each object has a number of its own.
            fellows = self._by_collection.get((ob.name_full, _collection_of(path)), [])
            instance = fellows[0] if len(fellows) == 1 else None
        return instance if instance is not None and instance.settings.is_link else None


def instance_again(ob: bpy.types.Object, listed: bool, depsgraph: bpy.types.Depsgraph) -> TaggedInstance:
    """Return an object at its own place again; `listed` is True if the depsgraph lists it."""
    return _itself(ob, ob.evaluated_get(depsgraph) if listed else None, depsgraph)


def _itself(ob: bpy.types.Object, listed: bpy.types.Object | None, depsgraph: bpy.types.Depsgraph) -> TaggedInstance:
    evaluated = listed or hidden_by_eye(ob, depsgraph)
    return TaggedInstance(ob, evaluated, (ob if evaluated is None else evaluated).matrix_world.copy())


def _collection_of(path: Path) -> Path:
    """Return what the objects of one instance of a collection share: all but the object's number."""
    return (path[0], *path[2:])


def _surface_if_any(ob: bpy.types.Object) -> Surface | None:
    """Return the mesh of an evaluated object, or None if it has no faces, or is of a type without any."""
    try:
        return surface_of(ob)
    except InertiaError as error:
        if error.code not in ("no_faces", "no_geometry"):
            raise
        return None
