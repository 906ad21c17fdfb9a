# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the inertial in a link's file with the one of its geometry, once for each state of the link."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import bpy

from ...core.judge.comparison import Comparison, compared
from ...core.robot.resolve import LinkBody
from .. import live
from ..importing.accepted import has_published, is_accepted
from ..names import PROPERTIES
from ..scene.link_reader import manual_inertial
from ..translations.words import n_

KEPT = {
    "several_parts": n_("several parts"),
    "not_uniform": n_("not of uniform density"),
    "agrees": n_("agrees already"),
}
"""Why Accept All leaves a link as it is in the file."""

_known: WeakKeyDictionary[LinkBody, Comparison] = WeakKeyDictionary()


def comparison_of(context: bpy.types.Context, ob: bpy.types.Object) -> Comparison | None:
    """Return the comparison of an imported link; None if it is not in the scene."""
    model = live.model(context.evaluated_depsgraph_get())
    link = model.link_of(ob)
    if link is None or link.object != ob.name_full or link.body.link is None:
        return None
    if link.body not in _known:
        given = manual_inertial(getattr(ob, PROPERTIES), model.metres_per_unit) if has_published(ob) else None
        _known[link.body] = compared(link.body.link, given, quick=True)
    return _known[link.body]


def as_accepted(context: bpy.types.Context, ob: bpy.types.Object, found: Comparison) -> Comparison:
    """Return a comparison with what Write Back writes as the computed body, if the link is accepted.

    The user may have given it another mass since.
    """
    link = live.model(context.evaluated_depsgraph_get()).link_of(ob)
    return found if link is None or not is_accepted(ob) else replace(found, computed=link.body)
