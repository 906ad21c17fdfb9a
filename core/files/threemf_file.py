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
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np
from lxml import etree

from ..arrays import FloatArray, TriangleArray, VertexArray

CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
MODEL_TYPE = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
PRODUCTION = "{http://schemas.microsoft.com/3dmanufacturing/production/2015/06}"
HARMLESS = (PRODUCTION[1:-1], "http://schemas.microsoft.com/3dmanufacturing/material/2015/02")
"""Extensions that add no geometry."""

SOLID = ("model", "solidsupport")
"""Types of objects that have mass; all others are surfaces or supports."""


class Piece(NamedTuple):
    """A mesh with its transform."""

    vertices: VertexArray
    triangles: TriangleArray
    transform: FloatArray


@dataclass
class Package:
    """The result of a build: its pieces, the name of its unit, and in words what was left out."""

    unit: str
    pieces: list[Piece] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def read_3mf(data: bytes, most_bytes: int, most_triangles: int) -> Package:
    """Read a package.

    Parameters
    ----------
    most_bytes : int
        Maximum size of the unpacked parts; more is refused before it is unpacked.
    most_triangles : int
        Maximum of all pieces together.

    Raises
    ------
    ValueError
        Explains what is not 3MF.
    """
    try:
        return _Reader(zipfile.ZipFile(BytesIO(data)), most_bytes, most_triangles).package()
    except etree.XMLSyntaxError as error:
        raise ValueError(f"its model is no XML: {error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"its archive cannot be unpacked: {error}") from None  # damaged, or encrypted
    except OverflowError:
        raise ValueError("the number of a vertex is too large for one") from None


class _Reader:
    """Reads a package; each part, and each mesh in it, once."""

    def __init__(self, archive: zipfile.ZipFile, most_bytes: int, most_triangles: int) -> None:
        self._archive, self._left, self._most = archive, most_bytes, most_triangles
        self._names = {info.filename.strip("/").casefold(): info for info in archive.infolist()}
        self._parts: dict[str, dict[str, list[Piece]]] = {}
        self._package = Package("millimeter")

    def package(self) -> Package:
        """Return what the root model builds."""
        build: list[tuple[Any, FloatArray]] = []
        root = self._root_part()
        objects = self._objects(root, build)
        for item, transform in build:
            found = self._part(item, root, objects)
            self._package.pieces += self._moved(found, transform, len(self._package.pieces))
        _within(self._package.pieces, self._most)
        return self._package

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
        if info.file_size > self._left:
            raise ValueError(f"its part {name[:100]!a} would have {info.file_size} bytes unpacked, which is too much")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # a package may not use others
            raise ValueError(f"its part {name[:100]!a} is compressed by method {info.compress_type}, not by Deflate")
        with self._archive.open(info) as file:
            data = file.read(self._left + 1)  # a header may state too small a size
        self._left -= len(data)
        parser = etree.iterparse(
            BytesIO(data), events=("end",), tag=tags, resolve_entities=False, no_network=True, huge_tree=True
        )
        for _, element in parser:
            if element.getroottree().docinfo.doctype:
                raise ValueError("a DOCTYPE is not allowed in it")
            yield element

    def _objects(self, name: str, build: list[tuple[Any, FloatArray]] | None = None) -> dict[str, list[Piece]]:
        """Return the pieces of each object of a model; those of the root, which `build` is for, may name other
        models."""
        objects: dict[str, list[Piece]] = {}
        root = None
        for element in self._elements(name, f"{CORE}object", f"{CORE}item"):
            if root is None:
                root = element.getroottree().getroot()
                if root.tag != f"{CORE}model":
                    raise ValueError(f"its part {name[:100]!a} is no 3MF model")
                self._look_at(root, build is not None)
            if element.tag == f"{CORE}item":
                if build is not None:
                    build.append((dict(element.attrib), _transform(element)))
                continue
            objects[_required(element, "id")] = self._object(element, objects, name if build is not None else None)
            element.clear()
        if root is None:
            raise ValueError(f"its part {name[:100]!a} has no object of a 3MF model")
        return objects

    def _look_at(self, root: Any, first: bool) -> None:
        if first:
            self._package.unit = root.get("unit", "millimeter")
        for prefix in root.get("requiredextensions", "").split():
            if root.nsmap.get(prefix) not in HARMLESS:
                self._package.left_out.append(f"it needs the extension '{prefix}' of 3MF, which is not read")

    def _object(self, element: Any, objects: dict[str, list[Piece]], root: str | None) -> list[Piece]:
        kind = element.get("type", "model")
        if kind not in SOLID:
            self._package.left_out.append(f"object {element.get('id')} of type '{kind}' has no mass and is left out")
            return []
        pieces = [_mesh(mesh) for mesh in element.iterchildren(f"{CORE}mesh")]
        for component in element.iterfind(f"{CORE}components/{CORE}component"):
            found = self._part(dict(component.attrib), root, objects)
            pieces += self._moved(found, _transform(component), len(pieces))
        return pieces

    def _part(self, attributes: dict[str, str], root: str | None, objects: dict[str, list[Piece]]) -> list[Piece]:
        """Return the pieces that an item or a component names, in its own part or another."""
        path, name = attributes.get(f"{PRODUCTION}path"), attributes.get("objectid", "")
        if path is not None and root is not None and path.strip("/") != root.strip("/"):
            if path not in self._parts:
                self._parts[path] = self._objects(path)
            objects = self._parts[path]
        if name not in objects:
            raise ValueError(f"there is no object {name[:40]!a} before the one that is made of it")
        return objects[name]

    def _moved(self, pieces: list[Piece], transform: FloatArray, others: int) -> list[Piece]:
        """Return pieces moved as a whole; too many are refused before they are made."""
        if others + len(pieces) > MOST_PIECES:
            raise ValueError(f"its assemblies have more than {MOST_PIECES} meshes")
        return [Piece(vertices, triangles, transform @ own) for vertices, triangles, own in pieces]


MOST_PIECES = 100_000
"""Number of meshes; nested assemblies can double it with every line."""


def _within(pieces: list[Piece], most: int) -> None:
    count = sum(len(piece.triangles) for piece in pieces)
    if count > most:
        raise ValueError(f"its items have {count} triangles together, above the limit of {most}")


def _mesh(mesh: Any) -> Piece:
    vertices = [
        (float(_required(one, "x")), float(_required(one, "y")), float(_required(one, "z")))
        for one in mesh.iterfind(f"{CORE}vertices/{CORE}vertex")
    ]
    triangles = [
        (int(_required(one, "v1")), int(_required(one, "v2")), int(_required(one, "v3")))
        for one in mesh.iterfind(f"{CORE}triangles/{CORE}triangle")
    ]
    return Piece(
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
