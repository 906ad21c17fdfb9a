# SPDX-License-Identifier: GPL-3.0-or-later
"""The other half of a robot: links with their parts, joints and inertials, mirrored in a plane.

With S the mirror, an object with the axes R gets the axes R' = S R D, where D mirrors along the one of its own axes
that is closest to the normal, and its scale takes up D: a frame must not be mirrored, its geometry is. At the same
joint positions the copy moves as the mirror image of the original does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from ...core.arrays import FloatArray
from ...core.errors import InertiaError
from ...core.judge.twins import twin_name
from ..names import PROPERTIES
from ..scene.geometry import SHEAR, shear
from ..scene.joint_reader import KINDS
from ..scene.upright import mirror_signs, without_mirror

NOT_COPIED = ("sdf_name", "source", "source_model", "source_hash", "missing", "accepted")
"""Settings that say which link of a file an object is."""

PRODUCTS = ((0, 1), (0, 2), (1, 2))
"""The axes of Ixy, Ixz and Iyz, in the order of `manual_inertia`."""


def mirror_links(
    links: Iterable[bpy.types.Object], plane: Matrix, normal: int, view_layer: bpy.types.ViewLayer
) -> list[bpy.types.Object]:
    """Copy links, and all below them, to the other side of a plane.

    Parameters
    ----------
    links : iterable of bpy.types.Object
        None of them below another.
    plane : mathutils.Matrix
        A rotation and a place: the mirror is in its origin.
    normal : {0, 1, 2}
        The axis of `plane` along which is mirrored.
    view_layer : bpy.types.ViewLayer

    Returns
    -------
    copies : list of bpy.types.Object
        Of the links, in their order.

    Raises
    ------
    InertiaError
        ``name_taken`` if an object with the name of the copy is there, ``sheared_mirror`` if an object is sheared.
        Nothing is copied then.
    """
    links = list(links)
    originals = _with_all_below(links)
    frames = [getattr(ob, PROPERTIES).joint_frame for ob in originals]
    originals = list(dict.fromkeys([*(frame for frame in frames if frame is not None), *originals]))
    for ob in links:
        if name_of_copy(ob) in bpy.data.objects:
            raise InertiaError.of("name_taken", ob.name, copy=name_of_copy(ob))
    across = plane @ Matrix.Diagonal([-1.0 if axis == normal else 1.0 for axis in range(3)]).to_4x4() @ plane.inverted()
    placed = {ob: _Placed(ob, across, plane.col[normal].to_3d()) for ob in originals}
    copies = {ob: _copied(ob, view_layer) for ob in originals}
    for ob, copy in copies.items():
        placed[ob].put(copy, copies, placed)
        _mirror_settings(ob, copy, copies, placed)
    return [copies[ob] for ob in links]


def name_of_copy(ob: bpy.types.Object) -> str:
    """Return what the copy of an object is called: left becomes right; without a side, it is the mirrored one."""
    return twin_name(ob.name) or f"{ob.name}_mirrored"


def _with_all_below(links: list[bpy.types.Object]) -> list[bpy.types.Object]:
    """Return links and what is below them, parents first."""
    found: list[bpy.types.Object] = []
    level = links
    while level:
        found += level
        level = [child for ob in level for child in ob.children]
    return found


class _Placed:
    """Where the copy of an object goes."""

    def __init__(self, ob: bpy.types.Object, across: Matrix, normal: Any) -> None:
        signs, _known = mirror_signs(ob.matrix_world, ob)
        axes = np.array(ob.matrix_world, dtype=np.float64)[:3, :3]
        if not np.linalg.norm(axes, axis=0).all() or shear(axes) > SHEAR:
            raise InertiaError.of("sheared_mirror", ob.name)
        location, rotation, scale = without_mirror(ob.matrix_world, signs).decompose()
        turn = rotation.to_matrix()
        nearest = max(range(3), key=lambda axis: abs(turn.col[axis].dot(normal)))
        self.mirror = [-1.0 if axis == nearest else 1.0 for axis in range(3)]
        """The diagonal of D."""
        self.turn = (across.to_3x3() @ turn @ Matrix.Diagonal(self.mirror)).to_quaternion()
        self.location = across @ location
        self.scale = [size * sign * side for size, sign, side in zip(scale, signs, self.mirror, strict=True)]

    @property
    def matrix(self) -> Matrix:
        return Matrix.LocRotScale(self.location, self.turn, self.scale)

    def put(
        self,
        copy: bpy.types.Object,
        copies: dict[bpy.types.Object, bpy.types.Object],
        placed: dict[bpy.types.Object, _Placed],
    ) -> None:
        """Place a copy, below the copy of its parent if that is one."""
        parent = copy.parent
        copy.parent_type = "OBJECT"
        if parent is not None:
            copy.parent = copies.get(parent, parent)
            above = placed[parent].matrix if parent in placed else parent.matrix_world
            copy.matrix_parent_inverse = above.inverted_safe()
        copy.delta_location, copy.delta_scale = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
        copy.delta_rotation_euler, copy.delta_rotation_quaternion = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
        copy.location, copy.scale = self.location, self.scale
        _rotate(copy, self.turn)


def _rotate(ob: bpy.types.Object, turn: Quaternion) -> None:
    if ob.rotation_mode == "QUATERNION":
        ob.rotation_quaternion = turn
    elif ob.rotation_mode == "AXIS_ANGLE":
        axis, angle = turn.to_axis_angle()
        ob.rotation_axis_angle = (angle, *axis)
    else:
        ob.rotation_euler = turn.to_euler(ob.rotation_mode)


def _copied(ob: bpy.types.Object, view_layer: bpy.types.ViewLayer) -> bpy.types.Object:
    """Return a copy in the same collections, which shares the mesh and has neither constraints nor animation."""
    copy = ob.copy()
    copy.name = name_of_copy(ob)
    copy.animation_data_clear()
    copy.constraints.clear()
    for collection in ob.users_collection:
        collection.objects.link(copy)
    if view_layer.objects.get(copy.name) == copy and ob.hide_get(view_layer=view_layer):
        copy.hide_set(True, view_layer=view_layer)
    return copy


def _mirror_settings(
    ob: bpy.types.Object,
    copy: bpy.types.Object,
    copies: dict[bpy.types.Object, bpy.types.Object],
    placed: dict[bpy.types.Object, _Placed],
) -> None:
    settings: Any = getattr(copy, PROPERTIES)
    for name in NOT_COPIED:
        settings.property_unset(name)
    mirror = np.array(placed[ob].mirror)
    settings.manual_com = mirror * settings.manual_com
    signs = [1.0, 1.0, 1.0, *(mirror[i] * mirror[j] for i, j in PRODUCTS)]
    settings.manual_inertia = np.array(signs) * settings.manual_inertia
    for name in ("joint_parent", "joint_frame", "joint_child"):
        named = getattr(settings, name)
        setattr(settings, name, copies.get(named, named))
    settings.joint_name = twin_name(settings.joint_name) or ""
    settings.joint_position = 0.0
    if settings.joint_type not in KINDS:
        return
    own_frame = getattr(ob, PROPERTIES).joint_frame or ob
    along: FloatArray = np.array(placed[own_frame].mirror)
    turns = 1.0 if settings.joint_type == "PRISMATIC" else -1.0  # the mirror image of a turn turns the other way
    settings.joint_axis = turns * along * settings.joint_axis
    settings.joint_axis2 = turns * along * settings.joint_axis2
    settings.joint_pitch = -settings.joint_pitch
