# SPDX-License-Identifier: GPL-3.0-or-later
"""Save .blend files that together use every setting there is, for all later versions to read.

.venvs/bpy-4.2/bin/python -m tests.blender.saved.make

run with the oldest supported Blender, so that all can open them. Each file is named by the version of the product that
saved it, and never saved again once that version is published: what a newer version adds goes into new files. Beside
each stands a JSON of what it holds, as `contents` reads it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import bpy

from ..scenes import BOX_FACES, add, box_mesh, checkout, empty, export, mesh_data, module, tag, wedge_mesh

HERE = Path(__file__).resolve().parent


def parts() -> None:
    """Each geometry, method and way to give a density, on collisions of one link."""
    body = tag(empty("body", location=(0.5, 0.25, -1), rotation_euler=(0.1, 0.2, 0.3)), "link", material="Steel")
    tag(body, method="EXACT")
    kinds = ("MESH", "BOX", "SPHERE", "CYLINDER", "CAPSULE", "CONE", "ELLIPSOID")
    sizes = {"BOX": (1, 2, 3), "CYLINDER": (1, 1, 3), "CAPSULE": (1, 1, 3), "CONE": (1, 1, 2), "ELLIPSOID": (1, 2, 3)}
    for number, kind in enumerate(kinds):
        ob = add(box_mesh(sizes.get(kind, (1, 1, 1))), f"part_{kind.lower()}", body, location=(5 * number, 0, 0))
        tag(ob, "collision", geometry=kind)
    tag(bpy.data.objects["part_box"], use_density=True, density=1234.5)
    tag(bpy.data.objects["part_cone"], material="ABS", infill=30.0)
    tag(add(wedge_mesh(), "voxels", body, location=(0, 5, 0)), "collision", "visual", method="VOXEL", voxel_size=0.0625)
    tag(add(wedge_mesh(), "hull", body, location=(5, 5, 0)), "collision", method="HULL")
    sheet = mesh_data([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2, 3)])
    tag(add(sheet, "shell", body, location=(10, 5, 0)), "collision", method="SHELL", thickness=0.125)
    tag(add(wedge_mesh(), "seen", body, location=(15, 5, 0)), "visual")


def links() -> None:
    """Each way to write an inertia, in millimetres; the overlay as nobody has it who never looked."""
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", 0.001
    base = tag(add(box_mesh((200, 100, 50)), "base"), "link", "collision", "visual", inertia="AUTO", material="PLA")
    arm = tag(add(box_mesh((20, 20, 300)), "arm", base, location=(0, 0, 200)), "link", "collision", inertia="FILLED")
    tag(arm, use_mass=True, mass=0.75, use_density=True, density=2700.0)
    hand = tag(add(wedge_mesh(), "hand", arm, scale=(40, -50, 60), location=(0, 0, 150)), "link", "collision")
    tag(hand, inertia="MANUAL", manual_mass=0.25, manual_com=(1.5, -2.5, 3.5))
    tag(hand, manual_inertia=(0.001, 0.002, 0.0025, 0.0001, -0.0002, 0.0003))
    settings = scene.sdf_inertia
    settings.show, settings.scope, settings.shape, settings.center = False, "SELECTED", "BOX", "LEAD"
    settings.show_axes, settings.show_total, settings.show_parts, settings.show_voxels = False, True, True, True
    settings.labels, settings.in_front, settings.opacity = "ACTIVE", True, 0.625
    settings.colors = '{"base": 2, "arm": 0, "hand": 1}'


def collections() -> None:
    """A collection with an exporter of its own, and one that is instanced; the overlay's other choices."""
    settings = bpy.context.scene.sdf_inertia
    settings.scope, settings.shape, settings.center, settings.labels = "ACTIVE", "NONE", "NONE", "NONE"
    left = _collection("left", tag(add(box_mesh(), "left_arm"), "link", "collision", material="Steel"))
    bpy.context.view_layer.active_layer_collection = bpy.context.view_layer.layer_collection.children["left"]
    with bpy.context.temp_override(collection=left):
        bpy.ops.collection.exporter_add(name=module("sdf_inertia_addon.names").FILE_HANDLER)
    options = left.exporters[0].export_properties
    options.filepath, options.inertia, options.skip_invalid = "//left.sdf", "FILLED", True
    options.strict_auto, options.uri_style, options.mesh_format = True, "model", "stl"
    wheel = _collection("wheel", tag(add(mesh_data(*_prism()), "tyre"), "collision", use_density=True, density=1100.0))
    bpy.context.view_layer.layer_collection.children["wheel"].exclude = True
    for side, y in (("left", 1.0), ("right", -1.0)):
        axle = tag(empty(f"axle_{side}", location=(0, y, 0)), "link")
        maker = empty(f"wheel_{side}", axle)
        maker.instance_type, maker.instance_collection = "COLLECTION", wheel


SCENES: tuple[Callable[[], None], ...] = (parts, links, collections)


def _collection(name: str, *obs: bpy.types.Object) -> bpy.types.Collection:
    made = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(made)
    for ob in obs:
        made.objects.link(ob)
        bpy.context.scene.collection.objects.unlink(ob)
    return made


def _prism() -> tuple[list[tuple[float, float, float]], tuple[tuple[int, ...], ...]]:
    return [(x, y, 0.5 * z + 0.125 * x) for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], BOX_FACES


# --- what a file holds -----------------------------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, object]:
    """Return every setting in the loaded file, and the numbers of its model, exported into a folder."""
    tagged = {ob.name: values(ob.sdf_inertia) for ob in sorted(bpy.data.objects, key=lambda ob: ob.name)}
    exporters = {
        collection.name: [values(exporter.export_properties) for exporter in collection.exporters]
        for collection in bpy.data.collections
        if collection.exporters
    }
    result = export(folder)
    assert result.sdf is not None, result.findings
    numbers = {
        body.name: {
            "mode": body.mode,
            "mass": body.inertial.mass,
            "com": body.inertial.com.tolist(),
            "inertia": body.inertial.inertia.tolist(),
        }
        for body in result.bodies
    }
    return {
        "blender": bpy.app.version_string,
        "objects": tagged,
        "scene": values(bpy.context.scene.sdf_inertia),
        "exporters": exporters,
        "links": numbers,
    }


def values(settings: bpy.types.bpy_struct) -> dict[str, object]:
    """Return the settings of ours that Blender saves."""
    ours = [one for one in settings.bl_rna.properties if one.is_runtime and not one.is_skip_save]
    found = {one.identifier: getattr(settings, one.identifier) for one in ours}
    return {
        name: list(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
        for name, value in found.items()
    }


def unused(kind: bpy.types.bpy_struct, seen: list[dict[str, object]]) -> list[str]:
    """Return which settings, and which of their choices, nothing seen makes use of."""
    missing = []
    for setting in kind.bl_rna.properties:
        if setting.is_runtime and not setting.is_skip_save:
            used = [values[setting.identifier] for values in seen]
            wanted = setting.enum_items.keys() if setting.type == "ENUM" else []
            missing += [f"{setting.identifier} {choice}" for choice in wanted if choice not in used]
            if len({str(value) for value in used}) < 2:
                missing.append(setting.identifier)
    return missing


def main() -> None:
    bpy.context.preferences.filepaths.save_version = 0  # no .blend1
    made = []
    version = module("core.version").version()
    for make in SCENES:
        bpy.ops.wm.read_homefile(use_empty=True)
        make()
        path = HERE / f"{version}-{make.__name__}.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
        with tempfile.TemporaryDirectory() as folder:
            made.append(contents(Path(folder)))
        text = json.dumps(made[-1], indent=1, ensure_ascii=False)
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    missing = unused(
        bpy.types.Object.bl_rna.properties["sdf_inertia"].fixed_type,
        [values for one in made for values in one["objects"].values()],
    )
    missing += unused(bpy.types.Scene.bl_rna.properties["sdf_inertia"].fixed_type, [one["scene"] for one in made])  # type: ignore[misc]
    assert not missing, f"no saved file uses {missing}"


if __name__ == "__main__":
    addon = checkout()
    addon.register()
    try:
        main()
    finally:
        addon.unregister()
