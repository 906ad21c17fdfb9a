# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF out of Blender: by the operator, from the command line, and with the same numbers as the SDF."""

import bpy
import numpy as np
import pytest
from lxml import etree

from tests.core.drake_inertia import complaints

from ..scenes import add, box_mesh, empty, module, tag
from ..scenes import export as whole_export

pytestmark = pytest.mark.usefixtures("scene")


def lever(**settings):
    base = tag(add(box_mesh((1, 1, 0.2)), "base", rotation_euler=(0.1, 0.2, 0.3)), "link", "collision", density=500.0)
    bar = add(box_mesh((0.2, 0.2, 1)), "bar", parent=base, location=(0, 0, 0.6), rotation_euler=(0.0, 0.7, 0.2))
    tag(bar, "link", "collision", density=300.0, joint_type="REVOLUTE", joint_axis=(0, 1, 0), **settings)
    bpy.context.view_layer.update()
    return base, bar


def export(path, **options):
    return bpy.ops.sdf_inertia.export_sdf(filepath=str(path), **options)


def inertials(path):
    return {
        one.get("name"): (float(one.find("inertial/mass").get("value")), dict(one.find("inertial/inertia").attrib))
        for one in etree.parse(path).getroot().iter("link")
    }


def test_a_path_that_ends_in_urdf_is_the_file_itself(tmp_path):
    lever()
    assert export(tmp_path / "robot.urdf") == {"FINISHED"}
    root = etree.parse(tmp_path / "robot.urdf").getroot()
    assert root.tag == "robot"
    assert [one.get("type") for one in root.iter("joint")] == ["continuous"]
    assert not (tmp_path / "model.config").exists()


def test_the_format_is_an_option_for_a_folder(tmp_path):
    lever()
    assert export(tmp_path, file_format="urdf") == {"FINISHED"}
    assert (tmp_path / "model" / "model.urdf").is_file()


def test_the_numbers_are_those_of_the_filled_sdf_whatever_the_links_say(tmp_path):
    for ob in lever():
        tag(ob, inertia="AUTO")
    export(tmp_path / "robot.sdf", inertia="FILLED")
    export(tmp_path / "robot.urdf")
    found = inertials(tmp_path / "robot.urdf")
    for link in etree.parse(tmp_path / "robot.sdf").getroot().iter("link"):
        mass, tensor = found[link.get("name")]
        assert mass == float(link.findtext("inertial/mass"))
        for name, text in tensor.items():
            np.testing.assert_allclose(float(text), float(link.findtext(f"inertial/inertia/{name}")), rtol=1e-12)


def test_what_urdf_cannot_hold_writes_nothing_and_is_reported(tmp_path):
    _base, bar = lever()
    tag(bar, joint_type="BALL")
    with pytest.raises(RuntimeError, match="URDF has no ball joint"):
        export(tmp_path / "robot.urdf", skip_invalid=True)
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_writes_urdf(tmp_path):
    lever()
    blend = tmp_path / "lever.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    run = module("sdf_inertia_addon.export.command").run
    assert run(["--output", str(tmp_path), "--format", "urdf"]) == 0
    assert etree.parse(tmp_path / "lever" / "model.urdf").getroot().get("name") == "lever"


def test_friction_that_drake_ignores_is_reported(tmp_path):
    lever(joint_friction=0.2)
    export_scene = module("sdf_inertia_addon.export.export_scene").export_scene
    codes = [one.code for one in export_scene(bpy.context.evaluated_depsgraph_get(), tmp_path).findings]
    assert "drake_no_friction" in codes


def test_metal_and_roughness_of_the_shader_are_written_to_sdf(tmp_path):
    base, _bar = lever()
    tag(base, "visual")
    material = bpy.data.materials.new("steel")
    material.use_nodes = True
    (shader,) = (node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (0.5, 0.25, 0.125, 1.0)
    shader.inputs["Metallic"].default_value, shader.inputs["Roughness"].default_value = 1.0, 0.25
    base.data.materials.append(material)
    export(tmp_path / "robot.sdf")
    root = etree.parse(tmp_path / "robot.sdf").getroot()
    assert root.findtext(".//visual/material/diffuse") == "0.5 0.25 0.125 1"
    metal = root.find(".//visual/material/pbr/metal")
    assert (metal.findtext("metalness"), metal.findtext("roughness")) == ("1", "0.25")
    assert complaints((tmp_path / "robot.sdf").read_text().replace("meshes/", f"file://{tmp_path}/meshes/")) == []


@pytest.mark.parametrize("suffix", ["urdf", "xml"])
def test_what_joints_a_refused_link_would_leave_is_not_an_error(suffix, tmp_path):
    links = [tag(empty("base"), "link")]
    for name in ("middle", "tip"):
        above = links[-1]
        links.append(tag(empty(name, above), "link", joint_type="CONTINUOUS", joint_parent=above))
    for link in links:
        tag(add(box_mesh(), f"{link.name} box", link), "collision")
    middle = links[1].sdf_inertia
    middle.inertia, middle.manual_mass, middle.manual_inertia = "MANUAL", 1.0, (1.0, 1.0, 9.0, 0.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    result = whole_export(tmp_path / f"model.{suffix}")
    errors = [(finding.subject, finding.code) for finding in result.findings if finding.severity == "error"]
    assert (result.sdf, errors) == (None, [("middle", "triangle_inequality")])
