# SPDX-License-Identifier: GPL-3.0-or-later
"""A link without a visual is drawn by its collisions in the written file."""

from pathlib import Path

import bpy
import pytest
from lxml import etree

from ..scenes import add, box_mesh, empty, export, exported, imported, module, tag, wedge_mesh
from .test_headless import headless

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(114)]

RED = (0.8, 0.1, 0.1, 1.0)


def painted(ob):
    material = bpy.data.materials.new("paint")
    material.diffuse_color = RED
    ob.data.materials.append(material)
    return ob


def robot():
    """Return a link with a mesh, a box and a mesh to be written as its hull, all off its origin."""
    link = tag(empty("arm", location=(1, 2, 3), rotation_euler=(0.1, 0.2, 0.3)), "link")
    tag(painted(add(wedge_mesh(), "bone", link, location=(2, 0, 0), scale=(2, 1, 1))), "collision")
    tag(add(box_mesh((1, 2, 3)), "case", link, location=(0, 5, 0)), "collision", geometry="BOX")
    tag(add(wedge_mesh(), "cover", link, location=(0, 0, 5)), "collision", write_as="CONVEX_HULL")
    bpy.context.view_layer.update()
    return link


def texts(part):
    """Return pose and geometry of a collision or visual as they are written, without the hint to decompose it."""
    found = [etree.tostring(child, with_tail=False) for child in part if child.tag in ("pose", "origin", "geometry")]
    return [text.replace(b' optimization="convex_decomposition"', b"") for text in found]


def assert_drawn(link):
    """Assert that each collision of a link, of which there are some, has one visual of the same pose and geometry."""
    collisions, visuals = link.findall("collision"), link.findall("visual")
    assert collisions
    assert [texts(visual) for visual in visuals] == [texts(collision) for collision in collisions]
    assert [visual.get("name") for visual in visuals] == [f"{one.get('name')}_visual" for one in collisions]


@pytest.mark.parametrize("inertia", ["AUTO", "FILLED"])
def test_a_link_without_visual_is_drawn_by_its_collisions(tmp_path, inertia):
    robot()
    assert_drawn(exported(tmp_path, inertia=inertia).find("model/link"))


def test_a_urdf_is_drawn_by_its_collisions_too(tmp_path):
    tag(robot(), joint_type="FIXED", joint_world=True)
    assert_drawn(exported(tmp_path, file_format="urdf").findall("link")[1])


def test_a_shape_that_urdf_lacks_is_drawn_by_the_mesh_of_its_collision(tmp_path):
    tag(add(box_mesh((1, 2, 3)), "egg"), "link", "collision", geometry="ELLIPSOID")
    link = exported(tmp_path, file_format="urdf").find("link")
    assert link.find("collision/geometry/mesh") is not None
    assert_drawn(link)


def test_drawn_collisions_add_no_mesh_file(tmp_path):
    robot()
    export(tmp_path / "on")
    export(tmp_path / "off", draw_collisions=False)
    on, off = ({path.name for path in (tmp_path / name / "model" / "meshes").iterdir()} for name in ("on", "off"))
    assert on == off
    assert len(on) == 2


def test_only_the_hint_to_decompose_is_left_to_the_collision(tmp_path):
    tag(add(wedge_mesh(), "body"), "link", "collision", write_as="DECOMPOSED")
    link = exported(tmp_path).find("model/link")
    assert link.find("collision/geometry/mesh").get("optimization") == "convex_decomposition"
    assert link.find("visual/geometry/mesh").get("optimization") is None
    assert_drawn(link)


def test_a_drawn_collision_has_the_colour_of_its_object(tmp_path):
    robot()
    bone, case, _cover = exported(tmp_path).findall("model/link/visual")
    assert bone.findtext("material/diffuse") == "0.8 0.1 0.1 1"
    assert case.find("material") is None


def test_a_link_with_a_visual_keeps_only_that(tmp_path):
    tag(add(box_mesh(), "shell", robot()), "visual")
    (visual,) = exported(tmp_path).findall("model/link/visual")
    assert visual.get("name") == "shell_visual"


def test_drawn_collisions_change_nothing_but_the_visuals(tmp_path):
    robot()
    on, off = exported(tmp_path / "on"), exported(tmp_path / "off", draw_collisions=False)
    assert off.find(".//visual") is None
    (link,) = on.findall("model/link")
    for visual in link.findall("visual"):
        link.remove(visual)
    parts = [[etree.tostring(one).strip() for one in root.iter() if len(one) == 0] for root in (on, off)]
    assert parts[0] == parts[1]


def test_a_drawn_visual_has_a_name_of_its_own(tmp_path):
    link = tag(empty(), "link")
    for name in ("a", "a_visual"):
        tag(add(box_mesh(), name, link), "collision", geometry="BOX")
    link = exported(tmp_path).find("model/link")
    names = [one.get("name") for one in link if one.get("name")]
    assert len(set(names)) == len(names) == 4


@pytest.mark.parametrize("file_format", ["sdf", "urdf"])
def test_import_and_export_again_double_no_drawn_collision(tmp_path, file_format):
    tag(robot(), joint_type="FIXED", joint_world=True)
    export(tmp_path, file_format=file_format)
    first = tmp_path / "model" / f"model.{file_format}"
    assert_drawn(next(one for one in etree.parse(first).getroot().iter("link") if len(one)))
    for ob in list(bpy.data.objects):
        bpy.data.objects.remove(ob)
    imported(first)
    again = export(tmp_path / "again", file_format=file_format).sdf
    found, wanted = (
        [(one.tag, one.get("name")) for one in etree.parse(path).getroot().iter("visual", "collision")]
        for path in (again, first)
    )
    assert sorted(found) == sorted(wanted)


def test_the_operator_has_an_option_that_is_on(tmp_path):
    robot()
    for number, options in enumerate(({}, {"draw_collisions": False})):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / f"{number}.sdf"), **options)
    on, off = (len(list(etree.parse(tmp_path / f"{number}.sdf").iter("visual"))) for number in (0, 1))
    assert (on, off) == (3, 0)


def test_the_command_line_leaves_collisions_undrawn_if_told(tmp_path):
    robot()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "robot.blend"))
    for name, options in (("on", ()), ("off", ("--no-drawn-collisions",))):
        done = headless(tmp_path / "robot.blend", "--output", tmp_path / name, *options)
        assert done.returncode == 0, done.stderr
    on, off = (
        len(list(etree.parse(Path(tmp_path, name, "robot", "model.sdf")).iter("visual"))) for name in ("on", "off")
    )
    assert (on, off) == (3, 0)


def test_drawing_collisions_is_an_option_of_a_batch():
    assert "--no-drawn-collisions" in module("core.cli.batch.blender").FLAGS
