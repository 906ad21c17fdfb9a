# SPDX-License-Identifier: GPL-3.0-or-later
"""Only what was accepted goes back into the file, and no number that nobody gave."""

import re

import bpy
import pytest

from ..scenes import add, box_mesh, imported, module
from .test_import import ARM, robots
from .test_imported_names import LONG, PAIR, link

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def pair(tmp_path):
    path = tmp_path / "pair.sdf"
    path.write_text(PAIR)
    imported(path)
    return path


def accept(ob=None, accepted=True):
    return bpy.ops.sdf_inertia.accept_computed(target="" if ob is None else ob.name, accepted=accepted)


def test_an_auto_link_that_nobody_accepted_stays_auto(pair):
    assert not bpy.ops.sdf_inertia.write_back.poll()
    accept(link("b.001"))
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    after = pair.read_text()
    head, tail = PAIR.index("<inertial><mass>2"), PAIR.index("</inertial>", PAIR.index("<inertial><mass>2"))
    assert after != PAIR and after.startswith(PAIR[:head]) and after.endswith(PAIR[tail:])


def test_accept_all_leaves_out_auto_links_and_those_without_geometry(pair):
    accept()
    modes = {name: link(name).sdf_inertia.inertia for name in (LONG, "b.001", "c")}
    assert modes == {LONG: "AUTO", "b.001": "FILLED", "c": "MANUAL"}
    with pytest.raises(RuntimeError, match="no geometry to compute its inertia from"):
        accept(link("c"))


def test_an_auto_link_may_be_accepted_and_gets_no_mass_that_nobody_gave(pair):
    own = link(LONG)
    accept(own)
    assert (own.sdf_inertia.inertia, own.sdf_inertia.use_mass) == ("FILLED", False)
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert robots(pair)[0].published[LONG].mass == pytest.approx(500.0)
    accept(own, False)
    assert own.sdf_inertia.inertia == "AUTO"


def test_a_link_without_inertial_is_not_accepted_with_all_others(tmp_path):
    text = ARM.replace(ARM[ARM.index("<inertial>") : ARM.index("</inertial>") + len("</inertial>")], "", 1)
    text = text.replace("0.0012", "0.9")  # impossible
    (tmp_path / "arm.urdf").write_text(text)
    imported(tmp_path / "arm.urdf")
    assert not bpy.ops.sdf_inertia.write_back.poll()
    accept()
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert (tmp_path / "arm.urdf").read_text().count("<inertial>") == 1
    accept(bpy.data.objects["base"])  # on its own, at the density that its findings name
    assert bpy.data.objects["base"].sdf_inertia.inertia == "FILLED"
    accept(bpy.data.objects["base"], False)
    assert bpy.data.objects["base"].sdf_inertia.inertia == "NONE"


def test_what_was_written_may_be_undone_in_blender_and_written_again(pair):
    bpy.ops.ed.undo_push(message="before")
    accept(link("b.001"))
    bpy.ops.ed.undo_push(message="Accept")
    bpy.ops.sdf_inertia.write_back()
    first = pair.read_text()
    bpy.ops.ed.undo_push(message="something")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert link("b.001").sdf_inertia.inertia == "MANUAL"
    bpy.data.objects["the box"].scale = (2.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    accept(link("b.001"))
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert pair.read_text() not in (first, PAIR)


BOX = '<collision><origin xyz="{} 0 0"/><geometry><box size="1 1 1"/></geometry></collision>'
LINK = """<link name="{}"><inertial><origin xyz="{} 0 0"/><mass value="6000"/>
<inertia ixx="{}" ixy="0" ixz="0" iyy="{}" iyz="0" izz="{}"/></inertial>{}</link>"""
CAD = "".join(
    [
        '<robot name="cad">',
        LINK.format("right", 0.0, 1000, 1000, 1000, BOX.format(0)),
        LINK.format("motor", 1.5, 900, 12000, 12000, BOX.format(0) + BOX.format(3)),
        LINK.format("heavy", 0.3, 900, 900, 900, BOX.format(0)),
        LINK.format("impossible", 1.5, 1, 1, 9, BOX.format(0) + BOX.format(3)),
        LINK.format("light", 0.0, 700, 700, 700, BOX.format(0)),
        "</robot>",
    ]
)


@pytest.fixture
def cad(tmp_path):
    path = tmp_path / "cad.urdf"
    path.write_text(CAD)
    imported(path)
    return path


@pytest.mark.fault(118)
def test_accept_all_takes_what_repair_changes_and_counts_the_rest(cad, capfd):
    assert accept() == {"FINISHED"}
    links = [ob for ob in bpy.data.objects if ob.sdf_inertia.is_link]
    assert [ob.name for ob in links if ob.sdf_inertia.accepted] == ["impossible"]
    assert "Accepted 1 link. Left as in the file: sound: 4" in capfd.readouterr().out


@pytest.mark.fault(118)
@pytest.mark.parametrize(
    ("name", "mode"), [("right", "FILLED"), ("motor", "FILLED"), ("heavy", "MANUAL"), ("light", "FILLED")]
)
def test_a_link_that_accept_all_leaves_is_accepted_by_itself(cad, name, mode):
    accept()
    ob = bpy.data.objects[name]
    assert accept(ob) == {"FINISHED"}
    assert ob.sdf_inertia.inertia == mode  # the heavy one keeps its centre
    assert ob.sdf_inertia.accepted


ODD = """<robot name="odd"><link name="l"><inertial><origin xyz="0.1 0.23456789123 0.05"/>
<mass value="12.3456789"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial>
<collision><origin xyz="0.1 0.23456789123 0.05" rpy="0.1 0.2 0.3"/><geometry><box size="0.3 0.21 {height}"/></geometry>
</collision></link></robot>"""


@pytest.mark.fault(118)
@pytest.mark.parametrize("height", ["0.5", "1e-5"])
def test_write_back_keeps_mass_and_centre_and_writes_ten_digits(tmp_path, height):
    path = tmp_path / "odd.urdf"
    path.write_text(ODD.format(height=height))
    imported(path)
    accept(bpy.data.objects["l"])
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    text = path.read_text()
    assert 'xyz="0.1 0.23456789123 0.05"' in text and 'value="12.3456789"' in text
    (tensor,) = re.findall(r"<inertia (.*?)/>", text)
    numbers = re.findall(r'"(.*?)"', tensor)
    assert "9" not in numbers and all(len(one.lstrip("-0.")) <= 10 for one in numbers), tensor
    assert robots(path)[0].published["l"].findings() == ()


@pytest.mark.fault(118)
def test_write_back_keeps_the_first_original(pair):
    backup = pair.with_name("pair.sdf.bak")
    for _ in range(2):
        accept(link("b.001"))
        assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
        assert pair.read_text() != PAIR == backup.read_text()
        bpy.data.objects["the box"].scale = (2.0, 1.0, 1.0)
        bpy.context.view_layer.update()


def test_write_back_reports_whether_the_backup_is_of_this_time(pair, capfd):
    accept(link("b.001"))
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert "Info: Wrote 1 inertial into pair.sdf. The original is in pair.sdf.bak" in capfd.readouterr().out
    bpy.data.objects["the box"].scale = (2.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert "into pair.sdf. The backup pair.sdf.bak is of an earlier run and was kept" in capfd.readouterr().out


def test_write_back_writes_nothing_if_a_folder_is_called_as_the_backup(pair):
    pair.with_name("pair.sdf.bak").mkdir()
    accept(link("b.001"))
    with pytest.raises(RuntimeError, match=r"pair\.sdf\.bak.*not a regular file.*[Mm]ove it"):
        bpy.ops.sdf_inertia.write_back()
    assert pair.read_text() == PAIR


def test_two_objects_with_two_inertias_for_one_link_are_not_written(pair):
    imported(pair)
    both = [ob for ob in bpy.data.objects if ob.sdf_inertia.sdf_name == "b.001"]
    assert len(both) == 2
    for ob in both:
        accept(ob)
    both[0].sdf_inertia.mass = 5.0
    with pytest.raises(RuntimeError, match="stands for the link 'b.001'"):
        bpy.ops.sdf_inertia.write_back()
    assert pair.read_text() == PAIR
    accept(both[0], False)
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert pair.read_text() != PAIR


def test_two_objects_with_one_inertia_for_one_link_are_written(pair):
    imported(pair)
    accept()
    assert sum(ob.sdf_inertia.accepted for ob in bpy.data.objects) == 2
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert robots(pair)[0].published["b.001"].findings() == ()


def test_the_second_of_two_imports_writes_its_own_numbers(pair):
    add(box_mesh(), "b.001.5")
    imported(pair)
    second = max((ob for ob in bpy.data.objects if ob.sdf_inertia.sdf_name == "b.001"), key=lambda ob: ob.name)
    box = next(ob for ob in second.children if ob.sdf_inertia.sdf_name == "the box")
    box.location.z = 5.0
    bpy.context.view_layer.update()
    accept(second)
    bpy.ops.sdf_inertia.write_back()
    assert robots(pair)[0].published["b.001"].com[2] == pytest.approx(2.5)


def test_all_models_of_a_world_are_written_at_once(tmp_path):
    models = PAIR[PAIR.index("<model") : PAIR.index("</sdf>")]
    text = f"""<sdf version="1.11"><world name="w">{models}{models.replace("a pair", "other")}</world></sdf>"""
    path = tmp_path / "two.world"
    path.write_text(text)
    imported(path)
    accept()
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    published = [robot.published["b.001"].inertia[2, 2] for robot in robots(path)]
    assert len(published) == 2 and published[0] == published[1] < 1.0


def test_a_mass_that_none_can_be_is_not_replaced_by_waters(tmp_path, capfd):
    text = PAIR.replace("<mass>2</mass>", "<mass>-2</mass>")
    (tmp_path / "bad.sdf").write_text(text)
    imported(tmp_path / "bad.sdf")
    assert accept() == {"CANCELLED"}
    assert "mass not known: 1" in capfd.readouterr().out
    with pytest.raises(RuntimeError, match="Mass not known"):
        accept(link("b.001"))
    assert link("b.001").sdf_inertia.inertia == "MANUAL"


def test_parameters_and_limits_that_no_setting_holds_are_reported(tmp_path):
    build = module("sdf_inertia_addon.importing.build")
    text = PAIR.replace("<density>500</density>", "<auto_inertia_params><gz:voxel_size>0.1</gz:voxel_size>"
                        "<gz:other>3</gz:other></auto_inertia_params>")  # fmt: skip
    text = text.replace("<xyz>0 0 1</xyz>", "<xyz>0 0 1</xyz><limit><effort>0</effort></limit>"
                        "<dynamics><spring_stiffness>5</spring_stiffness></dynamics>")  # fmt: skip
    (tmp_path / "p.sdf").write_text(text)
    (robot,) = robots(tmp_path / "p.sdf")
    said = " ".join(finding.message for finding in build.left_out(robot))
    assert "gz:other" in said and "effort of its joint is 0" in said and "voxel_size" not in said
    assert "the spring of joint" in said
    imported(tmp_path / "p.sdf")


def test_a_voxel_size_is_kept(tmp_path):
    text = PAIR.replace("<density>500</density>", "<auto_inertia_params><gz:voxel_size>0.1</gz:voxel_size>"
                        "</auto_inertia_params>")  # fmt: skip
    (tmp_path / "p.sdf").write_text(text)
    imported(tmp_path / "p.sdf")
    own = link(LONG).sdf_inertia
    assert (own.method, own.voxel_size) == ("VOXEL", pytest.approx(0.1))
