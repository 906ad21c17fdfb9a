# SPDX-License-Identifier: GPL-3.0-or-later
"""From an evaluated Blender object to its Inertial, in multiples of what reading its mesh takes."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import bpy

from .exact import torus
from .timing import interleaved

TRIANGLES = 1_000_000
TARGET = 15.0


def table() -> str:
    """Return the figures as a Markdown table."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "sdf_inertia_addon"))
    headless = import_module("headless")
    sys.path.pop(0)
    checkout = headless.import_checkout()
    checkout.register()
    try:
        return _measure(checkout.__name__)
    finally:
        checkout.unregister()


def _measure(package: str) -> str:
    evaluated_mesh: Any = import_module(f"{package}.sdf_inertia_addon.evaluated_mesh")
    live: Any = import_module(f"{package}.sdf_inertia_addon.live")
    ob = _object()
    depsgraph = bpy.context.evaluated_depsgraph_get()

    def read() -> None:
        evaluated_mesh.forget()
        evaluated_mesh.surface_of(ob.evaluated_get(depsgraph))

    def whole() -> None:
        evaluated_mesh.forget()
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
    vertices, faces = torus(TRIANGLES)
    mesh = bpy.data.meshes.new("torus")
    mesh.from_pydata(vertices.tolist(), [], faces.tolist())
    ob = bpy.data.objects.new("torus", mesh)
    bpy.context.scene.collection.objects.link(ob)
    ob.sdf_inertia.is_link = ob.sdf_inertia.is_collision = True
    bpy.context.view_layer.update()
    return ob
