# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files with their materials: those of COLLADA from core, those of glTF and OBJ through Blender's own importers.

What core reads counts, and what Blender makes of it is taken where it is the same: OBJ face by face, glTF as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import pi
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.arrays import FloatArray, TriangleArray, VertexArray
from ...core.errors import InertiaError
from ...core.files.gltf_document import GltfDocument
from ...core.files.input_file import SiblingFiles, naming, read_bytes
from ...core.files.limits import max_bytes
from ...core.files.mesh_file import MeshFile
from ...core.files.mesh_store import Loaders, load_mesh
from ...core.files.polygons import fans
from ...core.formats.sdf.collision import MeshUse
from ...core.mesh.surface import Surface
from .materials import Materials

FROM_Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""From Blender's axes to those of a glTF file, as simulators take them."""

SHARP = pi / 6
"""An edge between smooth faces at a larger angle [rad] is drawn sharp."""

ROUNDING = 1e-5
"""How much a glTF mesh may differ from core's, relative to its size: Blender's matrices are single precision, and a
rotation or scale of several nodes loses a few of its seven digits."""

MADE = ("objects", "collections", "cameras", "lights", "armatures", "actions", "meshes")
"""What an importer makes and nobody needs once its meshes are joined."""

LOOKS = ("materials", "node_groups", "textures", "images")
"""What it makes for looks, which stays where something uses it."""


class MeshFiles:
    """Reads mesh files, each once, some by Blender's importers; close it when the objects are made."""

    def __init__(self) -> None:
        self.materials = Materials()
        self.made: list[bpy.types.ID] = []
        """Objects, collections and meshes that were made with them."""
        self._meshes: dict[Path, bpy.types.Mesh | None] = {}
        self._files: dict[Path, MeshFile] = {}
        self._roots: dict[Path, tuple[Path, ...]] = {}
        self._before = {kind: _pointers(kind) for kind in LOOKS}

    @property
    def loaders(self) -> Loaders:
        """What reads the files whose looks are needed; in any thread."""
        return dict.fromkeys((".gltf", ".glb", ".dae"), self._load)

    def mesh(self, use: MeshUse, surface: Surface, name: str) -> bpy.types.Mesh:
        """Return the mesh of a surface that core has read, with the materials of its file if they fit it."""
        made = self._imported_alike(use, surface)
        if made is not None:
            made.name = name
            return made
        made = new_mesh(name, surface.vertices, surface.triangles)
        file = self._files.get(use.path)
        if file is not None and file.looks:
            self._shade(made, file, use.submesh)
        return made

    def discard(self) -> None:
        """Remove all that was made, as far as it is still there."""
        bpy.data.batch_remove([data for data in dict.fromkeys(self.made) if _is_there(data)])

    def close(self) -> None:
        """Remove what no object uses."""
        for mesh in self._meshes.values():
            if mesh is not None and _is_there(mesh) and not mesh.users:
                bpy.data.meshes.remove(mesh)
        for kind in LOOKS:
            for data in _new(kind, self._before[kind]):
                if not data.users:
                    getattr(bpy.data, kind).remove(data)

    def _imported_alike(self, use: MeshUse, surface: Surface) -> bpy.types.Mesh | None:
        """Return the mesh that Blender imports from a file, if it has materials and is the surface."""
        suffix = use.path.suffix.lower()
        if use.submesh is not None or suffix not in (".obj", ".gltf", ".glb"):
            return None
        is_obj = suffix == ".obj"
        if use.path not in self._meshes:
            self._meshes[use.path] = None
            try:
                if is_obj:
                    self._meshes[use.path] = _imported(use.path, bpy.ops.wm.obj_import, np.eye(3), **OBJ)
                else:
                    _check_pictures(use.path, self._roots.get(use.path, (use.path.parent,)))
                    self._meshes[use.path] = _imported(use.path, bpy.ops.import_scene.gltf, FROM_Z_UP)
            except InertiaError:
                return None
        mesh, alike = self._meshes[use.path], same_faces if is_obj else same_whole
        return mesh if mesh is not None and mesh.materials and alike(surface, surface_of(mesh)) else None

    def _shade(self, mesh: bpy.types.Mesh, file: MeshFile, submesh: str | None) -> None:
        """Give a mesh the materials, texture coordinates and smooth faces of the submeshes that it is made of."""
        looks = [
            look
            for part, look in zip(file.submeshes, file.looks, strict=True)
            if submesh is None or part.name == submesh
        ]
        names = list(dict.fromkeys(look.material for look in looks))
        for given in names:
            mesh.materials.append(None if given is None else self.materials.of_mesh_file(given, file.path.parent))
        index = [np.full(len(look.smooth), names.index(look.material), dtype=np.int32) for look in looks]
        mesh.polygons.foreach_set("material_index", np.concatenate(index))
        smooth = np.concatenate([look.smooth for look in looks])
        if smooth.any():
            mesh.set_sharp_from_angle(angle=SHARP)  # makes all faces smooth
            mesh.polygons.foreach_set("use_smooth", smooth)
        if any(look.uv is not None for look in looks):
            uv = [np.zeros((len(look.smooth), 3, 2)) if look.uv is None else look.uv for look in looks]
            mesh.uv_layers.new().data.foreach_set("uv", np.concatenate(uv).astype(np.float32).ravel())

    def _load(self, path: Path, roots: tuple[Path, ...]) -> MeshFile:
        self._files[path] = file = load_mesh(path, roots, with_looks=True)
        self._roots[path] = roots
        return file


def _check_pictures(path: Path, roots: tuple[Path, ...]) -> None:
    """Check that a glTF file names only files that may be read: Blender opens them all. Pictures may be missing.

    Raises
    ------
    InertiaError
        ``bad_mesh_file``, ``file_too_large`` or what `SiblingFiles` raises.
    """
    siblings = SiblingFiles(path, roots, max_bytes(path))
    with naming(path):
        for picture in GltfDocument(read_bytes(path, max_bytes(path)), siblings).entries("images"):
            uri = picture.get("uri", "data:")
            try:
                if not uri.startswith("data:"):
                    siblings.get(uri)
            except InertiaError as error:
                if error.code != "file_read":
                    raise


def _is_there(data: bpy.types.ID) -> bool:
    """Return False for what was removed, as by an undo."""
    try:
        return bool(data.name)
    except ReferenceError:
        return False


OBJ: dict[str, Any] = {"forward_axis": "Y", "up_axis": "Z", "use_split_objects": False, "use_split_groups": False}
"""The axes of the file."""


def surface_of(mesh: bpy.types.Mesh) -> Surface:
    """Return a mesh of triangles as a surface."""
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    corners = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    return Surface(flat.reshape(-1, 3), corners.reshape(-1, 3))


def same_faces(first: Surface, second: Surface) -> bool:
    """Return True if two surfaces have the same triangles, to float32, in any order."""
    if len(first.triangles) != len(second.triangles):
        return False
    return bool(np.array_equal(_sorted_corners(first), _sorted_corners(second)))


def same_whole(first: Surface, second: Surface) -> bool:
    """Return True if two surfaces have the same box and area, to `ROUNDING`, whichever way their faces are wound."""
    size = float(first.extent().max())
    boxes, areas = (np.array([surface.bounds() for surface in (first, second)]), [_area(first), _area(second)])
    return bool(np.ptp(boxes, axis=0).max() <= ROUNDING * size and np.ptp(areas) <= ROUNDING * max(areas))


def _area(surface: Surface) -> float:
    a, b, c = (surface.vertices[corner].astype(np.float64) for corner in surface.triangles.T)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def _sorted_corners(surface: Surface) -> FloatArray:
    """Return the triangles' corners (m, 9), each triangle from its first corner on, all in one order."""
    points = surface.vertices.astype(np.float32) + np.float32(0.0)  # there is but one zero
    rank = np.unique(points, axis=0, return_inverse=True)[1].reshape(-1)[surface.triangles]
    first = rank.argmin(axis=1)[:, None]
    turned = np.take_along_axis(surface.triangles, (first + np.arange(3)) % 3, axis=1)
    corners: FloatArray = points[turned].reshape(-1, 9)
    ordered: FloatArray = corners[np.lexsort(corners.T)]
    return ordered


def _imported(path: Path, importer: Any, turn: FloatArray, **options: Any) -> bpy.types.Mesh:
    """Return all meshes of a file as one of triangles, turned; nothing else of what an importer makes stays."""
    with _scene_of_its_own() as scene:
        try:
            with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0], collection=scene.collection):
                importer(filepath=str(path), **options)
        except (RuntimeError, AttributeError) as error:
            message = str(error).strip().splitlines()[-1] if str(error).strip() else "no reason given"
            raise InertiaError.of("bad_mesh_file", str(path), reason=message) from None
        scene.view_layers[0].update()
        pieces = [_Piece(ob, turn) for ob in scene.collection.all_objects if _is_mesh(ob)]
    if not pieces:
        raise InertiaError.of("no_faces", str(path))
    return _joined(pieces, path.stem)


def _is_mesh(ob: bpy.types.Object) -> bool:
    return isinstance(ob.data, bpy.types.Mesh) and len(ob.data.polygons) > 0


class _Piece:
    """The mesh of an imported object: points in world coordinates, its polygons as fans."""

    def __init__(self, ob: bpy.types.Object, turn: FloatArray) -> None:
        mesh: Any = ob.data
        self.materials = [slot.material for slot in ob.material_slots]
        M = np.array(ob.matrix_world, dtype=np.float64)
        points = _read(mesh.vertices, "co", 3, np.float32).reshape(-1, 3).astype(np.float64)
        self.points = (points @ M[:3, :3].T + M[:3, 3]) @ turn.T
        count = _read(mesh.polygons, "loop_total", 1, np.int32)
        loops = fans(count, np.arange(len(mesh.loops))).triangles  # as core cuts polygons
        if np.linalg.det(M[:3, :3]) < 0.0:
            loops = loops[:, ::-1]
        self.triangles = _read(mesh.loops, "vertex_index", 1, np.int32)[loops]
        self.material = np.repeat(_read(mesh.polygons, "material_index", 1, np.int32), count - 2)
        self.smooth = np.repeat(_read(mesh.polygons, "use_smooth", 1, bool), count - 2)
        uv = mesh.uv_layers.active
        self.uv = np.zeros((len(loops), 3, 2), dtype=np.float32)
        self.has_uv = uv is not None
        if uv is not None:
            self.uv = _read(uv.data, "uv", 2, np.float32).reshape(-1, 2)[loops]


def _read(rows: Any, name: str, size: int, kind: Any) -> Any:
    flat = np.empty(size * len(rows), dtype=kind)
    rows.foreach_get(name, flat)
    return flat


def new_mesh(name: str, points: VertexArray, polygons: TriangleArray) -> bpy.types.Mesh:
    """Make a mesh of vertices (n, 3) and flat polygons, all of them triangles (m, 3) or all of them quads (m, 4)."""
    mesh: Any = bpy.data.meshes.new(name)
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", np.asarray(points, dtype=np.float32).ravel())
    mesh.loops.add(polygons.size)
    mesh.loops.foreach_set("vertex_index", np.asarray(polygons, dtype=np.int32).ravel())
    mesh.polygons.add(len(polygons))
    mesh.polygons.foreach_set("loop_start", np.arange(0, polygons.size, polygons.shape[1], dtype=np.int32))
    mesh.polygons.foreach_set("use_smooth", np.zeros(len(polygons), dtype=bool))
    mesh.update(calc_edges=True)
    return mesh  # type: ignore[no-any-return]


def _joined(pieces: list[_Piece], name: str) -> bpy.types.Mesh:
    materials = list(dict.fromkeys(material for piece in pieces for material in piece.materials if material))
    start, triangles, index = 0, [], []
    for piece in pieces:
        triangles.append(piece.triangles + start)
        start += len(piece.points)
        slots = np.array(
            [materials.index(material) if material else 0 for material in piece.materials] or [0], dtype=np.int32
        )
        index.append(slots[np.minimum(piece.material, len(slots) - 1)])
    mesh = new_mesh(name, np.concatenate([piece.points for piece in pieces]), np.concatenate(triangles))
    for material in materials:
        mesh.materials.append(material)
    mesh.polygons.foreach_set("material_index", np.concatenate(index))
    mesh.polygons.foreach_set("use_smooth", np.concatenate([piece.smooth for piece in pieces]))
    if any(piece.has_uv for piece in pieces):
        mesh.uv_layers.new().data.foreach_set("uv", np.concatenate([piece.uv for piece in pieces]).ravel())
    mesh.update()
    return mesh


@contextmanager
def _scene_of_its_own() -> Iterator[bpy.types.Scene]:
    """Import into a scene that nobody sees, so that the user's selection, collections and units stay as they are."""
    before = {kind: _pointers(kind) for kind in MADE}
    scene = bpy.data.scenes.new("Import")
    try:
        yield scene
    finally:
        bpy.data.scenes.remove(scene)
        for kind in MADE:
            for data in _new(kind, before[kind]):
                getattr(bpy.data, kind).remove(data)


def _pointers(kind: str) -> set[int]:
    return {data.as_pointer() for data in getattr(bpy.data, kind)}


def _new(kind: str, before: set[int]) -> list[Any]:
    return [data for data in getattr(bpy.data, kind) if data.as_pointer() not in before]
