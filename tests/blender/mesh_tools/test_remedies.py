# SPDX-License-Identifier: GPL-3.0-or-later
"""Every finding about a mesh has a remedy, which works on a click, says what it did, and can be undone."""

import ast
from math import pi

import bpy
import numpy as np
import pytest

from ..faulty_meshes import (
    CORNERS,
    bent_box,
    codes,
    coordinates,
    fin,
    inside_out,
    joined,
    one_face_turned,
    open_box,
    part,
    sheet,
    turned,
    unwelded,
    volume,
)
from ..scenes import BOX_FACES, ROOT, add, box_mesh, empty, live_model, mesh_data, module, read, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def operator(name):
    return getattr(bpy.ops.sdf_inertia, name)


MEASURED = [
    ("use_voxels", one_face_turned, {}, 1.0),
    ("use_voxels", lambda: joined(box_mesh(), box_mesh(centre=(0.5, 0, 0))), {"voxel_size": 0.125}, 1.5),
    ("use_hull", open_box, {}, 1.0),
    ("use_shell", open_box, {"thickness": 0.01}, 0.05),
    ("use_shell", sheet, {"thickness": 0.01}, 0.02),
    ("fit_primitive", open_box, {}, 1.0),
    ("fit_primitive", open_box, {"shape": "SPHERE"}, pi / 6),
    ("fit_primitive", open_box, {"shape": "CYLINDER"}, pi / 4),
    ("close_holes", open_box, {}, 1.0),
    ("close_holes", lambda: unwelded(open_box()), {}, 1.0),
    ("delete_loose_faces", fin, {}, 1.0),
    ("delete_loose_faces", lambda: joined(box_mesh(), sheet()), {}, 1.0),
    ("recalculate_outside", one_face_turned, {}, 1.0),
    ("recalculate_outside", inside_out, {}, 1.0),
    ("merge_by_distance", lambda: mesh_data(CORNERS, [*BOX_FACES, BOX_FACES[0]]), {}, 1.0),
    ("merge_by_distance", lambda: joined(box_mesh(), box_mesh(centre=(1, 0, 0))), {}, 2.0),
    ("cut_quads", bent_box, {}, 1.0 + 0.3 / 3.0),
]


@pytest.mark.parametrize("name, mesh, options, expected", MEASURED)
def test_a_remedy_gives_the_right_number(name, mesh, options, expected):
    ob = part(mesh())
    assert operator(name)(target=ob.name, **options) == {"FINISHED"}
    # Corners add less than t³ each to a shell's area times its thickness.
    assert volume() == pytest.approx(expected, rel=1e-4)


SETTINGS = [("use_voxels", {}), ("use_hull", {}), ("use_shell", {"thickness": 0.01}), ("fit_primitive", {})]
EDITS = ["close_holes", "delete_loose_faces", "recalculate_outside", "merge_by_distance", "cut_quads"]


@pytest.mark.parametrize("name, options", SETTINGS)
def test_a_setting_leaves_the_mesh_alone(name, options):
    ob = part(open_box())
    before, uid = coordinates(ob.data), ob.data.session_uid
    operator(name)(target=ob.name, **options)
    assert (coordinates(ob.data), ob.data.session_uid) == (before, uid)


@pytest.mark.versions
def test_settings_are_what_the_operators_say():
    ob = part(open_box())
    settings = ob.sdf_inertia
    bpy.ops.sdf_inertia.use_voxels(target=ob.name, voxel_size=0.25)
    assert (settings.method, settings.voxel_size) == ("VOXEL", 0.25)
    bpy.ops.sdf_inertia.use_voxels(target=ob.name)
    assert settings.voxel_size == 0.0
    bpy.ops.sdf_inertia.use_hull(target=ob.name)
    assert settings.method == "HULL"
    bpy.ops.sdf_inertia.use_shell(target=ob.name, thickness=0.5)
    assert (settings.method, settings.thickness) == ("SHELL", 0.5)
    bpy.ops.sdf_inertia.fit_primitive(target=ob.name, shape="ELLIPSOID")
    assert settings.geometry == "ELLIPSOID"


def test_the_active_object_is_meant_where_none_is_named():
    ob = part(open_box())
    select(ob)
    bpy.ops.sdf_inertia.use_hull()
    assert ob.sdf_inertia.method == "HULL"


@pytest.mark.parametrize("name, mesh, options, expected", MEASURED)
def test_volume_before_and_after_is_reported(name, mesh, options, expected, capfd):
    ob = part(mesh(), "body")
    before = volume()
    operator(name)(target=ob.name, **options)
    (line,) = [line for line in capfd.readouterr().out.splitlines() if line.startswith("Info:")]
    assert line.startswith("Info: body: ")
    title_of = module("core.findings.listed").title_of
    shown = title_of(before) if isinstance(before, str) else f"{before:.6g} m³"
    assert line.endswith(f"Volume before: {shown}, after: {volume():.6g} m³")


@pytest.mark.parametrize("name, mesh", [(name, mesh) for name, mesh, _, _ in MEASURED if name in EDITS])
def test_undo_takes_an_edit_back(name, mesh):
    ob = part(mesh(), "body")
    before = coordinates(ob.data)
    bpy.ops.ed.undo_push(message="before")
    operator(name)(target=ob.name)
    assert coordinates(ob.data) != before
    bpy.ops.ed.undo_push(message=name)
    bpy.ops.ed.undo()
    assert coordinates(bpy.data.objects["body"].data) == before
    bpy.ops.ed.redo()
    assert coordinates(bpy.data.objects["body"].data) != before


@pytest.mark.parametrize("name", [*(name for name, _ in SETTINGS), *EDITS])
def test_blender_pushes_an_undo_step(name):
    assert "UNDO" in operator(name).bl_options


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_that_finds_nothing_changes_nothing(name):
    ob = part(box_mesh())
    before = coordinates(ob.data)
    operator(name)(target=ob.name)
    assert coordinates(ob.data) == before


@pytest.mark.versions
def test_every_hole_is_closed_and_wound_like_its_surroundings():
    tube = [face for face in BOX_FACES if face not in (BOX_FACES[0], BOX_FACES[1])]
    for way in (1, -1):
        mesh = mesh_data(CORNERS, [face[::way] for face in tube])
        ob = part(mesh)
        bpy.ops.sdf_inertia.close_holes(target=ob.name)
        assert len(mesh.polygons) == 4 + 2 * 4
        assert volume() == pytest.approx(1.0, rel=1e-6)
        assert "inconsistent_winding" not in codes()
        bpy.ops.wm.read_homefile(use_empty=True)


@pytest.mark.versions
def test_recalculating_keeps_a_cavity():
    for inverted in (False, True):
        mesh = joined(box_mesh((3, 3, 3)), turned(box_mesh()))
        ob = part(turned(mesh) if inverted else mesh)
        assert volume() == pytest.approx(26.0)
        bpy.ops.sdf_inertia.recalculate_outside(target=ob.name)
        assert volume() == pytest.approx(26.0)
        assert "inside_out" not in codes()
        bpy.ops.wm.read_homefile(use_empty=True)


def test_recalculating_what_has_no_inside_is_blenders_own_way():
    corners, faces = coordinates(open_box())
    ob = part(mesh_data(corners, [faces[0][::-1], *faces[1:]]))
    bpy.ops.sdf_inertia.recalculate_outside(target=ob.name)
    assert coordinates(ob.data)[1][1:] == faces[1:]
    bpy.ops.sdf_inertia.close_holes(target=ob.name)
    assert volume() == pytest.approx(1.0)
    assert "inconsistent_winding" not in codes()


def test_merging_solids_that_touch_removes_the_wall_between_them():
    ob = part(joined(box_mesh(), box_mesh(centre=(1, 0, 0))))
    bpy.ops.sdf_inertia.merge_by_distance(target=ob.name)
    assert (len(ob.data.vertices), len(ob.data.polygons)) == (12, 10)


@pytest.mark.versions
def test_merging_a_double_faced_sheet_leaves_a_sheet():
    ob = part(joined(sheet(), turned(sheet())), method="SHELL", thickness=0.01)
    assert "duplicate_faces" in codes()
    bpy.ops.sdf_inertia.merge_by_distance(target=ob.name)
    assert (len(ob.data.vertices), len(ob.data.polygons)) == (4, 1)
    assert volume() == pytest.approx(0.02)
    assert "duplicate_faces" not in codes()


def test_a_distance_can_be_given():
    corners, faces = coordinates(unwelded(box_mesh()))
    rng = np.random.default_rng(0)
    ob = part(mesh_data(np.array(corners) + rng.uniform(-1e-3, 1e-3, (24, 3)), faces))
    assert volume() == "open_mesh"
    bpy.ops.sdf_inertia.merge_by_distance(target=ob.name)
    assert volume() == "open_mesh"
    bpy.ops.sdf_inertia.merge_by_distance(target=ob.name, distance=0.01)
    assert volume() == pytest.approx(1.0, rel=1e-2)


def test_a_shell_needs_a_thickness():
    ob = part(open_box())
    with pytest.raises(RuntimeError, match="part needs a thickness above 0"):
        bpy.ops.sdf_inertia.use_shell(target=ob.name)
    assert ob.sdf_inertia.method == "INHERIT"
    ob.sdf_inertia.thickness = 0.02
    bpy.ops.sdf_inertia.use_shell(target=ob.name)
    assert volume() == pytest.approx(0.1, rel=1e-4)


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_refuses_what_is_not_a_mesh_in_object_mode(name):
    curve = part(bpy.data.curves.new("curve", "CURVE"), "curve")
    with pytest.raises(RuntimeError, match="curve is not a mesh"):
        operator(name)(target=curve.name)
    ob = add(open_box(), "open")
    select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        with pytest.raises(RuntimeError, match="open is in edit mode"):
            operator(name)(target=ob.name)
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.parametrize("name, options", [*SETTINGS, *((name, {}) for name in EDITS)])
def test_nothing_changes_what_is_not_there_or_linked(name, options, tmp_path):
    with pytest.raises(RuntimeError, match="no object 'nobody'"):
        operator(name)(target="nobody", **options)
    add(open_box(), "library")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_source, wanted):
        wanted.objects = ["library"]
    (linked,) = wanted.objects
    bpy.context.scene.collection.objects.link(linked)
    before = coordinates(linked.data)
    with pytest.raises(RuntimeError, match="linked from a library"):
        operator(name)(target="library", **options)
    assert (coordinates(linked.data), linked.sdf_inertia.method) == (before, "INHERIT")
    # A local object of the same name is the one that is meant.
    local = add(open_box(), "library")
    assert local.name == "library"
    operator(name)(target="library", **options)
    assert coordinates(linked.data) == before


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_a_shared_or_modified_mesh_says_so(name, capfd):
    mesh = open_box()
    ob = part(mesh)
    add(mesh, "other")
    ob.modifiers.new("mirror", "MIRROR")
    operator(name)(target=ob.name)
    out = capfd.readouterr().out
    assert "which 2 objects share" in out
    assert "below its modifiers" in out


def test_parts_are_found_by_their_names_in_the_file():
    link = tag(empty("my robot"), "link")
    for name in ("a.1", "a 1", "a_1"):
        tag(add(box_mesh(), name, link), "collision")
    model, (body,) = read()
    found = live_model().link_of(link).parts
    assert set(found) == {part.name for part in body.parts} == {"a_1", "a_1_2", "a_1_3"}
    assert set(found.values()) == {"a.1", "a 1", "a_1"}
    # Told apart by moving one: its number changes.
    for part_name, ob_name in found.items():
        bpy.data.objects[ob_name].location.x = 9.0
        bpy.context.view_layer.update()
        (moved,) = [c.name for c in read()[0].links[0].collisions if c.pose.p[0] > 5.0]
        assert moved == part_name
        bpy.data.objects[ob_name].location.x = 0.0


@pytest.mark.versions
def test_cut_quads_measure_as_before_and_leave_no_choice_of_diagonal():
    corners = np.random.default_rng(8).normal(size=(4, 3)) * 0.1
    points = [*CORNERS[:4], *(np.array(CORNERS[4:]) + corners).tolist()]
    ob = part(mesh_data(points, BOX_FACES))
    assert "bent_quads" in codes()
    before = volume()
    operator("cut_quads")(target=ob.name)
    assert volume() == pytest.approx(before, rel=1e-15)
    assert "bent_quads" not in codes()
    assert [len(face.vertices) for face in ob.data.polygons].count(4) == 1  # the bottom is plane
    assert len(ob.data.polygons) == 11


NO_OPERATOR = {
    "bad_wall": "only the user knows the wall",
    "bad_infill": "only the user knows the infill",
    "solid_where_thin": "nothing is wrong",
    "not_simplified": "its settings stand in the panel",
    "cavity": "nothing is wrong",
    "convex_hull": "nothing is wrong",
    "touching_shells": "nothing is wrong",
    "degenerate_faces": "they change nothing",
    "unit_suspicion": "only the user knows the unit",
    "out_of_range": "only the user knows the unit",
    "precision_lost": "digits that are gone do not come back",
    "not_finite": "only the user knows where the vertex belongs",
    "index_out_of_range": "Blender has no such mesh",
    "bad_mesh": "Blender has no such mesh",
    "cancelled": "the user asked for it",
    "holes_closed": "the user asked for it",
    "missing_library": "only the user can install the right zip",
    "unknown_method": "Blender offers only methods that exist",
}
"""Findings about a mesh that no operator is for, and why."""


def _codes_about_meshes():
    """Return every code of an error or finding that core/mesh and the reading of meshes can give."""
    found = set()
    for path in (ROOT / "core" / "mesh").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "of" and node.args:
                first = node.args[node.func.value.id == "Finding"]
                if isinstance(first, ast.Constant):
                    found.add(first.value)
    return found


def test_every_finding_about_a_mesh_has_a_remedy_or_a_reason_to_have_none():
    remedies = module("sdf_inertia_addon.mesh_tools.remedies")
    codes = _codes_about_meshes()
    assert {"open_mesh", "inside_out", "zero_volume", "thick_shell", "convex_hull"} <= codes
    assert codes <= {*remedies.REMEDIES, *NO_OPERATOR}
    assert not set(remedies.REMEDIES) & set(NO_OPERATOR)
    assert {*remedies.REMEDIES, *NO_OPERATOR} >= module("core.mesh.faulty").SELECTABLE


def test_every_remedy_is_a_registered_operator():
    remedies = module("sdf_inertia_addon.mesh_tools.remedies")
    named = {name for names in remedies.REMEDIES.values() for name in names}
    on_link = ("write_filled", "use_exact", "use_meant_inertial")
    assert named == {f"sdf_inertia.{name}" for name in [*(name for name, _ in SETTINGS), *EDITS, *on_link]}
    for name in named:
        assert operator(name.partition(".")[2]).get_rna_type().properties["target"].type == "STRING"


def test_the_hull_in_blender_is_that_of_the_points():
    rng = np.random.default_rng(5)
    points = rng.normal(size=(3000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    mesh = points * [1, 2, 0.01] + [5, 6, 7], np.arange(3000).reshape(-1, 3)
    found = module("core").measure_mesh(*mesh, method="hull")
    assert [finding.code for finding in found.findings] == ["convex_hull"]
    # The hull of so many points on an ellipsoid misses 4 pi / n of it, at most a few times that.
    ellipsoid = 4 / 3 * pi * 0.02
    assert 1 - 10 * pi / 3000 < found.moments.volume / ellipsoid < 1
    assert found.error < 1e-9
