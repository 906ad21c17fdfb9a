# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python in a .blend that Blender does not run unasked: what depends on it is refused, or trusted."""

import subprocess

import bpy
import pytest
from lxml import etree

from ..scenes import HEADLESS, add, box_link, box_mesh, empty, findings, module, python, read, tag

ALLOWED = "len('abc') * 1.0"
"""Not simple, but harmless: Blender evaluates it."""


def drive(data, path, expression="no_name(2)", index=-1):
    curve = data.driver_add(path, index) if index >= 0 else data.driver_add(path)
    curve.driver.type = "SCRIPTED"
    curve.driver.expression = expression


def follow(data, path, source, source_path):
    """Drive by the value of another object, without any Python."""
    curve = data.driver_add(path, 0)
    variable = curve.driver.variables.new()
    variable.name = "v"
    if isinstance(source, bpy.types.Scene):
        variable.targets[0].id_type = "SCENE"
    variable.targets[0].id = source
    variable.targets[0].data_path = source_path
    curve.driver.expression = "v * 2"


def link(name="part", parent=None):
    return box_link(name, parent, use_density=True)


def bender():
    """Return an untagged empty that a blocked driver moves."""
    ob = empty("bender")
    drive(ob, "location", index=0)
    return ob


def itself():
    drive(link(), "scale", index=0)


def parent():
    link(parent=bender())


def grandparent():
    link(parent=empty("middle", bender()))


def part():
    body = tag(empty("body"), "link")
    drive(tag(add(box_mesh(), "part", body), "collision", use_density=True), "scale", index=1)


def delta():
    drive(link(), "delta_location", index=2)


def shape_key():
    ob = link()
    ob.shape_key_add(name="Basis")
    drive(ob.shape_key_add(name="wide"), "value")


def modifier():
    drive(link().modifiers.new("array", "ARRAY"), "count")


def target_of_a_modifier():
    link().modifiers.new("mirror", "MIRROR").mirror_object = bender()


def target_of_a_constraint():
    link().constraints.new("COPY_LOCATION").target = bender()


def influence_of_a_constraint():
    constraint = link().constraints.new("LIMIT_LOCATION")
    drive(constraint, "influence")


def curve():
    data = bpy.data.curves.new("tube", "CURVE")
    data.splines.new("POLY").points.add(1)
    drive(data, "bevel_depth")
    tag(add(data, "part"), "link", "collision", use_density=True)


def geometry_nodes():
    group = bpy.data.node_groups.new("nodes", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    cube = group.nodes.new("GeometryNodeMeshCube")
    group.links.new(cube.outputs[0], group.nodes.new("NodeGroupOutput").inputs[0])
    drive(cube.inputs["Size"], "default_value", index=0)
    link().modifiers.new("nodes", "NODES").node_group = group


def bone():
    armature = bpy.data.objects.new("bender", bpy.data.armatures.new("bones"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones.new("bone").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    drive(armature.pose.bones["bone"], "location", index=0)
    ob = link(parent=armature)
    ob.parent_type, ob.parent_bone = "BONE", "bone"


def value_of_a_blocked_one():
    follow(link(), "location", bender(), "location.x")


def value_of_the_scene():
    scene = bpy.context.scene
    scene["reach"] = 1.0
    drive(scene, '["reach"]')
    follow(link(), "location", scene, '["reach"]')


def instance():
    inside = bpy.data.collections.new("inside")
    ob = link()
    bpy.context.scene.collection.objects.unlink(ob)
    inside.objects.link(ob)
    drive(ob, "scale", index=0)
    maker = empty("maker")
    maker.instance_type, maker.instance_collection = "COLLECTION", inside


def density():
    drive(link(), "sdf_inertia.density")


DEPENDS = [itself, parent, grandparent, part, delta, shape_key, modifier, target_of_a_modifier]
DEPENDS += [target_of_a_constraint, influence_of_a_constraint, curve, geometry_nodes, bone, value_of_a_blocked_one]
DEPENDS += [value_of_the_scene, instance, density]


def plain():
    ob = link()
    drive(ob, "location", "frame * 2", index=0)
    drive(ob, "scale", ALLOWED, index=0)


def untagged():
    link()
    bender()


def material():
    paint = bpy.data.materials.new("paint")
    drive(paint, "diffuse_color", index=0)
    link().data.materials.append(paint)


def render_only():
    drive(link(), "hide_render")


def child_of_a_link():
    drive(empty("below", link()), "location", index=0)


def broken():
    """A driver that fails by itself, where Blender has blocked another."""
    ob = link()
    follow(ob, "location", empty("source"), "no_such_property")
    bender()


FREE = [plain, broken, untagged, material, render_only, child_of_a_link]


@pytest.fixture
def saved(scene, tmp_path):
    """Save what a function makes, and load it as Blender does unasked."""

    def save(make):
        make()
        path = tmp_path / f"{make.__name__}.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        bpy.ops.wm.open_mainfile(filepath=str(path), use_scripts=False)
        bpy.context.evaluated_depsgraph_get()
        return path

    yield save
    # The wheels of 4.2 and 4.5 crash or hang at exit while a compiled driver is still there.
    bpy.ops.wm.read_homefile(use_empty=True)


@pytest.mark.parametrize("make", DEPENDS, ids=lambda make: make.__name__)
def test_what_depends_on_a_blocked_driver_is_refused_by_name(saved, make):
    saved(make)
    assert bpy.app.autoexec_fail
    model, bodies = read()
    (body,) = bodies
    assert body.refused
    found = [finding for finding in body.all_findings() if finding.code == "driver_blocked"]
    assert found and all(finding.severity == "error" for finding in found)
    assert all("part" in finding.subject or "body" in finding.subject for finding in found)
    assert "no_name(2)" in found[0].message and "--trust" in found[0].remedy


def test_the_finding_names_the_driver_and_whose_it_is(saved):
    saved(grandparent)
    found = findings()["driver_blocked"]
    assert found.subject == "part"
    assert "the object 'bender'" in found.message and "location[0]" in found.message


def test_a_driver_of_a_single_value_has_no_index(saved):
    saved(curve)
    assert "the curve 'tube', whose driver of bevel_depth runs" in findings()["driver_blocked"].message


@pytest.mark.parametrize("make", FREE, ids=lambda make: make.__name__)
def test_what_does_not_depend_on_one_is_not(saved, make):
    saved(make)
    _model, (body,) = read()
    assert not body.refused
    assert "driver_blocked" not in findings()


def test_the_panels_numbers_say_the_same(saved):
    saved(parent)
    live = module("sdf_inertia_addon.live")
    for _second in range(2):
        (shown,) = live.model(bpy.context.evaluated_depsgraph_get()).links
        assert shown.body.refused
        assert "driver_blocked" in {finding.code for finding in shown.body.all_findings()}
        bpy.data.objects["part"].location.y += 1.0
        bpy.context.view_layer.update()


def test_a_script_that_was_not_run_is_a_warning(saved):
    def scripted():
        link()
        text = bpy.data.texts.new("rig.py")
        text.write("import bpy\n")
        text.use_module = True
        bpy.data.texts.new("notes").write("not a script")

    saved(scripted)
    found = findings()["scripts_blocked"]
    assert found.severity == "warning"
    assert "rig.py" in found.message and "notes" not in found.message
    assert not read()[1][0].refused


def rig():
    """A good link, and one whose length a function of the file's own script sets to 3."""
    link("good")
    drive(link("bent"), "scale", "length_of(1)", index=0)
    text = bpy.data.texts.new("rig.py")
    text.write("import bpy\nbpy.app.driver_namespace['length_of'] = lambda n: 3.0 * n\n")
    text.use_module = True


def headless(path, out, *options):
    return subprocess.run(python(HEADLESS, path, "--output", out, *options), capture_output=True, text=True, timeout=60)


def test_headless_refuses_and_writes_nothing(saved, tmp_path):
    run = headless(saved(rig), tmp_path / "out")
    assert run.returncode == 1, run.stderr
    assert "error: bent: " in run.stderr and "[driver_blocked]" in run.stderr
    assert "length_of(1)" in run.stderr and "scale[0]" in run.stderr
    assert "[scripts_blocked]" in run.stderr
    assert not (tmp_path / "out").exists()


def test_headless_skips_it_and_writes_the_others(saved, tmp_path):
    run = headless(saved(rig), tmp_path / "out", "--skip-invalid")
    assert run.returncode == 1
    links = etree.parse(tmp_path / "out" / "rig" / "model.sdf").findall(".//link")
    assert [one.get("name") for one in links] == ["good"]


def test_trusted_scripts_run_and_their_numbers_are_written(saved, tmp_path):
    run = headless(saved(rig), tmp_path / "out", "--trust", "--inertia", "filled")
    assert run.returncode == 0, run.stderr
    assert "blocked" not in run.stderr
    links = etree.parse(tmp_path / "out" / "rig" / "model.sdf").findall(".//link")
    masses = {one.get("name"): float(one.findtext("inertial/mass")) for one in links}
    assert masses == {"bent": pytest.approx(3000.0), "good": pytest.approx(1000.0)}
