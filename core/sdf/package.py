# SPDX-License-Identifier: GPL-3.0-or-later
"""A model's files as one: meshes first, then model.config, the SDF last.

Meshes are named after their content, so at any instant the SDF on disk, old or new, finds its own meshes.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Literal, TypeVar

import numpy as np

from ..arrays import FloatArray, readonly
from ..files import check_target, cut, remove_leftovers, sync, write_all_whole, write_whole
from ..mesh.integrate import surface_moments
from ..mesh.surface import Surface
from ..model import Collision, Geometry, Mesh, Model, Visual
from ..pose import Pose
from ..resolve import LinkBody
from .mesh_files import MeshFormat, is_ours, mesh_bytes, mesh_name
from .write import config_bytes, sdf_bytes

UriStyle = Literal["relative", "model", "file"]

SDF_NAME = "model.sdf"
"""What a model's SDF file is called in its folder."""

FAR = 10.0
"""A mesh whose centre is further from its origin than this many times its size is written about its centre: simulators
integrate about the origin, and lose digits with the square of that distance."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_OUR_MESH = re.compile(r"meshes/([\w-]+-[0-9a-f]{8}\.(?:obj|stl))\s*<")


@dataclass(frozen=True)
class Target:
    """Where a model goes: the folder of its files, and the name of its SDF file."""

    folder: Path
    sdf_name: str = SDF_NAME

    @classmethod
    def of(cls, path: Path, model_name: str) -> Target:
        """Read a path that is the SDF file itself (``*.sdf``), or the folder to make ``<model_name>/`` in."""
        return cls(path.parent, path.name) if path.suffix.lower() == ".sdf" else cls(path / folder_name(model_name))

    @property
    def sdf(self) -> Path:
        return self.folder / self.sdf_name


def write_model(
    model: Model,
    bodies: Iterable[LinkBody],
    target: Target,
    uri_style: UriStyle = "relative",
    mesh_format: MeshFormat = "obj",
) -> Path:
    """Write the resolved links of a model with their meshes; return the path of the SDF file.

    Raises
    ------
    OSError
        If something cannot be written; the model that was there before is then still whole.
    """
    bodies = tuple(bodies)
    model, shown = _as_written(model, bodies)
    files, names = _files(shown, mesh_format)
    uris: dict[Geometry, str] = {mesh: _uri(name, model.name, target.folder, uri_style) for mesh, name in names.items()}
    sdf = sdf_bytes(model, bodies, uris)
    config = config_bytes(model, _for_xml(target.sdf_name, target.sdf))
    former = _former_meshes(target.sdf)
    meshes = target.folder / "meshes"
    for path in (target.sdf, target.folder / "model.config", *(meshes / name for name in files)):
        check_target(path)
    (meshes if files else target.folder).mkdir(parents=True, exist_ok=True)
    for folder in (meshes, target.folder):
        remove_leftovers(folder)
    if files:
        write_all_whole(meshes, files)
        sync(target.folder)
    write_whole(target.folder / "model.config", config)
    write_whole(target.sdf, sdf)
    for name in _unused(former - files.keys(), target):
        if is_ours(meshes / name):
            (meshes / name).unlink(missing_ok=True)
    return target.sdf


def folder_name(model_name: str) -> str:
    """Return the name of a model's folder: the model's own, cut and told apart by a hash where it is too long."""
    short = cut(model_name)
    return short if short == model_name else f"{short}-{sha256(model_name.encode()).hexdigest()[:8]}"


@dataclass(frozen=True, eq=False)
class _Placed:
    """A surface as it is written, and its origin in the frame of its part [m]."""

    surface: Surface
    origin: FloatArray


@dataclass(frozen=True, eq=False)
class _Shown:
    """What is written of each mesh, in the order of links and parts; parts that look the same share it."""

    surfaces: dict[Mesh, tuple[str, Surface]] = field(default_factory=dict)
    placed: dict[Hashable, _Placed] = field(default_factory=dict)


def _files(shown: _Shown, mesh_format: MeshFormat) -> tuple[dict[str, bytes], dict[Mesh, str]]:
    """Return the mesh files by name, one for each content and named after its first user, and each mesh's file."""
    contents: dict[Surface, bytes] = {}
    first: dict[bytes, str] = {}
    names: dict[Mesh, str] = {}
    for mesh, (stem, surface) in shown.surfaces.items():
        if surface not in contents:
            contents[surface] = mesh_bytes(surface, mesh_format)
        data = contents[surface]
        if data not in first:
            first[data] = mesh_name(stem, data, mesh_format)
        names[mesh] = first[data]
    return {name: data for data, name in first.items()}, names


def _as_written(model: Model, bodies: tuple[LinkBody, ...]) -> tuple[Model, _Shown]:
    """Return the model with its meshes about good origins, and what is to be written of each mesh."""
    resolved = {body.name: body for body in bodies}
    shown = _Shown()
    links = []
    for link in model.links:
        if link.name in resolved:
            body = resolved[link.name]
            corrected = {part.name: part.surface for part in body.parts}
            centred = body.mode == "auto"
            collisions = [
                _about_good_origin(collision, shown, corrected.get(collision.name), centred)
                for collision in link.collisions
            ]
            visuals = [_about_good_origin(visual, shown) for visual in link.visuals]
            links.append(replace(link, collisions=tuple(collisions), visuals=tuple(visuals)))
    return replace(model, links=tuple(links)), shown


PartT = TypeVar("PartT", Collision, Visual)


def _about_good_origin(part: PartT, shown: _Shown, corrected: Surface | None = None, centred: bool = False) -> PartT:
    """Give a part with a mesh the pose and the surface that are written; `shown` takes the latter."""
    geometry = part.geometry
    if not isinstance(geometry, Mesh):
        return part
    key = (_looks(geometry, corrected), centred)
    if key not in shown.placed:
        shown.placed[key] = _place(corrected or geometry.baked, centred)
    placed = shown.placed[key]
    mesh = replace(geometry)  # a key of its own, whoever else shows the same surface
    shown.surfaces[mesh] = (part.name.removesuffix("_visual"), placed.surface)
    return replace(part, pose=part.pose @ Pose(np.eye(3), placed.origin), geometry=mesh)


def _looks(mesh: Mesh, corrected: Surface | None) -> Hashable:
    """Return what tells the surfaces of parts apart; that of a corrected one, made anew for each part, is hashed."""
    if corrected is None:
        return mesh.surface, mesh.stretch.tobytes()
    digest = sha256(corrected.vertices.tobytes())
    digest.update(corrected.triangles.tobytes())
    return corrected.vertices.dtype.str, corrected.triangles.dtype.str, digest.digest()


def _place(surface: Surface, centred: bool) -> _Placed:
    """Choose a surface's origin.

    The mesh of an AUTO collision is written about its centroid: there every simulator loses the fewest digits, and
    Drake 1.51, which takes a mesh's tensor about its origin for that about its centre of mass, is right too.
    """
    low, high = surface.bounds()
    origin = low + (high - low) / 2.0
    if centred:
        origin = surface_moments(surface).centroid
    elif np.linalg.norm(origin) <= FAR * np.linalg.norm(high - low):
        origin = np.zeros(3)
    return _Placed(surface.moved(-origin), readonly(origin, (3,)))


def _uri(name: str, model_name: str, folder: Path, style: UriStyle) -> str:
    if style == "model":
        return f"model://{folder_name(model_name)}/meshes/{name}"
    if style == "file":
        return _for_xml(_file_uri((folder / "meshes" / name).absolute()), folder)
    return f"meshes/{name}"


def _file_uri(path: PurePath) -> str:
    """Return ``file://`` and an absolute path, unquoted, since simulators do not unquote; ``file:///C:/...``."""
    text = path.as_posix()
    return f"file://{text}" if text.startswith("/") else f"file:///{text}"


def _for_xml(text: str, path: Path) -> str:
    """Return a text that is made from `path`; raise an OSError that names the path if XML has no way to hold it."""
    if _NOT_XML.search(text):
        raise OSError(errno.EINVAL, "the path has a character that XML cannot hold", str(path))
    return text


def _former_meshes(sdf: Path) -> set[str]:
    """Return the names of the meshes that our former SDF file at this place refers to."""
    if not sdf.is_file():
        return set()
    return set(_OUR_MESH.findall(sdf.read_text("utf-8", "replace")))


def _unused(names: set[str], target: Target) -> set[str]:
    """Return the meshes that no other SDF file of the folder mentions; none if one of those cannot be read."""
    try:
        for path in target.folder.iterdir():
            if names and path.suffix.lower() == ".sdf" and path != target.sdf and path.is_file():
                text = path.read_text("utf-8", "replace")
                names = {name for name in names if name not in text}
    except OSError:
        return set()
    return names
