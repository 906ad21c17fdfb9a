# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel shows is what the export reports; it follows every change, and undo leaves it no stale reference."""

import bpy
import pytest

from ..scenes import add, box_link, box_mesh, empty, export, module, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")


def shown(ob):
    """Return the body of the link that the panel shows for `ob`, or None."""
    return module("sdf_inertia_addon.live").link_body(bpy.context.evaluated_depsgraph_get(), ob)


def numbers(body):
    return body.inertial.mass, body.inertial.com.tolist(), body.inertial.inertia.tolist(), body.mode, body.method


def robot():
    base = tag(add(wedge_mesh(), "base", scale=(1, 2, -1)), "link", "collision", use_density=True, density=700)
    tag(add(box_mesh(), "part", base, location=(0, 0, 3)), "collision", geometry="ELLIPSOID")
    arm = tag(empty("arm", base, rotation_euler=(1, 2, 3)), "link", inertia="FILLED", use_mass=True, mass=2)
    tag(add(box_mesh(), "bone", arm), "collision", method="VOXEL", voxel_size=0.3)
    return base, arm


def test_the_panel_shows_the_same_numbers_and_findings_as_the_report(tmp_path):
    obs = robot()
    bodies = {body.name: body for body in export(tmp_path).bodies}
    for ob in obs:
        body = shown(ob)
        assert numbers(body) == numbers(bodies[ob.name])
        assert body.all_findings() == bodies[ob.name].all_findings()
        assert [(part.name, part.inertial.mass) for part in body.parts] == [
            (part.name, part.inertial.mass) for part in bodies[ob.name].parts
        ]


def test_the_panel_shows_the_link_of_a_part():
    robot()
    assert shown(bpy.data.objects["part"]).name == "base"
    assert shown(bpy.data.objects["bone"]).name == "arm"


def test_the_panel_shows_nothing_for_an_object_in_no_link():
    robot()
    assert shown(add(box_mesh(), "stranger")) is None


def test_the_panel_follows_every_kind_of_change():
    base, _arm = robot()
    part = bpy.data.objects["part"]
    seen = [numbers(shown(base))]

    def move():
        part.location.x = 4

    def reshape():
        for vertex in base.data.vertices:
            vertex.co *= 1.5
        base.data.update()

    def weigh():
        base.sdf_inertia.density = 900

    def modify():
        part.modifiers.new("array", "ARRAY")

    def untag():
        part.sdf_inertia.is_collision = False

    def orphan():
        part.sdf_inertia.is_collision = True
        part.parent = None

    changes = (move, reshape, weigh, modify, untag)
    for change in changes:
        change()
        seen.append(numbers(shown(base)))
        assert seen[-1] != seen[-2], change.__name__
        assert numbers(shown(base)) == seen[-1]  # a second look is the same
    orphan()
    assert shown(part) is None


@pytest.mark.fault(69)
def test_the_panel_survives_undo_deletion_rename_and_another_file():
    robot()
    bpy.ops.ed.undo_push(message="before")
    before = numbers(shown(bpy.data.objects["base"]))
    bpy.data.objects["part"].location.x = 4
    bpy.data.objects["base"].name = "renamed"
    bpy.ops.ed.undo_push(message="after")
    after = shown(bpy.data.objects["renamed"])
    assert (after.name, numbers(after) != before) == ("renamed", True)
    bpy.ops.ed.undo()
    assert numbers(shown(bpy.data.objects["base"])) == before
    bpy.ops.ed.redo()
    assert numbers(shown(bpy.data.objects["renamed"])) == numbers(after)
    bpy.data.objects.remove(bpy.data.objects["part"])
    assert len(shown(bpy.data.objects["renamed"]).parts) == 1
    bpy.ops.wm.read_homefile(use_empty=True)
    assert shown(box_link("new")).inertial.mass == pytest.approx(1000)


def test_a_mesh_is_integrated_once_for_as_long_as_it_stays_the_same():
    base, _arm = robot()
    surface = module("sdf_inertia_addon.scene.evaluated.evaluated_mesh").surface_of

    def of(ob):
        return surface(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()))

    first = of(base)
    base.location.x = 9
    base.name = "renamed"
    assert of(base) is first
    base.data.vertices[0].co.z -= 1
    base.data.update()
    assert of(base) is not first
