# SPDX-License-Identifier: GPL-3.0-or-later
"""Run in Blender by `benchmarks.imports`: import one file, and print what came in, where, and in how long."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import bpy
import numpy as np


def main() -> int:
    """Import a file with the extension of a checkout, and print a line of JSON."""
    checkout, file = sys.argv[1:]
    addon = _headless(Path(checkout)).prepare()
    try:
        bpy.ops.wm.read_homefile(use_empty=True)
        begun = time.process_time()
        error = ""
        with TemporaryFile("w+") as said:
            with _printing_into(said):
                try:
                    bpy.ops.sdf_inertia.import_sdf(filepath=file)
                except RuntimeError as reason:
                    error = str(reason).strip()
            seconds = time.process_time() - begun
            said.seek(0)
            warnings = sum(line.startswith("Warning: ") for line in said)
        bpy.context.view_layer.update()
        parts = [part for ob in bpy.data.objects if (part := _part(ob)) is not None]
        made = {"s": seconds, "error": error, "warnings": warnings, "parts": parts, "poses": _poses()}
        print(json.dumps(made), flush=True)
        bpy.ops.wm.read_homefile(use_empty=True)
    finally:
        addon.unregister()
    return 0


@contextmanager
def _printing_into(file: IO[str]) -> Iterator[None]:
    """Write into a file what is printed, also by Blender itself: the reports of operators."""
    sys.stdout.flush()
    terminal = os.dup(1)
    os.dup2(file.fileno(), 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(terminal, 1)
        os.close(terminal)


def _poses() -> dict[str, list[list[float]]]:
    """Return the pose of each link and frame in the scene as a matrix (4, 4), from its own and its parents' numbers.

    Blender stores them in single precision; their product is here in double precision.
    """
    kinds = [ob for ob in bpy.data.objects if ob.sdf_inertia.is_link or ob.sdf_inertia.is_frame]
    return {ob.sdf_inertia.sdf_name: _pose(ob).tolist() for ob in kinds}


def _pose(ob):
    X = np.eye(4)
    for axis, angle in enumerate(ob.rotation_euler):
        c, s = np.cos(angle), np.sin(angle)
        turn = np.eye(3)
        turn[np.ix_(*[[i for i in range(3) if i != axis]] * 2)] = [[c, s], [-s, c]] if axis == 1 else [[c, -s], [s, c]]
        X[:3, :3] = turn @ X[:3, :3]
    X[:3, 3] = ob.location
    return X if ob.parent is None else _pose(ob.parent) @ X


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
