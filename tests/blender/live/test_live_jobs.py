# SPDX-License-Identifier: GPL-3.0-or-later
"""What takes long is computed by another thread: the old number is shown as old, and the new one comes by itself.

There is no window here whose timers would run, so the tests collect by hand; tests/gui has the status bar and Esc.
"""

import threading
import time

import bpy
import numpy as np
import pytest

from ..scenes import add, box_link, empty, live_model, module, tag
from .watched import codes, collected, depsgraph, heavy, only

BALL = 4.0 / 3.0 * np.pi


class Gate:
    """Lets the other thread begin a measurement, and go on with it once the gate is open."""

    def __init__(self, monkeypatch):
        task = module("core.judge.geometry.pending").Task
        self.ran, self.entered, self.open, self._run = [], threading.Event(), threading.Event(), task.run
        monkeypatch.setattr(task, "run", lambda task, progress: self._through(task, progress))

    def _through(self, task, progress):
        self.ran.append(task)
        self.entered.set()
        assert self.open.wait(60)
        return self._run(task, progress)


@pytest.fixture
def gate(monkeypatch):
    made = Gate(monkeypatch)
    yield made
    made.open.set()


@pytest.fixture(autouse=True)
def threaded(threaded, monkeypatch):
    # Meshes of a million triangles would take the tests minutes: let smaller ones count as large.
    monkeypatch.setattr(module("sdf_inertia_addon.live.resolver"), "BUDGET", 0.004)
    return threaded


def test_a_small_link_is_there_at_once(threaded):
    box_link("box")
    assert not only().stale
    assert threaded.status() is None


def test_a_large_one_is_refused_as_being_computed_and_then_there(threaded):
    heavy()
    link = only()
    assert link.stale and link.body.inertial is None and link.body.refused
    assert codes(link) == ["computing"]
    assert threaded.status() is not None
    collected(threaded)
    link = only()
    assert not link.stale and "computing" not in codes(link)
    assert link.body.inertial.mass == pytest.approx(1000 * 4 * np.pi * 0.001, rel=2e-3)
    assert threaded.status() is None


def test_the_number_is_the_one_that_is_computed_without_a_thread(threaded):
    heavy(density=700.0)
    only()
    collected(threaded)
    with_thread = only().body
    module("sdf_inertia_addon.live").forget()
    threaded.use_thread(False)
    without = only().body
    assert with_thread.inertial.mass == without.inertial.mass
    assert (with_thread.inertial.inertia == without.inertial.inertia).all()
    assert with_thread.all_findings() == without.all_findings()


def test_the_last_number_stays_marked_as_old_until_the_new_one_is_there(threaded):
    ob = heavy()
    only()
    collected(threaded)
    before = only().body.inertial.mass
    ob.sdf_inertia.thickness = 0.002
    link = only()
    assert link.stale and link.body.inertial.mass == before
    assert "computing" in codes(link)
    collected(threaded)
    assert only().body.inertial.mass == pytest.approx(2 * before, rel=2e-3)


def test_a_link_that_waits_can_be_moved_and_keeps_its_new_place(threaded):
    ob = heavy()
    only()
    ob.location.x = 3
    link = only()
    assert link.stale and link.body.pose.p[0] == 3
    collected(threaded)
    link = only()
    assert not link.stale and link.body.pose.p[0] == 3
    assert np.abs(link.body.inertial.com).max() < 1e-6


def test_only_the_newest_state_is_computed(threaded, gate):
    ob = heavy()
    for number in range(10):
        ob.sdf_inertia.thickness = 0.001 * (number + 1)
        only()
        assert gate.entered.wait(60)
    assert threaded.status().waiting == 1  # the exact integral of the same mesh, for AUTO, besides
    gate.open.set()
    collected(threaded)
    assert only().body.inertial.mass == pytest.approx(10 * 1000 * 4 * np.pi * 0.001, rel=1e-2)
    assert 1 <= len([task for task in gate.ran if task.way.params]) <= 2  # the one that had begun, and the last


def test_each_measurement_is_made_once_however_often_one_looks_meanwhile(threaded, monkeypatch):
    pending = module("core.judge.geometry.pending")
    run, ran = pending.Task.run, []
    monkeypatch.setattr(pending.Task, "run", lambda task, progress: ran.append(task.key) or run(task, progress))
    heavy()
    tag(add(bpy.data.objects["ball"].data, "other"), "link", "collision", method="SHELL", thickness=0.002)
    end = time.monotonic() + 60
    while live_model().stale:
        assert time.monotonic() < end
        threaded.collect()
        time.sleep(0.005)
    assert len(ran) == len(set(ran)) == 3  # two shells, and the exact integral that both are compared with


def test_a_cancelled_number_says_so_and_is_computed_after_a_change(threaded):
    ob = heavy()
    only()
    threaded.cancel()
    link = only()
    assert link.stale and codes(link) == ["computing_cancelled"]
    assert threaded.status() is None
    assert codes(only()) == ["computing_cancelled"]  # it does not start by itself
    ob.sdf_inertia.density = 2000
    assert codes(only()) == ["computing"]
    collected(threaded)
    assert only().body.inertial.mass == pytest.approx(2000 * 4 * np.pi * 0.001, rel=2e-3)


def test_a_cancel_outlasts_what_does_not_concern_it(threaded):
    heavy()
    only()
    threaded.cancel()
    assert codes(only()) == ["computing_cancelled"]
    empty("another")  # the whole scene is read again
    bpy.context.view_layer.update()
    assert codes(only()) == ["computing_cancelled"] and threaded.status() is None
    bpy.ops.sdf_inertia.compute()
    assert codes(only()) == ["computing"]


def test_what_is_cancelled_starts_again_on_request(threaded):
    heavy()
    only()
    threaded.cancel()
    assert codes(only()) == ["computing_cancelled"]
    assert bpy.ops.sdf_inertia.compute() == {"FINISHED"}
    assert codes(only()) == ["computing"]
    collected(threaded)
    assert not only().stale


def test_a_number_asked_for_while_a_cancelled_run_ends_is_computed(threaded, gate):
    heavy()
    only()
    assert gate.entered.wait(60)
    threaded.cancel()
    only()
    bpy.ops.sdf_inertia.compute()
    assert codes(only()) == ["computing"]
    gate.open.set()
    collected(threaded)
    assert only().body.inertial is not None


def test_a_total_of_old_numbers_is_marked_as_old(threaded):
    ob = heavy()
    only()
    collected(threaded)
    texts, units = module("sdf_inertia_addon.panels.texts"), module("core.units").SI
    before = texts.model_total(live_model(), units)
    assert "old" not in before
    ob.sdf_inertia.thickness = 0.002
    assert texts.model_total(live_model(), units) == f"{before} (old)"


def test_a_cancelled_link_that_has_a_number_keeps_it_as_old(threaded):
    ob = heavy()
    only()
    collected(threaded)
    before = only().body.inertial.mass
    ob.sdf_inertia.thickness = 0.002
    only()
    threaded.cancel()
    link = only()
    assert link.stale and link.body.inertial.mass == before and "computing_cancelled" in codes(link)


def test_a_mesh_without_an_answer_is_refused_once_it_is_known(threaded):
    ob = heavy()
    ob.sdf_inertia.method = "EXACT"
    ob.data.polygons.foreach_set("hide", np.ones(len(ob.data.polygons), dtype=bool))  # matters to nobody
    vertices = np.empty(3 * len(ob.data.vertices), dtype=np.float32)
    ob.data.vertices.foreach_get("co", vertices)
    vertices.reshape(-1, 3)[:, 2] = 0.0
    ob.data.vertices.foreach_set("co", vertices)
    ob.data.update()
    assert codes(only()) == ["computing"]
    collected(threaded)
    link = only()
    assert not link.stale and link.body.refused and "part_refused" in codes(link)
    assert live_model() is live_model()  # and is not measured again


def test_a_bug_in_a_calculation_is_reported_once_and_refuses_the_link(threaded, monkeypatch, capsys):
    heavy()
    monkeypatch.setattr(module("core.robot.mesh_method").MeshMethod, "outcome", lambda *_: 1 / 0)
    only()
    collected(threaded)
    assert "computation_failed" in codes(only())
    live_model()
    assert capsys.readouterr().err.count("ZeroDivisionError") == 1


def test_undo_of_an_edit_is_known_at_once(threaded):
    ob = heavy()
    ob.sdf_inertia.method = "EXACT"
    bpy.ops.ed.undo_push(message="ball")
    only()
    collected(threaded)
    mass = only().body.inertial.mass
    assert mass == pytest.approx(1000 * BALL, rel=2e-3)
    ob = bpy.data.objects["ball"]
    ob.data.vertices[0].co.z += 0.1
    ob.data.update()
    bpy.ops.ed.undo_push(message="edit")
    assert only().stale
    collected(threaded)
    bpy.ops.ed.undo()
    link = only()
    assert not link.stale and link.body.inertial.mass == mass


def test_export_and_operators_do_not_wait_for_a_thread(threaded, tmp_path):
    ob = heavy()
    assert only().stale
    live = module("sdf_inertia_addon.live")
    assert live.link_body(depsgraph(), ob).inertial is not None
    assert not only().stale
    assert threaded.status() is None


def test_a_remedy_does_not_wait_for_what_is_computed_elsewhere(threaded, capfd):
    ball = heavy()
    box = box_link("box")
    assert any(link.stale for link in live_model().links)
    assert bpy.ops.sdf_inertia.use_exact(target=box.name) == {"FINISHED"}
    assert bpy.ops.sdf_inertia.use_voxels(target=box.name, voxel_size=0.5) == {"FINISHED"}
    assert "Volume before: 1 m³, after: 1 m³" in capfd.readouterr().out
    assert threaded.status() is not None
    assert bpy.ops.sdf_inertia.use_shell(target=ball.name, thickness=0.003) == {"FINISHED"}
    assert "after: being computed" in capfd.readouterr().out
    assert threaded.status() is not None


def test_links_that_are_deleted_are_not_computed(threaded):
    ob = heavy()
    only()
    assert threaded.status() is not None
    bpy.data.objects.remove(ob)
    assert live_model().links == ()
    assert threaded.status() is None


def test_in_instances_a_cancel_is_not_undone_by_the_next_look(threaded):
    ob = heavy()
    group = bpy.data.collections.new("group")
    group.objects.link(ob)
    bpy.context.scene.collection.objects.unlink(ob)
    maker = empty("maker")
    maker.instance_type, maker.instance_collection = "COLLECTION", group
    assert codes(only()) == ["computing"]
    threaded.cancel()
    assert codes(only()) == ["computing_cancelled"]
    assert codes(only()) == ["computing_cancelled"]


def test_thread_and_timer_are_gone_when_nothing_is_wanted(threaded):
    heavy()
    only()
    assert bpy.app.timers.is_registered(threaded._tick)
    assert any(thread.name == "SDF Inertia" for thread in threading.enumerate())
    collected(threaded)
    assert threaded._tick() is None
    deadline = time.monotonic() + 10
    while any(thread.name == "SDF Inertia" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_forgetting_everything_waits_for_nothing(threaded, gate):
    heavy()
    only()
    assert gate.entered.wait(60)
    module("sdf_inertia_addon.live").forget()  # or it would wait for good
    assert threaded.status() is None and not bpy.app.timers.is_registered(threaded._tick)


def test_another_file_has_nothing_to_do_with_what_the_last_one_wanted(threaded):
    heavy()
    assert only().stale and threaded.status() is not None
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.app.timers.is_registered(threaded._tick)  # or nobody would ever collect
    box_link("box")
    assert not only().stale
    assert threaded.status() is None
