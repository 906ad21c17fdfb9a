# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the pictures that Blender's extensions platform shows, in its sizes, from the examples.

    .venv/bin/python tools/platform_pictures.py docs/platform

They are uploaded by hand (RELEASING.md), and are not in the zip.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "sdf_inertia_addon"))

import headless  # noqa: E402 - it makes bpy importable

WIDE = (1920, 1080)
"""Size of the featured picture and of previews; the icon has 256 x 256."""

ICON = 256


def main(folder: Path) -> None:
    """Write all pictures into a folder."""
    checkout = headless.prepare()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, example in {"featured": "rover", "preview-gripper": "gripper"}.items():
            headless.bpy.ops.wm.open_mainfile(filepath=str(ROOT / "examples" / f"{example}.blend"))
            _write_wide(folder / f"{name}.png")
        _new_scene()
        robot = ROOT / "examples" / "biped_description" / "urdf" / "biped.urdf"
        headless.bpy.ops.sdf_inertia.import_sdf(filepath=str(robot))
        _write_wide(folder / "preview-biped.png")
        _new_scene()
        _write_icon(folder / "icon.png")
    finally:
        checkout.unregister()
        _new_scene()


def _new_scene() -> None:
    headless.bpy.ops.wm.read_homefile(use_empty=True)


def _module(name: str) -> Any:
    return import_module(f"{headless.PACKAGE}.{name}")


def _write_wide(path: Path) -> None:
    preview = _module("sdf_inertia_addon.export.preview")
    preview.WIDTH, preview.HEIGHT = WIDE
    preview.INTERFACE = 1.7
    depsgraph, model = _read()
    unit = _module("sdf_inertia_addon.scene.scene_read").metres_per_unit(depsgraph.scene)
    preview.write_preview(path, preview.views_of(_resolved(model), depsgraph.scene), depsgraph, unit)
    with Image.open(path) as picture:  # 256 colours: a quarter of the size
        picture.quantize(method=Image.Quantize.FASTOCTREE).save(path, optimize=True)


def _write_icon(path: Path) -> None:
    """Draw a box with its ellipsoid, axes and centre of mass: the sign of the add-on, without labels."""
    bpy = headless.bpy
    bpy.ops.mesh.primitive_cube_add()
    box = bpy.context.object
    box.dimensions = (0.6, 0.45, 0.4)
    box.sdf_inertia.is_link = box.sdf_inertia.is_collision = True
    depsgraph, model = _read()
    preview, offscreen = _module("sdf_inertia_addon.export.preview"), _module("sdf_inertia_addon.export.offscreen")
    preview.WIDTH = preview.HEIGHT = ICON
    preview.INTERFACE = 2.6
    views, solids = preview.views_of(_resolved(model), depsgraph.scene), preview.solids_of(depsgraph)
    offscreen.require_gpu()
    ground, camera = preview.framed(views, solids)

    def draw() -> None:
        preview.draw_backdrop(solids, ground, camera)
        preview.draw_bodies(views, camera)

    path.write_bytes(offscreen.png(offscreen.halved(offscreen.picture(camera.width, camera.height, draw))))
    preview.forget()


def _read() -> tuple[Any, Any]:
    bpy = headless.bpy
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return depsgraph, _module("sdf_inertia_addon.scene.scene_read").read_model(depsgraph)


def _resolved(model: Any) -> Any:
    return _module("core.judge.geometry.resolve_model").resolve_model(model)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
