# SPDX-License-Identifier: GPL-3.0-or-later
"""The active link's numbers: centre of mass, tensor, principal moments, and how they were found."""

from __future__ import annotations

from typing import Any

import bpy

from ....core.body.inertial import Inertial
from ....core.body.materials import MATERIALS
from ....core.units import Units, inertia_text, point_text
from ...names import COPY_INERTIAL, PROPERTIES
from ...overlay.content import length_of
from ...preferences import units
from ...scene.known_materials import same_density
from ...scene.settings import shortest, stated_density
from ...translations.words import iface_, n_
from ..active import Active
from ..section import Section
from ..sidebar import facts, numbers
from ..texts import link_facts, mass_facts, part_facts

COPY_FORMATS = (
    ("SDF", "SDF", "As an SDFormat <inertial>, every digit", 0),
    ("URDF", "URDF", "As a URDF <inertial>, in the link's frame, every digit", 1),
    ("MARKDOWN", "Markdown", "As a table of the link and its parts, every digit", 2),
)
"""A button for each below the numbers, and the operator's choices."""

UPPER = (0, 1, 2, 4, 5, 8)
"""The places of ixx, ixy, ixz, iyy, iyz and izz in a tensor row by row; the others repeat them."""


def _shown(active: Active) -> bool:
    return active.link is not None and active.link.body.inertial is not None


def _draw(_context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    link = active.link
    assert link is not None and link.body.inertial is not None
    column = layout.column()
    column.active = not link.stale
    for label, texts in tables(link.body.inertial, units(), length_of(link.body)):
        column.label(text=label, translate=False)
        numbers(column, texts)
    facts(column, [*link_facts(link, units()), *mass_facts(link.body, _material(active), units())])
    if active.part is not None and len(link.body.parts) > 1:
        column.label(text=active.part.name, icon="MOD_PHYSICS", translate=False)
        facts(column, part_facts(active.part, units()))
    row = layout.row(align=True)
    row.label(text="", icon="COPYDOWN")
    for name, label, _description, _number in COPY_FORMATS:
        copy: Any = row.operator(COPY_INERTIAL, text=iface_(label))
        copy.format = name


def _material(active: Active) -> str:
    """Return the material of the active link, if all its parts have that density."""
    ob, link = active.link_object, active.link
    if ob is None or link is None:
        return ""
    settings = getattr(ob, PROPERTIES)
    known, density = MATERIALS.get(settings.material), stated_density(settings)
    same = known is not None and same_density(shortest(settings.density), known)
    return settings.material if same and all(part.density == density for part in link.body.parts) else ""


def tables(inertial: Inertial, shown_in: Units, length: float = 0.0) -> list[tuple[str, tuple[str, ...]]]:
    """Return what stands in boxes of three columns, each with its heading; `length` is that of the link [m]."""
    read = inertial.as_read(length)
    com, length_unit = point_text(read.com, shown_in)
    tensor, unit = inertia_text(read.inertia, shown_in)
    moments, principal_unit = inertia_text(inertial.principal().moments, shown_in)
    upper = tuple(text if place in UPPER else "" for place, text in enumerate(tensor))
    return [
        (iface_("Centre of mass in link [{unit}]", unit=length_unit), com),
        (iface_("Inertia about it, link axes [{unit}]", unit=unit), upper),
        (iface_("Principal moments [{unit}]", unit=principal_unit), moments),
    ]


SECTION = Section(n_("Inertia"), _shown, _draw, closed=True)
