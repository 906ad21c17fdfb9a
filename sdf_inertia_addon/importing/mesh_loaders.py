# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files that core reads by libraries which Blender does not bring: glTF by Blender's own importer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.arrays import FloatArray, TriangleArray
from ...core.errors import InertiaError
from ...core.mesh.surface import Surface
from ...core.sdf.read.mesh_source import Loaders

Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""From Blender's axes to those of a glTF file, as simulators take them."""

KINDS = (
    "objects",
    "meshes",
    "materials",
    "images",
    "textures",
    "collections",
    "armatures",
    "actions",
    "cameras",
    "lights",
)
"""What an importer makes."""


def gltf_surface(path: Path) -> Surface:
    """Return the mesh of a glTF file in the file's own axes [m].

    Raises
    ------
    InertiaError
        ``bad_mesh_file`` where Blender does not read it, or what is wrong with the mesh.
    """
    with _taken_back() as made:
        try:
            bpy.ops.import_scene.gltf(filepath=str(path))
        except (RuntimeError, AttributeError) as error:
            message = str(error).strip().splitlines()[-1] if str(error).strip() else "no reason given"
            raise InertiaError("bad_mesh_file", str(path), message, "export it anew") from None
        bpy.context.view_layer.update()
        vertices, triangles, count = [], [], 0
        for ob in made():
            if ob.type == "MESH":
                points, faces = _faces(ob)
                vertices.append(points)
                triangles.append(faces + count)
                count += len(points)
    if not triangles:
        raise InertiaError("no_faces", str(path), "it has no faces", "export it anew")
    return Surface(np.concatenate(vertices), np.concatenate(triangles))


def collada_surface(path: Path) -> Surface:
    """Refuse COLLADA, which Blender 5 does not read, and the extension does not either."""
    message = f"{path.name} is COLLADA, which is not read in Blender"
    remedy = "convert it to GLB or OBJ beside it, by MeshLab or `assimp export`, and name that in the robot's file"
    raise InertiaError("unknown_format", str(path), message, remedy)


LOADERS: Loaders = {".gltf": gltf_surface, ".glb": gltf_surface, ".dae": collada_surface}


def _faces(ob: bpy.types.Object) -> tuple[FloatArray, TriangleArray]:
    mesh = ob.data
    assert isinstance(mesh, bpy.types.Mesh)
    mesh.calc_loop_triangles()
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    faces = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", faces)
    M = np.array(ob.matrix_world, dtype=np.float64)
    points: FloatArray = (flat.reshape(-1, 3).astype(np.float64) @ M[:3, :3].T + M[:3, 3]) @ Y_UP.T
    return points, faces.reshape(-1, 3)


@contextmanager
def _taken_back() -> Iterator[Callable[[], list[Any]]]:
    """Take back whatever comes into the file meanwhile, and leave selection and active object as they were."""
    known = {kind: {one.as_pointer() for one in getattr(bpy.data, kind)} for kind in KINDS}
    layer = bpy.context.view_layer
    active, selected = layer.objects.active, [ob for ob in layer.objects if ob.select_get()]

    def made(kind: str = "objects") -> list[Any]:
        return [one for one in getattr(bpy.data, kind) if one.as_pointer() not in known[kind]]

    try:
        yield made
    finally:
        for kind in KINDS:
            for one in made(kind):
                getattr(bpy.data, kind).remove(one)
        for ob in selected:
            ob.select_set(True)
        layer.objects.active = active
