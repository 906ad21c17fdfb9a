# SPDX-License-Identifier: GPL-3.0-or-later
"""What other methods give for a refused part, and where its mesh is faulty: the other thread finds out."""

import bpy
import numpy as np
import pytest

from ..faulty_meshes import open_box, part
from ..scenes import box_mesh, module
from .watched import collected, only


def others():
    link = only()
    (body,) = link.body.parts
    return link, body, module("sdf_inertia_addon.live.alternatives").alternatives(link, body)


def test_an_unknown_number_appears_once_the_other_thread_has_it(threaded):
    part(open_box())
    _link, _body, before = others()
    assert (before.outcome("hull") is None) == bool(before.wanted)  # a small hull is made at once
    threaded.want("test", before.wanted)
    collected(threaded)
    _link, _body, after = others()
    assert after.outcome("hull").moments.volume == pytest.approx(1.0)
    assert after.wanted == ()


def test_what_was_cancelled_is_not_wanted_again(threaded):
    part(open_box())
    _link, _body, before = others()
    assert before.outcome("hull") is None
    threaded.want("test", before.wanted)
    threaded.cancel()
    _link, _body, after = others()
    assert after.outcome("hull") is None
    assert after.given_up("hull") and after.wanted == ()


@pytest.mark.usefixtures("scene")
def test_the_table_says_a_mass_or_why_there_is_none():
    findings, units = module("sdf_inertia_addon.panels.sections.findings"), module("core.units")
    part(open_box())
    link, body, found = others()
    assert findings.outcome_text(None, body, link, units.SI) == "…"
    assert findings.outcome_text(found.outcome("hull"), body, link, units.SI).startswith("1000 kg")
    refusal = found.outcome("exact")
    assert findings.outcome_text(refusal, body, link, units.SI) == module("core.findings.listed").title_of(refusal.code)


@pytest.mark.usefixtures("scene")
def test_the_edges_of_a_hole_are_found_where_they_are():
    search = module("sdf_inertia_addon.live.faulty_search")
    part(open_box()).location = (5.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    body = only().body
    later, tasks = search.faulty_parts(body)
    assert later == [] and [task.code for task in tasks] == ["open_mesh"]
    ((found,), left) = search.faulty_parts(body, wait=True)
    assert left == [] and found.severity == "error" and len(found.places.faces) == 0
    local = (found.places.edges.reshape(-1, 3) + found.places.middle) @ found.stretch.T
    world = local @ found.pose.R.T + found.pose.p
    assert len(found.places.edges) == 4
    assert np.unique(world.round(6), axis=0)[:, 0].min() >= 5.0 - 1e-6


@pytest.mark.usefixtures("scene")
def test_a_sound_mesh_has_no_faults():
    part(box_mesh())
    assert module("sdf_inertia_addon.live.faulty_search").faulty_parts(only().body, wait=True) == ([], [])
