# SPDX-License-Identifier: Apache-2.0
"""The measurements that resolving a link still needs, with their estimated times, for callers that must not wait."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import InertiaError
from ...mesh.methods import METHODS
from ...mesh.progress import Progress
from ...mesh.voxel import default_voxel_size
from ...robot.calculators import lengths_of
from ...robot.mesh_method import MeshMethod, Outcome
from ...robot.model import Link, Mesh
from ...robot.part import params_of
from .given_inertial import uniform_link

FIXED = 2e-3
"""Minimum seconds of a measurement."""

LAYERS = 4
"""Typical number of times that a column crosses a surface: the real number is not known in advance."""


@dataclass(frozen=True, eq=False)
class Task:
    """A measurement that is not cached.

    Parameters
    ----------
    way : MeshMethod
        The mesh, and how it is to be measured.
    title : str
        The link and the collision.
    quick : bool
        As in `measure_mesh`.
    """

    way: MeshMethod
    title: str
    quick: bool = False
    key: object = field(init=False)
    """Equal for tasks that would measure the same."""

    def __post_init__(self) -> None:
        mesh, params = self.way.mesh, self.way.params
        how = () if self.way.name == "exact" else (mesh.stretch.tobytes(), *sorted(params.items()))
        # The mesh keeps the surface alive, so its id stays valid.
        object.__setattr__(self, "key", (id(mesh.surface), how, self.quick))

    @property
    def checks(self) -> bool:
        """True if it is the full measurement of a mesh with a quick one."""
        return not self.quick and self.way.quick_differs

    @property
    def seconds(self) -> float | None:
        """Estimated time [s]; None if it must not run in another thread.

        A user's calculator must not: it may call Blender.
        """
        method = METHODS.get(self.way.name)
        if method is None:
            return None
        seconds = FIXED + method.seconds_per_triangle * len(self.way.mesh.surface.triangles)
        return seconds + method.seconds_per_crossing * self._crossings() if method.seconds_per_crossing else seconds

    def run(self, progress: Progress | None = None) -> Outcome:
        """Measure; uses nothing that another thread may use."""
        return self.way.outcome(progress, self.quick)

    def finish(self, outcome: Outcome) -> None:
        """Store the result in the cache that resolving the link reads."""
        self.way.remember(outcome)

    def _crossings(self) -> float:
        mesh = self.way.mesh
        low, high = mesh.surface.bounds()
        extent = np.sort(np.abs(mesh.stretch) @ (high - low))  # at least the box of the stretched mesh
        try:
            size = lengths_of(self.way.params)["voxel_size"]
        except (KeyError, InertiaError):  # an error that resolving will report
            size = default_voxel_size(mesh.surface)
        with np.errstate(all="ignore"):  # resolving reports an invalid size
            columns = float(np.nan_to_num(np.prod(extent[:2] / size), posinf=np.inf)) if size > 0.0 else 0.0
        return LAYERS * columns


def missing(link: Link, quick: bool = False) -> tuple[Task, ...]:
    """Return the measurements that `resolve_link` would make now, each once."""
    if link.mode == "none":
        return ()
    if link.mode == "manual" or (link.manual is not None and link.mode != "auto"):
        compared = uniform_link(link)
        return () if compared is None else missing(compared, quick)
    tasks: dict[object, Task] = {}
    for part in link.weighed:
        if not isinstance(part.geometry, Mesh):
            continue
        title = link.name if link.name == part.name else f"{link.name}/{part.name}"
        ways = [MeshMethod(part.geometry, params_of(part, link))]
        if link.mode == "auto" and ways[0].name != "exact":
            ways.append(MeshMethod(part.geometry, {}))  # what a simulator will compute, for comparison
        for way in ways:
            try:
                if way.known(quick) is None:
                    task = Task(way, title, quick and way.quick_differs)
                    tasks.setdefault(task.key, task)
            except InertiaError:  # no such method: nothing to wait for
                continue
    return tuple(tasks.values())
