# SPDX-License-Identifier: GPL-3.0-or-later
"""A link without an inertial in its file has none in Blender, and the exported robot weighs what the file weighs."""

from collections import Counter

import bpy
import mujoco
import pytest
from lxml import etree

from tests.reference_data import DATA

from ..panel_states import no_inertial
from ..scenes import ROOT, add, box_link, box_mesh, empty, export, exported, imported, live_model, module, tag
from ..scenes import findings as read_findings

pytestmark = pytest.mark.usefixtures("scene")

DOG = """<robot name="dog">
  <link name="base"><visual><geometry><box size="0.5 0.2 0.15"/></geometry></visual>
    <collision><geometry><box size="0.5 0.2 0.15"/></geometry></collision></link>
  <link name="base_inertia"><inertial><origin xyz="-0.01 0 0.02"/><mass value="6.2"/>
    <inertia ixx="0.033" ixy="0" ixz="0" iyy="0.14" iyz="0" izz="0.15"/></inertial></link>
  <joint name="base_inertia_fixed" type="fixed"><parent link="base"/><child link="base_inertia"/></joint>
  <link name="hip"><inertial><mass value="2.04"/>
    <inertia ixx="0.00053" ixy="0" ixz="0" iyy="0.00048" iyz="0" izz="0.00053"/></inertial>
    <collision><geometry><cylinder radius="0.05" length="0.1"/></geometry></collision></link>
  <joint name="roll" type="revolute"><parent link="base"/><child link="hip"/><origin xyz="0.25 0.1 0"/>
    <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="40" velocity="8"/></joint>
  <link name="tcp"><inertial><mass value="0"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="tcp_fixed" type="fixed"><parent link="hip"/><child link="tcp"/><origin xyz="0 0 -0.2"/></joint>
  <link name="pad"><collision><geometry><sphere radius="0.02"/></geometry></collision></link>
  <joint name="pad_fixed" type="fixed"><parent link="hip"/><child link="pad"/><origin xyz="0 0 -0.3"/></joint>
</robot>
"""
"""ANYmal in small: the mass of its base is in a link below it, and its tool has numbers of 0."""

FORMATS = ("model.sdf", "model.urdf", "model.xml")

MASS = {"urdf": "string(inertial/mass/@value)", "sdf": "string(inertial/mass)", "mujoco": "string(inertial/@mass)"}

WRITTEN = 1e-6
"""Blender keeps an imported mass as float32."""


def masses(path):
    """Return the mass of each link of a file that has any, as the file has it."""
    root = etree.parse(path).getroot()
    links = root.iter("body" if root.tag == "mujoco" else "link")
    of_link = MASS.get(root.tag, MASS["urdf"])
    found = {link.get("name"): float(link.xpath(of_link) or 0.0) for link in links}
    return {name: mass for name, mass in found.items() if mass}


@pytest.fixture
def dog(tmp_path):
    path = tmp_path / "dog.urdf"
    path.write_text(DOG)
    imported(path)
    return path


def modes():
    return {ob.name: ob.sdf_inertia.inertia for ob in bpy.data.objects if ob.sdf_inertia.is_link}


def test_a_link_without_inertial_has_none_in_blender(dog):
    assert modes() == {"base": "NONE", "base_inertia": "MANUAL", "hip": "MANUAL", "tcp": "NONE", "pad": "NONE"}
    bodies = {link.body.name: link.body for link in live_model().links}
    assert bodies["base"].inertial is None and not bodies["base"].refused
    assert live_model().total().mass == pytest.approx(8.24)


@pytest.mark.fault(216, 220)
@pytest.mark.parametrize("name", FORMATS)
def test_an_exported_robot_weighs_what_its_file_weighs(dog, tmp_path, name):
    exported(tmp_path / "out" / name)
    assert masses(tmp_path / "out" / name) == pytest.approx(masses(dog), rel=WRITTEN)


@pytest.mark.parametrize("name", FORMATS)
def test_it_weighs_the_same_after_another_import(dog, tmp_path, name):
    exported(tmp_path / "out" / name)
    bpy.ops.wm.read_homefile(use_empty=True)
    imported(tmp_path / "out" / name)
    exported(tmp_path / "again" / "model.urdf")
    assert masses(tmp_path / "again" / "model.urdf") == pytest.approx(masses(dog), rel=WRITTEN)


@pytest.mark.fault(220)
def test_in_urdf_a_link_of_mass_0_is_the_same_link_on_the_same_joint(dog, tmp_path):
    root = exported(tmp_path / "model.urdf")
    assert len(root.find("link[@name='tcp']")) == 0
    joint = root.find("joint[@name='tcp_fixed']")
    assert joint.get("type") == "fixed" and joint.find("origin").get("xyz") == "0 0 -0.2"
    assert [joint.find(end).get("link") for end in ("parent", "child")] == ["hip", "tcp"]


@pytest.mark.fault(220)
def test_in_sdf_links_without_inertial_are_frames_with_their_parts_held(dog, tmp_path):
    root = exported(tmp_path / "model.sdf")
    assert {one.get("name"): one.get("attached_to") for one in root.iter("frame")} == {
        "base": "base_inertia",
        "tcp": "hip",
        "pad": "hip",
    }
    parts = {link.get("name"): [one.get("name") for one in link.iter("collision")] for link in root.iter("link")}
    assert parts == {"base_inertia": ["base_collision"], "hip": ["hip_collision", "pad_collision"]}
    assert root.xpath("string(//joint/parent)") == "base_inertia"


def test_in_mujoco_they_weigh_nothing(dog, tmp_path):
    exported(tmp_path / "model.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    assert model.body_mass.sum() == pytest.approx(8.24)


@pytest.mark.parametrize("name", FORMATS)
def test_one_that_moves_is_refused_by_name(tmp_path, name):
    path = tmp_path / "dog.urdf"
    path.write_text(DOG.replace('name="pad_fixed" type="fixed"', 'name="pad_fixed" type="continuous"'))
    imported(path)
    result = export(tmp_path / name)
    (error,) = [finding for finding in result.findings if finding.severity == "error"]
    assert (result.sdf, error.code, error.subject) == (None, "zero_mass", "pad")
    assert "Compute Inertia" in error.for_reader("blender").remedy
    assert [link.body.name for link in live_model().links if link.body.refused] == ["pad"]
    assert export(tmp_path / name, skip_invalid=True).sdf is not None
    assert masses(tmp_path / name) == pytest.approx(masses(path), rel=WRITTEN)


def test_a_click_computes_it_and_another_takes_that_back(dog):
    accept = bpy.ops.sdf_inertia.accept_computed
    assert accept(target="base", accepted=True) == {"FINISHED"}
    assert modes()["base"] == "FILLED"
    assert live_model().total().mass == pytest.approx(8.24 + 0.5 * 0.2 * 0.15 * 1000.0)
    assert accept(target="base", accepted=False) == {"FINISHED"}
    assert modes()["base"] == "NONE"


def test_set_inertia_computes_it_too(dog):
    assert bpy.ops.sdf_inertia.set_inertia(target="pad", mode="FILLED") == {"FINISHED"}
    (pad,) = [link.body for link in live_model().links if link.body.name == "pad"]
    assert pad.inertial.mass > 0.0


def test_no_choice_of_the_export_gives_it_mass(dog, tmp_path):
    for inertia in ("AUTO", "FILLED"):
        exported(tmp_path / inertia / "model.sdf", inertia=inertia)
        assert masses(tmp_path / inertia / "model.sdf") == pytest.approx(masses(dog), rel=WRITTEN)


def test_what_is_accepted_is_written_into_the_file(dog):
    bpy.ops.sdf_inertia.accept_computed(target="pad", accepted=True)
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert masses(dog)["pad"] == pytest.approx(1000.0 * 4.0 / 3.0 * 3.14159265 * 0.02**3, rel=1e-5)
    assert "base" not in masses(dog)


def test_a_saved_file_keeps_it(dog, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "dog.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "dog.blend"))
    assert Counter(modes().values()) == {"NONE": 3, "MANUAL": 2}
    bpy.ops.wm.read_homefile(use_empty=True)


def test_a_link_that_is_newly_tagged_is_auto():
    assert box_link().sdf_inertia.inertia == "AUTO"


def test_a_change_of_its_inertia_is_seen_at_once():
    base = box_link("base", inertia="FILLED")
    pad = tag(empty("pad", base), "link", inertia="NONE", joint_type="REVOLUTE", joint_parent=base)
    tag(add(box_mesh(), "pad box", pad), "collision")
    assert [link.body.refused for link in live_model().links] == [False, True]
    pad.sdf_inertia.joint_type = "FIXED"
    bpy.context.view_layer.update()
    assert [link.body.refused for link in live_model().links] == [False, False]
    pad.sdf_inertia.inertia = "FILLED"
    bpy.context.view_layer.update()
    assert live_model().total().mass == pytest.approx(2000.0)


def test_a_bare_frame_without_inertial_is_a_plain_frame(tmp_path):
    base = box_link("base", inertia="FILLED")
    tag(empty("tool", base, location=(0, 0, 1)), "link", inertia="NONE", joint_type="FIXED", joint_parent=base)
    bpy.context.view_layer.update()
    root = exported(tmp_path / "model.sdf")
    (frame,) = root.iter("frame")
    assert (frame.get("name"), frame.get("attached_to"), frame.findtext("pose")) == ("tool", "base", "0 0 1 0 0 0")
    assert not any(finding.severity == "error" for finding in read_findings().values())


def test_a_collision_that_cannot_be_read_is_still_an_error():
    base = box_link("base")
    pad = tag(empty("pad", base), "link", inertia="NONE", joint_type="FIXED", joint_parent=base)
    tag(empty("hull", pad), "collision")
    bpy.context.view_layer.update()
    assert read_findings()["no_geometry"].subject == "hull"


def test_the_overlay_shows_nothing_of_it(dog):
    content = module("sdf_inertia_addon.overlay.content")
    model = live_model()
    style = content.OverlayStyle(scope="ALL", show_total=True)
    views = content.content_of(model, style, content.VisibleLinks(), range(len(model.links))).views
    assert sorted(view.name for view in views) == ["Total", "base_inertia", "hip"]


def test_the_panel_names_the_file():
    no_inertial()
    published = module("sdf_inertia_addon.panels.published").verdict
    comparison = module("sdf_inertia_addon.panels.compared").comparison_of
    for ob in (bpy.data.objects["none"], bpy.data.objects["bare none"]):
        assert published(comparison(bpy.context, ob), None)[0] == "none in the file"


ROBOTS = sorted(
    [
        *(path for path in (ROOT / "examples").rglob("*.urdf") if "build" not in path.parts),
        *(path for path in DATA.rglob("*.urdf") if "hostile" not in path.parts),
    ]
)


def is_whole(path):
    """Return True for a robot of which each link with mass can be exported, and some link has none."""
    try:
        root = etree.parse(path).getroot()
    except etree.XMLSyntaxError:
        return False
    return root.tag == "robot" and root.find("link/inertial") is not None


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_any_robot_weighs_no_more_than_its_file(path, tmp_path):
    if not is_whole(path):
        pytest.skip("it is not a robot with mass")
    try:
        imported(path)
    except RuntimeError:
        pytest.skip("it cannot be imported")
    for name in FORMATS:
        result = export(tmp_path / name, skip_invalid=True)
        if result.sdf is None:
            continue
        refused = {body.name for body in result.bodies if body.refused}
        expected = {name: mass for name, mass in masses(path).items() if name not in refused}
        assert masses(tmp_path / name) == pytest.approx(expected, rel=WRITTEN)


RAIL = """<mujoco model="rail"><worldbody>
  <body name="rail"><geom name="bar" type="box" size="1 0.1 0.1" mass="0"/>
    <body name="cart"><joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.1 0.1 0.1" mass="3"/></body>
  </body></worldbody></mujoco>
"""

BALL = '<collision name="ball"><geometry><sphere><radius>1</radius></sphere></geometry></collision>'

PLAIN = """<sdf version="1.11"><model name="plain">
  <link name="default"><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
  <link name="zero"><inertial><mass>0</mass><inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia></inertial></link>
  <joint name="weld" type="fixed"><parent>default</parent><child>zero</child></joint>
</model></sdf>
"""


@pytest.mark.parametrize("name", FORMATS)
def test_a_body_fixed_to_the_world_weighs_nothing_in_any_format(tmp_path, name):
    (tmp_path / "rail.xml").write_text(RAIL)
    imported(tmp_path / "rail.xml")
    assert modes() == {"rail": "NONE", "cart": "FILLED"}
    exported(tmp_path / "out" / name)
    assert masses(tmp_path / "out" / name) == pytest.approx({"cart": 3.0})
    bpy.ops.wm.read_homefile(use_empty=True)
    imported(tmp_path / "out" / name)
    assert modes()["rail"] == "NONE"


def test_sdformats_default_of_1_kg_is_what_its_simulators_weigh(tmp_path):
    (tmp_path / "plain.sdf").write_text(PLAIN)
    imported(tmp_path / "plain.sdf")
    assert modes() == {"default": "MANUAL", "zero": "NONE"}
    exported(tmp_path / "out" / "model.sdf")
    assert masses(tmp_path / "out" / "model.sdf") == {"default": 1.0}


@pytest.mark.parametrize("name, text, links", [("plain.sdf", PLAIN, ["zero"]), ("rail.xml", RAIL, ["rail", "cart"])])
def test_what_was_accepted_becomes_again_what_it_was(tmp_path, name, text, links):
    (tmp_path / name).write_text(text.replace("<inertial><mass>0", f"{BALL}<inertial><mass>0"))
    imported(tmp_path / name)
    before = modes()
    for link in links:
        assert bpy.ops.sdf_inertia.accept_computed(target=link, accepted=True) == {"FINISHED"}
        assert modes()[link] == "FILLED"
        assert bpy.ops.sdf_inertia.accept_computed(target=link, accepted=False) == {"FINISHED"}
    assert modes() == before
