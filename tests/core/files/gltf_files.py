# SPDX-License-Identifier: GPL-3.0-or-later
"""A small writer of glTF, and a file for each feature of the specification that moves, scales or repeats vertices.

Each file holds unit cubes, moved by matrices that are known: its volume and centre are those of the matrices.
`python -m tests.core.files.gltf_files FOLDER` writes them. The npm package gltf-validator (2.0.0-dev.3.10) finds no
error in any; it warns of the joints and the node of some skins, and of a GLB with a buffer in its JSON.
"""

from __future__ import annotations

import base64
import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype="<f4")
FACES = np.array(
    [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3], "<u2"
)
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FANS = [(0, 1, 3, 2, 6, 4, 5, 1), (7, 5, 4, 6, 2, 3, 1, 5)]
KINDS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
FORMS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
QUARTER = [0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)]
"""A quarter of a turn about z."""

TURN = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def affine(A: Any = (1.0, 1.0, 1.0), t: Any = (0.0, 0.0, 0.0)) -> Any:
    """Return a matrix (4, 4) of a linear map, or of three scales, and a translation."""
    result = np.eye(4)
    result[:3, :3] = np.diag(A) if np.ndim(A) == 1 else A
    result[:3, 3] = t
    return result


class Gltf:
    """A file in the making: entries of its lists, and one buffer."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}]}
        self.data = b""
        self.cubes = [affine()]
        self.glb = False
        self.beside: dict[str, bytes] = {}

    def add(self, kind: str, entry: Any) -> int:
        self.header.setdefault(kind, []).append(entry)
        return len(self.header[kind]) - 1

    def require(self, *names: str) -> None:
        self.header["extensionsUsed"] = self.header["extensionsRequired"] = list(names)

    def view(self, data: bytes, **entry: Any) -> int:
        self.data += bytes(-len(self.data) % 4)
        self.data += data
        start = len(self.data) - len(data)
        return self.add("bufferViews", {"buffer": 0, "byteOffset": start, "byteLength": len(data), **entry})

    def array(self, values: Any, bounds: bool = False, **entry: Any) -> int:
        """Add an accessor of values (n, k); with bounds, as positions have, each begins at a multiple of four bytes."""
        values = np.asarray(values)
        values = values.reshape(len(values), -1)
        form = {"componentType": KINDS[values.dtype.str[1:]], "count": len(values), "type": FORMS[values.shape[1]]}
        form |= {"min": values.min(0).tolist(), "max": values.max(0).tolist()} if bounds else {}
        return self.add("accessors", self.rows(values, bounds) | form | entry)

    def rows(self, values: Any, padded: bool) -> dict[str, Any]:
        width = values.shape[1] * values.itemsize
        if not padded or width % 4 == 0:
            return {"bufferView": self.view(values.tobytes())}
        rows = values.view("u1").reshape(len(values), width)
        wide = np.pad(rows, ((0, 0), (0, -width % 4)))
        return {"bufferView": self.view(wide.tobytes(), byteStride=wide.shape[1])}

    def sparse(self, values: Any, base: Any, changed: Any, kind: str = "u2", bounds: bool = True, **entry: Any) -> int:
        """Add an accessor of values (n, k) of which some rows differ from a base; without one, from zeros."""
        number = self.array(values, bounds, **entry)
        accessor = self.header["accessors"][number]
        del accessor["bufferView"]
        if base is not None:
            accessor |= self.rows(base, bounds)
        accessor["sparse"] = {
            "count": len(changed),
            "indices": {"bufferView": self.view(np.array(changed, kind).tobytes()), "componentType": KINDS[kind]},
            "values": {"bufferView": self.view(np.ascontiguousarray(values[changed]).tobytes())},
        }
        return number

    def cube(self, position: int | None = None, indices: Any = FACES, **primitive: Any) -> dict[str, Any]:
        """Return a primitive of a cube, or of corners at an accessor."""
        corners = self.array(CUBE, True) if position is None else position
        made: dict[str, Any] = {"attributes": {"POSITION": corners}}
        if indices is not None:
            made["indices"] = self.array(indices)
        return made | primitive

    def mesh(self, *primitives: dict[str, Any], **mesh: Any) -> int:
        return self.add("meshes", {"primitives": list(primitives or (self.cube(),)), **mesh})

    def node(self, **node: Any) -> int:
        return self.add("nodes", node)

    def text(self, uri: str | None = None) -> bytes:
        if self.data:
            if uri is None:
                uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
            buffer = {"byteLength": len(self.data)} | ({"uri": uri} if uri else {})
            self.header["buffers"] = [buffer, *self.header.get("buffers", ())]
        return json.dumps(self.header).encode()

    def bytes(self) -> bytes:
        """Return the file, as GLB or with its buffer in its JSON."""
        if not self.glb:
            return self.text()
        text = self.text("")
        chunks = (text + b" " * (-len(text) % 4), b"JSON"), (self.data + bytes(-len(self.data) % 4), b"BIN\0")
        body = b"".join(struct.pack("<I4s", len(chunk), kind) + chunk for chunk, kind in chunks)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body

    def write(self, folder: Path, name: str) -> Path:
        path = folder / f"{name}.{'glb' if self.glb else 'gltf'}"
        path.write_bytes(self.bytes())
        for beside, data in self.beside.items():
            (folder / beside).write_bytes(data)
        return path

    def volume(self) -> float:
        return float(sum(abs(np.linalg.det(A[:3, :3])) for A in self.cubes))

    def centre(self) -> Any:
        centres = np.array([A @ (0.5, 0.5, 0.5, 1.0) for A in self.cubes])[:, :3]
        return np.average(centres, axis=0, weights=[abs(np.linalg.det(A[:3, :3])) for A in self.cubes])


CASES: dict[str, Callable[[Gltf], None]] = {}
"""Functions that make a file of each feature, by its name."""


def case(function: Callable[[Gltf], None]) -> Callable[[Gltf], None]:
    CASES[function.__name__] = function
    return function


def made(name: str) -> Gltf:
    file = Gltf()
    CASES[name](file)
    file.header.setdefault("nodes", [{"mesh": 0}])
    return file


# --- numbers ---------------------------------------------------------------------------------------------------------


@case
def float32(file):
    file.mesh()


@case
def binary(file):
    file.glb = True
    file.mesh()


def quantized(kind: str, top: int, normalized: bool, bottom: int = 0) -> None:
    def make(file):
        file.require("KHR_mesh_quantization")
        values = np.where(CUBE > 0, top, bottom).astype(kind)
        file.mesh(file.cube(file.array(values, True, normalized=normalized)))
        most = np.iinfo(kind).max
        high, low = (top / most, max(bottom / most, -1.0)) if normalized else (top, bottom)
        file.cubes = [affine([high - low] * 3, [low] * 3)]

    CASES[f"{kind}_{'normalized' if normalized else 'plain'}_{bottom}_{top}"] = make


for kind, top, bottom in (("i1", 100, -20), ("u1", 200, 3), ("i2", 20000, -9), ("u2", 50000, 7)):
    quantized(kind, top, True, bottom)
    quantized(kind, top, False, bottom)
quantized("i1", 127, True, -128)
quantized("i2", 32767, True, -32768)


@case
def quantized_and_placed(file):
    file.require("KHR_mesh_quantization")
    file.mesh(file.cube(file.array((CUBE * 65535).astype("u2"), True, normalized=True)))
    file.node(mesh=0, scale=[0.4, 0.2, 0.1], translation=[1, 2, 3])
    file.cubes = [affine((0.4, 0.2, 0.1), (1, 2, 3))]


# --- indices and layout ----------------------------------------------------------------------------------------------


@case
def indices_u1(file):
    file.mesh(file.cube(indices=FACES.astype("u1")))


@case
def indices_u4(file):
    file.mesh(file.cube(indices=FACES.astype("u4")))


@case
def without_indices(file):
    file.mesh(file.cube(file.array(CUBE[FACES], True), indices=None))


@case
def interleaved(file):
    rows = np.hstack([CUBE + 1, np.tile(np.array([[0, 0, 1]], "f4"), (8, 1))]).astype("<f4")
    view = file.view(rows.tobytes(), byteStride=24)
    form = {"bufferView": view, "componentType": 5126, "count": 8, "type": "VEC3"}
    corners = file.add("accessors", {**form, "min": [1.0] * 3, "max": [2.0] * 3})
    normals = file.add("accessors", {**form, "byteOffset": 12})
    file.mesh({"attributes": {"POSITION": corners, "NORMAL": normals}, "indices": file.array(FACES)})
    file.cubes = [affine(t=(1, 1, 1))]


@case
def wide_stride(file):
    rows = np.zeros((8, 10), "<f4")
    rows[:, 4:7] = CUBE
    view = file.view(rows.tobytes(), byteStride=40)
    form = {"bufferView": view, "byteOffset": 16, "componentType": 5126, "count": 8, "type": "VEC3"}
    file.mesh(file.cube(file.add("accessors", {**form, "min": [0.0] * 3, "max": [1.0] * 3})))


@case
def two_accessors_of_one_view(file):
    view = file.view(np.vstack([CUBE, CUBE + 5]).astype("<f4").tobytes(), byteStride=12)
    for start in (0, 5):
        form = {"bufferView": view, "byteOffset": 96 * bool(start), "componentType": 5126, "count": 8, "type": "VEC3"}
        file.add("accessors", {**form, "min": [float(start)] * 3, "max": [start + 1.0] * 3})
    file.mesh(file.cube(0), file.cube(1))
    file.cubes = [affine(), affine(t=(5, 5, 5))]


@case
def indices_with_an_offset(file):
    view = file.view(np.concatenate([[9, 9], FACES]).astype("<u2").tobytes())
    indices = file.add(
        "accessors", {"bufferView": view, "byteOffset": 4, "componentType": 5123, "count": 36, "type": "SCALAR"}
    )
    file.mesh(file.cube(indices=None) | {"indices": indices})


@case
def buffer_beside(file):
    file.mesh()
    file.beside["a b.bin"], file.data = file.data, b""
    file.header["buffers"] = [{"byteLength": len(file.beside["a b.bin"]), "uri": "a%20b.bin"}]


@case
def two_buffers(file):
    file.glb = True
    file.mesh()
    faces = base64.b64encode(FACES.tobytes()).decode()
    file.header["buffers"] = [{"byteLength": 72, "uri": f"data:application/gltf-buffer;base64,{faces}"}]
    file.header["bufferViews"][1] |= {"buffer": 1, "byteOffset": 0}
    file.data = file.data[:96]


@case
def primitives_that_share_their_corners(file):
    corners = file.array(CUBE, True)
    file.mesh(file.cube(corners, FACES[:18]), file.cube(corners, FACES[18:]))


# --- sparse ----------------------------------------------------------------------------------------------------------

STRETCHED = np.float32(CUBE * (3, 1, 1))


def sparse(kind: str, with_base: bool) -> None:
    def make(file):
        changed = [4, 5, 6, 7] if with_base else list(range(1, 8))
        file.mesh(file.cube(file.sparse(STRETCHED, CUBE if with_base else None, changed, kind)))
        file.cubes = [affine((3, 1, 1))]

    CASES[f"sparse_{kind}{'' if with_base else '_of_zeros'}"] = make


for kind in ("u1", "u2", "u4"):
    sparse(kind, True)
    sparse(kind, False)


@case
def sparse_normalized(file):
    file.require("KHR_mesh_quantization")
    values = (CUBE * 255).astype("u1")
    half = np.where(CUBE > 0, 51, 0).astype("u1")
    half[4:] = values[4:]
    file.mesh(file.cube(file.sparse(half, np.where(CUBE > 0, 51, 0).astype("u1"), [4, 5, 6, 7], normalized=True)))
    file.header["bufferViews"][-2]["byteLength"] = 12  # values of a sparse accessor are not padded
    corners = half / 255
    file.cubes = hexahedron(corners)


def hexahedron(corners: Any) -> list[Any]:
    """Return boxes with the volume and centre of a cube whose side at x = 1 is wider, in five pieces of tetrahedra."""
    cubes = []
    middle = corners.mean(axis=0)
    for a, b, c in FACES.reshape(-1, 3):
        A = np.eye(4)
        A[:3, :3] = np.column_stack([corners[a] - middle, corners[b] - middle, corners[c] - middle])
        A[:3, :3] /= 6 ** (1 / 3)
        A[:3, 3] = (corners[[a, b, c]].sum(axis=0) + middle) / 4 - A[:3, :3] @ (0.5, 0.5, 0.5)
        cubes.append(A)
    return cubes


@case
def sparse_indices(file):
    wrong = FACES.copy()
    wrong[12:] = 0
    primitive = file.cube(indices=None)
    primitive["indices"] = file.sparse(FACES[:, None], wrong[:, None], list(range(12, 36)), bounds=False)
    file.mesh(primitive)


# --- strips and fans -------------------------------------------------------------------------------------------------


@case
def strips(file):
    corners = file.array(CUBE, True)
    file.mesh(*(file.cube(corners, np.array([a, b, d, c], "u2"), mode=5) for a, b, c, d in QUADS))


@case
def strip_with_bridges(file):
    order: list[int] = []
    for a, b, c, d in QUADS:
        order += [order[-1], a] if order else []
        order += [a, b, d, c]
    file.mesh(file.cube(indices=np.array(order, "u2"), mode=5))


@case
def strips_without_indices(file):
    file.mesh(*(file.cube(file.array(CUBE[[a, b, d, c]], True), None, mode=5) for a, b, c, d in QUADS))


@case
def fans(file):
    corners = file.array(CUBE, True)
    file.mesh(*(file.cube(corners, np.array(fan, "u2"), mode=6) for fan in FANS))


@case
def fans_without_indices(file):
    file.mesh(*(file.cube(file.array(CUBE[list(fan)], True), None, mode=6) for fan in FANS))


@case
def lines_and_points_besides(file):
    corners = file.array(CUBE, True)
    far = file.array(CUBE * 7, True)
    file.mesh(file.cube(corners), file.cube(far, np.array([0, 7], "u2"), mode=1), file.cube(far, None, mode=0))


# --- nodes -----------------------------------------------------------------------------------------------------------


def node(name: str, A: Any, **properties: Any) -> None:
    def make(file):
        file.mesh()
        file.node(mesh=0, **properties)
        file.cubes = [A]

    CASES[f"node_{name}"] = make


node("translation", affine(t=(1, -2, 3)), translation=[1, -2, 3])
node("rotation", affine(TURN), rotation=QUARTER)
node("scale", affine((2, 3, 0.5)), scale=[2, 3, 0.5])
node("trs", affine(TURN @ np.diag([2.0, 3, 1]), (5, 6, 7)), translation=[5, 6, 7], rotation=QUARTER, scale=[2, 3, 1])
node("matrix", affine((2, 3, 4), (5, 6, 7)), matrix=affine((2, 3, 4), (5, 6, 7)).T.ravel().tolist())
node("mirrored_by_scale", affine((-2, 1, 1)), scale=[-2, 1, 1])
node("mirrored_by_matrix", affine((1, 1, -3), (1, 1, 1)), matrix=affine((1, 1, -3), (1, 1, 1)).T.ravel().tolist())
node("turned_over", affine((-1, -1, -1)), scale=[-1, -1, -1])


@case
def nodes_within_nodes(file):
    file.mesh()
    file.node(children=[1, 2], scale=[2, 2, 2])
    file.node(mesh=0, translation=[1, 0, 0], children=[3])
    file.node(mesh=0, translation=[-5, 0, 0], rotation=QUARTER)
    file.node(mesh=0, translation=[3, 0, 0], scale=[-0.5, 0.5, 0.5])
    file.cubes = [
        affine([2] * 3, (2, 0, 0)),
        affine(2 * TURN, (-10, 0, 0)),
        affine((-1, 1, 1), (8, 0, 0)),
    ]


@case
def a_mesh_of_three_nodes(file):
    file.mesh()
    file.header["scenes"] = [{"nodes": [0, 1, 2]}]
    for x in (0, 3, 6):
        file.node(mesh=0, translation=[x, 0, 0])
    file.cubes = [affine(t=(x, 0, 0)) for x in (0, 3, 6)]


@case
def second_scene(file):
    file.mesh()
    file.header |= {"scene": 1, "scenes": [{"nodes": [0]}, {"nodes": [1]}]}
    file.node(mesh=0)
    file.node(mesh=0, scale=[2, 1, 1])
    file.cubes = [affine((2, 1, 1))]


@case
def no_default_scene(file):
    file.mesh()
    del file.header["scene"]


@case
def extension_of_materials(file):
    file.require("KHR_materials_unlit")
    file.add("materials", {"extensions": {"KHR_materials_unlit": {}}})
    file.mesh(file.cube(material=0))


# --- instances -------------------------------------------------------------------------------------------------------


def instances(name: str, cubes: Any, outer: Any = None, **arrays: Any) -> None:
    def make(file):
        file.require("EXT_mesh_gpu_instancing")
        file.mesh()
        attributes = {key: file.array(values, normalized=np.asarray(values).dtype.kind == "i")
                      for key, values in arrays.items()}  # fmt: skip
        file.node(mesh=0, extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}})
        file.cubes = cubes
        if outer is not None:
            file.header["nodes"][0]["scale"] = outer
            file.cubes = [affine(outer) @ A for A in cubes]

    CASES[f"instances_{name}"] = make


MOVES, TURNS = (
    np.array([(0, 0, 0), (5, 0, 0), (0, 7, 0)], "<f4"),
    np.array([(0, 0, 0, 1), QUARTER, (0, 0, 1, 0)], "<f4"),
)
SCALES = np.array([(1, 1, 1), (2, 1, 1), (1, 3, 2)], "<f4")
TURNED = [np.eye(3), TURN, TURN @ TURN]
instances("moved", [affine(t=t) for t in MOVES], TRANSLATION=MOVES)
instances("turned", [affine(R) for R in TURNED], ROTATION=TURNS)
instances("scaled", [affine(s) for s in SCALES], SCALE=SCALES)
instances(
    "placed",
    [affine(R @ np.diag(s), t) for R, s, t in zip(TURNED, SCALES, MOVES, strict=True)],
    TRANSLATION=MOVES,
    ROTATION=TURNS,
    SCALE=SCALES,
)
instances("of_a_scaled_node", [affine(t=t) for t in MOVES], (2, 2, 0.5), TRANSLATION=MOVES)
instances(
    "mirrored",
    [affine((-1, 1, 1)), affine((1, -2, 1), (5, 0, 0))],
    SCALE=np.array([(-1, 1, 1), (1, -2, 1)], "<f4"),
    TRANSLATION=MOVES[:2],
)
for kind in ("i1", "i2"):
    turns = (TURNS[::2] * np.iinfo(kind).max).astype(kind)
    instances(f"turned_{kind}", [affine(), affine(TURNED[2], MOVES[2])], TRANSLATION=MOVES[::2], ROTATION=turns)


# --- morph targets ---------------------------------------------------------------------------------------------------

ALONG_X = np.float32(CUBE * (1, 0, 0))
ALONG_Y = np.float32(CUBE * (0, 1, 0))


def morph(name: str, sizes: Any, weights: Any, on_node: Any = None, targets: Any = (ALONG_X, ALONG_Y)) -> None:
    def make(file):
        accessors = [{"POSITION": file.array(target, True)} for target in targets[: len(weights)]]
        file.mesh(file.cube(targets=accessors), weights=weights)
        file.node(mesh=0, **({} if on_node is None else {"weights": on_node}))
        file.cubes = [affine(sizes)]

    CASES[f"morph_{name}"] = make


morph("of_the_mesh", (2, 1, 1), [1.0])
morph("of_two_targets", (1.5, 1.25, 1), [0.5, 0.25])
morph("of_the_node", (1, 1.75, 1), [1.0, 1.0], [0.0, 0.75])
morph("of_weight_zero", (1, 1, 1), [0.0, 0.0])
morph("beyond_one", (3.5, 0.5, 1), [2.5, -0.5])


@case
def morph_without_weights(file):
    file.mesh(file.cube(targets=[{"POSITION": file.array(ALONG_X, True)}]))


@case
def morph_with_normals(file):
    still = file.array(np.zeros((8, 3), "f4"))
    moved = {"POSITION": file.array(ALONG_X, True), "NORMAL": still}
    unmoved = {"POSITION": file.array(np.zeros((8, 3), "f4"), True), "NORMAL": still}
    primitive = file.cube(targets=[unmoved, moved])
    primitive["attributes"]["NORMAL"] = file.array(unit(CUBE - 0.5))
    file.mesh(primitive, weights=[1.0, 0.5])
    file.cubes = [affine((1.5, 1, 1))]


def unit(rows: Any) -> Any:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4")


@case
def morph_sparse(file):
    target = file.sparse(ALONG_X, None, [4, 5, 6, 7])
    file.mesh(file.cube(targets=[{"POSITION": target}]), weights=[1.0])
    file.cubes = [affine((2, 1, 1))]


@case
def morph_quantized(file):
    file.require("KHR_mesh_quantization")
    target = file.array((ALONG_X * 127).astype("i1"), True, normalized=True)
    file.mesh(file.cube(targets=[{"POSITION": target}]), weights=[0.5])
    file.cubes = [affine((1.5, 1, 1))]


@case
def morph_of_two_nodes(file):
    file.mesh(file.cube(targets=[{"POSITION": file.array(ALONG_X, True)}]), weights=[0.0])
    file.header["scenes"] = [{"nodes": [0, 1]}]
    file.node(mesh=0, weights=[1.0])
    file.node(mesh=0, weights=[0.25], translation=[9, 0, 0], scale=[1, 2, 1])
    file.cubes = [affine((2, 1, 1)), affine((1.25, 2, 1), (9, 0, 0))]


# --- skins -----------------------------------------------------------------------------------------------------------


def skinned(file: Gltf, joints: list[dict[str, Any]], weights: Any, inverse: Any = None, **node: Any) -> dict[str, Any]:
    """Add a cube whose joints stand beside its node, and return its primitive; weights are (8, joints)."""
    count = len(joints)
    which = np.tile(np.arange(4, dtype="u1") % count, (8, 1))
    which[:, count:] = 0
    wide = np.pad(weights, ((0, 0), (0, max(4 - count, 0))))
    primitive = file.cube()
    primitive["attributes"] |= {"JOINTS_0": file.array(which), "WEIGHTS_0": file.array(wide)}
    file.mesh(primitive)
    file.node(mesh=0, skin=0, **node)
    numbers = [file.node(**joint) for joint in joints]
    file.header["scenes"] = [{"nodes": [0, count + 1]}]
    file.node(children=numbers)
    skin: dict[str, Any] = {"joints": numbers}
    if inverse is not None:
        matrices = np.array([A.T.ravel() for A in inverse], "<f4")
        skin["inverseBindMatrices"] = file.array(matrices)
    file.add("skins", skin)
    return primitive


ONE = np.ones((8, 1), "<f4")
ENDS = np.float32(np.column_stack([1 - CUBE[:, 0], CUBE[:, 0]]))
"""Weights of a cube's two ends along x."""


@case
def skin_at_rest(file):
    skinned(file, [{"translation": [1, 0, 0]}], ONE, [affine(t=(-1, 0, 0))])


@case
def skin_of_a_moved_joint(file):
    skinned(file, [{"translation": [4, 0, 0], "rotation": QUARTER}], ONE, [affine(t=(-1, 0, 0))])
    file.cubes = [affine(t=(4, 0, 0)) @ affine(TURN) @ affine(t=(-1, 0, 0))]


@case
def skin_without_inverse_bind_matrices(file):
    skinned(file, [{"translation": [1, 2, 3]}], ONE)
    file.cubes = [affine(t=(1, 2, 3))]


@case
def skin_of_a_node_that_is_placed(file):
    skinned(file, [{}], ONE, [affine()], translation=[7, 7, 7])


@case
def skin_of_two_joints(file):
    skinned(file, [{}, {"translation": [3, 0, 0]}], ENDS, [affine(), affine(t=(-1, 0, 0))])
    file.cubes = [affine((3, 1, 1))]


@case
def skin_of_blended_joints(file):
    skinned(file, [{}, {"translation": [4, 0, 0]}], np.full((8, 2), 0.5, "<f4"), [affine(), affine()])
    file.cubes = [affine(t=(2, 0, 0))]


@case
def skin_of_normalized_weights(file):
    weights = (ENDS * 255).astype("u1")
    primitive = skinned(file, [{}, {"translation": [3, 0, 0]}], weights, [affine(), affine(t=(-1, 0, 0))])
    file.header["accessors"][primitive["attributes"]["WEIGHTS_0"]]["normalized"] = True
    file.cubes = [affine((3, 1, 1))]


@case
def skin_of_a_scaled_rig(file):
    skinned(file, [{"scale": [0.5, 0.5, 0.5]}], ONE, [affine()])
    file.cubes = [affine((0.5, 0.5, 0.5))]


@case
def skin_of_eight_joints(file):
    joints = [{"translation": [i, 0, 0]} for i in range(8)]
    primitive = skinned(file, joints, np.full((8, 4), 0.125, "<f4"), [affine()] * 8)
    attributes = primitive["attributes"]
    for name, first in (("JOINTS_0", 0), ("JOINTS_1", 4)):
        attributes[name] = file.array(np.tile(np.arange(first, first + 4, dtype="u1"), (8, 1)))
    attributes["WEIGHTS_1"] = attributes["WEIGHTS_0"]
    file.cubes = [affine(t=(3.5, 0, 0))]


@case
def skin_and_morph(file):
    primitive = skinned(file, [{"translation": [2, 0, 0]}], ONE, [affine()])
    primitive["targets"] = [{"POSITION": file.array(ALONG_Y, True)}]
    file.header["meshes"][0]["weights"] = [1.0]
    file.cubes = [affine((1, 2, 1), (2, 0, 0))]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in CASES:
        made(name).write(folder, name)
    print(f"{len(CASES)} files in {folder}")
