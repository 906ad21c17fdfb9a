# SPDX-License-Identifier: GPL-3.0-or-later
"""Where tagged objects stand: once as themselves, and once more for each instance of them.

An instance is geometry of the object that makes it if that one is tagged as collision or visual (geometry nodes, a
tagged empty that instances a collection). Otherwise the tags of the instanced object count at each instance: a
wheel's collection placed four times is four wheels. An original that is a template only (below an object that
instances its children on vertices or faces, or in an excluded collection that is instanced) does not count itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import bpy
import numpy as np
import numpy.typing as npt
from mathutils import Matrix

from ...core.arrays import VertexArray
from ...core.errors import InertiaError
from ...core.mesh.surface import Surface, joined
from ..names import PROPERTIES
from .blocked_scripts import BlockedDrivers
from .evaluated_mesh import corners_of, surface_of
from .hidden_objects import behind_closed_eye, hidden_instances, may_make_instances
from .instancers import disabled_instancers, instances, tagged

if TYPE_CHECKING:
    from .properties import SDF_INERTIA_PG_object

Path = tuple[int, ...]
"""Tells the instances of one object apart: the instancer's session_uid, then Blender's persistent_id."""

SCULPTING = "sculpting"
"""Code of the finding about a mesh whose shape is not to be had before sculpt mode is left."""

TEMPLATES = frozenset({"VERTS", "FACES"})
"""How an object may instance its children; Blender hides the children themselves then."""


class Occurrence:
    """A tagged object at a place; lives no longer than one reading of the scene.

    Parameters
    ----------
    original : bpy.types.Object
        Has the tags and the parents.
    evaluated : bpy.types.Object or None
        Has the geometry; None if the depsgraph does not hold it.
    matrix_world : mathutils.Matrix
        Where it stands.
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
    def is_collision(self) -> bool:
        return bool(self.settings.is_collision)

    @property
    def is_visual(self) -> bool:
        return bool(self.settings.is_visual)

    def misplaced(self) -> InertiaError | None:
        """Return why it stands nowhere, if so: it is blocked, not evaluated, or its transform is not finite."""
        if self.blocked is not None:
            return self.blocked
        if self.evaluated is None:
            return InertiaError(
                "not_evaluated",
                self.name,
                "it is tagged, but disabled in viewports or in an excluded collection, so Blender does not evaluate it",
                "enable it (outliner: monitor icon, or the collection's check box), or untag it",
            )
        if not np.isfinite(np.array(self.matrix_world)).all():
            return InertiaError(
                "not_finite",
                self.name,
                f"its transform is not finite: it stands at {tuple(self.matrix_world.translation)}",
                "clear its transform, or look at its parents, constraints and drivers",
            )
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
        return InertiaError(
            SCULPTING,
            self.name,
            "it is being sculpted with Multiresolution, and Blender gives its shape away only outside of sculpt mode",
            "leave sculpt mode",
        )

    def surface(self) -> Surface:
        """Return its evaluated mesh, and that of the instances it makes, in its own coordinates."""
        assert self.evaluated is not None
        if not self.pieces:
            return surface_of(self.evaluated)
        own = _surface_if_any(self.evaluated) if self.evaluated.type == "MESH" else None  # else it is one of the pieces
        places = [] if own is None else [(own, np.eye(4))]
        world_to_own = np.linalg.inv(np.array(self.matrix_world, dtype=np.float64))
        places += [(piece, world_to_own @ to_world) for piece, to_world in self.pieces]
        return joined([piece.stretched(place[:3, :3]).moved(place[:3, 3]) for piece, place in places])

    def corners(self) -> VertexArray:
        """Return the vertices (n, 3) of its evaluated mesh, with or without faces."""
        assert self.evaluated is not None
        return self.surface().vertices if self.pieces else corners_of(self.evaluated)

    def color(self) -> tuple[float, float, float, float] | None:
        """Return the viewport colour of its first material (linear RGBA), or None."""
        for slot in self.original.material_slots:
            if slot.material is not None:
                red, green, blue, alpha = slot.material.diffuse_color
                return red, green, blue, alpha
        return None


class Occurrences:
    """The tagged objects of one evaluated scene, by link.

    Attributes
    ----------
    links : list of Occurrence
        Sorted by name.
    parts : dict of Occurrence to list of Occurrence
        The collisions and visuals of each link, sorted by name; a link may be a part of itself.
    orphans : list of Occurrence
        Collisions and visuals that have no link.
    failures : list of InertiaError
        Tagged instances that cannot be read, by the object that makes them.
    notices : list of Finding
        Tagged instances that are left out since the object that makes them is disabled.
    instanced : bool
        Instances count among the links and their parts, or what Blender blocked does: no object can be read alone.
    """

    def __init__(self, depsgraph: bpy.types.Depsgraph) -> None:
        self._by_place: dict[tuple[str, Path], Occurrence] = {}
        self._templates: set[str] = set()
        self._by_collection: dict[tuple[str, Path], list[Occurrence]] = {}
        self._find_objects(depsgraph)
        self._find_instances(depsgraph)
        self.failures: list[InertiaError] = []
        self._find_hidden_instancers(depsgraph)
        self.notices = disabled_instancers(depsgraph)
        everyone = sorted(self._by_place.values(), key=lambda occurrence: (occurrence.name, occurrence.path))
        blocked = BlockedDrivers()
        for occurrence in everyone:
            occurrence.blocked = blocked.error_of(occurrence.original, occurrence.instancer)
        self.links = [occurrence for occurrence in everyone if occurrence.settings.is_link]
        self.parts: dict[Occurrence, list[Occurrence]] = {link: [] for link in self.links}
        self.orphans: list[Occurrence] = []
        for part in everyone:
            if part.is_collision or part.is_visual:
                link = self._link_of(part)
                if link is not None:
                    self.parts[link].append(part)
                elif part.instancer is not None or part.original.name_full not in self._templates:
                    self.orphans.append(part)
        self.instanced = bool(self.failures or self.notices) or any(
            occurrence.instancer or occurrence.pieces or occurrence.failure or occurrence.blocked
            for occurrence in everyone
        )

    def _find_objects(self, depsgraph: bpy.types.Depsgraph) -> None:
        listed = {ob.original.name_full: ob for ob in depsgraph.objects}
        for ob in depsgraph.scene.objects:
            if tagged(ob) and not (ob.parent is not None and ob.parent.instance_type in TEMPLATES):
                self._by_place[ob.name_full, ()] = _itself(ob, listed.get(ob.name_full), depsgraph)

    def _find_instances(self, depsgraph: bpy.types.Depsgraph) -> None:
        for instance in instances(depsgraph):
            ob, instancer = instance.object.original, instance.parent.original
            self._templates.add(ob.name_full)
            maker = self._by_place.get((instancer.name_full, ()))
            if maker is not None and (maker.is_collision or maker.is_visual):
                self._add_piece(maker, instance)
            elif tagged(ob):
                path = (instancer.session_uid, *instance.persistent_id)
                matrix = instance.matrix_world.copy()  # the iterator reuses its own
                # instance.object is the iterator's own too, and another object at its next step.
                occurrence = Occurrence(ob, instance.instance_object, matrix, instancer, path)
                self._by_place[ob.name_full, path] = occurrence
                self._by_collection.setdefault((ob.name_full, _collection_of(path)), []).append(occurrence)
        for name in self._templates:
            original = self._by_place.get((name, ()))
            if original is not None and original.evaluated is None:
                del self._by_place[name, ()]

    def _find_hidden_instancers(self, depsgraph: bpy.types.Depsgraph) -> None:
        for ob in depsgraph.scene.objects:
            evaluated = behind_closed_eye(ob, depsgraph)
            if evaluated is None or not may_make_instances(evaluated):
                continue
            maker = self._by_place.get((ob.name_full, ()))
            if maker is not None and (maker.is_collision or maker.is_visual):
                maker.failure = hidden_instances(ob.name)
            elif ob.instance_collection is not None and any(map(tagged, ob.instance_collection.all_objects)):
                self.failures.append(hidden_instances(ob.name))

    def _add_piece(self, maker: Occurrence, instance: bpy.types.DepsgraphObjectInstance) -> None:
        # Read at once: the objects of geometry-nodes instances do not outlive this step of the iteration.
        try:
            piece = _surface_if_any(instance.object)
        except InertiaError as error:
            maker.failure = error
            return
        if piece is not None:
            maker.pieces.append((piece, np.array(instance.matrix_world, dtype=np.float64)))

    def _link_of(self, part: Occurrence) -> Occurrence | None:
        link = self._nearest(part.original, part.path)
        if link is None and part.instancer is not None:
            link = self._nearest(part.instancer)
        return link

    def _nearest(self, ob: bpy.types.Object, path: Path = ()) -> Occurrence | None:
        for above in _lineage(ob):
            occurrence = self._by_place.get((above.name_full, path))
            if occurrence is None and path:
                # In an instance of a collection, each object has a number of its own.
                fellows = self._by_collection.get((above.name_full, _collection_of(path)), [])
                occurrence = fellows[0] if len(fellows) == 1 else None
            if occurrence is not None and occurrence.settings.is_link:
                return occurrence
        return None


def occurrence_again(ob: bpy.types.Object, listed: bool, depsgraph: bpy.types.Depsgraph) -> Occurrence:
    """Return an object at its own place, as it was found before; `listed` says whether the depsgraph lists it."""
    return _itself(ob, ob.evaluated_get(depsgraph) if listed else None, depsgraph)


def _itself(ob: bpy.types.Object, listed: bpy.types.Object | None, depsgraph: bpy.types.Depsgraph) -> Occurrence:
    found = listed or behind_closed_eye(ob, depsgraph)
    return Occurrence(ob, found, (ob if found is None else found).matrix_world.copy())


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


def _lineage(ob: bpy.types.Object) -> Iterator[bpy.types.Object]:
    above: bpy.types.Object | None = ob
    while above is not None:
        yield above
        above = above.parent
