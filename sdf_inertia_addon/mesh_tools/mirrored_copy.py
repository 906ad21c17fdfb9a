# SPDX-License-Identifier: GPL-3.0-or-later
"""The other half of a robot: links with their parts, joints and inertials, mirrored in a plane.

With S the mirror, an object with the axes R gets the axes R' = S R D, where D mirrors along the one of its own axes
that is closest to the normal, and its scale takes up D: a frame must not be mirrored, its geometry is. At the same
joint positions the copy moves as the mirror image of the original does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.errors import InertiaError
from ...core.judge.twins import twin_name
from ..names import PROPERTIES
from ..scene.belonging import collections_for, is_link
from ..scene.geometry import SHEAR, shear
from ..scene.joint_reader import KINDS
from ..scene.upright import mirror_signs, without_mirror

NOT_COPIED = (
    "sdf_name",
    "source",
    "source_model",
    "source_hash",
    "source_folders",
    "source_included",
    "missing",
    "without_inertial",
    "accepted",
    "weighed",
    "weighed_mass",
    "published",
)
"""Settings that record which link of a file an object is."""

PRODUCTS = ((0, 1), (0, 2), (1, 2))
"""The axes of Ixy, Ixz and Iyz, in the order of `manual_inertia`."""


def mirror_links(
    links: Iterable[bpy.types.Object], plane: Matrix, normal: int, context: bpy.types.Context
) -> list[bpy.types.Object]:
    """Copy links, their parts and all links that hang on them to the other side of a plane.

    Parameters
    ----------
    links : iterable of bpy.types.Object
        None of them hangs on another.
    plane : mathutils.Matrix
        A rotation and a place: the mirror is in its origin.
    normal : {0, 1, 2}
        The axis of `plane` along which is mirrored.
    context : bpy.types.Context

    Returns
    -------
    copies : list of bpy.types.Object
        Of the links, in their order.

    Raises
    ------
    InertiaError
        ``name_taken`` if the copy of a link would have the name of an object of the scene, ``sheared_mirror`` if an
        object is sheared. Nothing is copied then.
    """
    links = list(links)
    originals = _with_all_below(links, context.scene)
    for ob in filter(is_link, originals):
        if name_of_copy(ob) in context.scene.objects:
            raise InertiaError.of("name_taken", ob.name, copy=name_of_copy(ob))
    # S of the module's docstring, as a map of points of the world.
    across = plane @ Matrix.Diagonal([-1.0 if axis == normal else 1.0 for axis in range(3)]).to_4x4() @ plane.inverted()
    world: dict[bpy.types.Object, Matrix] = {}
    for ob in originals:
        world[ob] = _world(ob, world)
    placed = {ob: _Placed(ob, world[ob], across, plane.col[normal].to_3d()) for ob in originals}
    copies: dict[bpy.types.Object, bpy.types.Object] = {}
    try:
        for ob in originals:
            copies[ob] = ob.copy()
            _put_into_collections(ob, copies[ob], context)
        for ob, copy in copies.items():
            placed[ob].put(copy, copies, placed)
            _mirror_settings(ob, copy, copies, placed)
            _redirect_modifiers(copy, copies)
    except BaseException:
        for copy in copies.values():
            bpy.data.objects.remove(copy)
        raise
    return [copies[ob] for ob in links]


def name_of_copy(ob: bpy.types.Object) -> str:
    """Return what the copy of an object is called: left becomes right; without a side, it is the mirrored one."""
    return twin_name(ob.name) or f"{ob.name}_mirrored"


def _with_all_below(links: list[bpy.types.Object], scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return links, what is below them, links that hang on them, and the frames of their joints, parents first."""
    joined_to: dict[bpy.types.Object, list[bpy.types.Object]] = {}
    for ob in filter(is_link, scene.objects):
        joined_to.setdefault(getattr(ob, PROPERTIES).joint_parent, []).append(ob)
    objects: dict[bpy.types.Object, None] = {}
    level = links
    while level:
        new = [ob for ob in level if ob not in objects]
        objects |= dict.fromkeys(new)
        level = [below for ob in new for below in (*ob.children, *joined_to.get(ob, ()))]
    frames = dict.fromkeys(getattr(ob, PROPERTIES).joint_frame for ob in objects)
    outside = [ob for ob in frames if ob is not None and ob not in objects]
    return sorted([*objects, *outside], key=_depth)


def _depth(ob: bpy.types.Object) -> int:
    return 0 if ob.parent is None else 1 + _depth(ob.parent)


def _world(ob: bpy.types.Object, world: Mapping[bpy.types.Object, Matrix]) -> Matrix:
    """Return where an object is, also if Blender does not evaluate it, since it is hidden."""
    if ob.parent is None or ob.parent_type != "OBJECT" or ob.parent not in world or len(ob.constraints):
        return ob.matrix_world.copy()
    return world[ob.parent] @ ob.matrix_parent_inverse @ ob.matrix_basis


class _Placed:
    """Where the copy of an object goes: its location, its axes R' (`turn`), its scale, and D (`mirror`)."""

    def __init__(self, ob: bpy.types.Object, matrix_world: Matrix, across: Matrix, normal: Any) -> None:
        signs, _known = mirror_signs(matrix_world, ob)
        axes = np.array(matrix_world, dtype=np.float64)[:3, :3]
        if not np.linalg.norm(axes, axis=0).all() or shear(axes) > SHEAR:
            raise InertiaError.of("sheared_mirror", ob.name)
        location, rotation, scale = without_mirror(matrix_world, signs).decompose()
        R = rotation.to_matrix()
        nearest = max(range(3), key=lambda axis: abs(R.col[axis].dot(normal)))
        mirror = tuple(-1.0 if axis == nearest else 1.0 for axis in range(3))
        sides = [sign * side for sign, side in zip(signs, mirror, strict=True)]
        # An object that is mirrored along another axis would be mirrored along two, which is half a turn. Then D is
        # the object's own mirror, and the scale of the copy has none.
        if sides.count(-1.0) == 2:
            mirror, sides = signs, [1.0, 1.0, 1.0]
        self.mirror = mirror
        """The diagonal of D."""
        self.turn = across.to_3x3() @ R @ Matrix.Diagonal(mirror)
        self.location = across @ location
        self.scale = [size * side for size, side in zip(scale, sides, strict=True)]

    @property
    def matrix(self) -> Matrix:
        return Matrix.LocRotScale(self.location, self.turn.to_quaternion(), self.scale)

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


def _rotate(ob: bpy.types.Object, turn: Matrix) -> None:
    if ob.rotation_mode == "QUATERNION":
        ob.rotation_quaternion = turn.to_quaternion()
    elif ob.rotation_mode == "AXIS_ANGLE":
        axis, angle = turn.to_quaternion().to_axis_angle()
        ob.rotation_axis_angle = (angle, *axis)
    elif ob.rotation_mode == "XYZ":  # as SDF's, in float64: Blender's is off by 0.2° next to a pitch of 90°
        ob.rotation_euler = Pose(np.array(turn, dtype=np.float64), np.zeros(3)).to_sdf()[3:]
    else:
        ob.rotation_euler = turn.to_euler(ob.rotation_mode)


def _put_into_collections(ob: bpy.types.Object, copy: bpy.types.Object, context: bpy.types.Context) -> None:
    """Put a copy into the collections of its original that can be changed; without constraints and animation."""
    copy.name = name_of_copy(ob)
    copy.animation_data_clear()
    copy.constraints.clear()
    for collection in collections_for(ob, context.scene):
        collection.objects.link(copy)
    if context.view_layer.objects.get(copy.name) == copy and ob.hide_get(view_layer=context.view_layer):
        copy.hide_set(True, view_layer=context.view_layer)


def _redirect_modifiers(copy: bpy.types.Object, copies: Mapping[bpy.types.Object, bpy.types.Object]) -> None:
    """Make the modifiers of a copy use the copies of what those of the original use."""
    for modifier in copy.modifiers:
        for setting in modifier.bl_rna.properties:
            if setting.type == "POINTER" and not setting.is_readonly:
                used = getattr(modifier, setting.identifier)
                if used in copies:
                    setattr(modifier, setting.identifier, copies[used])


def _mirror_settings(
    ob: bpy.types.Object,
    copy: bpy.types.Object,
    copies: dict[bpy.types.Object, bpy.types.Object],
    placed: dict[bpy.types.Object, _Placed],
) -> None:
    """Mirror a copy's inertial and joint, and point it to the copies of the links and frames that it names."""
    settings: Any = getattr(copy, PROPERTIES)
    for name in NOT_COPIED:
        settings.property_unset(name)
    # In the object's own axes the mirror is D: it turns the sign of one coordinate, and of two products.
    mirror = np.array(placed[ob].mirror)
    settings.manual_com = mirror * settings.manual_com
    signs = [1.0, 1.0, 1.0, *(mirror[i] * mirror[j] for i, j in PRODUCTS)]
    settings.manual_inertia = np.array(signs) * settings.manual_inertia
    for name in ("joint_parent", "joint_frame", "joint_mimic"):
        named = getattr(settings, name)
        setattr(settings, name, copies.get(named, named))
    settings.joint_child = copies.get(settings.joint_child)  # a loop to the other side would join the two halves
    settings.joint_name = twin_name(settings.joint_name) or ""
    settings.joint_position = 0.0
    if settings.joint_type not in KINDS:
        return
    own_frame = getattr(ob, PROPERTIES).joint_frame or ob
    along: FloatArray = np.array(placed[own_frame].mirror)
    sense = 1.0 if settings.joint_type == "PRISMATIC" else -1.0  # the mirror image of a turn has the opposite sense
    settings.joint_axis = sense * along * settings.joint_axis
    settings.joint_axis2 = sense * along * settings.joint_axis2
    settings.joint_pitch = -settings.joint_pitch  # a right-handed screw becomes a left-handed one
