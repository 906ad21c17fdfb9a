# SPDX-License-Identifier: GPL-3.0-or-later
"""Run in Blender by `benchmarks.imports`: import one file, and print what came in."""

from __future__ import annotations

import importlib.util
import io
import json
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

import bpy
import numpy as np


def main() -> int:
    """Import a file with the extension of a checkout, and print a line of JSON."""
    checkout, file = sys.argv[1:]
    addon = _headless(Path(checkout)).prepare()
    try:
        bpy.ops.wm.read_homefile(use_empty=True)
        begun = time.perf_counter()
        error = ""
        with redirect_stdout(io.StringIO()):
            try:
                bpy.ops.sdf_inertia.import_sdf(filepath=file)
            except RuntimeError as reason:
                error = str(reason).strip()
        seconds = time.perf_counter() - begun
        bpy.context.view_layer.update()
        parts = [part for ob in bpy.data.objects if (part := _part(ob)) is not None]
        print(json.dumps({"s": seconds, "error": error, "parts": parts}), flush=True)
        bpy.ops.wm.read_homefile(use_empty=True)
    finally:
        addon.unregister()
    return 0


def _headless(root: Path):
    spec = importlib.util.spec_from_file_location("headless", root / "sdf_inertia_addon" / "headless.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _part(ob) -> dict | None:
    """Return a visual or collision with its triangles, its size along its own axes [m], and its materials."""
    settings = ob.sdf_inertia
    if not (settings.is_visual or settings.is_collision) or ob.parent is None:
        return None
    mesh = ob.data
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    corners = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    size = np.ptp(points.reshape(-1, 3)[corners], axis=0) * np.abs(np.array(ob.scale))
    return {
        "link": ob.parent.sdf_inertia.sdf_name,
        "kind": "visual" if settings.is_visual else "collision",
        "geometry": settings.geometry,
        "triangles": len(mesh.loops) - 2 * len(mesh.polygons),
        "size": size.tolist(),
        "materials": [slot.material.name if slot.material else None for slot in ob.material_slots],
        "images": sum(
            node.type == "TEX_IMAGE"
            for slot in ob.material_slots
            if slot.material and slot.material.use_nodes
            for node in slot.material.node_tree.nodes
        ),
    }


if __name__ == "__main__":
    sys.exit(main())
