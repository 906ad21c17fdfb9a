# SPDX-License-Identifier: GPL-3.0-or-later
"""An inertial in the types of other libraries, which are imported only here, when a conversion is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .inertial import Inertial


def to_drake(body: Inertial) -> Any:
    """Return it as a ``pydrake.multibody.tree.SpatialInertia``; see `Inertial.to_drake`."""
    from pydrake.multibody.tree import RotationalInertia, SpatialInertia

    (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = body.inertia.tolist()
    central = RotationalInertia(Ixx=ixx, Iyy=iyy, Izz=izz, Ixy=ixy, Ixz=ixz, Iyz=iyz)
    return SpatialInertia.MakeFromCentralInertia(body.mass, body.com, central)


def to_pinocchio(body: Inertial) -> Any:
    """Return it as a ``pinocchio.Inertia``; see `Inertial.to_pinocchio`."""
    from pinocchio import Inertia

    return Inertia(body.mass, body.com, body.inertia)


def to_mujoco(body: Inertial) -> dict[str, Any]:
    """Return it as attributes of a body of ``mujoco.MjSpec``; see `Inertial.to_mujoco`."""
    (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = body.inertia.tolist()
    return {
        "mass": body.mass,
        "ipos": body.com.tolist(),
        "fullinertia": [ixx, iyy, izz, ixy, ixz, iyz],
        "explicitinertial": True,
    }
