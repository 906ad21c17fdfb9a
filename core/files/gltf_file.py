# SPDX-License-Identifier: Apache-2.0
"""Reads glTF: the triangles of each node of the default scene, in the axes of the file (y up).

All that moves, scales or repeats vertices is applied: quantized and sparse numbers, the matrices of nodes, the weights
of morph targets, skins in the pose of their joints, EXT_mesh_gpu_instancing. All else is refused by its name.
Format: Khronos glTF 2.0 specification, sections 3.5 to 3.7. Animations change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import FloatArray, TriangleArray, VertexArray
from ..mesh.surface import Surface
from .gltf_document import Entry, GltfDocument, demand, numbers, refuse_packed
from .input_file import SiblingFiles, naming
from .limits import Repeats, max_bytes
from .trimesh_scene import Piece, SceneFile, placed

POINTS, LINES, TRIANGLES, STRIP, FAN = 0, 1, 4, 5, 6
"""Modes of primitives."""

TRANSLATION, ROTATION, SCALE = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0)
"""What a node or an instance has that states none."""

PLACING = {"matrix", "translation", "rotation", "scale"}
"""What moves a node."""

SKINNED = 8
"""Memory that skinning takes per vertex, as a multiple of what a vertex takes that a node repeats."""


def read_gltf(path: Path, data: bytes, roots: tuple[Path, ...]) -> SceneFile:
    """Read a file's meshes, each placed by its node.

    Parameters
    ----------
    path : Path
        The file of the data, JSON or GLB.
    roots : tuple of Path
        Real paths of the folders of files that it may name. Pictures are not read.

    Raises
    ------
    InertiaError
        ``bad_mesh_file``, ``file_too_large``, or what `SiblingFiles` and `Surface` raise.
    """
    with naming(path), np.errstate(all="ignore"):  # infinite values are refused later
        return _Reader(data, SiblingFiles(path, roots, max_bytes(path))).read()


_Mesh = tuple[VertexArray, TriangleArray]


class _Reader:
    """Reads a file; each primitive, and each array of it, once."""

    def __init__(self, data: bytes, siblings: SiblingFiles) -> None:
        self.document = GltfDocument(data, siblings)
        Repeats(len(data)).visit(len(self.document.entries("nodes")))
        self.repeats, self.left_out = Repeats(len(data)), list[str]()
        self._meshes: dict[tuple[int, tuple[float, ...]], _Mesh] = {}
        self._worlds: dict[int, FloatArray] = {}

    def read(self) -> SceneFile:
        nodes = self.document.entries("nodes")
        names = self._names(nodes)
        self._place(names)
        placing = [(nodes[number], names[number], A) for number, A in self._worlds.items() if "mesh" in nodes[number]]
        return SceneFile([piece for node in placing for piece in self._pieces(*node)], "meters", self.left_out)

    def _names(self, nodes: list[Any]) -> list[str]:
        """Return the nodes' names: their own, or their numbers; a second one of the same name gets a number behind."""
        names, counts = dict[str, None](), Counter[str]()
        for number, node in enumerate(nodes):
            name = base = str(node.get("name") or number)
            while name in names:
                counts[base] += 1
                name = f"{base}_{counts[base]}"
            names[name] = None
        return list(names)

    def _place(self, names: list[str]) -> None:
        """Compute the matrix (4, 4) of each node of the scene, from the root on."""
        document = self.document
        demand(bool(document.entries("scenes")), "it has no scene, and only a scene gives meshes their places")
        scene = document.entry("scenes", document.header.get("scene", 0))
        waiting: list[tuple[Any, FloatArray]] = [(child, np.eye(4)) for child in scene.get("nodes", ())]
        while waiting:
            number, above = waiting.pop()
            node = document.entry("nodes", number)
            name = f"its node {number} '{names[number][:40]}'"
            demand(number not in self._worlds, f"{name} is listed twice; a node has one parent")
            self._worlds[number] = A = above @ _local(node, name) if node.keys() & PLACING else above
            waiting += [(child, A) for child in node.get("children", ())]

    def _pieces(self, node: Entry, name: str, A: FloatArray) -> Iterator[Piece]:
        """Yield the primitives of a node's mesh, at each of its places."""
        mesh, skinned = self.document.entry("meshes", node["mesh"]), "skin" in node
        holder = node if "weights" in node else mesh
        weights = tuple(numbers(holder, "weights", [0.0] * len(holder.get("weights", ()))).tolist())
        places = self._instances(node, A)
        self.repeats.visit(len(places) * len(mesh["primitives"]))
        for primitive in mesh["primitives"]:
            for vertices, triangles in self._triangles(primitive, weights, SKINNED if skinned else len(places)):
                if skinned:  # its joints place it, not its node
                    moved, mirrored = self._skinned(vertices, primitive, self.document.entry("skins", node["skin"]))
                    yield Piece(name, Surface(moved, triangles), mirrored)
                else:
                    yield from (placed(name, vertices, triangles, place) for place in places)

    def _instances(self, node: Entry, A: FloatArray) -> FloatArray:
        """Return the matrices (k, 4, 4) by which a node places its mesh: its own, or one for each instance."""
        extension = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
        if extension is None:
            return A[None]
        demand("skin" not in node, "a node of it has a skin and instances, which glTF does not allow")
        document, attributes = self.document, extension["attributes"]
        counts = {document.count(accessor) for accessor in attributes.values()}
        demand(len(counts) == 1, f"the attributes of its instances have {sorted(counts)} elements, not one number")
        (count,) = counts
        self.repeats.visit(count)
        moved, turned, scaled = (
            document.array(attributes[name], form) if name in attributes else np.tile(rest, (count, 1))
            for name, form, rest in (
                ("TRANSLATION", "VEC3", TRANSLATION),
                ("ROTATION", "VEC4", ROTATION),
                ("SCALE", "VEC3", SCALE),
            )
        )
        return A @ _transforms(moved, turned.astype(np.float64), scaled)

    def _triangles(self, primitive: Entry, weights: tuple[float, ...], times: int) -> Iterator[_Mesh]:
        """Yield the vertices and triangles of a primitive, if it has some; they are to be placed some times."""
        mode, document, attributes = primitive.get("mode", TRIANGLES), self.document, primitive["attributes"]
        if mode not in (TRIANGLES, STRIP, FAN) or "POSITION" not in attributes:
            if mode not in (POINTS, LINES):
                self.left_out.append(f"skipping primitive with mode {str(mode)[:20]} and {len(attributes)} attributes")
            return
        position, targets = attributes["POSITION"], primitive.get("targets", [])
        if "bufferView" not in document.entry("accessors", position):
            refuse_packed(primitive)
        demand(
            len(targets) == len(weights) or not any(weights),
            f"a mesh of it has {len(weights)} weights of {len(targets)} morph targets",
        )
        moves = [
            (weight, target["POSITION"])
            for weight, target in zip(weights, targets, strict=False)
            if weight and "POSITION" in target
        ]
        count = document.count(position)
        corners = document.count(primitive["indices"]) if "indices" in primitive else count
        self.repeats.place(times * count * (1 + len(moves)), times * corners // (3 if mode == TRIANGLES else 1))
        if (id(primitive), weights) not in self._meshes:
            points, order = document.array(position, "VEC3"), np.arange(count)
            for weight, target in moves:
                points = points + weight * document.array(target, "VEC3", count).astype(np.float64)
            if "indices" in primitive:
                order = document.array(primitive["indices"], "SCALAR", kinds="u")[:, 0].astype(np.int64)
            self._meshes[id(primitive), weights] = points, _corners(order, mode)
        if len(self._meshes[id(primitive), weights][1]):
            yield self._meshes[id(primitive), weights]

    def _skinned(self, points: VertexArray, primitive: Entry, skin: Entry) -> tuple[VertexArray, bool]:
        """Return points (n, 3) moved by joints as these stand in the scene, and True if they are mirrored.

        Each is moved by the weighted mean of the matrices of four or more joints times their inverse bind matrices.
        """
        document, joints, attributes = self.document, skin["joints"], primitive["attributes"]
        sets = sorted(name.removeprefix("JOINTS_") for name in attributes if name.startswith("JOINTS_"))
        demand(
            bool(sets and joints) and all(joint in self._worlds for joint in joints),
            "a skin of it has no joints, or joints outside of the scene",
        )
        bones = np.array([self._worlds[joint] for joint in joints])
        if "inverseBindMatrices" in skin:
            inverse = document.array(skin["inverseBindMatrices"], "MAT4")[: len(joints)]
            bones = bones @ inverse.reshape(-1, 4, 4).transpose(0, 2, 1)
        mirrors = np.linalg.det(bones[:, :3, :3]) < 0.0
        demand(mirrors.all() == mirrors.any(), "a skin of it mirrors some of its joints, but not all")
        # One joint after the other: a small file may name any number of sets.
        A, total = np.zeros((len(points), 4, 4)), np.zeros(len(points))
        for k in sets:
            which = document.array(attributes[f"JOINTS_{k}"], "VEC4", len(points), "u")
            demand(which.max() < len(bones), "a skin of it has no joint for some of its vertices")
            for joint, weight in zip(
                which.T, document.array(attributes[f"WEIGHTS_{k}"], "VEC4", len(points)).T, strict=True
            ):
                A += weight[:, None, None] * bones[joint]
                total += weight
        demand(total.min() > 0.0, "a vertex of a skin has no weight")
        A /= total[:, None, None]
        return np.einsum("nij,nj->ni", A[:, :3, :3], points) + A[:, :3, 3], bool(mirrors.all())


def _local(node: Entry, name: str) -> FloatArray:
    """Return the matrix (4, 4) of a node in its parent's frame."""
    if "matrix" in node:
        A = numbers(node, "matrix", [0.0] * 16).reshape(4, 4).T
        demand(node.keys() & PLACING == {"matrix"}, f"{name} has a matrix and a scale or the like")
        demand(A[3].tolist() == [0.0, 0.0, 0.0, 1.0], f"the matrix of {name} has {A[3].tolist()} as its last row")
        return A
    trs = numbers(node, "translation", TRANSLATION), numbers(node, "rotation", ROTATION), numbers(node, "scale", SCALE)
    return _transforms(*(values[None] for values in trs)).reshape(4, 4)


def _transforms(moved: FloatArray, turned: FloatArray, scaled: FloatArray) -> FloatArray:
    """Return matrices (k, 4, 4) that scale (k, 3), then turn by quaternions (k, 4) of any length, then move (k, 3)."""
    square = (turned * turned) @ np.ones(4)
    demand(bool((square > 1e-30).all()), "a rotation of it is 0, 0, 0, 0")
    # The products of the numbers x, y, z, w of quaternions of length sqrt 2 are the terms of rotation matrices.
    x, y, z, w = (turned * np.sqrt(2.0 / square)[:, None]).T
    rows = (
        (1.0 - y * y - z * z, x * y - z * w, x * z + y * w),
        (x * y + z * w, 1.0 - x * x - z * z, y * z - x * w),
        (x * z - y * w, y * z + x * w, 1.0 - x * x - y * y),
    )
    A = np.tile(np.eye(4), (len(moved), 1, 1))
    A[:, :3, :3] = np.moveaxis(np.array(rows), 2, 0) * scaled[:, None, :]
    A[:, :3, 3] = moved
    return A


def _corners(order: TriangleArray, mode: int) -> TriangleArray:
    """Return triangles (m, 3) of vertices (n,) in the order in which a primitive lists them."""
    if mode == TRIANGLES:
        demand(len(order) % 3 == 0, f"a primitive of it has {len(order)} corners, not three for each triangle")
        return order.reshape(-1, 3)
    start = np.arange(max(len(order) - 2, 0))
    turn = 2 * (start % 2)  # every second triangle of a strip is wound the other way
    corners = (start + turn, start + 1, start + 2 - turn) if mode == STRIP else (start + 1, start + 2, 0 * start)
    return order[np.column_stack(corners)]  # type: ignore[no-any-return]
