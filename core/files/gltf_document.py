# SPDX-License-Identifier: Apache-2.0
"""Reads what a glTF file consists of: its JSON, its buffers, and the arrays that its accessors describe.

Format: Khronos glTF 2.0 specification, sections 3.6 (binary data) and 4 (GLB), and the extension KHR_mesh_quantization.
"""

from __future__ import annotations

import json
import struct
from base64 import b64decode
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import InertiaError
from .input_file import SiblingFiles
from .limits import MAX_MESH_BYTES

KINDS: dict[Any, np.dtype[Any]] = {
    5120: np.dtype("i1"),
    5121: np.dtype("u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
"""The type of a number, by the component type of its accessor."""

COLUMNS: dict[Any, int] = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
"""Numbers in an element of an accessor, by its type."""

READ = (
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_xmp",
    "KHR_animation_pointer",
    "KHR_techniques_webgl",
    "EXT_texture_",
    "EXT_lights_",
    "EXT_mesh_features",
    "EXT_mesh_manifold",
    "EXT_instance_features",
    "EXT_structural_metadata",
    "EXT_property_feature",
    "MSFT_texture_dds",
    "MSFT_packing_",
    "ADOBE_materials_",
    "NV_materials_mdl",
    "AGI_stk_metadata",
    "CESIUM_primitive_outline",
    "FB_geometry_metadata",
)
"""How the names of required extensions begin: the two that are applied, and those that move, repeat or hide no mesh."""

PACKED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression")
"""Extensions that compress meshes. One that is used but not required may have an uncompressed copy beside."""

Entry = dict[str, Any]
Array = np.ndarray[Any, np.dtype[Any]]


class GltfDocument:
    """The JSON of a file and its buffers; an array is read when it is asked for, and once.

    Parameters
    ----------
    data : bytes
        The file: JSON, or GLB, whatever its suffix is.
    siblings : SiblingFiles
        Reads the buffers beside it.

    Raises
    ------
    InertiaError
        ``bad_mesh_file`` for another version of glTF and for a required extension that is not read;
        ``file_too_large``; what `SiblingFiles` raises.
    ValueError
        Explains what is not glTF.
    """

    def __init__(self, data: bytes, siblings: SiblingFiles) -> None:
        text, chunk = _chunks(data) if data[:4] == b"glTF" else (memoryview(data), None)
        self.header = _header(text)
        # The sizes of all accessors are checked before memory is spent on one.
        size = sum(
            self.count(index) * COLUMNS[accessor["type"]] * KINDS[accessor["componentType"]].itemsize
            for index, accessor in enumerate(self.entries("accessors"))
        )
        if size > MAX_MESH_BYTES:
            raise InertiaError.of("file_too_large", "", "accessors", size=size, limit=MAX_MESH_BYTES)
        self._buffers: dict[Any, memoryview | None] = {
            index: self._buffer(index, chunk, siblings) for index in range(len(self.entries("buffers")))
        }
        self._arrays: dict[int, Array] = {}

    def entries(self, kind: str) -> list[Any]:
        """Return a list of the file, such as its nodes; an empty one if it has none."""
        entries = self.header.get(kind, [])
        demand(isinstance(entries, list), f"its {kind} are not a list")
        return entries  # type: ignore[no-any-return]

    def entry(self, kind: str, index: Any) -> Entry:
        """Return an entry of a list, by its index in the file."""
        entries = self.entries(kind)
        demand(
            type(index) is int and 0 <= index < len(entries) and isinstance(entries[index], dict),
            f"its {len(entries)} {kind} have no entry {str(index)[:40]}",
        )
        return entries[index]  # type: ignore[no-any-return]

    def count(self, accessor: Any) -> int:
        """Return the number of elements of an accessor, by its index."""
        return whole(self.entry("accessors", accessor), "count")

    def array(self, index: Any, form: str, rows: int | None = None, kinds: str = "iuf") -> Array:
        """Return the elements (n, k) of an accessor.

        Parameters
        ----------
        index : int
            As the file says.
        form : str
            The type that it must have, such as VEC3.
        rows : int, optional
            The number of elements that it must have.
        kinds : str
            The kinds that its numbers may have, as numpy names them.

        Returns
        -------
        ndarray
            In the file's own type; in float64 if the numbers are normalized.
        """
        accessor = self.entry("accessors", index)
        kind, count = KINDS[accessor["componentType"]], self.count(index)
        demand(accessor["type"] == form, f"its accessor {index} has the type {accessor['type']}, not {form}")
        demand(kind.kind in kinds, f"its accessor {index} has numbers of a type that is not allowed there")
        demand(rows in (None, count), f"its accessor {index} has {count} elements, not {rows}")
        if index not in self._arrays:
            self._arrays[index] = self._elements(accessor, count, COLUMNS[form], kind)
        return self._arrays[index]

    def _elements(self, accessor: Entry, count: int, columns: int, kind: np.dtype[Any]) -> Array:
        viewed = "bufferView" in accessor
        elements = self._viewed(accessor, count, columns, kind) if viewed else np.zeros((count, columns), kind)
        if "sparse" in accessor:
            # Some elements are replaced: their numbers, in ascending order, and the new values.
            sparse = accessor["sparse"]
            changed, indices = whole(sparse, "count"), sparse["indices"]
            rows = self._viewed(indices, changed, 1, KINDS[indices["componentType"]])[:, 0].astype(np.int64)
            demand(
                bool((np.diff(rows, prepend=-1, append=count) > 0).all()),
                f"the indices of a sparse accessor do not ascend from 0 to {count - 1} at most",
            )
            elements = elements.copy()
            elements[rows] = self._viewed(sparse["values"], changed, columns, kind)
        if accessor.get("normalized") and kind.kind != "f":
            demand(kind.itemsize < 4, "an accessor of it has normalized numbers of 32 bits")
            if 8 * elements.size > MAX_MESH_BYTES:
                raise InertiaError.of("file_too_large", "", "accessors", size=8 * elements.size, limit=MAX_MESH_BYTES)
            elements = elements / np.float64(np.iinfo(kind).max)
            np.maximum(elements, -1.0, out=elements)
        return np.require(elements, requirements=["C", "ALIGNED"])

    def _viewed(self, holder: Entry, count: int, columns: int, kind: np.dtype[Any]) -> Array:
        """Return numbers (count, columns) where a bufferView holds them, without a copy."""
        index = holder["bufferView"]
        view, size = self.entry("bufferViews", index), columns * kind.itemsize
        buffer = self._buffers.get(view.get("buffer"))
        if buffer is None:
            refuse_packed(view)
            raise ValueError(f"its bufferView {index} has no buffer with data")
        start, length = whole(view, "byteOffset", 0), whole(view, "byteLength")
        demand(start + length <= len(buffer), f"its bufferView {index} ends at byte {start + length} of {len(buffer)}")
        offset, stride = whole(holder, "byteOffset", 0), whole(view, "byteStride", size)
        demand(stride >= size, f"the byteStride {stride} of its bufferView {index} is less than an element, {size}")
        end = offset + (count - 1) * stride + size if count else offset
        demand(end <= length, f"an accessor of it ends at byte {end} of its bufferView {index}, which has {length}")
        return np.ndarray((count, columns), kind, buffer, start + offset, (stride, kind.itemsize))

    def _buffer(self, index: int, chunk: memoryview | None, siblings: SiblingFiles) -> memoryview | None:
        """Return the bytes of a buffer; None for one that only stands for what is compressed elsewhere."""
        buffer = self.entry("buffers", index)
        uri, data = buffer.get("uri"), chunk if index == 0 else None
        if uri is not None and uri.startswith("data:"):
            head, _, text = uri.partition(",")
            demand(head.endswith(";base64"), f"the data of its buffer {index} are not in base64")
            data = memoryview(b64decode(text, validate=True))
        elif uri is not None:
            data = memoryview(siblings.get(uri))
        if data is None:
            return None
        length = whole(buffer, "byteLength")
        demand(length <= len(data), f"its buffer {index} says it has {length} bytes, but it has {len(data)}")
        return data[:length]


def demand(holds: bool, sentence: str) -> None:
    """Raise ValueError with a sentence that says what is wrong, unless it holds."""
    if not holds:
        raise ValueError(sentence)


def refuse_packed(entry: Entry) -> None:
    """Raise ``bad_mesh_file`` if an entry is compressed, by the name of the extension."""
    for name in PACKED:
        if name in entry.get("extensions", ()):
            raise InertiaError.of("bad_mesh_file", "", "compressed", name=name)


def whole(entry: Entry, name: str, default: int | None = None) -> int:
    """Return a number of an entry that must be an integer from 0 to the most that a file may have of anything."""
    value: Any = entry.get(name, default)
    demand(
        type(value) is int and 0 <= value <= MAX_MESH_BYTES,
        f"a {name} of it is {str(value)[:40]}, not an integer from 0 to {MAX_MESH_BYTES}",
    )
    return value  # type: ignore[no-any-return]


def numbers(entry: Entry, name: str, default: Sequence[float]) -> Array:
    """Return finite numbers of an entry (k,), as many as the default has."""
    values = entry.get(name, default)
    array = np.array(values)
    demand(
        array.shape == (len(default),) and array.dtype.kind in "if" and bool(np.isfinite(array).all()),
        f"a {name} of it is {str(values)[:100]}, not {len(default)} finite numbers",
    )
    return array.astype(np.float64)


def _chunks(data: bytes) -> tuple[memoryview, memoryview | None]:
    """Return the JSON of a GLB, and its binary chunk if it has one."""
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise InertiaError.of("bad_mesh_file", "", "gltf_version", version=f"{version}.0")
    demand(length <= len(data), f"it says it has {length} bytes, but it has {len(data)}")
    chunks: dict[bytes, memoryview] = {}
    start = 12
    while start + 8 <= length:
        size, kind = struct.unpack_from("<I4s", data, start)
        start += 8
        demand(start + size <= length, f"a chunk of it ends at byte {start + size} of {length}")
        chunks.setdefault(kind, memoryview(data)[start : start + size])
        start += size
    demand(next(iter(chunks), b"") == b"JSON", "its first chunk is not JSON")
    return chunks[b"JSON"], chunks.get(b"BIN\0")


def _header(text: memoryview) -> Entry:
    """Return the JSON of a file, of which the version and all required extensions are read."""
    header: Entry = json.loads(bytes(text).decode("utf-8-sig", "replace"))
    asset = header.get("asset", {})
    version = "1.0" if isinstance(header.get("meshes"), dict) else asset.get("minVersion", asset.get("version", "2.0"))
    if str(version).partition(".")[0] != "2":
        raise InertiaError.of("bad_mesh_file", "", "gltf_version", version=str(version)[:40])
    refuse_packed({"extensions": header.get("extensionsRequired", ())})
    for name in header.get("extensionsRequired", ()):
        if not name.startswith(READ):
            raise InertiaError.of("bad_mesh_file", "", "extension", name=name[:80])
    return header
