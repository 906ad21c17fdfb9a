# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo and redo, the add-on switched off and on, long work begun and cancelled, panels drawn and buttons clicked."""

from __future__ import annotations

import bpy

from ...live.watched import ball
from ...scenes import add, module, tag
from ..buttons import press
from ..modes import in_any_mode
from ..robot import Life
from .files import load


@in_any_mode
def undo(life: Life) -> None:
    _history("undo")


@in_any_mode
def redo(life: Life) -> None:
    _history("undo")
    look(life)
    _history("redo")


@in_any_mode
def undo_much(life: Life) -> None:
    for _ in range(life.random.integers(2, 6)):
        _history("undo")
        look(life)


def _history(way: str) -> None:
    try:
        getattr(bpy.ops.ed, way)()
    except RuntimeError as error:
        assert "poll() failed" in str(error) or "Unable" in str(error), error  # there is nothing to undo


def switch_off_and_on(life: Life) -> None:
    """Disable the add-on and enable it again, with changes in between, and whatever it computes."""
    life.switch_off()
    life.any().location = life.vector()
    if life.random.random() < 0.5:
        load(life)
    life.switch_on()


def begin_long_work(life: Life) -> None:
    """Make a link whose wall takes some tenths of a second."""
    if not life.crowded():
        mesh = next((mesh for mesh in bpy.data.meshes if mesh.name.startswith("ball")), None) or ball(100)
        ob = add(mesh, life.name("heavy"), location=life.vector())
        thickness = life.random.uniform(0.001, 0.01)
        tag(ob, "link", "collision", method="SHELL", thickness=thickness, use_density=True, density=100.0)
    look(life)


@in_any_mode
def change_long_work(life: Life) -> None:
    for ob in bpy.context.scene.objects:
        if ob.name.startswith("heavy") and ob.library is None:
            ob.sdf_inertia.thickness = life.random.uniform(0.001, 0.01)
    look(life)


def load_while_computing(life: Life) -> None:
    begin_long_work(life)
    load(life)


def undo_while_computing(life: Life) -> None:
    begin_long_work(life)
    bpy.ops.ed.undo_push(message="heavy")
    undo(life)


@in_any_mode
def escape(life: Life) -> None:
    """Esc, while the status bar shows what is computed."""
    module("sdf_inertia_addon.live.jobs").cancel()


@in_any_mode
def compute(life: Life) -> None:
    press("compute")


@in_any_mode
def wait(life: Life) -> None:
    """What the timer does in a window, some time later."""
    module("sdf_inertia_addon.live.jobs").collect()


@in_any_mode
def look(life: Life) -> None:
    """Draw panel and overlay, as far as that is done without a window; remember the buttons."""
    context = bpy.context
    active = module("sdf_inertia_addon.panels.active").active_of(context)
    model = active.model
    rows = module("sdf_inertia_addon.panels.rows").rows_of(model)
    view_settings = module("sdf_inertia_addon.viewport.view_settings")
    style = view_settings.style_of(context.scene)
    visible = module("sdf_inertia_addon.viewport.in_view").links_in_view(context, model, style)
    positions = module("sdf_inertia_addon.live.model").joint_positions(model)
    module("sdf_inertia_addon.overlay.content").content_of(model, style, visible, range(len(model.links)), positions)
    for row in rows.values():
        life.clicks.append(("select_object", {"target": row.object}))
    for finding in () if active.link is None else active.link.body.all_findings():
        target = {"target": active.object_of(finding)}
        life.clicks.append(("explain_finding", {"code": finding.code}))
        life.clicks.append(("select_faulty", {**target, "code": finding.code}))
        life.clicks += [(remedy, target) for remedy in REMEDIES]
    del life.clicks[:-100]


REMEDIES = (
    "use_exact",
    "use_hull",
    "write_filled",
    "check_mesh",
    "close_holes",
    "fit_primitive",
    "recalculate_outside",
)


def click(life: Life) -> None:
    """Click a button that was drawn some time ago: what it is about may be gone, or be another."""
    if life.clicks:
        operator, options = life.clicks[life.random.integers(len(life.clicks))]
        press(operator, **options)
