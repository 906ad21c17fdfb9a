# SPDX-License-Identifier: Apache-2.0
"""Mass, centre of mass and inertia tensor of a rigid body."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import IDENTITY, FloatArray, made_readonly, readonly
from ..errors import Finding, has_error
from ..units import numbers_text
from .picture import as_html, drawing
from .pose import Pose

VALIDITY_EPS = 10 * float(np.finfo(np.float64).eps) / 2
"""gz-math's tolerance per unit of trace: ten roundings of the largest possible moment, which is half the trace."""

READ_NOISE = 1e-6
"""Smaller shares of a body's size, or of its trace, are noise: float32, in which Blender keeps meshes and transforms,
has steps of 1.2e-7, and a few of them add up."""

NORMAL = float(np.finfo(np.float64).tiny) / float(np.finfo(np.float64).eps)
"""Products below this have lost digits to underflow."""

MUJOCO_LEAST = 1e-15
"""MuJoCo refuses a moving body of less mass [kg], or with a smaller principal moment [kg·m²] (mjMINVAL)."""

COMPONENTS = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
"""The six components of a tensor by SDFormat's names, in its order, with their row and column."""


class Principal(NamedTuple):
    """Principal moments [kg·m²], ascending, and their axes.

    ``axes[i]`` is the unit vector of ``moments[i]``; the three are right-handed.
    """

    moments: FloatArray
    axes: FloatArray


@dataclass(frozen=True, eq=False)
class Inertial:
    """A body's inertial properties in some frame F.

    Parameters
    ----------
    mass : float
        Mass [kg].
    com : array_like, shape (3,)
        Centre of mass in F [m].
    inertia : array_like, shape (3, 3)
        Inertia tensor about the centre of mass, in F's axes [kg·m²]. The products carry SDFormat's sign:
        ``inertia[0, 1] = ixy = -∫ x y dm``.

    Examples
    --------
    >>> from sdf_inertia import read_robot
    >>> hand = read_robot("examples/arm.urdf").links["hand"].inertial
    >>> moments, axes = hand.principal()
    >>> print(hand.mass, hand.com, moments.round(6))
    0.24 [0.   0.   0.03] [0.000104 0.00016  0.0002  ]
    >>> hand.to_mujoco()["fullinertia"][:3]
    [0.0002, 0.000104, 0.00016]
    """

    mass: float
    com: FloatArray
    inertia: FloatArray

    zero: ClassVar[Inertial]

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", float(self.mass))
        object.__setattr__(self, "com", readonly(self.com, (3,)))
        object.__setattr__(self, "inertia", readonly(self.inertia, (3, 3)))

    def __add__(self, other: Inertial) -> Inertial:
        """Join two bodies in the same frame by the parallel axis theorem."""
        mass = self.mass + other.mass
        if mass == 0.0:
            return Inertial(0.0, self.com, self.inertia + other.inertia)
        between = other.com - self.com
        share = other.mass / mass  # not the product of two masses, which may overflow
        com = self.com + between * share
        reduced_mass = self.mass * share
        inertia = self.inertia + other.inertia + reduced_mass * steiner(between)
        return Inertial(mass, made_readonly(com), made_readonly(inertia))

    def transformed(self, pose: Pose) -> Inertial:
        """Return the same body expressed in A, where `pose` is X_AF."""
        R = pose.R
        if R is IDENTITY:
            return Inertial(self.mass, made_readonly(self.com + pose.p), self.inertia)
        return Inertial(self.mass, made_readonly(R @ self.com + pose.p), made_readonly(R @ self.inertia @ R.T))

    def scaled_to(self, mass: float) -> Inertial:
        """Return a body of the same shape whose mass is `mass` [kg]; the centre of mass stays."""
        return Inertial(mass, self.com, self.inertia * (mass / self.mass))

    def inertia_about(self, point: npt.ArrayLike) -> FloatArray:
        """Return the tensor [kg·m²] about `point` [m], in the same axes."""
        return readonly(self.inertia + self.mass * steiner(readonly(point, (3,)) - self.com), (3, 3))

    def without_noise(self) -> Inertial:
        """Return the body with products below the tensor's rounding set to zero."""
        noise = VALIDITY_EPS * abs(np.trace(self.inertia))
        keep = (np.abs(self.inertia) > noise) | np.eye(3, dtype=bool)
        return Inertial(self.mass, self.com, np.where(keep, self.inertia, 0.0))

    @property
    def size(self) -> float:
        """Its radius of gyration for the mean of the three moments, which does not depend on the axes, or its distance
        from the origin, if that is larger [m]."""
        with np.errstate(all="ignore"):  # an absurd mass may overflow
            gyration = np.sqrt(abs(np.trace(self.inertia) / (3.0 * self.mass))) if self.mass else 0.0
            return max(float(gyration), float(np.abs(self.com).max()))

    def as_read(self, length: float = 0.0) -> Inertial:
        """Return the body with noise set to 0: coordinates negligible to its size, products negligible to its trace.

        If the length [m] of its geometry is given and larger, coordinates are compared to that.
        """
        com = np.where(np.abs(self.com) <= READ_NOISE * max(self.size, length), 0.0, self.com)
        with np.errstate(all="ignore"):
            noise = READ_NOISE * abs(np.trace(self.inertia))
        keep = ~(np.abs(self.inertia) <= noise) | np.eye(3, dtype=bool)
        return Inertial(self.mass, com, np.where(keep, self.inertia, 0.0))

    def principal(self) -> Principal:
        """Return the principal moments and axes, in the body's frame."""
        moments, columns = np.linalg.eigh(self.inertia)
        axes = columns.T.copy()
        for axis in axes[:2]:  # of the two opposite unit vectors, take the one whose largest component is positive
            axis *= np.sign(axis[np.argmax(np.abs(axis))])
        axes[2] = np.cross(axes[0], axes[1])
        return Principal(readonly(moments, (3,)), readonly(axes, (3, 3)))

    def equivalent_box(self) -> FloatArray:
        """Return the sides [m], along the principal axes, of the uniform box with this mass and these moments.

        A side is zero if its square is negative, because of rounding or an impossible tensor.
        """
        return readonly(np.sqrt(12.0 * self._second_moments_per_mass()), (3,))

    def equivalent_ellipsoid(self) -> FloatArray:
        """Return the semi-axes [m], along the principal axes, of the uniform ellipsoid with these moments."""
        return readonly(np.sqrt(5.0 * self._second_moments_per_mass()), (3,))

    def _second_moments_per_mass(self) -> FloatArray:
        # ∫ x² dm / m along each principal axis: half of (the sum of the other two moments, less its own).
        moments = self.principal().moments
        return readonly(np.maximum(moments.sum() / 2.0 - moments, 0.0) / self.mass, (3,))

    def findings(self) -> tuple[Finding, ...]:
        """Check what no rigid body can have, on the principal moments, never on the diagonal.

        Returns
        -------
        tuple of Finding
            ``not_finite``, ``bad_mass``, ``negative_moment`` and ``triangle_inequality`` are errors, since
            libsdformat refuses such a body; ``zero_moment`` is a warning. Empty for a well-formed body.
        """
        if not self.is_finite():
            return (self._not_finite(),)
        if self.mass <= 0.0:
            return (Finding.of("error", "bad_mass", "", "given", mass=self.mass),)
        return self.tensor_findings()

    def _not_finite(self) -> Finding:
        """Return the finding that names the numbers that are not finite; of finite ones the sum of the moments is."""
        values = (("mass", self.mass), ("centre of mass", self.com), ("tensor", self.inertia))
        names = [name for name, numbers in values if not np.isfinite(numbers).all()] or ["tensor"]
        return Finding.of("error", "not_finite", "", "inertial", numbers=" and ".join(names), count=len(names))

    def tensor_findings(self) -> tuple[Finding, ...]:
        """Check the tensor alone, which must be finite, whatever the mass is; see `findings`."""
        moments = np.linalg.eigvalsh(self.inertia)
        tolerance = VALIDITY_EPS * abs(float(moments.sum()))
        shown = ", ".join(f"{moment:.6g}" for moment in np.where(abs(moments) < tolerance, 0.0, moments))
        shown += f" kg·m²{_slip(self.inertia)}"
        if moments[0] < -tolerance:
            return (Finding.of("error", "negative_moment", moments=shown),)
        if moments[0] + moments[1] < moments[2] - tolerance:
            excess = moments[2] - moments[0] - moments[1]
            return (Finding.of("error", "triangle_inequality", moments=shown, excess=excess),)
        if moments[0] <= tolerance:
            return (Finding.of("warning", "zero_moment", moments=shown),)
        return ()

    @property
    def pseudo_inertia(self) -> FloatArray:
        """The pseudo-inertia matrix (4, 4): ``∫ [r, 1] [r, 1]ᵀ dm`` with r from F's origin [kg·m², kg·m, kg].

        It is positive semidefinite for every body that is possible, and linear in what identification solves for:
        Wensing, Kim and Slotine, "Linear Matrix Inequalities for Physically-Consistent Inertial Parameter
        Identification", IEEE RA-L 3(1), 2018.
        """
        matrix = np.empty((4, 4))
        matrix[:3, :3] = np.eye(3) * (np.trace(self.inertia) / 2.0) - self.inertia
        matrix[:3, :3] += self.mass * np.outer(self.com, self.com)
        matrix[:3, 3] = matrix[3, :3] = self.mass * self.com
        matrix[3, 3] = self.mass
        return readonly(matrix, (4, 4))

    @classmethod
    def from_pseudo_inertia(cls, matrix: npt.ArrayLike) -> Inertial:
        """Return the body with this `pseudo_inertia` (4, 4).

        Raises
        ------
        ValueError
            If the matrix is not symmetric, or its mass is zero.
        """
        matrix = readonly(matrix, (4, 4))
        mass = float(matrix[3, 3])
        if mass == 0.0 or not np.allclose(matrix, matrix.T, rtol=1e-9, atol=0.0):
            raise ValueError("a pseudo-inertia is symmetric, and its last number, the mass, is not zero")
        com = matrix[:3, 3] / mass
        spread = matrix[:3, :3] - mass * np.outer(com, com)
        return cls(mass, com, np.eye(3) * np.trace(spread) - spread)

    def to_drake(self) -> Any:
        """Return it as a ``pydrake.multibody.tree.SpatialInertia`` about F's origin; needs the package drake."""
        from pydrake.multibody.tree import RotationalInertia, SpatialInertia

        (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = self.inertia.tolist()
        central = RotationalInertia(Ixx=ixx, Iyy=iyy, Izz=izz, Ixy=ixy, Ixz=ixz, Iyz=iyz)
        return SpatialInertia.MakeFromCentralInertia(self.mass, self.com, central)

    def to_pinocchio(self) -> Any:
        """Return it as a ``pinocchio.Inertia``; needs the package pin."""
        from pinocchio import Inertia

        return Inertia(self.mass, self.com, self.inertia)

    def to_mujoco(self) -> dict[str, Any]:
        """Return it as attributes of a body in MuJoCo: ``spec.worldbody.add_body(**inertial.to_mujoco())``."""
        (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = self.inertia.tolist()
        tensor = [ixx, iyy, izz, ixy, ixz, iyz]
        return {"mass": self.mass, "ipos": self.com.tolist(), "fullinertia": tensor, "explicitinertial": True}

    def _repr_html_(self) -> str:
        """Return its numbers, and a drawing of its equivalent ellipsoid and box if a body can have them."""
        findings, shown = self.findings(), self.as_read()
        rows = [
            ("mass", f"{self.mass:.6g} kg"),
            ("centre of mass", f"{numbers_text(shown.com)} m"),
            ("Ixx, Iyy, Izz", f"{numbers_text(np.diag(shown.inertia))} kg·m²"),
            ("Ixy, Ixz, Iyz", f"{numbers_text(shown.inertia[[0, 0, 1], [1, 2, 2]])} kg·m²"),
        ]
        if has_error(findings) or not self.equivalent_ellipsoid().any():
            return as_html(
                [*rows, *((finding.severity, f"{finding.message} [{finding.code}]") for finding in findings)]
            )
        moments, axes = self.principal()
        picture = drawing(axes, self.equivalent_ellipsoid(), self.equivalent_box() / 2.0)
        rows += [(f"principal {i + 1}", f"{moments[i]:.6g} kg·m² along {numbers_text(axes[i])}") for i in range(3)]
        return as_html(rows, picture)

    @property
    def is_zero(self) -> bool:
        """True if mass and tensor are 0, as files give them to a link that is only a frame."""
        return self.mass == 0.0 and not self.inertia.any()

    def is_finite(self) -> bool:
        """Return True if all numbers are finite: absurd sizes, poses and masses overflow."""
        numbers = (self.mass, *self.com.tolist(), *self.inertia.ravel().tolist())
        return all(map(isfinite, (*numbers, sum(np.diag(self.inertia).tolist()))))


def _slip(tensor: FloatArray) -> str:
    """Return the likely mistake in an impossible tensor, a repeated number or reversed signs; empty if unknown."""
    given = {name: float(tensor[cell]) for name, cell in COMPONENTS.items()}
    if len(set(given.values())) == 1:
        return " (all six numbers are equal)"
    moments, products = ("ixx", "iyy", "izz"), ("ixy", "ixz", "iyz")
    repeated = [f"{a} equals {b}" for a in moments for b in products if given[a] == given[b] != 0.0]
    if repeated:
        return f" ({' and '.join(repeated)})"
    turned = np.diag(np.diag(tensor)) - 0.5 * tensor  # half the tensor of opposite products, which does not overflow
    least, middle, largest = np.linalg.eigvalsh(turned).tolist()
    return " (with ixy, ixz and iyz of opposite sign it is possible)" if 0.0 < largest - middle < least else ""


def steiner(offset: FloatArray) -> FloatArray:
    """Return the tensor [m²] of a unit mass at `offset` [m]: the parallel axis theorem's term per kilogram."""
    x, y, z = offset.tolist()
    return np.array([[y * y + z * z, -x * y, -x * z], [-x * y, z * z + x * x, -y * z], [-x * z, -y * z, x * x + y * y]])


Inertial.zero = Inertial(0.0, np.zeros(3), np.zeros((3, 3)))
