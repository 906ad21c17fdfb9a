# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept All is the plan of `repair`, link by link, and Write Back writes it from the numbers in the file."""

from shutil import copytree

import bpy
import pytest

from tests.core.judge.generated_robots import Robot
from tests.reference_data import DATA
from tests.versions import CHECKOUT

from ..scenes import assert_same, imported, integrated, live_model, module, world_triangles

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(118)]

ROBOTS = DATA / "robot_faults"
EXAMPLES = CHECKOUT / "examples"


def table():
    return module("core.formats.table")


def names_in(folder, ends=(".sdf", ".world", ".urdf", ".mjcf", ".xml")):
    """Return the robots' files in a folder, as paths in it."""
    paths = (path for path in sorted(folder.rglob("*")) if path.name.endswith(ends))
    return [path.relative_to(folder).as_posix() for path in paths]


def contents(folder):
    """Return the bytes of all files in a folder but backups."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".bak")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def repaired(path):
    """Repair a file in its place, as the command does; return False if it cannot be read."""
    error = module("core.errors").InertiaError
    whole_files = module("core.files.whole_files")
    try:
        file = table().read_robot_file(path)
        result = module("core.judge.repair").repair_file(file, module("core.judge.measured").RepairOptions())
    except error:
        return False
    whole_files.write_several_atomic({path: result.data, **result.included})
    return True


def is_imported(path):
    """Import a file; return False if it cannot be imported."""
    try:
        bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
    except RuntimeError:
        return False
    bpy.context.view_layer.update()
    return True


def accept_all_and_write():
    if bpy.ops.sdf_inertia.accept_computed.poll():
        bpy.ops.sdf_inertia.accept_computed()
    if bpy.ops.sdf_inertia.write_back.poll():
        assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}


def assert_writes_as_repair(folder, name, tmp_path):
    """Compare all files of a folder after Accept All and Write Back with those after `repair --in-place`."""
    here, there = tmp_path / "blender", tmp_path / "command"
    copytree(folder, here)
    copytree(folder, there)
    if not is_imported(here / name):
        pytest.skip("not imported")
    assert repaired(there / name)
    accept_all_and_write()
    written, expected = contents(here), contents(there)
    different = [file for file in expected if written[file] != expected[file]]
    assert not different and written.keys() == expected.keys()


FAULTY = [f"{part}/{name}" for part in ("verdict", "urdf", "scene", "mjcf") for name in names_in(ROBOTS / part)]
SEEDS = {0: "urdf", 1: "sdf", 3: "mjcf"}
"""By the remainder of the seed by 4; xacro is not imported."""


@pytest.mark.fault(172)
@pytest.mark.parametrize("name", FAULTY)
def test_faulty_robots_get_the_bytes_of_repair(name, tmp_path):
    part, _, path = name.partition("/")
    assert_writes_as_repair(ROBOTS / part, path, tmp_path)


@pytest.mark.fault(172)
@pytest.mark.parametrize("seed", [seed for seed in range(48) if seed % 4 in SEEDS])
def test_generated_robots_get_the_bytes_of_repair(seed, tmp_path):
    robot = Robot(seed)
    assert robot.format == SEEDS[seed % 4]
    folder = tmp_path / "robot"
    folder.mkdir()
    path = robot.write(folder)
    assert_writes_as_repair(folder, path.relative_to(folder).as_posix(), tmp_path)


@pytest.mark.fault(172)
@pytest.mark.parametrize("name", ["arm.urdf", "urdf/biped.urdf"])
def test_the_examples_get_the_bytes_of_repair(name, tmp_path):
    folder = EXAMPLES / "biped_description"
    if name == "arm.urdf":
        folder = tmp_path / "example"
        folder.mkdir()
        (folder / name).write_bytes((EXAMPLES / name).read_bytes())
    assert_writes_as_repair(folder, name, tmp_path)


def test_a_sound_robot_stays_as_it_is(tmp_path, capfd):
    path = Robot(0, faulty=False).write(tmp_path)
    before = contents(tmp_path)
    links = [ob for ob in imported(path).values() if ob.sdf_inertia.is_link]
    assert bpy.ops.sdf_inertia.accept_computed() == {"CANCELLED"}
    assert f"Accepted 0 links. Left as in the file: sound: {len(links)}" in capfd.readouterr().out
    assert not bpy.ops.sdf_inertia.write_back.poll()
    assert contents(tmp_path) == before


BARE = '<robot name="r"><link name="l"><collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>'


def test_the_reasons_are_words_within_a_sentence(tmp_path, capfd):
    path = tmp_path / "r.urdf"
    path.write_text(BARE)
    imported(path)
    assert bpy.ops.sdf_inertia.accept_computed() == {"CANCELLED"}
    assert "Accepted 0 links. Left as in the file: mass not known: 1" in capfd.readouterr().out
    within_sentence = module("sdf_inertia_addon.panels.texts").within_sentence
    names = ("Gazebo refuses the mesh", "MuJoCo not available", "T-junctions", "Not XML", "UTF-16 text")
    assert [within_sentence(name) for name in names] == [*names[:3], "not XML", names[4]]


MESH = """<robot name="r"><link name="l"><inertial><origin xyz="0 0 0"/><mass value="{mass}"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial>
<collision name="c"><origin xyz="0 0 0.1"/><geometry><mesh filename="part.obj"/></geometry></collision></link>
</robot>"""
WEDGE = """v 0 0 0
v 1.5 0.125 0
v 0.25 1 0.125
v 0.125 0.25 0.75
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
"""


@pytest.fixture
def wedge(tmp_path):
    (tmp_path / "part.obj").write_text(WEDGE)
    path = tmp_path / "r.urdf"
    path.write_text(MESH.format(mass="120.000001"))
    return path


def written(path):
    (robot,) = table().robots_of(path)
    inertial = robot.published["l"]
    return inertial.mass, inertial.com, inertial.inertia


def move_a_corner(ob):
    ob.data.vertices[3].co.z *= 1.25
    ob.data.update()
    bpy.context.view_layer.update()


@pytest.mark.parametrize("first", ["accepted", "edited"])
def test_an_edited_mesh_is_written_as_it_is_in_the_scene(wedge, first):
    objects = imported(wedge)
    steps = [bpy.ops.sdf_inertia.accept_computed, lambda: move_a_corner(objects["c"])]
    for step in steps if first == "accepted" else steps[::-1]:
        step()
    assert objects["l"].sdf_inertia.inertia == "FILLED"
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    expected = integrated(world_triangles(objects["c"]))
    scale = 120.000001 / expected[0]
    assert_same(written(wedge), (120.000001, expected[1], scale * expected[2]), 1e-6)
    assert "120.000001" in wedge.read_text()


def test_a_mass_that_the_user_sets_is_written(wedge):
    ob = imported(wedge)["l"]
    ob.sdf_inertia.mass, ob.sdf_inertia.use_mass = 2.0, True
    bpy.ops.sdf_inertia.accept_computed()
    assert ob.sdf_inertia.inertia == "FILLED"
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert written(wedge)[0] == 2.0


def test_what_the_panel_shows_is_what_is_written(wedge):
    objects = imported(wedge)
    bpy.ops.sdf_inertia.accept_computed()
    (link,) = live_model().links
    shown = link.body.inertial
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert objects["l"].sdf_inertia.accepted
    assert_same(written(wedge), (shown.mass, shown.com, shown.inertia), 1e-6)


@pytest.fixture
def with_centre(wedge):
    """A link whose centre of mass the file gives, which is not that of its geometry."""
    wedge.write_text(wedge.read_text().replace('xyz="0 0 0"', 'xyz="0.5 0.25 0.3"'))
    return imported(wedge)["l"]


def numbers_of(ob):
    settings = ob.sdf_inertia
    return settings.inertia, settings.manual_mass, tuple(settings.manual_com), tuple(settings.manual_inertia)


def test_a_plan_that_keeps_the_files_centre_is_entered_as_manual(wedge, with_centre):
    bpy.ops.sdf_inertia.accept_computed()
    assert with_centre.sdf_inertia.inertia == "MANUAL"
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert 'xyz="0.5 0.25 0.3"' in wedge.read_text()


def test_taken_back_a_link_has_the_numbers_of_its_file(with_centre):
    before = numbers_of(with_centre)
    bpy.ops.sdf_inertia.accept_computed()
    assert numbers_of(with_centre) != before and with_centre.sdf_inertia.accepted
    published = module("sdf_inertia_addon.importing.accepted").published_inertial(with_centre, 1.0)
    assert published.inertia[2, 2] == 9.0
    bpy.ops.sdf_inertia.accept_computed(target="l", accepted=False)
    assert numbers_of(with_centre) == before and not with_centre.sdf_inertia.accepted
    assert not bpy.ops.sdf_inertia.write_back.poll()


def test_written_twice_the_file_stays_as_it_is(wedge):
    imported(wedge)
    accept_all_and_write()
    once = wedge.read_bytes()
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert wedge.read_bytes() == once


def test_in_millimetres_the_bytes_are_those_of_repair(tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.001
    folder = tmp_path / "robot"
    folder.mkdir()
    (folder / "part.obj").write_text(WEDGE)
    (folder / "r.urdf").write_text(MESH.format(mass="120.000001"))
    assert_writes_as_repair(folder, "r.urdf", tmp_path)


def test_a_file_that_changed_since_the_import_is_refused(wedge):
    ob = imported(wedge)["l"]
    wedge.write_text(wedge.read_text() + "<!-- edited -->")
    with pytest.raises(RuntimeError, match=r"Nothing was accepted.*changed since"):
        bpy.ops.sdf_inertia.accept_computed()
    assert not ob.sdf_inertia.accepted


MAIN = """<mujoco><worldbody><body name="base"><freejoint/>
<inertial pos="0 0 0" mass="2" fullinertia="1 1 9 0 0 0"/><geom type="box" size=".5 .5 .5" mass="0"/>
<body name="arm" pos="2 0 0"><joint/><include file="arm.xml"/></body></body></worldbody></mujoco>"""
INCLUDED = """<mujocoinclude><inertial pos="0 0 0" mass="3" fullinertia="1 1 9 0 0 0"/>
<geom type="box" size=".5 .5 .5" mass="0"/></mujocoinclude>"""


@pytest.fixture
def included(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "arm.xml").write_text(INCLUDED)
    path = tmp_path / "robot.xml"
    path.write_text(MAIN)
    imported(path)
    return path


def test_an_included_file_is_written_too_with_its_own_backup(included, capfd):
    accept_all_and_write()
    part = included.with_name("arm.xml")
    assert included.read_text() != MAIN and part.read_text() != INCLUDED
    assert part.with_name("arm.xml.bak").read_text() == INCLUDED
    assert included.with_name("robot.xml.bak").read_text() == MAIN
    assert "Wrote 2 inertials into robot.xml, arm.xml" in capfd.readouterr().out
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}  # it is ours


def test_an_included_file_that_changed_is_refused(included):
    bpy.ops.sdf_inertia.accept_computed()
    part = included.with_name("arm.xml")
    part.write_text(INCLUDED.replace('"3"', '"4"'))
    with pytest.raises(RuntimeError, match=r"Nothing was written.*arm\.xml"):
        bpy.ops.sdf_inertia.write_back()
    assert included.read_text() == MAIN


def test_the_folder_that_the_user_chose_is_looked_up_again(tmp_path):
    package = tmp_path / "elsewhere" / "parts"
    package.mkdir(parents=True)
    (package / "package.xml").write_text("<package><name>parts</name></package>")
    (package / "part.obj").write_text(WEDGE)
    path = tmp_path / "robot" / "r.urdf"
    path.parent.mkdir()
    path.write_text(MESH.format(mass="120").replace("part.obj", "package://parts/part.obj"))
    ob = imported(path)["l"]
    assert bpy.ops.sdf_inertia.accept_computed() == {"CANCELLED"}
    assert bpy.ops.sdf_inertia.find_meshes(directory=str(tmp_path / "elsewhere")) == {"FINISHED"}
    assert bpy.ops.sdf_inertia.accept_computed() == {"FINISHED"}
    assert ob.sdf_inertia.accepted


def test_the_panel_knows_why_a_link_is_left_after_the_judgement(tmp_path):
    path = tmp_path / "two.urdf"
    box = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    link = (
        '<link name="{}"><inertial><mass value="{}"/>'
        '<inertia ixx="{}" ixy="0" ixz="0" iyy="{}" iyz="0" izz="{}"/></inertial>{}</link>'
    )
    texts = [
        link.format(*numbers, box)
        for numbers in (("bad", 600, 1, 1, 9), ("good", 600, 100, 100, 100), ("light", 0.5, 0.1, 0.1, 0.1))
    ]
    path.write_text(f'<robot name="r">{"".join(texts)}</robot>')
    objects = imported(path)
    compared = module("sdf_inertia_addon.panels.compared")
    assert [compared.why_left(objects[name]) for name in ("bad", "good", "light")] == ["", "", ""]
    bpy.ops.sdf_inertia.accept_computed()
    assert [compared.why_left(objects[name]) for name in ("bad", "good", "light")] == ["", "sound", "only doubtful"]
    comparison = compared.comparison_of(bpy.context, objects["bad"])
    assert comparison.impossible and "triangle_inequality" in {finding.code for finding in comparison.findings}
