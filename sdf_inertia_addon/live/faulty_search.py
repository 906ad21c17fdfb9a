# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the mesh of a part is faulty: what its findings count, as places, looked for by the other thread."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray, Ints
from ...core.body.pose import Pose
from ...core.errors import WORST_FIRST, InertiaError, Severity
from ...core.mesh.faulty import SELECTABLE, Faulty, faulty
from ...core.mesh.progress import Progress
from ...core.mesh.surface import Surface
from ...core.robot.model import Mesh
from ...core.robot.resolve import LinkBody
from . import jobs

Float32 = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class FaultyPlaces:
    """What one finding counts of a mesh, in the mesh's own units and axes, about its middle.

    Parameters
    ----------
    middle : ndarray, shape (3,)
    edges : ndarray, shape (k, 2, 3), float32
        Such as those of a hole; those around the faces.
    faces : ndarray, shape (m, 3, 3), float32
        Corners of triangles, such as those that pass through others.
    """

    middle: FloatArray
    edges: Float32
    faces: Float32

    @classmethod
    def of(cls, surface: Surface, elements: Faulty) -> FaultyPlaces:
        """Return where these elements of a surface are."""
        low, high = surface.bounds()
        middle = (low + high) / 2.0
        triangles = surface.triangles[elements.faces].astype(np.int64)
        edges = np.concatenate([elements.edges, _around(triangles)])
        points = (surface.vertices - middle).astype(np.float32)
        return cls(middle, points[edges], points[triangles])


NOWHERE = FaultyPlaces(np.zeros(3), np.zeros((0, 2, 3), np.float32), np.zeros((0, 3, 3), np.float32))


@dataclass(frozen=True, eq=False)
class FaultyPart:
    """The faulty places of a part that a finding counts, in the world: ``pose @ (stretch @ place)`` [m]."""

    places: FaultyPlaces
    pose: Pose
    stretch: FloatArray
    severity: Severity


_found: WeakKeyDictionary[Surface, dict[str, FaultyPlaces]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class SearchTask:
    """A search for what a finding counts; it begins, as a check does, when the mesh has not changed for a while."""

    surface: Surface
    code: str
    title: str
    checks: bool = True

    @property
    def key(self) -> object:
        return "faulty", id(self.surface), self.code

    def run(self, _progress: Progress | None = None) -> FaultyPlaces:
        return FaultyPlaces.of(self.surface, faulty(self.surface.vertices, self.surface.triangles, self.code))

    def finish(self, outcome: FaultyPlaces | InertiaError) -> None:
        """Store the places for `faulty_parts`."""
        places = NOWHERE if isinstance(outcome, InertiaError) else outcome
        _found.setdefault(self.surface, {})[self.code] = places


def faulty_parts(
    body: LinkBody, names: Collection[str] | None = None, wait: bool = False
) -> tuple[list[FaultyPart], list[SearchTask]]:
    """Return what warnings and errors about a link's meshes count, the worst last, and what is still to be looked for.

    Parameters
    ----------
    body : LinkBody
    names : collection of str, optional
        The parts to look at; all of them where not given.
    wait : bool
        Look now, however long it takes.
    """
    parts, tasks = [], []
    shapes = {} if body.link is None else {each.name: each for each in body.link.weighed}
    for part in body.parts:
        shape = shapes.get(part.name)
        asked = names is None or part.name in names
        if not asked or shape is None or not isinstance(shape.geometry, Mesh):
            continue
        mesh = shape.geometry
        severities = {each.code: each.severity for each in part.findings if each.severity != "info"}
        for code in sorted(SELECTABLE & severities.keys()):
            places = _found.get(mesh.surface, {}).get(code)
            if places is None:
                task = SearchTask(mesh.surface, code, f"{body.name}/{part.name}")
                if not wait:
                    tasks.append(task)
                    continue
                places = task.run()
                task.finish(places)
            if len(places.edges):
                parts.append(FaultyPart(places, body.pose @ shape.pose, mesh.stretch, severities[code]))
    wanted = [task for task in tasks if not jobs.given_up(task)]
    return sorted(parts, key=lambda each: -WORST_FIRST.index(each.severity)), wanted


def _around(triangles: Ints) -> Ints:
    """Return the edges (k, 2) that bound faces (m, 3): those that just one of them has."""
    sides = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    edges, count = np.unique(sides, axis=0, return_counts=True)
    alone: Ints = edges[count == 1]
    return alone
