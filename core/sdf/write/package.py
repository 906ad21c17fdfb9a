# SPDX-License-Identifier: GPL-3.0-or-later
"""A model's files as one: meshes first, then model.config, the SDF last.

Meshes are named after their content, so at any instant the SDF on disk, old or new, finds its own meshes.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Literal

from ...files.folder_lock import exclusive
from ...files.mesh_writers import MeshFormat, mesh_bytes, mesh_name
from ...files.whole_files import check_target, new_folder, shortened, sync, write_all_whole, write_whole
from ...mesh.surface import Surface
from ...robot.model import Geometry, Mesh, Model
from ...robot.resolve import LinkBody
from .model_sdf import config_bytes, sdf_bytes
from .unused_meshes import meshes_named_by, remove_unused_meshes
from .written_meshes import model_as_written

UriStyle = Literal["relative", "model", "file"]

SDF_NAME = "model.sdf"
"""What a model's SDF file is called in its folder."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
        If something cannot be written; the model that was there before is then still whole, and of a first one
        nothing is left.
    """
    bodies = tuple(bodies)
    model, stems = model_as_written(model, bodies)
    files, names = _files(stems, mesh_format)
    uris: dict[Geometry, str] = {mesh: _uri(name, model.name, target.folder, uri_style) for mesh, name in names.items()}
    sdf = sdf_bytes(model, bodies, uris)
    config = config_bytes(model, _for_xml(target.sdf_name, target.sdf))
    config_path = target.folder / "model.config"
    meshes = target.folder / "meshes"
    for path in (target.sdf, config_path, *(meshes / name for name in files)):
        check_target(path)
    with new_folder(meshes if files else target.folder), exclusive(target.folder) as alone:
        former = meshes_named_by(target.sdf)
        first = not target.sdf.exists() and not config_path.exists()
        try:
            if files:
                write_all_whole(meshes, files)
                sync(target.folder)
            write_whole(config_path, config)
            write_whole(target.sdf, sdf)
        finally:
            if first and not target.sdf.exists():
                config_path.unlink(missing_ok=True)
            remove_unused_meshes(target.sdf, None if alone else former)
    return target.sdf


def folder_name(model_name: str) -> str:
    """Return the name of a model's folder: the model's own, cut and told apart by a hash where it is too long."""
    short = shortened(model_name)
    return short if short == model_name else f"{short}-{sha256(model_name.encode()).hexdigest()[:8]}"


def _files(stems: Mapping[Mesh, str], mesh_format: MeshFormat) -> tuple[dict[str, bytes], dict[Mesh, str]]:
    """Return the mesh files by name, one for each content and named after its first user, and each mesh's file."""
    contents: dict[Surface, bytes] = {}
    first: dict[bytes, str] = {}
    names: dict[Mesh, str] = {}
    for mesh, stem in stems.items():
        if mesh.surface not in contents:
            contents[mesh.surface] = mesh_bytes(mesh.surface, mesh_format)
        data = contents[mesh.surface]
        if data not in first:
            first[data] = mesh_name(stem, data, mesh_format)
        names[mesh] = first[data]
    return {name: data for data, name in first.items()}, names


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
