# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel's own buttons: select what a finding counts, choose what AUTO cannot be, copy the inertial."""

import bpy
import pytest

from .. import faulty_meshes, panel_states
from ..scenes import BOX_FACES, add, box_link, box_mesh, empty, mesh_data, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture(autouse=True)
def object_mode():
    yield
    if bpy.context.view_layer.objects.active is not None and bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


def part(mesh, name="part"):
    return faulty_meshes.part(mesh, name)


def selected(ob):
    """Return what is selected in the mesh, after leaving edit mode."""
    assert (ob.mode, bpy.context.view_layer.objects.active) == ("EDIT", ob)
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = ob.data
    return (
        {vertex.index for vertex in mesh.vertices if vertex.select},
        {edge.index for edge in mesh.edges if edge.select},
        {face.index for face in mesh.polygons if face.select},
    )


def select_faulty(ob, code):
    assert bpy.ops.sdf_inertia.select_faulty(target=ob.name, code=code) == {"FINISHED"}
    return selected(ob)


def rim(mesh):
    """Return the edges with one face."""
    keys = [key for face in mesh.polygons for key in face.edge_keys]
    return {edge.index for edge in mesh.edges if keys.count(edge.key) == 1}


@pytest.mark.versions
def test_the_rim_of_a_hole_is_selected():
    ob = part(faulty_meshes.open_box())
    select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")  # which is not selected any more afterwards
    vertices, edges, faces = select_faulty(ob, "open_mesh")
    assert edges == rim(ob.data) and len(edges) == 4
    assert (len(vertices), faces) == (4, set())


def test_a_turned_polygon_is_selected_whole():
    ob = part(faulty_meshes.one_face_turned())
    _vertices, _edges, faces = select_faulty(ob, "inconsistent_winding")
    assert faces == {0}


def test_duplicate_faces_are_selected_and_deleting_them_is_a_remedy():
    corners, rings = faulty_meshes.CORNERS, BOX_FACES
    ob = part(mesh_data(corners, [*rings, rings[0]]))
    assert "duplicate_faces" in faulty_meshes.codes()
    _vertices, _edges, faces = select_faulty(ob, "duplicate_faces")
    assert faces == {6}
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.delete(type="ONLY_FACE")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "duplicate_faces" not in faulty_meshes.codes()


@pytest.mark.parametrize("aside", [0.0, 0.3])
def test_the_faces_of_an_overlap_are_selected(aside):
    ob = part(faulty_meshes.joined(box_mesh(), box_mesh(centre=(0.5, aside, aside))))
    assert "overlapping_shells" in faulty_meshes.codes()
    _vertices, _edges, faces = select_faulty(ob, "overlapping_shells")
    assert faces & {*range(6)} and faces & {*range(6, 12)}


def test_the_faces_of_a_bow_tie_by_a_hair_are_selected():
    corners = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (2, 2), (2, 0), (0, 1e-3))]
    rings = [(0, 3, 7, 4), (1, 0, 4, 5), (2, 1, 5, 6), (3, 2, 6, 7), (0, 1, 2), (0, 2, 3), (4, 6, 5), (4, 7, 6)]
    ob = part(mesh_data(corners, rings))
    assert "crossing_faces" in faulty_meshes.codes()
    _vertices, _edges, faces = select_faulty(ob, "crossing_faces")
    assert faces == {1, 3}


def test_hidden_faults_are_shown():
    ob = part(faulty_meshes.one_face_turned())
    ob.data.polygons[0].hide = True
    _vertices, _edges, faces = select_faulty(ob, "inconsistent_winding")
    assert faces == {0} and not ob.data.polygons[0].hide


def test_the_object_is_selected_alone_and_the_mesh_stays_as_it_was():
    ob = part(faulty_meshes.open_box())
    select(add(box_mesh(), "other"))
    before = faulty_meshes.coordinates(ob.data)
    select_faulty(ob, "open_mesh")
    assert bpy.context.selected_objects == [ob]
    assert faulty_meshes.coordinates(ob.data) == before


def test_faults_are_selected_from_edit_mode_too():
    ob = part(box_mesh())
    select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    ob.data.polygons[2].select = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.delete(type="ONLY_FACE")
    _vertices, edges, _faces = select_faulty(ob, "open_mesh")
    assert len(edges) == 4


def test_modifiers_that_only_move_vertices_do_not_hinder():
    ob = part(faulty_meshes.open_box())
    cast = ob.modifiers.new("cast", "CAST")
    cast.factor = 0.3
    _vertices, edges, _faces = select_faulty(ob, "open_mesh")
    assert edges == rim(ob.data)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda ob: ob.modifiers.new("array", "ARRAY"), "modifiers of part change its faces"),
        (lambda ob: ob.hide_set(True), "part is hidden"),
        (lambda ob: bpy.context.scene.collection.objects.unlink(ob), "not in this view layer"),
    ],
)
def test_what_cannot_be_shown_is_reported_and_nothing_changes(spoil, why):
    ob = part(faulty_meshes.open_box())
    other = add(box_mesh(), "other")
    select(other)
    spoil(ob)
    with pytest.raises(RuntimeError, match=why):
        bpy.ops.sdf_inertia.select_faulty(target="part", code="open_mesh")
    assert (bpy.context.selected_objects, bpy.context.mode) == ([other], "OBJECT")


def test_a_fault_that_is_gone_is_reported():
    part(box_mesh())
    with pytest.raises(RuntimeError, match="nothing of the kind 'Open mesh'"):
        bpy.ops.sdf_inertia.select_faulty(target="part", code="open_mesh")


@pytest.mark.fault(84)
@pytest.mark.parametrize("code", [{}, {"code": ""}, {"code": "zero_volume"}, {"code": "no such finding"}])
@pytest.mark.parametrize("target", [{}, {"target": "part"}, {"target": "gone"}])
def test_without_a_finding_that_has_a_place_it_says_what_to_choose(code, target):
    ob = part(faulty_meshes.open_box())
    select(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="set code to one of .*inconsistent_winding, .*open_mesh") as refusal:
        bpy.ops.sdf_inertia.select_faulty(**target, **code)
    assert "Traceback" not in str(refusal.value)
    assert code.get("code", "") in str(refusal.value)
    assert (bpy.context.active_object, bpy.context.mode) == (ob, "EDIT_MESH")


@pytest.mark.parametrize("target", [{}, {"target": "gone"}, {"target": "part"}])
def test_an_object_that_is_gone_is_reported(target):
    bpy.data.objects.remove(part(faulty_meshes.open_box()))
    with pytest.raises(RuntimeError, match="no such object any more"):
        bpy.ops.sdf_inertia.select_faulty(code="open_mesh", **target)


@pytest.mark.versions
@pytest.mark.fault(84)
@pytest.mark.parametrize("tagged", [False, True])
def test_no_operator_called_without_arguments_stumbles(tagged):
    """What a script or the search menu does; an operator says what it lacks, and nobody sees a traceback."""
    ob = part(faulty_meshes.open_box()) if tagged else add(faulty_meshes.open_box(), "part")
    select(ob)
    names = [name for name in dir(bpy.ops.sdf_inertia) if not name.startswith("_")]
    assert {"select_faulty", "tag_link", "export_sdf"} <= set(names)
    for name in names:
        operator = getattr(bpy.ops.sdf_inertia, name)
        if not operator.poll():
            continue
        try:
            operator()
        except RuntimeError as error:
            assert "Traceback" not in str(error), name


def body_of(name):
    live = module("sdf_inertia_addon.live")
    return live.model(bpy.context.evaluated_depsgraph_get()).link_of(bpy.data.objects[name]).body


def codes(name):
    return {finding.code for finding in body_of(name).all_findings()}


@pytest.mark.versions
@pytest.mark.parametrize(
    ("name", "code", "remedy", "target", "mode"),
    [
        ("shell link", "auto_not_possible", "write_filled", "shell link", "filled"),
        ("voxel link", "auto_ignores_method", "write_filled", "voxel link", "filled"),
        ("voxel link", "auto_ignores_method", "use_exact", "coarse", "auto"),
    ],
)
def test_a_choice_settles_what_auto_cannot_be(name, code, remedy, target, mode):
    panel_states.auto()
    assert code in codes(name)
    offered = module("sdf_inertia_addon.mesh_tools.remedies").REMEDIES[code]
    assert f"sdf_inertia.{remedy}" in offered
    getattr(bpy.ops.sdf_inertia, remedy)(target=target)
    assert code not in codes(name)
    assert body_of(name).mode == mode


def test_a_finding_leads_to_the_object_it_is_about():
    panel_states.auto()
    active = module("sdf_inertia_addon.panels.active").active_of
    select(bpy.data.objects["voxel link"])
    found = active(bpy.context)
    about = {finding.code: found.object_of(finding) for finding in found.link.body.all_findings()}
    assert about["auto_ignores_method"] == "coarse"
    select(bpy.data.objects["shell"])
    found = active(bpy.context)
    assert found.part.name == "shell"
    assert {found.object_of(finding) for finding in found.link.body.findings} == {"shell link"}


def test_a_finding_about_a_visual_is_not_one_about_the_links_own_mesh():
    link = part(box_mesh(), "link")
    tag(add(bpy.data.meshes.new("nothing"), "seen", link), "visual")
    part(bpy.data.meshes.new("nothing"), "bare")
    active = module("sdf_inertia_addon.panels.active").active_of
    for name, about in (("link", "seen"), ("bare", "bare")):
        select(bpy.data.objects[name])
        found = active(bpy.context)
        (finding,) = [one for one in found.link.body.all_findings() if one.code == "no_faces"]
        assert found.object_of(finding) == about
        assert not found.is_about_unknown(finding)


def test_a_finding_about_what_has_no_object_offers_nothing_for_the_link():
    select(box_link("link"))
    found = module("sdf_inertia_addon.panels.active").active_of(bpy.context)
    finding = module("core.errors").Finding
    assert found.is_about_unknown(finding("error", "zero_volume", "link/gone_visual", "flat"))
    assert not found.is_about_unknown(finding("error", "zero_volume", "link/link", "flat"))
    assert not found.is_about_unknown(finding("error", "no_collision", "link", "none"))


def remark_of(name):
    texts, units = module("sdf_inertia_addon.panels.texts"), module("core.units")
    return texts.gazebo_remark(body_of(name), units.SI).text


def test_what_gazebo_makes_of_an_auto_link_stands_beside_its_number():
    panel_states.auto()
    # A shell of 5 m² and 2 cm in water; x n_x over the open box's two x faces is the whole of it.
    assert remark_of("shell link") == "Gazebo would compute 1000 kg (10 times), so this number is written"
    assert remark_of("voxel link").startswith("Gazebo computes this; voxels give ")
    assert remark_of("refused link").startswith("Gazebo would refuse it")
    box_link("good")
    assert remark_of("good") == "Gazebo computes the same"


def test_an_inertial_is_copied_unless_there_is_none():
    panel_states.robot()
    tag(empty("lonely"), "link")
    copy = bpy.ops.sdf_inertia.copy_inertial
    for name in ("base", "part", "arm"):
        select(bpy.data.objects[name])
        for kind in ("SDF", "URDF", "MARKDOWN"):
            assert copy(format=kind) == {"FINISHED"}
    select(bpy.data.objects["lonely"])
    with pytest.raises(RuntimeError, match="lonely has no inertia to copy"):
        copy()
    select(bpy.data.objects["stranger"])
    with pytest.raises(RuntimeError, match="in no link"):
        copy()
