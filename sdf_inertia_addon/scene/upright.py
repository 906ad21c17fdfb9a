# SPDX-License-Identifier: GPL-3.0-or-later
"""The axes of an object without its mirrors, for the frame of a link, of a joint, or one of its own.

A matrix with a negative determinant does not say along which axis it mirrors: `Matrix.decompose` takes all three, which
turns every mirror along one axis into a half turn, so that joints move against the axis that was set. The object's own
rotation, and those of what it is parented to, say which it is.
"""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

SAME = 4e-6
"""Axes this close (cosines of the others) are the same: what float32 leaves of a chain of rotations."""

Signs = tuple[float, float, float]

PLAIN: Signs = (1.0, 1.0, 1.0)
ALL: Signs = (-1.0, -1.0, -1.0)
"""What `Matrix.decompose` takes a mirrored matrix for."""


def mirror_signs(
    matrix_world: Matrix, ob: bpy.types.Object, instancer: bpy.types.Object | None = None
) -> tuple[Signs, bool]:
    """Return along which of its axes an object is mirrored, and True if its own rotation shows this.

    Parameters
    ----------
    matrix_world : mathutils.Matrix
        Where the object stands.
    ob, instancer : bpy.types.Object
        The object, evaluated, and what makes this instance of it, if it is one.

    Returns
    -------
    signs : tuple of float
        1 or -1 for x, y and z; never two of -1, which is a half turn.
    known : bool
        False if it is turned below a mirrored parent, or moved by a constraint: then all three are -1.
    """
    if matrix_world.determinant() >= 0.0:
        return PLAIN, True
    turn = _turn(ob) if instancer is None else _turn(instancer) @ _turn(ob)
    axes = np.array(matrix_world, dtype=np.float64)[:3, :3]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        aligned = np.array(turn, dtype=np.float64).T @ (axes / np.linalg.norm(axes, axis=0))
    if not np.abs(np.abs(aligned) - np.eye(3)).max() <= SAME:
        return ALL, False
    x, y, z = np.sign(np.diag(aligned)).tolist()
    return (x, y, z), True


def without_mirror(matrix_world: Matrix, signs: Signs) -> Matrix:
    """Return a map whose axes are those of the object before it was mirrored."""
    return matrix_world if signs == PLAIN else matrix_world @ Matrix.Diagonal((*signs, 1.0))


def upright(matrix_world: Matrix, ob: bpy.types.Object, instancer: bpy.types.Object | None = None) -> Matrix:
    """Return where an object stands, with the axes that it had before it was mirrored; arguments as `mirror_signs`."""
    return without_mirror(matrix_world, mirror_signs(matrix_world, ob, instancer)[0])


def _turn(ob: bpy.types.Object) -> Matrix:
    """Return the rotation (3, 3) of an object and of all that it is parented to, without their mirrors."""
    turn = _own_turn(ob)
    while ob.parent is not None:
        space = ob.parent.matrix_world @ ob.matrix_parent_inverse
        if space.determinant() > 0.0:
            return space.to_quaternion().to_matrix() @ turn
        turn = _own_turn(ob.parent) @ ob.matrix_parent_inverse.to_quaternion().to_matrix() @ turn
        ob = ob.parent
    return turn


def _own_turn(ob: bpy.types.Object) -> Matrix:
    if ob.rotation_mode == "QUATERNION":
        return (ob.delta_rotation_quaternion @ ob.rotation_quaternion).normalized().to_matrix()
    if ob.rotation_mode == "AXIS_ANGLE":
        angle, *axis = ob.rotation_axis_angle
        return Quaternion(axis, angle).to_matrix()
    return ob.delta_rotation_euler.to_matrix() @ ob.rotation_euler.to_matrix()
