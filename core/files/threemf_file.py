# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads 3MF: the meshes that a package builds, placed by its items and components.

Not read through trimesh (5.2), which silently stops at an invalid number, takes exponential time for nested assemblies,
unpacks everything in the archive, and needs networkx. Format: 3MF Core Specification 1.3 and Production Extension 1.1;
only the root model may name other parts, and objects come before those that use them, so there are no cycles.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np
from lxml import etree

from ..arrays import FloatArray, TriangleArray, VertexArray
from .input_file import MAX_MESH_BYTES
from .trimesh_scene import MAX_TRIANGLES, SceneFile, placed

CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
MODEL_TYPE = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
PRODUCTION = "{http://schemas.microsoft.com/3dmanufacturing/production/2015/06}"
HARMLESS = (PRODUCTION[1:-1], "http://schemas.microsoft.com/3dmanufacturing/material/2015/02")
"""Extensions that add no geometry."""

SOLID = ("model", "solidsupport")
"""Types of objects that have mass; all others are surfaces or supports."""

MAX_PIECES = 100_000
"""Maximum number of meshes; nested assemblies can double it with every line."""


class _Mesh(NamedTuple):
    """A mesh with its transform."""

    vertices: VertexArray
    triangles: TriangleArray
    transform: FloatArray


_Objects = dict[str, list[_Mesh]]
"""The meshes of each object of a part, by the object's id."""


def read_3mf(data: bytes) -> SceneFile:
    """Read a package: its meshes, the name of its unit, and in words what was left out.

    Raises
    ------
    ValueError
        Explains what is not 3MF, or what is too large once it is unpacked.
    InertiaError
        What `Surface` raises.
    """
    try:
        return _Reader(zipfile.ZipFile(BytesIO(data))).read()
    except etree.XMLSyntaxError as error:
        raise ValueError(f"its model is no XML: {error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"its archive cannot be unpacked: {error}") from None  # damaged, or encrypted
    except OverflowError:
        raise ValueError("the number of a vertex is too large for one") from None


class _Reader:
    """Reads a package; each part, and each mesh in it, once."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive, self._bytes_left = archive, MAX_MESH_BYTES
        self._names = {info.filename.strip("/").casefold(): info for info in archive.infolist()}
        self._parts: dict[str, _Objects] = {}
        self._unit, self._left_out = "millimeter", list[str]()

    def read(self) -> SceneFile:
        build: list[tuple[dict[str, str], FloatArray]] = []
        root = self._root_part()
        objects = self._objects(root, build)
        meshes: list[_Mesh] = []
        for item, transform in build:
            meshes += _moved(self._named_by(item, root, objects), transform, len(meshes))
        count = sum(len(mesh.triangles) for mesh in meshes)
        if count > MAX_TRIANGLES:
            raise ValueError(f"its items have {count} triangles together, above the limit of {MAX_TRIANGLES}")
        return SceneFile([placed("", *mesh) for mesh in meshes], self._unit, self._left_out)

    def _root_part(self) -> str:
        """Return the name of the root model."""
        if "_rels/.rels" in self._names:
            for element in self._elements("_rels/.rels", "{*}Relationship"):
                if element.get("Type") == MODEL_TYPE:
                    return str(element.get("Target", ""))
        return "3D/3dmodel.model"

    def _elements(self, name: str, *tags: str) -> Iterator[Any]:
        """Yield the elements of a part as they end; a part with a DOCTYPE is refused."""
        info = self._names.get(name.strip("/").casefold()) or self._names.get(unquote(name).strip("/").casefold())
        if info is None:
            raise ValueError(f"it has no part {name[:100]!a}")
        if info.file_size > self._bytes_left:
            raise ValueError(f"its part {name[:100]!a} would have {info.file_size} bytes unpacked, which is too much")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # a package may not use others
            raise ValueError(f"its part {name[:100]!a} is compressed by method {info.compress_type}, not by Deflate")
        with self._archive.open(info) as file:
            data = file.read(self._bytes_left + 1)  # a header may state too small a size
        self._bytes_left -= len(data)
        parser = etree.iterparse(
            BytesIO(data), events=("end",), tag=tags, resolve_entities=False, no_network=True, huge_tree=True
        )
        for _, element in parser:
            if element.getroottree().docinfo.doctype:
                raise ValueError("a DOCTYPE is not allowed in it")
            yield element

    def _objects(self, part: str, build: list[tuple[dict[str, str], FloatArray]] | None = None) -> _Objects:
        """Return the objects of a part; of the root, whose items go to `build`, they may name other parts."""
        objects: _Objects = {}
        root = None
        for element in self._elements(part, f"{CORE}object", f"{CORE}item"):
            if root is None:
                root = element.getroottree().getroot()
                if root.tag != f"{CORE}model":
                    raise ValueError(f"its part {part[:100]!a} is no 3MF model")
                for prefix in root.get("requiredextensions", "").split():
                    if root.nsmap.get(prefix) not in HARMLESS:
                        self._left_out.append(f"it needs the extension '{prefix}' of 3MF, which is not read")
                if build is not None:
                    self._unit = root.get("unit", self._unit)
            if element.tag == f"{CORE}item":
                if build is not None:
                    build.append((dict(element.attrib), _transform(element)))
                continue
            objects[_required(element, "id")] = self._object(element, objects, part if build is not None else None)
            element.clear()
        if root is None:
            raise ValueError(f"its part {part[:100]!a} has no object of a 3MF model")
        return objects

    def _object(self, element: Any, objects: _Objects, root: str | None) -> list[_Mesh]:
        kind = element.get("type", "model")
        if kind not in SOLID:
            self._left_out.append(f"object {element.get('id')} of type '{kind}' has no mass and is left out")
            return []
        meshes = [_mesh(mesh) for mesh in element.iterchildren(f"{CORE}mesh")]
        for component in element.iterfind(f"{CORE}components/{CORE}component"):
            named = self._named_by(dict(component.attrib), root, objects)
            meshes += _moved(named, _transform(component), len(meshes))
        return meshes

    def _named_by(self, attributes: dict[str, str], root: str | None, objects: _Objects) -> list[_Mesh]:
        """Return the meshes that an item or a component names, in its own part or, from the root, in another."""
        part, name = attributes.get(f"{PRODUCTION}path"), attributes.get("objectid", "")
        if part is not None and root is not None and part.strip("/") != root.strip("/"):
            if part not in self._parts:
                self._parts[part] = self._objects(part)
            objects = self._parts[part]
        if name not in objects:
            raise ValueError(f"there is no object {name[:40]!a} before the one that is made of it")
        return objects[name]


def _moved(meshes: list[_Mesh], transform: FloatArray, others: int) -> list[_Mesh]:
    """Return meshes moved as a whole; too many are refused before they are made."""
    if others + len(meshes) > MAX_PIECES:
        raise ValueError(f"its assemblies have more than {MAX_PIECES} meshes")
    return [mesh._replace(transform=transform @ mesh.transform) for mesh in meshes]


def _mesh(mesh: Any) -> _Mesh:
    vertices = [
        [float(_required(vertex, axis)) for axis in ("x", "y", "z")]
        for vertex in mesh.iterfind(f"{CORE}vertices/{CORE}vertex")
    ]
    triangles = [
        [int(_required(triangle, corner)) for corner in ("v1", "v2", "v3")]
        for triangle in mesh.iterfind(f"{CORE}triangles/{CORE}triangle")
    ]
    return _Mesh(
        np.array(vertices, dtype=np.float64).reshape(-1, 3),
        np.array(triangles, dtype=np.int64).reshape(-1, 3),
        np.eye(4),
    )


def _transform(element: Any) -> FloatArray:
    """Return a transform for column vectors; the file's is for rows, with the translation as its last three numbers."""
    result = np.eye(4)
    text = element.get("transform")
    if text is not None:
        numbers = [float(word) for word in text.split()]
        if len(numbers) != 12:
            raise ValueError(f"a transform of it has {len(numbers)} numbers, not 12")
        result[:3] = np.array(numbers).reshape(4, 3).T
    return result


def _required(element: Any, name: str) -> str:
    value = element.get(name)
    if value is None:
        raise ValueError(f"line {element.sourceline}: <{etree.QName(element).localname}> has no {name}")
    return str(value)
