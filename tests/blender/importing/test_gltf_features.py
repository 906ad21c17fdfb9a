# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF files of one feature each: Blender's own importer shows what core reads."""

import bpy
import numpy as np
import pytest

from ...core.files.gltf_files import CASES, made
from ...thorough import sample
from ..scenes import module

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(197)]

Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""From the axes of a glTF file to Blender's."""

BY_SCENE = {"second_scene"}
"""Blender imports all scenes, core the default one."""


def shown():
    """Return the volume that the faces of all objects enclose, as Blender shows them, and their box."""
    graph = bpy.context.evaluated_depsgraph_get()
    volume, points = 0.0, []
    for ob in bpy.context.scene.objects:
        if ob.type == "MESH":
            evaluated = ob.evaluated_get(graph)
            mesh = evaluated.to_mesh()
            mesh.calc_loop_triangles()
            A = np.array(evaluated.matrix_world)
            corners = np.array([vertex.co for vertex in mesh.vertices]) @ A[:3, :3].T + A[:3, 3]
            faces = corners[np.array([face.vertices for face in mesh.loop_triangles], dtype=int).reshape(-1, 3)]
            a, b, c = faces.transpose(1, 0, 2)
            volume += np.sign(np.linalg.det(A[:3, :3])) * np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
            points.append(faces.reshape(-1, 3))
    points = np.concatenate(points)
    return volume, points.min(axis=0), points.max(axis=0)


@pytest.mark.parametrize("name", sample([name for name in CASES if name not in BY_SCENE], 16))
def test_blender_shows_the_solid_that_core_reads(name, tmp_path):
    file = made(name)
    path = file.write(tmp_path, name)
    bpy.ops.import_scene.gltf(filepath=str(path))
    icosphere = bpy.data.objects.get("Icosphere")  # the shape of bones
    if icosphere is not None:
        bpy.data.objects.remove(icosphere)
    surface, _ = module("core.files.mesh_file").load_surface(path)
    volume, low, high = shown()
    corners = surface.vertices[np.unique(surface.triangles)] @ Z_UP.T
    size = np.abs(corners).max()
    assert volume == pytest.approx(file.volume(), rel=1e-4)  # products of numbers in single precision
    np.testing.assert_allclose([low, high], [corners.min(axis=0), corners.max(axis=0)], atol=1e-5 * size)
