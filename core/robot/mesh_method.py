# SPDX-License-Identifier: Apache-2.0
"""A mesh with the method by which it is measured, and the cache of what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from ..body.moments import Moments
from ..errors import InertiaError
from ..mesh.diagnosis.remarks import NOT_CHECKED, UNIT_SUSPICION, unit
from ..mesh.measurement import Measurement
from ..mesh.methods import METHODS
from ..mesh.policy import READ_IN_FULL, rough_moments
from ..mesh.progress import Progress
from ..mesh.surface import Surface
from .calculators import calculate, chosen_calculator, chosen_method
from .model import Mesh

Outcome = Measurement | InertiaError
"""The result of measuring a mesh: the answer, or why there is none."""

REMEMBERED = 32
"""Results kept for one surface: its exact integral, and those of the last methods and maps."""

QUICK = "quick"
"""Begins the key of a quick error: its remedies have not been tried, unlike those of a full one."""

ROUGH = "rough"
"""The key of a result that is only good enough for a comparison by percents."""

SAME_SHAPE = 1e-5
"""A map whose axes differ less than this in length and angle, relatively, keeps any error's share."""

_measured: WeakKeyDictionary[Surface, dict[object, Outcome]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class MeshMethod:
    """A mesh in its part's frame, and the parameters that choose how it is measured.

    The exact moments are integrated once on the surface as it is and then mapped; every other calculator gets the mesh
    as it will be written, in metres. So does the exact one if it cannot integrate exactly, as for a union: a small
    error of a mesh may be a large one after a stretch.

    Parameters
    ----------
    params : mapping of str to str
        ``auto_inertia_params`` by qualified name.
    """

    mesh: Mesh
    params: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the calculator that they choose."""
        return chosen_method(self.params)

    @property
    def quick_differs(self) -> bool:
        """True if a quick measurement skips some checks."""
        method = METHODS.get(self.name)
        return method is not None and method.diagnosed and len(self.mesh.surface.triangles) > READ_IN_FULL

    def measure(self, quick: bool = False, rough: bool = False) -> Measurement:
        """Measure the mesh, and cache the result as long as its surface exists.

        With `quick`, as in `measure_mesh`, a result that is not fully checked is enough; a cached, fully checked one
        is used, too. With `rough` an exact measurement of a large mesh may be one of `rough_moments`, without findings,
        which is not used for any other purpose.

        Raises
        ------
        InertiaError
            As `calculate` does.
        """
        outcome = self.known(quick or rough)
        if outcome is None and rough and self.name == "exact" and self.quick_differs:
            outcome = _rough_outcome(self.mesh.surface)
        elif outcome is None:
            outcome = self.outcome(quick=quick or rough)
            self.remember(outcome, quick or rough)
        is_baked, mesh = self._is_of_baked(outcome), self.mesh
        if isinstance(outcome, InertiaError):
            # A copy: otherwise the first error's traceback would grow each time.
            raise _scaled(outcome, 1.0 if is_baked else mesh.volume_scale)
        if is_baked:
            return outcome
        moments: Moments = outcome.moments.transformed(mesh.stretch)
        surface_read = None if outcome.surface is None else outcome.surface.stretched(mesh.stretch)
        # A wrong unit shows only in metres; the stretched box bounds the mesh.
        low, high = mesh.surface.bounds()
        longest = float((np.abs(mesh.stretch) @ (high - low)).max())
        findings = tuple(
            replace(finding, sentence=finding.sentence.scaled(mesh.volume_scale))
            for finding in outcome.findings
            if finding.code != UNIT_SUSPICION
        )
        return replace(outcome, moments=moments, surface=surface_read, findings=findings + unit(longest))

    def outcome(self, progress: Progress | None = None, quick: bool = False) -> Outcome:
        """Measure as `measure` does, without the cache, so that another thread may do it.

        Parameters
        ----------
        progress : callable, optional
            As in `measure_surface`: if it returns True, the result is the error ``cancelled``.
        quick : bool
            As in `measure_mesh`.
        """
        if self.name != "exact":
            return self._calculated(self.mesh.baked, progress, quick)
        outcome = self._calculated(self.mesh.surface, progress, quick)
        if not self._is_of_baked(outcome):
            return outcome
        outcome = self._calculated(self.mesh.baked, progress, quick)
        # An error is cached for the surface, for every map.
        return _scaled(outcome, 1.0 / self.mesh.volume_scale) if isinstance(outcome, InertiaError) else outcome

    def known(self, quick: bool = False) -> Outcome | None:
        """Return the cached result, if any, and fully checked unless `quick`."""
        known = _measured.get(self.mesh.surface, {})
        outcome = known.get(self._key(baked=False))
        if outcome is None or self._is_of_baked(outcome):
            outcome = known.get(self._key(baked=True))
        if outcome is None and quick:
            outcome = known.get((QUICK, self._key(baked=self.name != "exact")))
        if isinstance(outcome, Measurement) and not quick and any(f.code == NOT_CHECKED for f in outcome.findings):
            return None
        return outcome

    def remember(self, outcome: Outcome, quick: bool = False) -> None:
        """Cache a result for `measure`; a user's calculator that failed is called again."""
        if isinstance(outcome, InertiaError) and (outcome.code == "cancelled" or self.name not in METHODS):
            return
        known = _measured.setdefault(self.mesh.surface, {})
        while len(known) >= REMEMBERED:
            del known[next(iter(known))]
        key = self._key(self._is_of_baked(outcome))
        known[(QUICK, key) if quick and isinstance(outcome, InertiaError) else key] = outcome

    def _calculated(self, surface: Surface, progress: Progress | None, quick: bool) -> Outcome:
        try:
            return calculate(surface, self.params, progress, quick)
        except InertiaError as error:
            # Cached errors have no traceback: its frames would keep the surface and its diagnosis alive.
            return InertiaError(*error.args)

    def _is_of_baked(self, outcome: Outcome) -> bool:
        """Return True if a result holds only for the mesh in metres, not for its surface under a map."""
        if self.name != "exact":
            return True
        if isinstance(outcome, InertiaError) or not max(outcome.error, outcome.error_inertia) > 0.0:
            return False
        square = self.mesh.stretch.T @ self.mesh.stretch
        return not np.abs(square - np.eye(3) * square[0, 0]).max() <= SAME_SHAPE * square[0, 0]

    def _key(self, baked: bool) -> object:
        how = (self.mesh.stretch.tobytes(), tuple(sorted(self.params.items()))) if baked else ()
        # The calculator itself is part of the key: another may be registered under the same name.
        return chosen_calculator(self.params), how


def _rough_outcome(surface: Surface) -> Outcome:
    """Return the moments of `rough_moments`, cached as long as the surface exists."""
    known = _measured.setdefault(surface, {})
    if ROUGH not in known:
        try:
            known[ROUGH] = Measurement(rough_moments(surface), "exact")
        except InertiaError as error:
            known[ROUGH] = InertiaError(*error.args)
    return known[ROUGH]


def _scaled(error: InertiaError, factor: float) -> InertiaError:
    return InertiaError(error.code, error.subject, error.sentence.scaled(factor), error.fix, error.sdf_codes)
