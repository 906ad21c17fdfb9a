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
from ..mesh.integrate import surface_moments
from ..mesh.surface import Surface
from ..model import Collision, Geometry, Mesh, Model, Visual
from ..pose import Pose
from ..resolve import LinkBody
from .mesh_files import MeshFile, MeshFormat
from .write import config_bytes, sdf_bytes

UriStyle = Literal["relative", "model", "file"]

FAR = 10.0
"""A mesh whose centre is further from its origin than this many times its size is written about its centre: simulators
integrate about the origin, and lose digits with the square of that distance."""

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
    """Return the model with its meshes about good origins, and the surface of each mesh, by file stem."""
    resolved = {body.name: body for body in bodies}
    surfaces: dict[tuple[str, Mesh], Surface] = {}
    links = []
    for link in model.links:
        if link.name in resolved:
            body = resolved[link.name]
            corrected = {part.name: part.surface for part in body.parts}
            centred = body.mode == "auto"
            collisions = [
                _about_good_origin(collision, surfaces, corrected.get(collision.name), centred)
                for collision in link.collisions
            ]
            visuals = [_about_good_origin(visual, surfaces) for visual in link.visuals]
            links.append(replace(link, collisions=tuple(collisions), visuals=tuple(visuals)))
    return replace(model, links=tuple(links)), surfaces


PartT = TypeVar("PartT", Collision, Visual)


def _about_good_origin(
    part: PartT,
    surfaces: dict[tuple[str, Mesh], Surface],
    corrected: Surface | None = None,
    centred: bool = False,
) -> PartT:
    """Give a part with a mesh the pose and the surface that are written; `surfaces` takes the latter.

    The mesh of an AUTO collision is written about its centroid: there every simulator loses the fewest digits, and
    Drake 1.51, which takes a mesh's tensor about its origin for that about its centre of mass, is right too.
    """
    if not isinstance(part.geometry, Mesh):
        return part
    surface = corrected or part.geometry.baked
    low, high = surface.bounds()
    origin = low + (high - low) / 2.0
    if centred:
        origin = surface_moments(surface).centroid
    elif np.linalg.norm(origin) <= FAR * np.linalg.norm(high - low):
        origin = np.zeros(3)
    mesh = replace(part.geometry)  # a key of its own, whoever else shows the same surface
    surfaces[part.name.removesuffix("_visual"), mesh] = surface.moved(-origin)
    return replace(part, pose=part.pose @ Pose(np.eye(3), origin), geometry=mesh)


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
