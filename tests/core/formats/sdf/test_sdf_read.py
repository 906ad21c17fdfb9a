# SPDX-License-Identifier: GPL-3.0-or-later
"""What the reader makes of a file: names, versions, numbers, parameters, meshes, and what it only reads when asked."""

import locale

import numpy as np
import pytest

from core import InertiaError
from core.formats.sdf.read import read_sdf
from core.formats.simulators.gazebo import gazebo_findings, gazebo_inertial
from core.robot.resolve import resolve_link

from .texts import model, read

BOX = "<geometry><box><size>1 2 3</size></box></geometry>"


def auto(inertial="<density>2</density>", collision=BOX, name="l"):
    inertial = f"<inertial auto='true'>{inertial}</inertial>"
    return f"<link name='{name}'>{inertial}<collision name='c'>{collision}</collision></link>"


def codes(findings):
    return [finding.code for finding in findings]


# --- versions -------------------------------------------------------------------------------------------------------


@pytest.mark.fault(60)
@pytest.mark.parametrize("minor", range(4, 13))
def test_versions_1_4_to_1_12_are_read(minor):
    (link,) = read(model(auto(), f"1.{minor}")).links
    assert link.body.inertial.mass == 12


@pytest.mark.fault(60)
def test_a_version_of_5000_digits_and_another_root_are_refused():
    with pytest.raises(InertiaError, match="model.sdf:1 sdf: .*bad_version"):
        read(model("", "9" * 5000))
    with pytest.raises(InertiaError, match="not_sdf"):
        read("<robot name='m'/>")


# --- texts ----------------------------------------------------------------------------------------------------------


@pytest.mark.fault(61)
@pytest.mark.parametrize(
    ("text", "mass"),
    [
        ("1e-3", 1e-3),
        ("+.5", 0.5),
        ("5.", 5),
        (" 12\n", 12),
        ("0x1p3", 8),
        ("1E+2", 100),
        ("3<!-- kg -->", 3),
        ("007", 7),
    ],
)
def test_numbers_are_read_as_c_reads_them(text, mass):
    (link,) = read(model(auto(f"<mass>{text}</mass>"))).links
    assert link.body.inertial.mass == mass


@pytest.mark.fault(61)
@pytest.mark.parametrize(
    "text", ["1,5", "", " ", "2kg", "1_000", "\u0661", "1 2", "--1", "0x", "1e", "e5", "infinite", "1.2.3"]
)
def test_what_is_not_a_number_refuses_its_link_with_the_line(text):
    (good, link) = read(model(auto(name="k") + "\n" + auto(f"<mass>{text}</mass>"))).links
    assert good.body.inertial.mass == 12
    assert link.body.inertial is None
    (error,) = link.body.findings
    assert error.code == "bad_number"
    assert error.subject == "model.sdf:2 /sdf/model[@name='m']/link[@name='l']/inertial/mass"
    refused_there = text in ("--1", "e5", "\u0661")
    assert error.sdf_codes == ((9, 1) if refused_there else ()), "of the others it reads the beginning, or the default"
    assert ("libsdformat: 9 ELEMENT_INVALID, 1 FILE_READ" in str(error)) == refused_there


@pytest.mark.fault(61)
def test_numbers_do_not_depend_on_the_locale():
    before = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        (link,) = read(model(auto("<mass>1.5</mass>"))).links
        assert link.body.inertial.mass == 1.5
    locale.setlocale(locale.LC_NUMERIC, before)


@pytest.mark.parametrize(
    ("text", "is_auto"), [("true", True), ("1", True), ("TRUE", True), ("0", False), ("False", False)]
)
def test_booleans_are_read_in_any_case(text, is_auto):
    (link,) = read(model(auto().replace("'true'", f"'{text}'"))).links
    assert link.auto == is_auto


def test_what_is_wrong_is_reported_once_though_it_is_met_twice():
    pose = "<pose>1 2</pose>"
    file = read(model(f"<link name='l'>{pose}</link><link>{pose}</link><frame name='f'>{pose}</frame><frame/>"))
    assert len(file.findings) == len(set(file.findings)) == 5


def test_an_empty_pose_is_the_identity():
    (link,) = read(model(auto(collision=f"<pose/>{BOX}"))).links
    assert link.body.inertial.com.tolist() == [0, 0, 0]


def test_degrees_and_quaternions_are_the_same_rotation():
    turned = [
        "<pose>0 0 1 0 0 1.5707963267948966</pose>",
        "<pose degrees='true'>0 0 1 0 0 90</pose>",
        "<pose rotation_format='quat_xyzw'>0 0 1 0 0 0.70710678118654757 0.70710678118654757</pose>",
    ]
    for pose in turned:
        (link,) = read(model(auto(collision=f"{pose}{BOX}"))).links
        np.testing.assert_allclose(link.body.inertial.inertia, np.diag([10, 13, 5]), rtol=0, atol=1e-13)
        assert link.body.inertial.com.tolist() == [0, 0, 1]


# --- inertials ------------------------------------------------------------------------------------------------------


def test_an_explicit_inertial_is_in_the_links_frame():
    inertial = (
        "<inertial><mass>2</mass><pose degrees='true'>1 2 3 0 0 90</pose><inertia><ixx>1</ixx><iyy>2</iyy>"
        "<izz>2.5</izz><ixy>0.1</ixy></inertia><fluid_added_mass><xx>1</xx></fluid_added_mass></inertial>"
    )
    (link,) = read(model(f"<link name='l'><pose>5 5 5 0 0 0</pose>{inertial}</link>")).links
    assert (link.auto, link.fluid_added_mass, link.body.mode) == (False, True, "manual")
    assert link.manual.com.tolist() == [1, 2, 3]
    expected = [[2, -0.1, 0], [-0.1, 1, 0], [0, 0, 2.5]]
    np.testing.assert_allclose(link.body.inertial.inertia, expected, rtol=0, atol=1e-15)


def test_without_an_inertial_it_is_sdformats_default_and_told():
    (link,) = read(model("<link name='l'/>")).links
    assert (link.body.inertial.mass, link.body.inertial.inertia.tolist()) == (1, np.eye(3).tolist())
    assert codes(link.body.findings) == ["default_inertial"]
    (link,) = read(model("<link name='l'><inertial><mass>3</mass></inertial></link>")).links
    assert (link.body.inertial.mass, link.body.inertial.inertia.tolist()) == (3, np.eye(3).tolist())


def test_numbers_beside_auto_are_ignored_and_reported():
    (link,) = read(model(auto("<density>2</density><pose>1 1 1 0 0 0</pose><inertia><ixx>9</ixx></inertia>"))).links
    assert link.body.inertial.com.tolist() == [0, 0, 0]
    (finding,) = link.body.findings
    assert (finding.severity, finding.code) == ("warning", "auto_overwrites")
    assert "<pose> and <inertia>" in finding.message and "37 WARNING" in finding.text


@pytest.mark.fault(35)
def test_the_collisions_density_wins_over_the_links_and_that_over_water():
    for collision, inertial, density, warned in [
        ("<density>3</density>", "<density>2</density>", 3, False),
        ("", "<density>2</density>", 2, False),
        ("", "", 1000, True),
        ("", "<mass>6000</mass>", 1000, False),
    ]:
        (link,) = read(model(auto(inertial, collision + BOX))).links
        assert link.body.inertial.mass == pytest.approx(6 * density, rel=1e-15)
        assert ("default_density" in codes(link.body.all_findings())) == warned


def test_an_empty_element_of_parameters_hides_the_links():
    params = "<auto_inertia_params><g:voxel_size>0.1</g:voxel_size><my:x> 1 </my:x><y/></auto_inertia_params>"
    declared = " xmlns:g='http://gazebosim.org/schema'"
    file = read(model(auto(params + "<density>1</density>", "<auto_inertia_params/>" + BOX), attributes=declared))
    (link,) = file.links
    assert dict(link.link.params) == {"gz:voxel_size": "0.1", "my:x": "1", "y": ""}
    assert link.link.collisions[0].params == {}
    assert codes(file.findings) == ["undeclared_prefix"]


def test_resolving_can_be_skipped():
    (link,) = read(model(auto()), resolve=False).links
    assert link.auto and link.body.inertial is None
    assert codes(link.body.findings) == ["not_resolved"]


def test_what_collisions_imply_is_there_beside_what_the_file_says():
    inertial = "<inertial><mass>5</mass></inertial>"
    (link,) = read(model(f"<link name='l'>{inertial}<collision name='c'>{BOX}</collision></link>")).links
    assert (link.body.inertial.mass, resolve_link(link.solid).inertial.mass) == (5, 6000)


def test_a_wrong_pose_leaves_no_number_and_a_wrong_shape_the_others():
    (link,) = read(model(auto(collision=f"<pose>1 2 3</pose>{BOX}"))).links
    assert link.body.inertial is None
    second = "<collision name='d'><geometry><sphere><radius>-1</radius></sphere></geometry></collision></link>"
    (link,) = read(model(auto().replace("</link>", second))).links
    assert link.body.refused and link.body.inertial.mass == 12
    assert link.body.parts[1].inertial is None


# --- models ---------------------------------------------------------------------------------------------------------


def test_nested_and_included_models_are_flat_and_scoped(tmp_path):
    (tmp_path / "part" / "meshes").mkdir(parents=True)
    (tmp_path / "part" / "meshes" / "t.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2 \nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    mesh = "<geometry><mesh><uri>meshes/t.obj</uri><scale>1 2 3</scale></mesh></geometry>"
    (tmp_path / "part" / "old.sdf").write_text(model("<link name='old'/>", "1.6"))
    (tmp_path / "part" / "new.sdf").write_text(model("<static>false</static>" + auto(collision=mesh)))
    (tmp_path / "part" / "model.config").write_text(
        "<model><sdf version='1.6'>old.sdf</sdf><sdf version='1.11'>new.sdf</sdf>"
        "<sdf version='1.99'>x.sdf</sdf></model>"
    )
    (tmp_path / "world.sdf").write_text(
        "<sdf version='1.11'><world name='w'><include><uri>model://part</uri><name>a</name><static>1</static></include>"
        "<model name='outer'><include><uri>part</uri></include><model name='inner'><link name='k'/></model></model>"
        "<include><uri>part/old.sdf</uri></include></world></sdf>"
    )
    file = read_sdf(tmp_path / "world.sdf")
    assert not file.findings
    assert [one.name for one in file.models] == ["a", "outer", "outer::m", "outer::inner", "m"]
    assert [one.static for one in file.models] == [True, False, False, False, False]
    assert [link.name for link in file.links] == ["a::l", "outer::m::l", "outer::inner::k", "m::old"]
    included, other, inner, _ = file.links
    assert included.document is other.document and included.document.path.name == "new.sdf"
    assert inner.document is file.document
    assert included.body.inertial.mass == pytest.approx(2, rel=1e-15)
    assert included.link.collisions[0].geometry.surface is other.link.collisions[0].geometry.surface  # type: ignore[union-attr]


@pytest.mark.parametrize("contents", ["", "<world name='w'><model name='q'><link name='l'/></model></world>"])
def test_a_file_without_a_model_cannot_be_included(tmp_path, contents):
    (tmp_path / "inner.sdf").write_text(f"<sdf version='1.11'>{contents}</sdf>")
    (tmp_path / "m.sdf").write_text(model("<link name='k'/><include merge='true'><uri>inner.sdf</uri></include>"))
    file = read_sdf(tmp_path / "m.sdf")
    assert codes(file.findings) == ["missing_element"]
    (tmp_path / "inner.sdf").write_text("<sdf version='1.11'><light name='sun' type='point'/></sdf>")
    assert read_sdf(tmp_path / "m.sdf").findings == ()


def test_every_link_knows_its_bytes():
    text = model(auto() + "\n" + auto(name="k"))
    file = read(text)
    for link in file.links:
        start, end = link.element.span
        assert text[start:end] == auto(name=link.name.removeprefix("m::"))


# --- meshes ---------------------------------------------------------------------------------------------------------

BOX_OBJ = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 2) for z in (0, 3))
FACES = ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")


def mesh_link(tmp_path, name, text, inside=""):
    (tmp_path / name).write_text(text)
    mesh = f"<density>10</density><geometry><mesh><uri>{name}</uri>{inside}</mesh></geometry>"
    (tmp_path / "m.sdf").write_text(model(auto("", mesh)))
    (link,) = read_sdf(tmp_path / "m.sdf").links
    return link


def test_no_mesh_is_opened_before_it_is_asked_for(tmp_path):
    link = mesh_link(tmp_path, "box.obj", "no obj\nf 0 0 0\n")
    assert link.auto
    assert codes(link.body.all_findings()) == ["part_refused", "bad_mesh_file"]
    text = (tmp_path / "m.sdf").read_text().replace("auto='true'", "")
    (tmp_path / "m.sdf").write_text(text)
    (link,) = read_sdf(tmp_path / "m.sdf").links
    assert link.body.inertial.mass == 1


def test_an_obj_is_whole_whatever_its_groups_and_materials(tmp_path):
    faces = "".join(f"o part{i % 3}\nusemtl paint{i % 2}\nf {face}\n" for i, face in enumerate(FACES))
    link = mesh_link(tmp_path, "box.obj", "# made here\nmtllib none.mtl\n" + BOX_OBJ + faces, "<scale>-1 1 0.5</scale>")
    assert link.body.inertial.mass == pytest.approx(30, rel=1e-14)
    np.testing.assert_allclose(link.body.inertial.com, [-0.5, 1, 0.75], rtol=1e-14)
    (use,) = link.mesh_uses.values()
    assert (use.path.name, use.scale, use.submesh, use.optimization) == ("box.obj", (-1, 1, 0.5), None, "")
    assert len(link.meshes.file(use.path).submeshes) == 6


def two_boxes():
    second = "".join(f"v {x} {y} {z}\n" for x in (10, 11) for y in (0, 1) for z in (0, 1))
    moved = [" ".join(str(int(word) + 8) for word in face.split()) for face in FACES]
    groups = (
        "g large\n" + "".join(f"f {face}\n" for face in FACES) + "g small\n" + "".join(f"f {face}\n" for face in moved)
    )
    return BOX_OBJ + second + groups


def test_a_submesh_counts_alone_and_can_be_centred(tmp_path):
    submesh = "<submesh><name>small</name><center>{}</center></submesh>"
    for center, com in (("false", [10.5, 0.5, 0.5]), ("true", [0, 0, 0])):
        link = mesh_link(tmp_path, "two.obj", two_boxes(), submesh.format(center))
        assert link.body.inertial.mass == pytest.approx(10, rel=1e-13)
        np.testing.assert_allclose(link.body.inertial.com, com, rtol=0, atol=1e-13)
        assert "submesh_ignored" in codes(link.body.all_findings())
    assert mesh_link(tmp_path, "two.obj", two_boxes()).body.inertial.mass == pytest.approx(70, rel=1e-13)


def test_gazebos_number_for_a_submesh_is_that_of_the_whole_file_and_told(tmp_path):
    link = mesh_link(tmp_path, "two.obj", two_boxes(), "<submesh><name>small</name></submesh>")
    assert gazebo_inertial(link).mass == pytest.approx(70, rel=1e-6)
    assert "gazebo_differs" in codes(gazebo_findings(link))


def test_a_submesh_that_is_not_there_is_refused_with_those_that_are(tmp_path):
    link = mesh_link(tmp_path, "two.obj", two_boxes(), "<submesh><name>medium</name></submesh>")
    (finding,) = link.body.parts[0].findings
    assert finding.code == "no_submesh" and "large, small" in finding.remedy


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("f 1 2 99\n", "index_out_of_range"),
        ("f 0 1 2\n", "bad_mesh_file"),
        ("", "no_faces"),
        ("v nan 0 0\nf 9 1 2\n", "not_finite"),
    ],
)
def test_a_broken_obj_is_refused(tmp_path, lines, code):
    assert codes(mesh_link(tmp_path, "box.obj", BOX_OBJ + lines).body.parts[0].findings) == [code]


def test_another_format_is_refused(tmp_path):
    assert codes(mesh_link(tmp_path, "box.fbx", "").body.parts[0].findings) == ["unknown_format"]


COLLADA = (
    "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='0.01'/>"
    "<up_axis>Y_UP</up_axis></asset><library_geometries><geometry id='g'><mesh><source id='p'>"
    "<float_array id='a' count='24'>"
    + " ".join(f"{x} {y} {z}" for x in (0, 1) for y in (0, 2) for z in (0, 3))
    + "</float_array><technique_common><accessor source='#a' count='8' stride='3'><param name='X' type='float'/>"
    "<param name='Y' type='float'/><param name='Z' type='float'/></accessor></technique_common></source>"
    "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices><polylist count='6'>"
    "<input semantic='VERTEX' source='#v' offset='0'/>"
    "<vcount>4 4 4 4 4 4</vcount><p>0 1 3 2 4 6 7 5 0 4 5 1 2 3 7 6 0 2 6 4 1 5 7 3</p></polylist></mesh></geometry>"
    "</library_geometries><library_visual_scenes><visual_scene id='s'><node name='body'><translate>0 0 100</translate>"
    "<scale>100 100 100</scale><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes>"
    "<scene><instance_visual_scene url='#s'/></scene></COLLADA>"
)


@pytest.mark.parametrize("axis", ["X_UP", "Y_UP", "Z_UP"])
def test_colladas_unit_counts_and_its_up_axis_does_not(axis, tmp_path):
    pytest.importorskip("collada", reason="pycollada is not installed: pip install sdf-inertia[mesh]")
    assert "Y_UP" in COLLADA
    link = mesh_link(tmp_path, "box.dae", COLLADA.replace("Y_UP", axis), "<submesh><name>body</name></submesh>")
    assert link.body.inertial.mass == pytest.approx(60, rel=1e-12)
    np.testing.assert_allclose(link.body.inertial.com, [0.5, 1, 2.5], rtol=1e-12)
    assert not link.body.refused and not link.body.all_findings()


def test_gltf_is_taken_unchanged(tmp_path):
    trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed: pip install sdf-inertia[mesh]")
    box = trimesh.creation.box((1, 2, 3))
    move = np.eye(4)
    move[:3, 3] = 1, 2, 3
    scene = trimesh.Scene()
    scene.add_geometry(box, node_name="body", transform=move)
    (tmp_path / "box.glb").write_bytes(trimesh.exchange.gltf.export_glb(scene))
    mesh = "<density>10</density><geometry><mesh><uri>box.glb</uri></mesh></geometry>"
    (tmp_path / "m.sdf").write_text(model(auto("", mesh)))
    (link,) = read_sdf(tmp_path / "m.sdf").links
    assert link.body.inertial.mass == pytest.approx(60, rel=1e-6)
    np.testing.assert_allclose(link.body.inertial.com, [1, 2, 3], rtol=1e-6)
