# SPDX-License-Identifier: Apache-2.0
"""Volume, centroid and second moment of a solid, closed under sums and affine maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, determinant, diagonal, readonly
from ..errors import InertiaError
from .inertial import Inertial
from .materials import checked_density


@dataclass(frozen=True, eq=False, init=False)
class Moments:
    """What the inertia of a solid of unit density depends on.

    Parameters
    ----------
    volume : float
        Volume [m³]; negative for a surface that is inside out.
    centroid : array_like, shape (3,)
        Centroid c [m].
    covariance : array_like, shape (3, 3)
        Central second moment ∫ (x-c)(x-c)ᵀ dV [m⁵].

    Examples
    --------
    >>> from sdf_inertia import measure_mesh
    >>> wrist = measure_mesh("examples/desk_arm_description/meshes/wrist.stl", scale=0.001).moments
    >>> twice = wrist.transformed([[2, 0, 0], [0, 2, 0], [0, 0, 2]])
    >>> print(f"{twice.volume / wrist.volume:g} times the volume")
    8 times the volume
    """

    volume: float
    centroid: FloatArray
    covariance: FloatArray

    zero: ClassVar[Moments]

    def __init__(self, volume: float, centroid: npt.ArrayLike, covariance: npt.ArrayLike) -> None:
        # Thousands are made at a time, and setting a frozen dataclass's fields one by one is slower.
        vars(self).update(
            volume=float(volume), centroid=readonly(centroid, (3,)), covariance=readonly(covariance, (3, 3))
        )

    def __add__(self, other: Moments) -> Moments:
        """Join two solids. Where they overlap, the common part is counted twice.

        Raises
        ------
        InertiaError
            ``zero_volume``, if a positive and a negative volume cancel.
        """
        if self.volume == 0.0:
            return other
        if other.volume == 0.0:
            return self
        volume = self.volume + other.volume
        if volume == 0.0:
            raise InertiaError.of("zero_volume", "", "cancel")
        between = other.centroid - self.centroid
        share = other.volume / volume  # not the product of two volumes, which may overflow
        centroid = self.centroid + between * share
        parallel_axis = (self.volume * share) * np.outer(between, between)
        return Moments(volume, centroid, self.covariance + other.covariance + parallel_axis)

    def __neg__(self) -> Moments:
        """Return the moments of the same surface with its winding reversed."""
        return Moments(-self.volume, self.centroid, -self.covariance)

    def transformed(self, A: npt.ArrayLike, t: npt.ArrayLike = (0.0, 0.0, 0.0)) -> Moments:
        """Return the moments of the solid under x → A x + t.

        A mirror (det A < 0) keeps the sign of the volume: it also reverses the surface's winding.

        Parameters
        ----------
        A : array_like, shape (3, 3)
            Any invertible map: rotation, mirror, scale, shear.
        t : array_like, shape (3,)
            Translation [m].

        Raises
        ------
        InertiaError
            ``zero_scale``, if A flattens the solid.
        """
        A = readonly(A, (3, 3))
        volume_factor = abs(determinant(A))
        if volume_factor == 0.0:
            raise InertiaError.of("zero_scale", "", "flat")
        return Moments(
            volume_factor * self.volume,
            A @ self.centroid + readonly(t, (3,)),
            volume_factor * (A @ self.covariance @ A.T),
        )

    def inertial(self, density: float) -> Inertial:
        """Return the body of uniform `density` [kg/m³].

        Raises
        ------
        InertiaError
            ``bad_density``, or ``zero_volume`` if the volume is not positive.
        """
        density = checked_density(density)
        if not self.volume > 0.0:
            raise InertiaError.of("zero_volume", "", "massless", volume=self.volume)
        trace = float(np.trace(self.covariance))
        inertia = density * (diagonal(trace, trace, trace) - self.covariance)
        return Inertial(density * self.volume, self.centroid, inertia)


Moments.zero = Moments(0.0, np.zeros(3), np.zeros((3, 3)))
