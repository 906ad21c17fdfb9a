# SPDX-License-Identifier: GPL-3.0-or-later
"""A large mesh has its number at once, "Checking…" beside it, then the findings; what is written waits for that.

There is no window here whose timers would run, so the tests collect by hand; tests/gui has the clicks, and Esc.
"""

import time

import bpy
import pytest
from lxml import etree

from ...core.solids.crossings import loop, ring
from ..scenes import add, box_link, live_model, mesh_data, module, tag
from .watched import codes, collected, depsgraph, only


@pytest.fixture(autouse=True)
def threaded(threaded, monkeypatch):
    monkeypatch.setattr(threaded, "UNCHANGED_FOR", 0.0)
    monkeypatch.setattr(module("sdf_inertia_addon.live.resolver"), "BUDGET", 10.0)  # however busy the machine is
    return threaded


def mesh_of(name, vertices, triangles):
    return mesh_data(vertices.tolist(), triangles.tolist(), name)


def tube(**settings):
    """Return a link that bites its tail, which only a full reading sees."""
    return tag(
        add(mesh_of("tube", *loop(2e-2)), "tube"), "link", "collision", use_density=True, density=1000.0, **settings
    )


def sound(**settings):
    """Return a link of 5,120 faces with which nothing is wrong."""
    return tag(add(mesh_of("ring", *ring()), "ring"), "link", "collision", use_density=True, density=1000.0, **settings)


def said(link):
    texts = module("sdf_inertia_addon.panels.texts")
    return texts.sureness(link), [finding.code for finding in texts.by_severity(link.body.all_findings())]


def rows():
    return [*module("sdf_inertia_addon.panels.rows").rows_of(live_model()).values()]


def test_the_quick_number_is_there_at_once_then_the_verdict(threaded):
    tube(inertia="FILLED")
    link = only()
    quick = link.body.inertial.mass
    assert link.checking and not link.stale
    assert said(link) == ("Checking…", [])
    assert [row.checking for row in rows()] == [True]
    assert live_model().checking and not live_model().stale
    collected(threaded)
    link = only()
    assert not link.checking and not link.unchecked
    assert link.body.inertial.mass < 0.998 * quick
    sure, found = said(link)
    assert sure.startswith("±") and {"crossing_faces", "overlapping_shells"} <= set(found)
    assert [row.checking for row in rows()] == [False]
    assert threaded.status() is None


def test_a_large_mesh_without_fault_keeps_its_number_and_has_no_finding(threaded):
    sound()
    link = only()
    assert said(link) == ("Checking…", [])
    before = link.body.inertial.mass
    collected(threaded)
    link = only()
    assert said(link) == ("exact", []) and link.body.inertial.mass == before


def test_a_small_mesh_is_never_being_checked(threaded):
    box_link("box")
    assert not only().checking
    assert threaded.status() is None


def test_a_mesh_is_checked_once_however_it_is_moved_scaled_or_weighed(threaded, monkeypatch):
    pending = module("core.judge.geometry.pending")
    run, ran = pending.Task.run, []
    monkeypatch.setattr(pending.Task, "run", lambda task, progress: ran.append(task.key) or run(task, progress))
    ob = sound()
    for number in range(5):
        ob.location.x = number
        ob.scale = (1.0 + number,) * 3
        ob.sdf_inertia.density = 100.0 * (number + 1)
        bpy.context.view_layer.update()
        assert only().checking
    collected(threaded)
    assert len(ran) == 1
    ob.scale = (3.0, 2.0, 1.0)
    ob.sdf_inertia.density = 10.0
    bpy.context.view_layer.update()
    assert not only().checking and threaded.status() is None


def test_a_mesh_is_not_checked_while_it_is_edited(threaded, monkeypatch):
    monkeypatch.setattr(threaded, "UNCHANGED_FOR", float("inf"))
    pending = module("core.judge.geometry.pending")
    run, ran = pending.Task.run, []
    monkeypatch.setattr(pending.Task, "run", lambda task, progress: ran.append(task.key) or run(task, progress))
    ob = sound()
    for _step in range(10):
        ob.data.vertices[0].co.z += 1e-3
        ob.data.update()
        bpy.context.view_layer.update()
        link = only()
        assert link.checking and not link.stale and link.body.inertial is not None
        threaded.collect()
    assert threaded.status() is not None and not ran
    monkeypatch.setattr(threaded, "UNCHANGED_FOR", 0.0)
    collected(threaded)
    assert len(ran) == 1  # its last state
    assert not only().checking


def test_cancelling_a_check_keeps_the_number_and_marks_it_unchecked(threaded):
    ob = tube(inertia="FILLED")
    mass = only().body.inertial.mass
    threaded.cancel()
    link = only()
    assert link.unchecked and not link.checking and not link.stale
    assert codes(link) == ["not_checked"] and link.body.inertial.mass == mass
    assert said(link) == ("not checked", ["not_checked"])
    assert module("sdf_inertia_addon.overlay.texts").how_exact(link.body) == "not checked"
    assert threaded.status() is None
    bpy.ops.sdf_inertia.compute()
    assert only().checking
    threaded.cancel()
    only()
    ob.sdf_inertia.density = 2000.0  # something has changed
    assert only().checking
    collected(threaded)
    assert "crossing_faces" in codes(only())


def test_numbers_that_take_long_come_before_they_are_checked(threaded, monkeypatch):
    monkeypatch.setattr(module("sdf_inertia_addon.live.resolver"), "BUDGET", 0.0)
    tube(inertia="FILLED")
    link = only()
    assert link.stale and not link.checking and not threaded.status().checking
    seen = []
    end = time.monotonic() + 60
    while threaded.status() is not None:
        assert time.monotonic() < end
        threaded.collect()
        link = only()
        state = "stale" if link.stale else "checking" if link.checking else "there"
        seen += [state] if seen[-1:] != [state] else []
        time.sleep(0.002)
    assert [state for state in seen if state != "stale"] == ["checking", "there"]
    assert "crossing_faces" in codes(only())


def test_in_the_viewport_checking_stands_beside_the_number(threaded):
    sound()
    content = module("sdf_inertia_addon.overlay.content")
    style = module("sdf_inertia_addon.overlay.style").OverlayStyle()
    (view,) = content.content_of(live_model(), style, content.VisibleLinks(active=0), [0]).views
    assert view.lines[0].endswith("checking…") and not view.stale
    collected(threaded)
    (view,) = content.content_of(live_model(), style, content.VisibleLinks(active=0), [0]).views
    assert view.lines[0].endswith("exact")


def test_what_is_not_checked_yet_is_not_copied(threaded):
    ob = tube(inertia="FILLED")
    bpy.context.view_layer.objects.active = ob
    assert only().checking
    assert not bpy.ops.sdf_inertia.copy_inertial.poll()
    collected(threaded)
    only()
    assert bpy.ops.sdf_inertia.copy_inertial.poll()


def test_a_caller_that_waits_for_a_link_has_it_in_full(threaded):
    ob = tube(inertia="FILLED")
    assert only().checking
    body = module("sdf_inertia_addon.live").link_body(depsgraph(), ob)
    assert "crossing_faces" in {finding.code for finding in body.all_findings()}
    assert not only().checking and threaded.status() is None


@pytest.mark.parametrize("inertia", ["AUTO", "FILLED"])
def test_a_script_that_exports_gets_the_verdict_whatever_the_panel_shows(inertia, threaded, tmp_path):
    ob = tube(inertia=inertia)
    quick = only().body.inertial.mass
    assert only().checking
    assert bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "robot.sdf")) == {"FINISHED"}
    inertial = etree.parse(tmp_path / "robot.sdf").find(".//link/inertial")
    body = module("sdf_inertia_addon.live").link_body(depsgraph(), ob)
    assert inertial.get("auto") is None  # a simulator's own integral would count the overlap twice
    assert float(inertial.findtext("mass")) == pytest.approx(body.inertial.mass, rel=1e-9)
    assert body.inertial.mass < 0.998 * quick
