# SPDX-License-Identifier: Apache-2.0
"""Reads 3MF: the meshes that a package builds, placed by its items and components.

Not read through trimesh (5.2), which silently stops at an invalid number, takes exponential time for nested assemblies,
unpacks everything in the archive, and needs networkx. Format: 3MF Core Specification 1.3 and Production Extension 1.1;
only the root model may name other parts, and objects come before those that use them, so there are no cycles.
"""

from __future__ import annotations

import zipfile
import zlib
from array import array
from collections.abc import Callable
from io import BytesIO
from typing import NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

import numpy as np

from ..arrays import FloatArray, TriangleArray, VertexArray
from .input_file import MAX_DEPTH
from .limits import FREE_UNPACKED, LIMITS, MAX_UNPACKED, Repeats
from .trimesh_scene import SceneFile, placed

# Names as expat gives them: namespace, brace, local name.
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
MODEL_TYPE = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06}"
HARMLESS = (PRODUCTION[:-1], "http://schemas.microsoft.com/3dmanufacturing/material/2015/02")
"""Extensions that add no geometry."""

RESOURCES = ["model", "resources"]
OBJECT = [*RESOURCES, "object"]
COMPONENTS = [*OBJECT, "components"]
VERTICES, TRIANGLES = [*OBJECT, "mesh", "vertices"], [*OBJECT, "mesh", "triangles"]
BUILD = ["model", "build"]
"""The elements above those that are read."""

METRES = {"micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "inch": 0.0254, "foot": 0.3048, "meter": 1.0}
"""Metres per unit, by the names that the specification allows."""

SOLID = ("model", "solidsupport")
"""Types of objects that have mass; all others are surfaces or supports."""

CHUNK = 1 << 20
"""Bytes that are unpacked at a time."""


class _Mesh(NamedTuple):
    """A mesh with its transform."""

    vertices: VertexArray
    triangles: TriangleArray
    transform: FloatArray


_Objects = dict[str, list[_Mesh]]
"""The meshes of each object of a part, by the object's id."""


def read_3mf(data: bytes, metres: float | None = None) -> tuple[SceneFile, float]:
    """Read a package: its meshes [m], the name of its unit, in words what was left out, and the metres per unit.

    Parameters
    ----------
    metres : float or None
        Metres per unit; None for those of the unit that the package states, by default the millimetre.

    Raises
    ------
    ValueError
        Explains what is not 3MF, which unit is not one of 3MF, or what is too large once it is unpacked.
    InertiaError
        What `Surface` raises.
    """
    try:
        return _Reader(data).read(metres)
    except expat.ExpatError as error:
        raise ValueError(f"its model is not XML: {error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"its archive cannot be unpacked: {error}") from None  # damaged, or encrypted
    except OverflowError:
        raise ValueError("the number of a vertex is too large for one") from None


Attributes = dict[str, str]


class _Reader:
    """Reads a package; each part, and each mesh in it, once."""

    def __init__(self, data: bytes) -> None:
        self._archive = zipfile.ZipFile(BytesIO(data))
        self._names = {info.filename.strip("/").casefold(): info for info in self._archive.infolist()}
        self._bytes_left = min(LIMITS[".3mf"].bytes, FREE_UNPACKED + MAX_UNPACKED * len(data))
        self._parts: dict[str, _Objects] = {}
        self.repeats, self.left_out = Repeats(len(data)), list[str]()

    def read(self, metres: float | None) -> tuple[SceneFile, float]:
        root = self._root_part()
        part = _Part(self, root, is_root=True)
        self._parse(root, part.start, part)
        meshes: list[_Mesh] = []
        for item, transform in part.items:
            meshes += self.moved(part.named_by(item), transform)
        for mesh in meshes:
            self.repeats.place(len(mesh.vertices), len(mesh.triangles))
        if metres is None and part.unit not in METRES:
            raise ValueError(f"its unit {part.unit[:40]!a} is not one of {', '.join(METRES)}")
        metres = METRES[part.unit] if metres is None else metres
        scaling = np.diag([metres, metres, metres, 1.0])
        pieces = [placed("", mesh.vertices, mesh.triangles, scaling @ mesh.transform) for mesh in meshes]
        return SceneFile(pieces, part.unit, self.left_out), metres

    def _root_part(self) -> str:
        """Return the name of the root model."""
        targets: list[str] = []

        def start(tag: str, attributes: Attributes) -> None:
            if tag.rpartition("}")[2] == "Relationship" and attributes.get("Type") == MODEL_TYPE:
                targets.append(attributes.get("Target", ""))

        if "_rels/.rels" in self._names:
            self._parse("_rels/.rels", start)
        return targets[0] if targets else "3D/3dmodel.model"

    def objects(self, name: str) -> _Objects:
        """Return the objects of a part that the root names."""
        if name not in self._parts:
            part = _Part(self, name, is_root=False)
            self._parse(name, part.start, part)
            self._parts[name] = part.objects
        return self._parts[name]

    def moved(self, meshes: list[_Mesh], transform: FloatArray) -> list[_Mesh]:
        """Return meshes moved as a whole; nested assemblies can double them with every line."""
        self.repeats.visit(len(meshes))
        return [mesh._replace(transform=transform @ mesh.transform) for mesh in meshes]

    def _parse(self, name: str, start: Callable[[str, Attributes], None], part: _Part | None = None) -> None:
        """Unpack and parse a part piece by piece; one with a DOCTYPE is refused."""
        info = self._names.get(name.strip("/").casefold()) or self._names.get(unquote(name).strip("/").casefold())
        if info is None:
            raise ValueError(f"it has no part {name[:100]!a}")
        if info.file_size > self._bytes_left:
            raise ValueError(f"its part {name[:100]!a} would have {info.file_size} bytes unpacked, which is too much")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # a package may not use others
            raise ValueError(f"its part {name[:100]!a} is compressed by method {info.compress_type}, not by Deflate")
        parser = expat.ParserCreate(namespace_separator="}")
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.StartElementHandler = start
        if part is not None:
            parser.StartNamespaceDeclHandler, parser.EndElementHandler = part.namespace, part.end
        try:
            with self._archive.open(info) as file:
                while chunk := file.read(CHUNK):
                    self._bytes_left -= len(chunk)
                    if self._bytes_left < 0:  # a header may state too small a size
                        raise ValueError(f"its part {name[:100]!a} is larger than it states, and too large")
                    parser.Parse(chunk)
                parser.Parse(b"", True)
        finally:  # break the reference cycle of parser and handlers
            parser.StartElementHandler = parser.EndElementHandler = parser.StartNamespaceDeclHandler = None


def _refuse_doctype(*_: object) -> None:
    raise ValueError("a DOCTYPE is not allowed in it")


class _Part:
    """Reads the tags of a model as they come; there is no tree, so that memory is that of the numbers."""

    def __init__(self, reader: _Reader, name: str, is_root: bool) -> None:
        self._reader, self._name, self._is_root = reader, name, is_root
        self._prefixes: dict[str | None, str] = {}
        self._above: list[str] = []
        self._object: list[_Mesh] | None = None
        self._id = ""
        self._vertices, self._triangles = array("d"), array("q")
        self.objects: _Objects = {}
        self.items: list[tuple[Attributes, FloatArray]] = []
        self.unit = "millimeter"

    def namespace(self, prefix: str | None, uri: str) -> None:
        self._prefixes[prefix] = uri

    def start(self, tag: str, attributes: Attributes) -> None:
        name, above = tag.removeprefix(CORE) if tag.startswith(CORE) else "", self._above
        if len(above) >= MAX_DEPTH:
            raise ValueError(f"its elements are nested more than {MAX_DEPTH} deep")
        if name in ("object", "mesh", "item"):
            self._reader.repeats.visit()
        if not above:
            self._model(name, attributes)
        elif name == "vertex" and above == VERTICES and self._object is not None:
            self._vertices.extend([float(_required(name, attributes, axis)) for axis in ("x", "y", "z")])
        elif name == "triangle" and above == TRIANGLES and self._object is not None:
            self._triangles.extend([int(_required(name, attributes, corner)) for corner in ("v1", "v2", "v3")])
        elif name == "object" and above == RESOURCES:
            self._id = _required(name, attributes, "id")[:100]
            self._object = self._begun(attributes)
        elif name == "component" and above == COMPONENTS and self._object is not None:
            self._object += self._reader.moved(self.named_by(attributes), _transform(attributes))
        elif name == "item" and above == BUILD:
            self.items.append((attributes, _transform(attributes)))
        above.append(name)

    def end(self, tag: str) -> None:
        name = self._above.pop()
        if name == "mesh" and self._above == OBJECT and self._object is not None:
            vertices, triangles = (np.array(numbers).reshape(-1, 3) for numbers in (self._vertices, self._triangles))
            if len(triangles):
                self._object.append(_Mesh(vertices, triangles, np.eye(4)))
            self._vertices, self._triangles = array("d"), array("q")
        elif name == "object" and self._above == RESOURCES:
            self.objects[self._id] = self._object or []
            self._object = None

    def named_by(self, attributes: Attributes) -> list[_Mesh]:
        """Return the meshes that an item or a component names, in its own part or, from the root, in another."""
        path, name = attributes.get(f"{PRODUCTION}path"), attributes.get("objectid", "")[:100]
        objects = self.objects
        if path is not None and self._is_root and path.strip("/") != self._name.strip("/"):
            objects = self._reader.objects(path)
        if name not in objects:
            raise ValueError(f"there is no object {name[:40]!a} before the one that is made of it")
        return objects[name]

    def _model(self, name: str, attributes: Attributes) -> None:
        if name != "model":
            raise ValueError(f"its part {self._name[:100]!a} is not a 3MF model")
        for prefix in attributes.get("requiredextensions", "")[:1000].split():
            if self._prefixes.get(prefix) not in HARMLESS:
                self._reader.left_out.append(f"it needs the extension '{prefix}' of 3MF, which is not read")
        self.unit = attributes.get("unit", self.unit)

    def _begun(self, attributes: Attributes) -> list[_Mesh] | None:
        """Return the list for an object's meshes; None for one without mass."""
        kind = attributes.get("type", "model")
        if kind in SOLID:
            return []
        self._reader.left_out.append(f"object {self._id} of type '{kind[:40]}' has no mass and is left out")
        return None


def _transform(attributes: Attributes) -> FloatArray:
    """Return a transform for column vectors; the file's is for rows, with the translation as its last three numbers."""
    result = np.eye(4)
    text = attributes.get("transform")
    if text is not None:
        numbers = [float(word) for word in text.split()]
        if len(numbers) != 12:
            raise ValueError(f"a transform of it has {len(numbers)} numbers, not 12")
        result[:3] = np.array(numbers).reshape(4, 3).T
    return result


def _required(tag: str, attributes: Attributes, name: str) -> str:
    value = attributes.get(name)
    if value is None:
        raise ValueError(f"a <{tag}> of it has no {name}")
    return value
