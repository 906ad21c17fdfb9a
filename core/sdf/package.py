# SPDX-License-Identifier: GPL-3.0-or-later
"""A model's files as one: meshes first, then model.config, the SDF last.

Meshes are named after their content, so at any instant the SDF on disk, old or new, finds its own meshes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np

from ..files import remove_leftovers, write_whole
from ..mesh.surface import Surface
from ..model import Collision, Geometry, Mesh, Model, Visual
from ..pose import Pose
from ..resolve import LinkBody
from .mesh_files import MeshFile, MeshFormat
from .write import config_bytes, sdf_bytes

UriStyle = Literal["relative", "model", "file"]

FAR = 10.0
"""A mesh whose centre is further from its origin than this many times its size is written about its centre: a
simulator integrates about the origin, and loses digits with the square of that distance."""

_OUR_MESH = re.compile(r"meshes/([\w-]+-[0-9a-f]{8}\.(?:obj|stl))\s*<")


@dataclass(frozen=True)
class Target:
    """Where a model goes: the folder of its files, and the name of its SDF file."""

    folder: Path
    sdf_name: str = "model.sdf"

    @classmethod
    def of(cls, path: Path, model_name: str) -> Target:
        """Read a path that is the SDF file itself (``*.sdf``), or the folder to make ``<model_name>/`` in."""
        return cls(path.parent, path.name) if path.suffix.lower() == ".sdf" else cls(path / model_name)

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
    model, surfaces = _as_written(model, bodies)
    files: dict[str, MeshFile] = {}
    uris: dict[Geometry, str] = {}
    for (stem, mesh), surface in surfaces.items():
        file = MeshFile.of(stem, surface, mesh_format)
        files[file.name] = file
        uris[mesh] = _uri(file.name, model.name, target.folder, uri_style)
    sdf = sdf_bytes(model, bodies, uris)
    former = _former_meshes(target.sdf)
    meshes = target.folder / "meshes"
    (meshes if files else target.folder).mkdir(parents=True, exist_ok=True)
    for folder in (meshes, target.folder):
        remove_leftovers(folder)
    for file in files.values():
        write_whole(meshes / file.name, file.data)
    write_whole(target.folder / "model.config", config_bytes(model, target.sdf_name))
    write_whole(target.sdf, sdf)
    for name in former - files.keys():
        (meshes / name).unlink(missing_ok=True)
    return target.sdf


def _as_written(model: Model, bodies: tuple[LinkBody, ...]) -> tuple[Model, dict[tuple[str, Mesh], Surface]]:
    """Return the model with its meshes near their own origins, and the surface of each, by file stem."""
    resolved = {body.name: body for body in bodies}
    surfaces: dict[tuple[str, Mesh], Surface] = {}
    links = []
    for link in model.links:
        if link.name not in resolved:
            continue
        measured = {part.name: part.surface for part in resolved[link.name].parts}
        collisions = []
        for collision in link.collisions:
            collisions.append(_near_origin(collision, surfaces, measured.get(collision.name)))
        visuals = [_near_origin(visual, surfaces, None) for visual in link.visuals]
        links.append(replace(link, collisions=tuple(collisions), visuals=tuple(visuals)))
    return replace(model, links=tuple(links)), surfaces


PartT = TypeVar("PartT", Collision, Visual)


def _near_origin(part: PartT, surfaces: dict[tuple[str, Mesh], Surface], measured: Surface | None) -> PartT:
    if not isinstance(part.geometry, Mesh):
        return part
    surface = part.geometry.baked if measured is None else measured
    low, high = surface.bounds()
    centre = low + (high - low) / 2.0
    mesh = replace(part.geometry)  # its own key, whoever else shows the same surface
    if np.linalg.norm(centre) > FAR * np.linalg.norm(high - low):
        part = replace(part, pose=part.pose @ Pose(np.eye(3), centre))
        surface = Surface(surface.vertices - centre, surface.triangles)
    surfaces[part.name.removesuffix("_visual"), mesh] = surface
    return replace(part, geometry=mesh)


def _uri(name: str, model_name: str, folder: Path, style: UriStyle) -> str:
    if style == "model":
        return f"model://{model_name}/meshes/{name}"
    if style == "file":
        return f"file://{(folder / 'meshes' / name).absolute().as_posix()}"
    return f"meshes/{name}"


def _former_meshes(sdf: Path) -> set[str]:
    """Return the names of the meshes that our former SDF file at this place refers to."""
    if not sdf.is_file():
        return set()
    return set(_OUR_MESH.findall(sdf.read_text("utf-8", "replace")))
