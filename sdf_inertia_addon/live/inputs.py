# SPDX-License-Identifier: GPL-3.0-or-later
"""All that the links of a scene depend on, but for transforms, as values to compare with what was seen before."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, NamedTuple

import bpy

from ..names import PROPERTIES
from ..scene.evaluated.evaluated_mesh import mesh_version
from ..scene.evaluated.instancers import hidden_by_eye, instances_concern_us
from ..scene.link_reader import NOT_COMPUTED
from ..scene.properties import SDF_INERTIA_PG_object

Row = tuple[object, ...]

TAGS = ("is_link", "is_collision", "is_mass", "is_visual", "is_frame", "is_joint")


class InputSample(NamedTuple):
    """What the links of a scene depended on when it was read.

    Parameters
    ----------
    structure : tuple of Row
        One for each object there is: name, parent, tags and what else makes it part of a link, or of none.
    members : tuple of str
        The objects of the scene.
    listed : frozenset of str
        Those that the depsgraph lists.
    settings, versions : dict of int to object
        Of each tagged object, by its place in Blender's list: its settings, and what its geometry is known by.
    instancing : bool
        True if there may be instances, which the other fields do not cover.
    animated : bool
        True if a tagged object has animation or drivers, which may set a property without an update.
    """

    structure: tuple[Row, ...]
    members: tuple[str, ...]
    listed: frozenset[str]
    settings: dict[int, object]
    versions: dict[int, object]
    instancing: bool
    animated: bool

    def same_structure(self, other: InputSample) -> bool:
        """Return True if links and parts are the same objects by the same names."""
        return (self.structure, self.members, self.listed) == (other.structure, other.members, other.listed)


def sample_inputs(depsgraph: bpy.types.Depsgraph) -> InputSample:
    """Sample the inputs of every object there is."""
    listed = {ob.original.name_full: ob for ob in depsgraph.objects}
    structure, settings, versions = [], {}, {}
    instancing = animated = False
    for index, ob in enumerate(bpy.data.objects):
        group = getattr(ob, PROPERTIES)
        tags = _tags(group)
        instancing |= ob.instance_type != "NONE"
        parent = ob.parent
        above = None if parent is None else parent.name_full
        if not any(tags):
            structure.append((ob.name_full, above))
            continue
        evaluated = listed.get(ob.name_full) or hidden_by_eye(ob, depsgraph)
        # By hand or without inertial, a link without any part is still a link.
        not_computed = tags[0] and group.inertia in NOT_COMPUTED
        joint = _joint(group) if tags[0] or tags[-1] else ()
        structure.append((ob.name_full, above, ob.type, evaluated is None, not_computed, *tags, joint))
        settings[index] = _settings(group)
        versions[index] = None if evaluated is None else mesh_version(evaluated)
        animated |= ob.animation_data is not None
    return InputSample(
        tuple(structure),
        tuple(ob.name_full for ob in depsgraph.scene.objects),
        frozenset(listed),
        settings,
        versions,
        instancing or instances_concern_us(depsgraph),
        animated,
    )


_tags: Any = attrgetter(*TAGS)

_VECTORS = ("manual_com", "manual_inertia")
_ANY_JOINT = tuple(name for name in SDF_INERTIA_PG_object.__annotations__ if name.startswith("joint_"))
_JOINTS = tuple(name for name in _ANY_JOINT if not name.startswith("joint_position"))  # which only shows
_OTHERS = {*TAGS, *_VECTORS, *_ANY_JOINT, "inertia", "published"}  # what is published changes no link
_NUMBERS: Any = attrgetter("inertia", *sorted({*SDF_INERTIA_PG_object.__annotations__} - _OTHERS))
_MANUAL: Any = attrgetter(*_VECTORS)


def _settings(group: Any) -> object:
    numbers = _NUMBERS(group)
    if numbers[0] != "MANUAL":
        return numbers
    return (*numbers, *map(tuple, _MANUAL(group)))


def _joint(group: Any) -> tuple[object, ...]:
    """Return the settings of a joint, which change no link but the findings of the model."""
    if group.joint_type == "NONE":
        return ()
    return tuple(_comparable(getattr(group, name)) for name in _JOINTS)


def _comparable(value: Any) -> object:
    if isinstance(value, bpy.types.Object):
        return value.name_full
    return value if value is None or isinstance(value, (bool, int, float, str)) else tuple(value)
