# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading, exporting and showing alter nothing of the user's."""

import hashlib

import bpy
import numpy as np
import pytest

from ..scenes import BOX_FACES, add, box_link, box_mesh, empty, export, mesh_data, module, read, select, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")


def digest():
    """Return what makes up the file and the user's state, as comparable values."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    state = {
        "data": {name: sorted(block.name for block in getattr(bpy.data, name)) for name in BLOCKS},
        "active": layer.objects.active and layer.objects.active.name,
        "mode": bpy.context.mode,
        "frame": scene.frame_current,
        "cursor": scene.cursor.location[:],
        "units": (scene.unit_settings.system, scene.unit_settings.scale_length),
        "dirty": bpy.data.is_dirty,
    }
    for ob in bpy.data.objects:
        settings = ob.sdf_inertia
        state[ob.name] = (
            np.array(ob.matrix_world).tobytes(),
            np.array(ob.matrix_basis).tobytes(),
            ob.parent and ob.parent.name,
            ob.select_get(),
            ob.hide_get(),
            ob.mode,
            [(modifier.name, modifier.type, modifier.show_viewport) for modifier in ob.modifiers],
            [collection.name for collection in ob.users_collection],
            {name: str(value) for name, value in ob.items()},
            [str(getattr(settings, p.identifier)) for p in settings.bl_rna.properties if p.type != "POINTER"],
            ob.data and (ob.data.name, ob.data.users),
        )
    for mesh in bpy.data.meshes:
        coordinates = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", coordinates)
        corners = np.empty(len(mesh.loops), dtype=np.int32)
        mesh.loops.foreach_get("vertex_index", corners)
        state[f"mesh {mesh.name}"] = (
            hashlib.sha256(coordinates.tobytes() + corners.tobytes()).hexdigest(),
            sorted(attribute.name for attribute in mesh.attributes if not attribute.name.startswith(".")),
            mesh.session_uid,
        )
    return state


BLOCKS = (
    "objects",
    "meshes",
    "curves",
    "collections",
    "scenes",
    "materials",
    "images",
    "node_groups",
    "cameras",
    "texts",
)


def crowd():
    """Fill the scene with all that is read: modifiers, mirrors, text, instances, hidden, bad and untagged objects."""
    base = tag(add(wedge_mesh(), "base", scale=(1, -2, 1)), "link", "collision", "visual", use_density=True)
    base["note"] = "the user's"
    part = tag(add(box_mesh(), "part", base, location=(0, 0, 3)), "collision", geometry="BOX", use_density=True)
    part.modifiers.new("array", "ARRAY").count = 2
    hidden = tag(add(box_mesh(), "hidden", base, location=(9, 0, 0)), "collision", use_density=True)
    hidden.hide_set(True)
    curve = bpy.data.curves.new("text", "FONT")
    curve.extrude = 0.1
    tag(add(curve, "text", base, location=(0, 9, 0)), "collision", "visual", use_density=True)
    wheel = tag(add(box_mesh(), "wheel"), "collision", use_density=True)
    wheels = bpy.data.collections.new("wheels")
    wheels.objects.link(wheel)
    bpy.context.scene.collection.objects.unlink(wheel)
    empty("corner", base, instance_type="COLLECTION", instance_collection=wheels, location=(5, 5, 5))
    voxels = box_link("voxels", inertia="FILLED", method="VOXEL", voxel_size=0.25)
    tag(add(mesh_data([vertex.co for vertex in voxels.data.vertices], BOX_FACES[1:]), "open"), "link", "collision")
    add(box_mesh(), "untagged")
    bpy.context.view_layer.update()
    return part


def panel(_tmp_path):
    for ob in bpy.context.scene.objects:
        module("sdf_inertia_addon.live").link_body(bpy.context.evaluated_depsgraph_get(), ob)


ACTS = {
    "read": lambda path: read(),
    "export auto": lambda path: export(path, inertia="AUTO", skip_invalid=True),
    "export filled": lambda path: export(path, inertia="FILLED", skip_invalid=True, mesh_format="stl"),
    "export refused": lambda path: export(path),
    "operator": lambda path: bpy.ops.sdf_inertia.export_sdf(filepath=str(path), skip_invalid=True),
    "panel": panel,
}


@pytest.mark.parametrize("mode", ["OBJECT", "EDIT", "SCULPT"])
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_nothing_of_the_users_is_changed(act, mode, tmp_path):
    part = crowd()
    select(part, bpy.data.objects["base"])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "robot.blend"))
    part = bpy.data.objects["part"]
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode=mode)
    before = digest()
    assert before["part"][3] and before["base"][3] and before["hidden"][4]
    for _again in range(2):
        act(tmp_path / "out")
        assert digest() == before


def test_the_digest_sees_a_change():
    crowd()
    before = digest()
    bpy.data.objects["wheel"].data.vertices[0].co.x += 1
    assert digest() != before


def test_the_saved_file_is_not_touched(tmp_path):
    crowd()
    blend = tmp_path / "robot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    before = hashlib.sha256(blend.read_bytes()).hexdigest(), blend.stat().st_mtime_ns
    export(tmp_path, skip_invalid=True)
    assert (hashlib.sha256(blend.read_bytes()).hexdigest(), blend.stat().st_mtime_ns) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["robot", "robot.blend"]


def test_undo_steps_are_not_made(tmp_path):
    crowd()
    bpy.ops.ed.undo_push(message="before")
    bpy.data.objects["untagged"].location.x = 5
    bpy.ops.ed.undo_push(message="moved")
    bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path), skip_invalid=True)
    bpy.ops.ed.undo()
    assert bpy.data.objects["untagged"].location.x == 0
