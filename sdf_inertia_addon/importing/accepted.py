# SPDX-License-Identifier: GPL-3.0-or-later
"""Which imported links have an inertia that the user accepted, and what the file gives them."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.body.inertial import Inertial
from ...core.errors import InertiaError
from ...core.formats.sdf.format import SDF
from ...core.formats.table import document_of, format_of
from ..names import PROPERTIES
from ..scene.belonging import below, is_solid
from ..scene.link_reader import kept_inertial, manual_inertial, set_manual
from ..scene.settings import shortest
from .sources import source_of

MANUAL = ("manual_mass", "manual_com", "manual_inertia")


def is_accepted(ob: bpy.types.Object) -> bool:
    """Return True if a link has an inertia that the user accepted: computed here, or the numbers of the plan."""
    settings = getattr(ob, PROPERTIES)
    return bool(settings.accepted and (settings.inertia == "FILLED" or _has_plans_numbers(ob)))


def weighed_mass(ob: bpy.types.Object) -> float | None:
    """Return the weighed mass [kg] that was accepted for a link; None if none was."""
    settings = getattr(ob, PROPERTIES)
    if not (settings.weighed and is_accepted(ob)):
        return None
    return shortest(settings.mass if settings.inertia == "FILLED" else settings.manual_mass)


def has_published(ob: bpy.types.Object) -> bool:
    """Return True if the file gives an imported link numbers."""
    settings = getattr(ob, PROPERTIES)
    if settings.is_property_set("published"):
        return any(settings.published)
    return bool(settings.is_property_set("manual_mass"))


def published_inertial(ob: bpy.types.Object, metres_per_unit: float) -> Inertial | None:
    """Return the inertial that the file gives an imported link; None if it gives none."""
    settings = getattr(ob, PROPERTIES)
    if not has_published(ob):
        return None
    if settings.is_property_set("published"):
        return kept_inertial(settings.published, metres_per_unit)
    return manual_inertial(settings, metres_per_unit)


def accept_computed(ob: bpy.types.Object, mass: float | None) -> None:
    """Give a link the inertia computed from its geometry; at this mass [kg], if the user has set no other."""
    settings = getattr(ob, PROPERTIES)
    for part in _seen_alone(ob):  # what is seen of it is all that can have its mass
        getattr(part, PROPERTIES).is_mass = True
    if mass is not None and mass > 0.0 and not settings.use_mass:
        settings.mass, settings.use_mass = mass, True
    settings.accepted, settings.weighed, settings.inertia = True, False, "FILLED"


def accept_numbers(ob: bpy.types.Object, inertial: Inertial, metres_per_unit: float) -> None:
    """Give a link these numbers, and remember those that it has from its file."""
    settings: Any = getattr(ob, PROPERTIES)
    if not settings.is_property_set("published"):
        numbers = [settings.manual_mass, *settings.manual_com, *settings.manual_inertia]
        settings.published = numbers if has_published(ob) else [0.0] * 10
    set_manual(settings, inertial, metres_per_unit)
    settings.accepted, settings.weighed = True, False


def take_back(ob: bpy.types.Object) -> None:
    """Give a link the numbers of its file again."""
    settings: Any = getattr(ob, PROPERTIES)
    for part in _seen_alone(ob):
        getattr(part, PROPERTIES).is_mass = False
    settings.accepted = settings.weighed = False
    if settings.is_property_set("published"):
        mass, *others = settings.published
        settings.manual_mass, settings.manual_com, settings.manual_inertia = mass, others[:3], others[3:]
        if not has_published(ob):
            for name in MANUAL:
                settings.property_unset(name)
        settings.property_unset("published")
    settings.inertia = _as_in_file(ob)


def _has_plans_numbers(ob: bpy.types.Object) -> bool:
    settings = getattr(ob, PROPERTIES)
    return bool(settings.inertia == "MANUAL" and settings.is_property_set("published"))


def _seen_alone(ob: bpy.types.Object) -> list[bpy.types.Object]:
    """Return a link's visuals if it has no collisions and no other parts with mass; otherwise nothing.

    If MJCF gives one of them a mass, all have what they have in MuJoCo.
    """
    parts = [ob, *below(ob)]
    seen = [part for part in parts if getattr(part, PROPERTIES).is_visual]
    if any(map(_has_own_mass, seen)):
        return []
    return seen if not any(is_solid(part) for part in parts if part not in seen or _collides(part)) else []


def _has_own_mass(ob: bpy.types.Object) -> bool:
    settings = getattr(ob, PROPERTIES)
    return bool(settings.is_mass and (settings.use_mass or settings.use_density))


def _collides(ob: bpy.types.Object) -> bool:
    return bool(getattr(ob, PROPERTIES).is_collision)


def _as_in_file(ob: bpy.types.Object) -> str:
    """Return how an imported link was before its computed inertia was accepted."""
    if has_published(ob):
        return "MANUAL"
    if getattr(ob, PROPERTIES).without_inertial:
        return "NONE"
    try:
        return "AUTO" if format_of(document_of(source_of(ob))) == SDF else "FILLED"  # only SDF has auto
    except InertiaError:  # the file is gone
        return "FILLED"
