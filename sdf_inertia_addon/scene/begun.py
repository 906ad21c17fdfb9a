# SPDX-License-Identifier: GPL-3.0-or-later
"""What our own buttons began on an object, and nobody has touched since: only that may they take back or begin again.

`Object.sdf_inertia_begun` is kept apart from the settings, which are the user's and the scripts'.
"""

from __future__ import annotations

import bpy

from ..names import BEGUN, OVERRIDE
from ..translations.words import BoolProperty, PointerProperty


class SDF_INERTIA_PG_begun(bpy.types.PropertyGroup):
    """True for what a button has put there; the first change by anybody else makes it False."""

    collision: BoolProperty(options={"HIDDEN"}, override=OVERRIDE)
    manual: BoolProperty(options={"HIDDEN"}, override=OVERRIDE)
    mass: BoolProperty(options={"HIDDEN"}, override=OVERRIDE)


def begun_on(ob: bpy.types.Object) -> SDF_INERTIA_PG_begun:
    """Return what was begun on an object."""
    begun: SDF_INERTIA_PG_begun = getattr(ob, BEGUN)
    return begun


def touched(ob: bpy.types.Object, what: str) -> None:
    """Record that the user has changed it: an ``update=`` callback calls this."""
    begun = begun_on(ob)
    if getattr(begun, what):
        setattr(begun, what, False)


CLASSES = (SDF_INERTIA_PG_begun,)


def attach() -> None:
    pointer = PointerProperty(type=SDF_INERTIA_PG_begun, options={"HIDDEN"}, override=OVERRIDE)
    setattr(bpy.types.Object, BEGUN, pointer)


def detach() -> None:
    delattr(bpy.types.Object, BEGUN)
