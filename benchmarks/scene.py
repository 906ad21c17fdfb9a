# SPDX-License-Identifier: GPL-3.0-or-later
"""From an evaluated Blender object to its Inertial, in multiples of what reading its mesh takes."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from .exact import torus
from .timing import interleaved

TRIANGLES = 1_000_000
TARGET = 15.0


def table() -> str:
    """Return the figures as a Markdown table."""
    package = checkout()
    package.register()
    try:
        return _measure(package.__name__)
    finally:
        package.unregister()


def checkout() -> Any:
    """Return the checkout as a package, not yet registered."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "sdf_inertia_addon"))
    headless = import_module("headless")
    sys.path.pop(0)
    return headless.import_checkout()


def mesh_object(name: str, triangles: int) -> Any:
    """Put a torus of about so many triangles into the scene."""
    vertices, faces = torus(triangles)
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", vertices.ravel())
    mesh.loops.add(faces.size)
    mesh.loops.foreach_set("vertex_index", faces.ravel())
    mesh.polygons.add(len(faces))
    mesh.polygons.foreach_set("loop_start", np.arange(0, faces.size, 3, dtype=np.int32))
    mesh.update(calc_edges=True)
    ob = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(ob)
    return ob


def _measure(package: str) -> str:
    evaluated_mesh: Any = import_module(f"{package}.sdf_inertia_addon.scene.evaluated.evaluated_mesh")
    live: Any = import_module(f"{package}.sdf_inertia_addon.live")
    ob = _object()
    depsgraph = bpy.context.evaluated_depsgraph_get()

    def read() -> None:
        evaluated_mesh.forget()
        evaluated_mesh.surface_of(ob.evaluated_get(depsgraph))

    def whole() -> None:
        live.forget()
        body = live.link_body(depsgraph, ob)
        assert body.inertial is not None and body.method == "exact"

    def again() -> None:
        live.link_body(depsgraph, ob)

    times = interleaved({"read": read, "whole": whole, "again": again})
    rows = "".join(
        f"| {name} | {times[key] * 1e3:.1f} ms | {times[key] / times['read']:.1f} x |\n"
        for name, key in (
            ("reading vertices and triangles", "read"),
            (f"object to Inertial (target: at most {TARGET:g} x)", "whole"),
            ("the same, mesh unchanged", "again"),
        )
    )
    title = f"{len(ob.data.polygons):,} triangles in Blender {bpy.app.version_string}"
    return f"| {title} | time | ratio |\n|---|---:|---:|\n{rows}"


def _object() -> bpy.types.Object:
    bpy.ops.wm.read_homefile(use_empty=True)
    ob = mesh_object("torus", TRIANGLES)
    ob.sdf_inertia.is_link = ob.sdf_inertia.is_collision = True
    bpy.context.view_layer.update()
    return ob
