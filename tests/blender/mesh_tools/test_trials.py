# SPDX-License-Identifier: GPL-3.0-or-later
"""A remedy is offered where it would help, and one that changed nothing says so in the panel."""

import bpy
import numpy as np
import pytest

from ..faulty_meshes import (
    CORNERS,
    codes,
    coordinates,
    fin,
    inside_out,
    joined,
    one_face_turned,
    open_box,
    part,
    sheet,
    unwelded,
    volume,
)
from ..scenes import BOX_FACES, add, box_mesh, mesh_data, module, read

pytestmark = pytest.mark.usefixtures("scene")

EDITS = {"close_holes", "delete_loose_faces", "merge_by_distance", "recalculate_outside", "cut_quads"}


def open_and_one_turned():
    corners, faces = coordinates(open_box())
    return mesh_data(corners, [faces[0][::-1], *faces[1:]])


def tilted_sheet():
    return mesh_data([(0, 0, 0), (2, 0, 1), (2, 1, 1), (0, 1, 0)], [(0, 1, 2, 3)])


def offered(ob):
    """The remedies offered for an object, by the code of the finding."""
    panel, live = module("sdf_inertia_addon.panels.sections.findings"), module("sdf_inertia_addon.live")
    depsgraph = bpy.context.evaluated_depsgraph_get()
    link = live.model(depsgraph).link_of(ob)
    (part,) = link.body.parts
    others = module("sdf_inertia_addon.live.alternatives").alternatives(link, part)
    return {
        finding.code: {name.partition(".")[2] for name in panel.remedies_for(finding, ob, depsgraph, others)}
        for finding in part.findings
        if finding.code != "default_density"
    }


@pytest.mark.parametrize(
    ("mesh", "code", "wanted"),
    [
        (open_box, "open_mesh", {"close_holes", "use_hull", "use_shell", "fit_primitive", "use_voxels"}),
        (lambda: unwelded(box_mesh()), "open_mesh", None),
        (sheet, "open_mesh", {"use_shell"}),
        (tilted_sheet, "open_mesh", {"use_shell"}),
        (inside_out, "inside_out", {"recalculate_outside"}),
        (one_face_turned, "inconsistent_winding", {"recalculate_outside"}),
    ],
)
def test_what_helps_is_offered_and_nothing_else(mesh, code, wanted):
    found = offered(part(mesh()))
    if wanted is None:
        assert found == {}
    else:
        assert found[code] == wanted


def test_recalculated_normals_are_not_offered_for_an_open_mesh():
    found = offered(part(open_and_one_turned()))
    assert "recalculate_outside" not in found["open_mesh"]


@pytest.mark.versions
@pytest.mark.parametrize("mesh", [fin, lambda: joined(box_mesh(), sheet())])
def test_loose_faces_are_deleted_where_that_closes_the_mesh(mesh):
    ob = part(mesh())
    (found,) = offered(ob).values()
    assert "delete_loose_faces" in found and "merge_by_distance" not in found
    bpy.ops.sdf_inertia.delete_loose_faces(target=ob.name)
    assert volume() == pytest.approx(1.0)
    assert len(ob.data.polygons) == 6


def test_an_open_box_has_no_loose_faces():
    ob = part(open_box())
    bpy.ops.sdf_inertia.delete_loose_faces(target=ob.name)
    assert len(ob.data.polygons) == 5


def random_meshes():
    """Boxes with random faces left out, turned, repeated, moved apart or added."""
    for seed in range(16):
        rng = np.random.default_rng(seed)
        corners = np.array(CORNERS) * rng.uniform(0.2, 2.0, 3)
        faces = [face[::-1] if rng.random() < 0.15 else face for face in BOX_FACES if rng.random() > 0.12]
        if rng.random() < 0.4:
            faces.append(tuple(rng.choice(8, 3, replace=False).tolist()))
        if rng.random() < 0.3:
            corners = np.vstack([corners, corners.mean(axis=0) + rng.normal(size=3)])
            faces.append((0, 4, 8))
        if rng.random() < 0.2 and faces:
            faces.append(faces[0])
        mesh = mesh_data(corners, faces)
        yield unwelded(mesh) if rng.random() < 0.3 and faces else mesh


def test_each_offered_edit_changes_the_finding_and_no_other_edit_would():
    tried = 0
    for mesh in random_meshes():
        ob = part(mesh)
        pristine = ob.data.copy()
        for code, names in offered(ob).items():
            before = {finding.code: finding for finding in read()[1][0].parts[0].findings}
            for name in EDITS & {*names, "close_holes", "delete_loose_faces", "merge_by_distance"}:
                ob.data = pristine.copy()
                getattr(bpy.ops.sdf_inertia, name)(target=ob.name)
                after = {finding.code: finding for finding in read()[1][0].parts[0].findings}
                if name in names:
                    assert after.get(code) != before[code], (code, name)
                    tried += 1
                elif before[code].severity == "error" and name in _table(code):
                    assert volume() in {*codes()}, (code, name)  # it has no number afterwards either
            ob.data = pristine.copy()
        bpy.ops.wm.read_homefile(use_empty=True)
    assert tried > 8


def _table(code):
    return {name.partition(".")[2] for name in module("sdf_inertia_addon.mesh_tools.remedies").REMEDIES[code]}


def test_trying_changes_nothing_of_the_file():
    ob = part(open_box())
    before, uid = coordinates(ob.data), ob.data.session_uid
    count = len(bpy.data.meshes)
    assert offered(ob)
    assert (coordinates(ob.data), ob.data.session_uid, len(bpy.data.meshes)) == (before, uid, count)


def test_what_was_found_out_is_found_out_once(monkeypatch):
    trials = module("sdf_inertia_addon.mesh_tools.trials")
    ob = part(open_box())
    first = offered(ob)
    monkeypatch.setattr(trials, "_trial", lambda *_: pytest.fail("tried again"))
    assert offered(ob) == first


def test_a_fault_that_a_modifier_makes_is_not_fixed_below_it():
    ob = part(box_mesh())
    build = ob.modifiers.new("build", "BUILD")
    build.frame_start, build.frame_duration = -2, 6
    bpy.context.view_layer.update()
    assert volume() == "open_mesh"
    assert not EDITS & offered(ob)["open_mesh"]


@pytest.mark.parametrize("name", sorted(EDITS))
def test_a_remedy_that_changed_nothing_says_so_until_the_mesh_changes(name):
    ob = part(open_box())
    if name == "close_holes":
        ob.data = box_mesh()
    notes = module("sdf_inertia_addon.mesh_tools.trials").notes_on
    operators = (f"sdf_inertia.{name}",)
    getattr(bpy.ops.sdf_inertia, name)(target=ob.name)
    (text,) = notes(ob, bpy.context.evaluated_depsgraph_get(), operators)
    assert "changed nothing" in text
    ob.data = sheet()
    bpy.context.view_layer.update()
    assert notes(ob, bpy.context.evaluated_depsgraph_get(), operators) == []


def test_a_remedy_that_did_something_says_nothing_more():
    ob = part(open_box())
    bpy.ops.sdf_inertia.close_holes(target=ob.name)
    notes = module("sdf_inertia_addon.mesh_tools.trials").notes_on
    assert notes(ob, bpy.context.evaluated_depsgraph_get(), ("sdf_inertia.close_holes",)) == []


def test_a_curve_is_offered_no_edit():
    curve = bpy.data.curves.new("curve", "CURVE")
    curve.dimensions = "2D"
    spline = curve.splines.new("POLY")
    spline.points.add(3)
    for point, place in zip(spline.points, [(0, 0), (1, 0), (1, 1), (0, 1)], strict=True):
        point.co = (*place, 0.0, 1.0)
    spline.use_cyclic_u = True
    ob = part(curve)
    assert not EDITS & set().union(*offered(ob).values())
    add(box_mesh(), "other")
