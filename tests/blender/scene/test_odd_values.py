# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of properties that no panel gives: out of range, no numbers, of other types, or of a later version."""

import bpy
import pytest

from tools.fuzz.kinds import KINDS
from tools.fuzz.session import Session

from ...thorough import many
from .. import scenes


def test_a_scene_of_odd_values_is_exported_or_refused_by_name(tmp_path):
    count = many(200, 10)
    progress = Session(tmp_path, seed=1).run(KINDS["blend"], count=count)
    assert [path.read_text() for path in tmp_path.glob("*/fault.txt")] == []
    assert progress.next == count == sum(progress.outcomes.values()) and "exported" in progress.outcomes


def stored(ob, name, number):
    """Store the number of an item that there is not, as a file of a later version has it."""
    ob["sdf_inertia"][name] = number
    return getattr(ob.sdf_inertia, name) == ""


@pytest.mark.skipif(bpy.app.version >= (5, 0), reason="from 5.0 on a script cannot store such a number")
@pytest.mark.parametrize("name", ["inertia", "method", "joint_type", "geometry", "write_as"])
def test_a_choice_of_a_later_version_refuses_what_it_is_of(scene, name):
    link = scenes.tag(scenes.empty("arm"), "link", use_density=True, density=1000.0)
    box = scenes.tag(scenes.add(scenes.box_mesh(), "box", link), "collision", write_as="AS_IS", geometry="MESH")
    assert not scenes.read()[1][0].refused
    assert stored(box if name in ("geometry", "write_as") else link, name, 99)
    assert scenes.read()[1][0].refused
    finding = scenes.findings()["unknown_choice"]
    assert finding.severity == "error" and "number that this version does not know" in finding.message


def test_a_part_that_its_scale_makes_a_sheet_is_exported(scene, tmp_path):
    link = scenes.tag(scenes.empty("arm"), "link", use_density=True, density=1000.0)
    box = scenes.tag(scenes.add(scenes.wedge_mesh(), "box", link, rotation_euler=(0.3, 0.4, 0.5)), "collision")
    box.scale[1] = 1e-30
    bpy.context.view_layer.update()
    export = scenes.export(tmp_path)
    assert export.sdf is not None and not export.refused
