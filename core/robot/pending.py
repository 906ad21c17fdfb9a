# SPDX-License-Identifier: GPL-3.0-or-later
"""Which measurements resolving a link still needs, and about how long each will take: for whoever must not wait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..errors import InertiaError
from ..mesh.methods import METHODS
from ..mesh.progress import Progress
from ..mesh.voxel import default_voxel_size
from .calculators import chosen_method, lengths_of
from .given_inertial import uniform_link
from .model import Link, Mesh
from .part import Outcome, known_outcome, outcome_of, params_of, quick_differs, remember

FIXED = 2e-3
"""Seconds that any measurement takes."""

LAYERS = 4
"""How often a column crosses a surface, about: what is not known before it is tried."""


@dataclass(frozen=True, eq=False)
class Task:
    """A measurement that is not at hand.

    Parameters
    ----------
    params : mapping of str to str
        ``auto_inertia_params`` by qualified name.
    title : str
        Link and collision it is for.
    quick : bool
        As in `measure_mesh`.
    """

    mesh: Mesh
    params: Mapping[str, str]
    title: str
    quick: bool = False
    key: object = field(init=False)
    """Equal for tasks that would measure the same."""

    def __post_init__(self) -> None:
        exact = chosen_method(self.params) == "exact"
        how = () if exact else (self.mesh.stretch.tobytes(), *sorted(self.params.items()))
        # The mesh holds the surface, so its id stays.
        object.__setattr__(self, "key", (id(self.mesh.surface), how, self.quick))

    @property
    def checks(self) -> bool:
        """Whether it is the full measurement of what has a quick one."""
        return not self.quick and quick_differs(self.mesh, self.params)

    @property
    def seconds(self) -> float | None:
        """About how long it will take; None where it must not run in another thread.

        A calculator of the user's own must not: it may ask Blender.
        """
        method = METHODS.get(chosen_method(self.params))
        if method is None:
            return None
        seconds = FIXED + method.seconds_per_triangle * len(self.mesh.surface.triangles)
        return seconds + method.seconds_per_crossing * self._crossings() if method.seconds_per_crossing else seconds

    def run(self, progress: Progress | None = None) -> Outcome:
        """Measure; touches nothing that another thread may touch."""
        return outcome_of(self.mesh, self.params, progress, self.quick)

    def finish(self, outcome: Outcome) -> None:
        """Put the outcome where resolving the link will find it."""
        remember(self.mesh, self.params, outcome)

    def _crossings(self) -> float:
        low, high = self.mesh.surface.bounds()
        extent = np.sort(np.abs(self.mesh.stretch) @ (high - low))  # at least the box of the mesh under its stretch
        try:
            size = lengths_of(self.params)["voxel_size"]
        except (KeyError, InertiaError):  # refused where it is used
            size = default_voxel_size(self.mesh.surface)
        with np.errstate(all="ignore"):  # a size that is none is refused where it is used
            columns = float(np.nan_to_num(np.prod(extent[:2] / size), posinf=np.inf)) if size > 0.0 else 0.0
        return LAYERS * columns


def missing(link: Link, quick: bool = False) -> tuple[Task, ...]:
    """Return the measurements that `resolve_link`, `quick` or not, would make now, each once."""
    if link.mode == "manual" or (link.manual is not None and link.mode != "auto"):
        compared = uniform_link(link)
        return () if compared is None else missing(compared, quick)
    tasks: dict[object, Task] = {}
    for part in link.weighed:
        if not isinstance(part.geometry, Mesh):
            continue
        title = link.name if link.name == part.name else f"{link.name}/{part.name}"
        for params in _asked(params_of(part, link), link):
            try:
                if known_outcome(part.geometry, params, quick) is None:
                    less = quick and quick_differs(part.geometry, params)
                    task = Task(part.geometry, params, title, less)
                    tasks.setdefault(task.key, task)
            except InertiaError:  # there is no such method: nothing to wait for
                continue
    return tuple(tasks.values())


def _asked(params: Mapping[str, str], link: Link) -> Iterable[Mapping[str, str]]:
    yield params
    if link.mode == "auto" and chosen_method(params) != "exact":
        yield {}  # what a simulator will compute, to compare with
