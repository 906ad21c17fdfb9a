# SPDX-License-Identifier: GPL-3.0-or-later
"""What panels and operators are about: the active object, its link, and itself as a part of that."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ...core.errors import Finding
from ...core.robot.part import PartBody
from .. import live
from ..names import PROPERTIES
from ..scene.belonging import is_part
from ..scene.properties import SDF_INERTIA_PG_object
from ..scene.selection import object_by_full_name


@dataclass(frozen=True, eq=False)
class Active:
    """Lives no longer than one drawing or one click.

    Parameters
    ----------
    model : LiveModel
    object : bpy.types.Object or None
        The active object.
    link : LiveLink or None
        Its link; of an instance of a collection, the first in that.
    part : PartBody or None
        The part with mass that the active object is.
    """

    model: live.LiveModel
    object: bpy.types.Object | None
    link: live.LiveLink | None
    part: PartBody | None

    @property
    def part_object(self) -> bpy.types.Object | None:
        """The active object if it is a solid part with settings of its own."""
        return self.object if self.object is not None and is_part(self.object) else None

    @property
    def link_object(self) -> bpy.types.Object | None:
        return None if self.link is None else object_by_full_name(self.link.object)

    def object_of(self, finding: Finding) -> str:
        """Return the full name of the object that a finding of the active link is about; its link's if unknown."""
        assert self.link is not None
        name = self._part_name(finding)
        if name in self.link.parts:
            return self.link.parts[name]
        # What could not be read, such as a visual, has its object's name.
        by_name = "/" not in finding.subject and name and object_by_full_name(name) is not None
        return name if by_name else self.link.object

    def is_about_unknown(self, finding: Finding) -> bool:
        """Return True if a finding of the active link is about a part of which no object is known, such as a visual."""
        assert self.link is not None
        return bool(self._part_name(finding)) and self.object_of(finding) == self.link.object

    def _part_name(self, finding: Finding) -> str:
        """Return what a finding's subject is called within its link; nothing for the link itself."""
        assert self.link is not None
        link, ob_name = self.link.body.name, self.link.object
        name = finding.subject.removeprefix(f"{link}/")
        return "" if finding.subject in (link, ob_name) or self.link.parts.get(name) == ob_name else name


def active_of(context: bpy.types.Context) -> Active:
    """Return what the panels of a window show, and their buttons act on."""
    model = live.model(context.evaluated_depsgraph_get())
    ob = context.view_layer.objects.active
    link = None if ob is None else model.link_of(ob)
    part = None
    if link is not None and ob is not None:
        part = next((part for part in link.body.parts if link.parts.get(part.name) == ob.name_full), None)
    return Active(model, ob, link, part)


def settings_of(ob: bpy.types.Object) -> SDF_INERTIA_PG_object:
    """Return the tags and settings of an object."""
    settings: SDF_INERTIA_PG_object = getattr(ob, PROPERTIES)
    return settings
