# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators share: the chosen object, when a button is enabled, and reports of operators that did nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from ...core.errors import Finding, grouped
from ..panels.texts import in_words
from ..scene.selection import object_by_full_name
from ..translations.words import StringProperty, rpt_

SHOWN = 10
"""Findings reported one by one; the rest are counted."""


def refused(operator: Any, why: str) -> set[str]:
    """Report why an operator did nothing, and return what its `execute` ends with."""
    operator.report({"ERROR"}, why)
    return {"CANCELLED"}


def enabled_if(cls: type[bpy.types.Operator], possible: object, why_not: str) -> bool:
    """Return whether the button is enabled; if not, its tooltip gives the reason."""
    if not possible:
        cls.poll_message_set(why_not)
    return bool(possible)


def and_left_alone(text: str, linked: int) -> str:
    """Return a report with how many objects are linked from a library."""
    return f"{text}; {rpt_('{count} linked from a library and left alone', count=linked)}" if linked else text


def report_findings(operator: Any, findings: Iterable[Finding]) -> None:
    """Report warnings and errors, each text once."""
    groups = grouped(finding for finding in findings if finding.severity != "info")
    for finding, count in groups[:SHOWN]:
        operator.report({"WARNING"}, in_words(finding, count))
    if len(groups) > SHOWN:
        operator.report({"WARNING"}, rpt_("... and {count} more findings", count=len(groups) - SHOWN))


class OnTarget(bpy.types.Operator):
    """Change one object; registered only as one of its kinds."""

    bl_options = {"REGISTER", "UNDO"}
    target: StringProperty(name="Object", description="Full name of the object; the active one if empty")

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = self.chosen(context)
        why_not = self.missing() if ob is None else self.refusal(ob)
        return refused(self, why_not) if why_not else self.change(context, ob)

    def chosen(self, context: bpy.types.Context) -> bpy.types.Object | None:
        """Return the object of that full name, or else of that name."""
        if not self.target:
            return context.active_object
        exactly = object_by_full_name(self.target)
        if exactly is not None:
            return exactly
        named = [ob for ob in bpy.data.objects if ob.name == self.target]
        return min(named, key=lambda ob: ob.library is not None, default=None)

    def missing(self) -> str:
        """Return why no object is chosen."""
        gone = rpt_("There is no object '{name}'", name=self.target)
        return gone if self.target else rpt_("There is no active object")

    def refusal(self, ob: bpy.types.Object) -> str:
        """Return why the object cannot be changed so, or nothing."""
        linked = rpt_("{name} is linked from a library: make it local first", name=ob.name)
        return "" if ob.is_editable else linked

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        """Change the object; return what `execute` ends with."""
        raise NotImplementedError
