# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever is done to a scene, in whatever order: what is followed equals what is read anew."""

from pathlib import Path
from tempfile import TemporaryDirectory

import bmesh
import bpy
import numpy as np
import pytest

from ...thorough import THOROUGH
from ..scenes import FLOAT32, add, box_mesh, empty, module, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")

STEPS = 120 if THOROUGH else 40

NOISE = 64 * FLOAT32
"""Twice what the follower takes for the rounding of matrices (16), for the mass as for the tensor, in either."""


def depsgraph():
    return bpy.context.evaluated_depsgraph_get()


def followed():
    return module("sdf_inertia_addon.live").model(depsgraph())


def fresh():
    """Read and resolve everything anew."""
    sources = module("sdf_inertia_addon.scene.scene_read").read_scene_links(depsgraph())
    resolve = module("core.robot.resolve").resolve_link
    return [(source, resolve(source.link)) for source in sources.links], sources.findings


def told(findings):
    return [(finding.severity, finding.code, finding.subject) for finding in findings]


def assert_inertials_agree(actual, expected, size):
    """Compare to what float32 matrices hold: lengths as of the farthest from the world's origin that is around."""
    assert (actual is None) == (expected is None)
    if actual is None:
        return
    trace = np.trace(expected.inertia)
    radius = np.sqrt(trace / expected.mass)
    assert abs(actual.mass - expected.mass) <= NOISE * expected.mass
    assert np.abs(actual.com - expected.com).max() <= NOISE * (radius + size)
    # A centre of mass that is off by d moves the parts of a link against each other by as much.
    assert np.abs(actual.inertia - expected.inertia).max() <= NOISE * trace * (1.0 + size / radius)


def assert_followed(step=""):
    model, (links, findings) = followed(), fresh()
    assert [link.body.name for link in model.links] == [body.name for _, body in links], step
    assert told(model.findings) == told(findings), step
    assert not any(link.stale for link in model.links), step
    size = max((np.abs(np.array(ob.matrix_world)).max() for ob in bpy.data.objects), default=0.0)
    size *= model.metres_per_unit
    for link, (source, body) in zip(model.links, links, strict=True):
        assert (link.object, dict(link.parts)) == (source.object, dict(source.parts)), step
        assert told(link.body.all_findings()) == told(body.all_findings()), step
        assert (link.body.mode, link.body.method) == (body.mode, body.method), step
        assert np.abs(link.body.pose.R - body.pose.R).max() <= NOISE, step
        assert np.abs(link.body.pose.p - body.pose.p).max() <= NOISE * size, step
        assert_inertials_agree(link.body.inertial, body.inertial, size)
        assert [part.name for part in link.body.parts] == [part.name for part in body.parts], step
        for part, other in zip(link.body.parts, body.parts, strict=True):
            assert_inertials_agree(part.inertial, other.inertial, size)
    assert followed() is model, step  # and a second look costs nothing


class Scene:
    """A robot, and a thousand ways to change it."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.made = 0
        base = tag(add(wedge_mesh(), "base", scale=(1, 2, 1)), "link", "collision", use_density=True, density=700)
        arm = tag(empty("arm", base, rotation_euler=(1, 2, 3), location=(2, 0, 0)), "link", inertia="FILLED")
        for number in range(3):
            tag(add(box_mesh(), f"part{number}", base, location=(number, 0, 3)), "collision", "visual")
            tag(add(wedge_mesh(), f"bone{number}", arm, location=(0, number, 0)), "collision")
        empty("stray")
        self.instances = bpy.data.collections.new("instances")
        wheel = bpy.data.objects.new("wheel", box_mesh())
        self.instances.objects.link(wheel)
        tag(wheel, "link", "collision")
        bpy.ops.ed.undo_push(message="made")

    def any(self, *kinds):
        """Return an object of the scene, of one of these types, or None."""
        objects = [ob for ob in bpy.context.scene.objects if not kinds or ob.type in kinds]
        return objects[self.random.integers(len(objects))] if objects else None

    def vector(self, scale=1.0):
        return tuple(scale * self.random.standard_normal(3))

    def move(self):
        self.any().location = self.vector(3.0)

    def move_far(self):
        self.any().location = self.vector(1e3)

    def turn(self):
        self.any().rotation_euler = self.vector()

    def scale(self):
        self.any().scale = self.vector()

    def nudge(self):
        self.any().location.x += 1e-6

    def drag(self):
        """Move a link many times, as a mouse does, with a look at each place."""
        ob = self.any()
        for _ in range(10):
            ob.location.y += 0.1
            ob.rotation_euler.z += 0.1
            followed()

    def reparent(self):
        child, parent = self.any(), self.any()
        above = parent
        while above is not None and above is not child:
            above = above.parent
        if above is None:
            child.parent = parent

    def reparent_in_place(self):
        child = self.any()
        place = child.matrix_world.copy()
        child.parent = None
        child.matrix_world = place

    def edit_mesh(self):
        ob = self.any("MESH")
        if ob:
            ob.data.vertices[0].co.x += 0.25
            ob.data.update()

    def edit_mesh_without_telling(self):
        ob = self.any("MESH")
        if ob:
            points = np.empty(3 * len(ob.data.vertices), dtype=np.float32)
            ob.data.vertices.foreach_get("co", points)
            ob.data.vertices.foreach_set("co", points * 1.25)

    def edit_mode(self):
        ob = self.any("MESH")
        if ob and ob.visible_get():
            bpy.context.view_layer.objects.active = ob
            bpy.ops.object.mode_set(mode="EDIT")
            for _ in range(2):
                bm = bmesh.from_edit_mesh(ob.data)
                next(iter(bm.verts)).co.z += 0.25
                bmesh.update_edit_mesh(ob.data)
                assert_followed("in edit mode")
            bpy.ops.object.mode_set(mode="OBJECT")

    def open_mesh(self):
        ob = self.any("MESH")
        if ob:
            bm = bmesh.new()
            bm.from_mesh(ob.data)
            bm.faces.ensure_lookup_table()
            if bm.faces:
                bm.faces.remove(bm.faces[0])
            bm.to_mesh(ob.data)
            bm.free()
            ob.data.update()

    def swap_mesh(self):
        one, other = self.any("MESH"), self.any("MESH")
        if one:
            one.data = other.data

    def modify(self):
        ob = self.any("MESH")
        if ob and len(ob.modifiers) < 2:
            ob.modifiers.new("array", "ARRAY")

    def unmodify(self):
        ob = self.any("MESH")
        if ob:
            ob.modifiers.clear()

    def tag(self):
        name = self.random.choice(["is_link", "is_collision", "is_mass", "has_mass", "is_visual"])
        settings = self.any().sdf_inertia
        setattr(settings, name, not getattr(settings, name))

    def weigh(self):
        settings = self.any().sdf_inertia
        settings.use_density = True
        settings.density = self.random.uniform(1.0, 1e4)

    def name_material(self):
        self.any().sdf_inertia.material = self.random.choice(["Steel", "", "Unobtainium"])

    def choose(self):
        settings = self.any().sdf_inertia
        settings.inertia = self.random.choice(["AUTO", "FILLED", "MANUAL"])
        settings.geometry = self.random.choice(["MESH", "BOX", "ELLIPSOID"])
        settings.method = self.random.choice(["INHERIT", "EXACT", "HULL"])
        settings.manual_com = self.vector()

    def target_mass(self):
        settings = self.any().sdf_inertia
        settings.use_mass = not settings.use_mass
        settings.mass = self.random.uniform(0.1, 10.0)

    def hide(self):
        ob = self.any()
        ob.hide_set(not ob.hide_get())

    def disable(self):
        ob = self.any()
        ob.hide_viewport = not ob.hide_viewport

    def rename(self):
        self.made += 1
        self.any().name = self.random.choice([f"new{self.made}", "zz top", "a/b", "base"])

    def select(self):
        self.any().select_set(True)
        bpy.context.view_layer.objects.active = self.any()

    def delete(self):
        if len(bpy.context.scene.objects) > 5:
            bpy.data.objects.remove(self.any())

    def unlink(self):
        ob = self.any()
        if ob.name in bpy.context.scene.collection.objects and len(bpy.context.scene.objects) > 5:
            bpy.context.scene.collection.objects.unlink(ob)

    def make(self):
        self.made += 1
        tag(add(box_mesh(), f"made{self.made}", self.any(), location=self.vector()), "collision")

    def duplicate(self):
        copy = self.any().copy()
        bpy.context.scene.collection.objects.link(copy)

    def instance(self):
        self.made += 1
        ob = empty(f"instancer{self.made}", location=self.vector())
        ob.instance_type = "COLLECTION"
        ob.instance_collection = bpy.data.collections.get("instances")

    def uninstance(self):
        for ob in [ob for ob in bpy.context.scene.objects if ob.instance_type == "COLLECTION"]:
            bpy.data.objects.remove(ob)

    def drive(self):
        ob, other = self.any(), self.any()
        ob.sdf_inertia.use_density = True
        driver = ob.driver_add("sdf_inertia.density").driver
        variable = driver.variables.new()
        variable.type = "TRANSFORMS"
        variable.targets[0].id = other
        driver.expression = "100 + var * var"

    def frame(self):
        ob = self.any()
        ob.keyframe_insert("location", frame=1)
        ob.location = self.vector()
        ob.keyframe_insert("location", frame=20)
        bpy.context.scene.frame_set(int(self.random.integers(1, 20)))

    def units(self):
        bpy.context.scene.unit_settings.scale_length = self.random.choice([1.0, 0.001, 0.01])

    def load(self):
        with TemporaryDirectory() as folder:
            path = str(Path(folder) / "robot.blend")
            bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
            bpy.ops.wm.open_mainfile(filepath=path)

    def undo(self):
        bpy.ops.ed.undo()

    def redo(self):
        bpy.ops.ed.undo()
        assert_followed("undone")
        bpy.ops.ed.redo()

    def step(self, way):
        """Do it, and push an undo step, as operators do: Blender does not survive undo without."""
        try:
            getattr(self, way)()
        except RuntimeError as error:
            assert way in ("undo", "redo"), error  # there is nothing to undo
        if way not in ("undo", "redo"):
            bpy.ops.ed.undo_push(message=way)


WAYS = [name for name, way in vars(Scene).items() if callable(way) and not name.startswith("_")]
WAYS = [name for name in WAYS if name not in ("any", "vector", "step")]


@pytest.mark.fault(69)
@pytest.mark.parametrize("seed", range(6))
def test_random_steps_are_followed(seed):
    scene = Scene(seed)
    assert_followed("made")
    done = []
    for _ in range(STEPS):
        # Mostly moves, as in life; one thing at a time, or several between two looks.
        for _ in range(scene.random.integers(1, 3)):
            way = scene.random.choice(["move", "turn", "drag"] if scene.random.random() < 0.3 else WAYS)
            done.append(str(way))
            scene.step(way)
        assert_followed(" ".join(done[-8:]))


def test_the_ways_are_many_and_the_scene_is_followed_after_each_of_them_alone():
    assert len(WAYS) > 30 and {"undo", "redo", "tag"} <= set(WAYS)
    for number, way in enumerate(WAYS):
        bpy.ops.wm.read_homefile(use_empty=True)
        scene = Scene(number)
        assert_followed("made")
        scene.step(way)
        assert_followed(way)
        scene.step("move")
        assert_followed(f"{way}, move")
