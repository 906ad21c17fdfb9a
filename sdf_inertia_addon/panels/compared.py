# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the inertial in a link's file with the one of its geometry, once for each state of the link."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import bpy

from ...core.findings.listed import title_of
from ...core.judge.comparison import Comparison, compared
from ...core.robot.resolve import LinkBody
from .. import live
from ..importing.accepted import is_accepted, published_inertial
from ..importing.judged import JudgedFile, known_file
from ..importing.written_back import reason_of
from ..translations.words import iface_
from .texts import within_sentence

_known: WeakKeyDictionary[LinkBody, Comparison] = WeakKeyDictionary()


def comparison_of(context: bpy.types.Context, ob: bpy.types.Object) -> Comparison | None:
    """Return the comparison of an imported link; None if it is not in the scene.

    Its findings are those of the file's own verdict, once an operator has judged the file.
    """
    model = live.model(context.evaluated_depsgraph_get())
    link = model.link_of(ob)
    if link is None or link.object != ob.name_full or link.body.link is None:
        return None
    if link.body not in _known:
        given = published_inertial(ob, model.metres_per_unit)
        _known[link.body] = compared(link.body.link, given, quick=True)
    comparison, file = _known[link.body], known_file(ob)
    in_file = None if file is None else file.link_of(ob)
    if file is None or in_file is None:
        return comparison
    return replace(comparison, findings=file.verdict(in_file).findings)


def why_left(ob: bpy.types.Object) -> str:
    """Return `why_left_in` for a link whose file an operator has judged; empty before that."""
    file = known_file(ob)
    return "" if file is None else why_left_in(file, ob)


def why_left_in(file: JudgedFile, ob: bpy.types.Object) -> str:
    """Return in a few words why Accept All leaves a link as it is in the file; empty if it accepts it."""
    link = file.link_of(ob)
    if link is None:
        return iface_("not in the file")
    plan = file.plan(link)
    if plan is not None and plan.new is not None:
        return ""
    reason = reason_of(plan, file, link)
    if reason is None:
        return iface_("computed by the simulator") if link.auto else iface_("sound")
    return within_sentence(title_of(reason.code)) if plan is not None else iface_("only doubtful")


def as_accepted(context: bpy.types.Context, ob: bpy.types.Object, comparison: Comparison) -> Comparison:
    """Return a comparison with what Write Back writes as the computed body, if the link is accepted.

    The user may have given it another mass since.
    """
    link = live.model(context.evaluated_depsgraph_get()).link_of(ob)
    return comparison if link is None or not is_accepted(ob) else replace(comparison, computed=link.body)
