# SPDX-License-Identifier: GPL-3.0-or-later
"""One scene followed: what changed since the last pull, and no more than that read and resolved again."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import numpy.typing as npt

from .. import change_counter
from ..scene import scene_read
from .inputs import Look, look
from .model import LiveLink, LiveModel
from .resolver import Resolver
from .transforms import Places

_signature = 0


class Follower:
    """The links of one view layer as they were at the last pull; of Blender it keeps names only."""

    def __init__(self) -> None:
        self._count = change_counter.Count()
        self._model: LiveModel | None = None
        self._sources: list[scene_read.Source] = []
        self._look: Look | None = None
        self._names: list[str] = []
        self._places = Places([], [], np.zeros((0, 4, 4), dtype=np.float32), [])
        self._instanced = False
        self._resolver = Resolver()

    def close(self) -> None:
        """Want nothing any more."""
        self._resolver.drop()
        self._resolver.end()

    def pull(self, depsgraph: bpy.types.Depsgraph, wait: bool = False) -> LiveModel:
        """Return the links as they stand now; with `wait`, none of them stale, and all checked in full."""
        count, before = change_counter.count(), self._count
        if self._model is not None and count == before and not wait:
            return self._model
        self._resolver.start(wait)
        known = self._model is not None and count.unseen == before.unseen and not self._instanced
        try:
            if wait:
                self._read_all(depsgraph)
            elif self._model is not None and count.anything - before.anything == count.computed - before.computed:
                self._show_computed(self._model)
            elif not known or not self._follow(depsgraph, count.beyond_transforms != before.beyond_transforms):
                self._read_all(depsgraph)
        except BaseException:
            self._model = None  # what is half brought up to date must not be taken for the whole
            raise
        self._resolver.end()
        self._count = count
        assert self._model is not None
        return self._model

    def _follow(self, depsgraph: bpy.types.Depsgraph, beyond_transforms: bool) -> bool:
        """Bring the model up to date, or return False where it must be read as a whole."""
        assert self._look is not None and self._model is not None
        unit = scene_read.metres_per_unit(depsgraph.scene)
        matrices = _matrices()
        # A script may rename and move an object at once, and Blender tells of the move only.
        if unit != self._model.metres_per_unit or _names() != self._names:
            return False
        touched: set[int] = set()
        if beyond_transforms or self._look.animated:
            seen = look(depsgraph)
            if seen.instancing or not seen.same_structure(self._look):
                return False
            touched = {
                index
                for index in seen.settings
                if seen.settings[index] != self._look.settings[index]
                or seen.versions[index] != self._look.versions[index]
            }
            self._look = seen
        carried, changed = self._places.move(matrices)
        again = {*changed.tolist(), *self._links_with(touched)}
        self._resolver.drop(again)
        self._show_computed(self._model)
        if not len(carried) and not again:
            return True
        links = list(self._model.links)
        if len(carried):
            for index, pose in zip(carried.tolist(), self._places.poses(carried, unit), strict=True):
                links[index] = links[index].carried_to(pose)
        if again:
            self._read_again(depsgraph, sorted(again), links)
        self._show(links, self._model)
        return True

    def _show_computed(self, model: LiveModel) -> None:
        """Take over what another thread has come back with."""
        links = list(model.links)
        computed = self._resolver.updates(self._sources, links)
        if computed:
            for index, link in computed.items():
                links[index] = link
            self._show(links, model)

    def _links_with(self, objects: set[int]) -> set[int]:
        if not objects:
            return set()
        places, indices = self._places, list(objects)
        roots = np.flatnonzero(np.isin(places.root, indices))
        return {*roots.tolist(), *places.owner[np.isin(places.part, indices)].tolist()}

    def _read_again(self, depsgraph: bpy.types.Depsgraph, numbers: list[int], links: list[LiveLink]) -> None:
        assert self._look is not None
        objects = list(bpy.data.objects)
        places, listed = self._places, self._look.listed

        def found(index: int) -> tuple[bpy.types.Object, bool]:
            return objects[index], objects[index].name_full in listed

        for number in numbers:
            parts = [found(index) for index in places.part[places.owner == number]]
            root = found(int(places.root[number]))
            before = self._sources[number].link
            source = scene_read.read_again(depsgraph, before.name, root, parts, before.hollow)
            self._sources[number] = source
            links[number] = self._resolver.resolved(number, source, links[number])
        places.settle(np.array(numbers))

    def _read_all(self, depsgraph: bpy.types.Depsgraph) -> None:
        sources = scene_read.read_sources(depsgraph)
        self._look = look(depsgraph)
        self._names = _names()
        self._sources = list(sources.links)
        self._instanced = sources.instanced
        number = {name: index for index, name in enumerate(self._names)}
        roots = [number[source.object] for source in sources.links]
        parts = [[number[name] for name in source.objects] for source in sources.links]
        self._places = Places(roots, parts, _matrices(), [source.placed for source in sources.links])
        known = {} if self._model is None else {(link.object, link.body.name): link for link in self._model.links}
        self._resolver.drop()
        links = [
            self._resolver.resolved(index, source, known.get((source.object, source.link.name)), touched=False)
            for index, source in enumerate(sources.links)
        ]
        self._show(links, LiveModel((), scene_read.metres_per_unit(depsgraph.scene), 0, sources.findings))

    def _show(self, links: list[LiveLink], like: LiveModel) -> None:
        global _signature
        _signature += 1
        self._model = replace(like, links=tuple(links), signature=_signature)


def _names() -> list[str]:
    return [ob.name_full for ob in bpy.data.objects]


def _matrices() -> npt.NDArray[np.float32]:
    """Return the maps (n, 4, 4) of all objects to the world."""
    flat = np.empty(16 * len(bpy.data.objects), dtype=np.float32)
    bpy.data.objects.foreach_get("matrix_world", flat)
    return flat.reshape(-1, 4, 4).transpose(0, 2, 1)  # Blender stores columns
