# SPDX-License-Identifier: GPL-3.0-or-later
"""One scene followed: what changed since the last pull, and no more than that read and resolved again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np
import numpy.typing as npt

from ...core.judge.geometry.resolve_model import scale_to_model_mass
from ...core.robot.massless import with_massless_refused
from ...core.robot.model import Joint
from .. import change_counter
from ..scene import scene_read
from ..scene.settings import is_static, stated_model_mass
from .inputs import InputSample, sample_inputs
from .model import LiveLink, LiveModel
from .resolver import Resolver
from .transforms import JointFrames, Transforms

_signature = 0


class Follower:
    """The links of one view layer as they were at the last pull; of Blender it keeps names only."""

    def __init__(self) -> None:
        self._count = change_counter.Count()
        self._model: LiveModel | None = None
        self._links: list[LiveLink] = []
        """As they are before they are scaled to the mass of the whole robot."""
        self._mass: float | None = None
        self._static = False
        self._read: list[scene_read.SceneLink] = []
        self._inputs: InputSample | None = None
        self._names: list[str] = []
        self._file = ""
        self._transforms = Transforms([], [], np.zeros((0, 4, 4), dtype=np.float32), [])
        self._instanced = False
        self._held = JointFrames.none
        self._resolver = Resolver()

    def close(self) -> None:
        """Cancel all that this follower wants computed."""
        self._resolver.drop()
        self._resolver.end()

    def pull(self, depsgraph: bpy.types.Depsgraph, wait: bool = False) -> LiveModel:
        """Return the current links; with `wait`, none of them is stale, and all are checked in full."""
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
        assert self._inputs is not None and self._model is not None
        unit = scene_read.metres_per_unit(depsgraph.scene)
        matrices = _matrices()
        if self._held.moved(matrices) or self._file != bpy.data.filepath:  # which the model is named by
            return False
        # A script may rename and move an object at once, and Blender reports only the move.
        if (
            unit != self._model.metres_per_unit
            or _names() != self._names
            or self._mass != stated_model_mass(depsgraph.scene)
            or self._static != is_static(depsgraph.scene)
        ):
            return False
        touched: set[int] = set()
        if beyond_transforms or self._inputs.animated:
            seen = sample_inputs(depsgraph)
            if seen.instancing or not seen.same_structure(self._inputs):
                return False
            touched = {
                index
                for index in seen.settings
                if seen.settings[index] != self._inputs.settings[index]
                or seen.versions[index] != self._inputs.versions[index]
            }
            self._inputs = seen
        carried, changed = self._transforms.move(matrices)
        again = {*changed.tolist(), *self._links_with(touched)}
        self._resolver.drop(again)
        self._show_computed(self._model)
        if not len(carried) and not again:
            return True
        links = list(self._links)
        if len(carried):
            for index, pose in zip(carried.tolist(), self._transforms.poses(carried, unit), strict=True):
                links[index] = links[index].carried_to(pose)
        if again:
            self._read_again(depsgraph, sorted(again), links)
        self._show(links, self._model)
        return True

    def _show_computed(self, model: LiveModel) -> None:
        """Take over what another thread has computed."""
        links = list(self._links)
        computed = self._resolver.updates(self._read, links)
        if computed:
            for index, link in computed.items():
                links[index] = link
            self._show(links, model)

    def _links_with(self, objects: set[int]) -> set[int]:
        if not objects:
            return set()
        transforms, indices = self._transforms, list(objects)
        roots = np.flatnonzero(np.isin(transforms.root, indices))
        return {*roots.tolist(), *transforms.owner[np.isin(transforms.part, indices)].tolist()}

    def _read_again(self, depsgraph: bpy.types.Depsgraph, numbers: list[int], links: list[LiveLink]) -> None:
        assert self._inputs is not None
        objects = list(bpy.data.objects)
        transforms, listed = self._transforms, self._inputs.listed

        def found(index: int) -> tuple[bpy.types.Object, bool]:
            return objects[index], objects[index].name_full in listed

        for number in numbers:
            parts = [found(index) for index in transforms.part[transforms.owner == number]]
            root = found(int(transforms.root[number]))
            before = self._read[number].link
            read = scene_read.read_again(depsgraph, before.name, root, parts, before.empty)
            self._read[number] = read
            links[number] = self._resolver.resolved(number, read, links[number])
        transforms.note_read(np.array(numbers))

    def _read_all(self, depsgraph: bpy.types.Depsgraph) -> None:
        scene = scene_read.read_scene_links(depsgraph)
        self._inputs = sample_inputs(depsgraph)
        self._names = _names()
        self._file = bpy.data.filepath
        self._mass = stated_model_mass(depsgraph.scene)
        self._static = is_static(depsgraph.scene)
        self._read = list(scene.links)
        self._instanced = scene.instanced
        number = {name: index for index, name in enumerate(self._names)}
        roots = [number[read.object] for read in scene.links]
        parts = [[number[name] for name in read.objects] for read in scene.links]
        self._transforms = Transforms(roots, parts, _matrices(), [read.placed for read in scene.links])
        known = {} if self._model is None else {(link.object, link.body.name): link for link in self._links}
        self._resolver.drop()
        links = [
            self._resolver.resolved(index, read, known.get((read.object, read.link.name)), touched=False)
            for index, read in enumerate(scene.links)
        ]
        self._held = JointFrames.of_scene(number, self._transforms.matrices)
        unit = scene_read.metres_per_unit(depsgraph.scene)
        self._show(links, LiveModel((), unit, 0, scene.findings, scene.joints))

    def _show(self, links: list[LiveLink], like: LiveModel) -> None:
        global _signature
        _signature += 1
        self._links = links
        held = _held(links, like.joints, self._static)
        self._model = replace(like, links=_weighed(held, self._mass), signature=_signature)


def _held(links: list[LiveLink], joints: Sequence[Joint], static: bool) -> list[LiveLink]:
    """Return links with an error on each without inertial that moves by itself."""
    bodies = [link.body for link in links]
    checked = zip(links, bodies, with_massless_refused(bodies, joints, static), strict=True)
    return [link if new is body else replace(link, body=new) for link, body, new in checked]


def _weighed(links: list[LiveLink], mass: float | None) -> tuple[LiveLink, ...]:
    """Return links scaled to the mass of the whole robot, where it has one."""
    if mass is None:
        return tuple(links)
    bodies = scale_to_model_mass(tuple(link.body for link in links), mass)
    return tuple(replace(link, body=body) for link, body in zip(links, bodies, strict=True))


def _names() -> list[str]:
    return [ob.name_full for ob in bpy.data.objects]


def _matrices() -> npt.NDArray[np.float32]:
    """Return the maps (n, 4, 4) of all objects to the world."""
    flat = np.empty(16 * len(bpy.data.objects), dtype=np.float32)
    bpy.data.objects.foreach_get("matrix_world", flat)
    return flat.reshape(-1, 4, 4).transpose(0, 2, 1)  # Blender stores columns
