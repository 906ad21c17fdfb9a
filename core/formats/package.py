# SPDX-License-Identifier: Apache-2.0
"""Writes all files of a model: meshes first, then model.config, the SDF, URDF, MJCF or USD last.

Meshes are named after their content, so at any moment the file on disk, old or new, finds its own meshes. At the end,
meshes of ours that no robot's file in the folder names are removed.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Literal, NamedTuple

from ..arrays import FloatArray
from ..document.characters import ILLEGAL
from ..document.document import MAX_BYTES
from ..errors import Finding, InertiaError
from ..files.input_file import read_bytes
from ..files.mesh_writers import MeshFormat, file_name, is_ours, mesh_bytes, obj_bytes
from ..files.temporary import exclusive, remove_leftovers
from ..files.whole_files import (
    check_target,
    filesystem_key,
    new_folder,
    shortened,
    sync,
    write_atomic,
    write_folder,
    write_several_atomic,
)
from ..mesh.surface import Surface
from ..robot.model import Geometry, Mesh, Model, Texture
from ..robot.resolve import LinkBody
from .sdf.spec.names import is_device
from .sdf.write import config_bytes, digest
from .usd.prims import CRATE
from .writers import BY_SUFFIX, WRITERS, Writer
from .written_meshes import model_as_written

ROBOTS = (*BY_SUFFIX, ".usdc", ".world", ".xacro")
"""Files that may name a mesh."""

_ENDING = re.compile(r"-[0-9a-f]{8}\.(?:obj|stl|usda|png|jpg)")
"""The end of the name of each file that we write into ``meshes/``: a digest of its content, and the suffix."""

_NAME = re.compile(r"[^/\\\"'<>]+$")
"""The last part of a path, at its end, in a text of XML."""

_LONGEST = 300
"""Maximum characters of a file's name: no file system allows more than 255."""

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The first two bytes of a text in UTF-16."""

UriStyle = Literal["relative", "model", "file"]
"""How the main file names its meshes: by a path from its folder, by the model's name, or by an absolute path."""


@dataclass(frozen=True)
class Target:
    """Where a model is written: the folder of its files, the name of the main file, and its format."""

    folder: Path
    file_name: str = "model.sdf"
    file_format: str = "sdf"

    @classmethod
    def of(cls, path: Path, model_name: str, file_format: str = "sdf") -> Target:
        """Return the target of a path: a file (``*.sdf``, ``*.xml`` ...), or the folder for ``<model_name>/``.

        The suffix of a file gives its format.
        """
        writer = BY_SUFFIX.get(path.suffix.lower())
        if writer is not None:
            return cls(path.parent, path.name, writer.name)
        return cls(path / folder_name(model_name), WRITERS[file_format].file_name, file_format)

    @property
    def file(self) -> Path:
        return self.folder / self.file_name

    @property
    def writer(self) -> Writer:
        return WRITERS[self.file_format]


class Written(NamedTuple):
    """The main file of a model that was written, and what it could not keep of the one that it replaced.

    `counts` are the numbers of its links and joints, by the words of its format, as in `filled`.
    """

    file: Path
    findings: tuple[Finding, ...]
    counts: Mapping[str, int]


def write_model(
    model: Model,
    bodies: Iterable[LinkBody],
    target: Target,
    uri_style: UriStyle = "relative",
    mesh_format: MeshFormat = "obj",
    draw_collisions: bool = False,
    needed: Collection[Path] = (),
) -> Written:
    """Write the resolved links of a model with their meshes, and for an SDF file a model.config.

    With `draw_collisions`, a link without a visual is drawn by its collisions. Meshes that are `needed` stay.

    Raises
    ------
    OSError
        If something cannot be written; an earlier model is then still complete, and of a new one nothing is left.
    """
    bodies = tuple(bodies)
    of_gazebo = target.writer.of_gazebo
    model, stems, uvs = model_as_written(model, bodies, target.file_format, draw_collisions)
    files, names = _files(stems, uvs, mesh_format, target.writer)
    uris: dict[Geometry | Texture, str] = {
        mesh: _uri(name, model.name, target, uri_style) for mesh, name in names.items()
    }
    if target.writer.has_textures:
        for texture in _textures(model):
            name = file_name(texture.stem, texture.data, texture.suffix)
            files[name] = texture.data
            uris[texture] = _uri(name, model.name, target, uri_style)
    digests: dict[Geometry, str] = {mesh: digest(files[name]) for mesh, name in names.items()}
    main_file = target.writer.write(model, bodies, uris, digests)
    config_path = target.folder / "model.config"
    beside = {config_path: config_bytes(model, _for_xml(target.file_name, target.file))} if of_gazebo else {}
    meshes = target.folder / "meshes"
    for path in (target.file, *beside, *(meshes / name for name in files)):
        check_target(path)
    with new_folder(target.folder), exclusive(target.folder) as alone, new_folder(meshes if files else target.folder):
        former, config = meshes_named_by(target.file), config_path.read_bytes() if config_path.exists() else None
        last = {target.file: main_file}
        # The config of another model here names its file until ours is written.
        beside_another = config is not None and not target.file.exists()
        try:
            if files:
                write_folder(meshes, files)
                sync(target.folder)
            lost = write_several_atomic(last | beside if beside_another else beside | last)
        except BaseException:
            if of_gazebo and not (target.file.exists() and target.file.read_bytes() == main_file):
                _put_back(config_path, config)
            raise
        finally:
            remove_unused_meshes(target.file, None if alone else former, needed)
    return Written(target.file, lost, target.writer.counts(main_file))


def folder_name(model_name: str) -> str:
    """Return the name of a model's folder: the model's own, if every system allows it.

    A name that is too long is cut, and made unique by a hash; a name that Windows reserves for a device gets the hash,
    too.
    """
    short = shortened(model_name)
    if short == model_name and not is_device(model_name):
        return model_name
    return f"{short}-{sha256(model_name.encode()).hexdigest()[:8]}"


def meshes_named_by(sdf: Path) -> set[str]:
    """Return the meshes in the folder of an SDF file that it names; empty if the file is missing or unreadable."""
    with suppress(OSError, InertiaError):
        return _named(sdf.parent, _meshes(sdf.parent), [sdf])
    return set()


def remove_unused_meshes(sdf: Path, among: set[str] | None, needed: Collection[Path] = ()) -> None:
    """Remove our meshes in the folder of an SDF file that no robot's file in that folder names.

    Nothing is removed if one of those cannot be read; files that cannot be removed stay.

    Parameters
    ----------
    sdf : Path
        A model's file; its meshes are in ``meshes/``.
    among : set of str or None
        Only these: the meshes of another process that may be writing to the folder are not named yet. None for all.
    needed : collection of Path
        Files that stay, such as those that the model was read from: its own file may be in another folder.
    """
    stay = {os.path.realpath(path) for path in needed}
    with suppress(OSError, InertiaError):
        remove_leftovers(sdf.parent / "meshes")
        candidates = _meshes(sdf.parent) if among is None else among
        for name in sorted(candidates - _named(sdf.parent, candidates, sdf.parent.iterdir())):
            path = sdf.parent / "meshes" / name
            if os.path.realpath(path) not in stay and is_ours(path):
                path.unlink(missing_ok=True)


def _files(
    stems: Mapping[Mesh, str], uvs: Mapping[Surface, FloatArray], mesh_format: MeshFormat, writer: Writer
) -> tuple[dict[str, bytes], dict[Mesh, str]]:
    """Return the mesh files by name, one for each content and named after its first user, and each mesh's file."""
    contents: dict[Surface, bytes] = {}
    first: dict[bytes, str] = {}
    names: dict[Mesh, str] = {}
    for mesh, stem in stems.items():
        uv = uvs.get(mesh.surface)
        if mesh.surface not in contents:
            if writer.layer is not None:
                contents[mesh.surface] = writer.layer(mesh.surface, uv)
            elif uv is not None:  # only OBJ has them
                contents[mesh.surface] = obj_bytes(mesh.surface, uv)
            else:
                contents[mesh.surface] = mesh_bytes(mesh.surface, mesh_format)
        data = contents[mesh.surface]
        if data not in first:
            suffix = f".{mesh_format}" if uv is None else ".obj"
            first[data] = file_name(stem, data, suffix if writer.layer is None else writer.suffixes[0])
        names[mesh] = first[data]
    return {name: data for data, name in first.items()}, names


def _textures(model: Model) -> Iterable[Texture]:
    return (visual.texture for link in model.links for visual in link.visuals if visual.texture is not None)


def _uri(name: str, model_name: str, target: Target, style: UriStyle) -> str:
    scheme = target.writer.scheme
    if style == "model" and scheme:
        return f"{scheme}://{folder_name(model_name)}/meshes/{name}"
    if style == "file":
        path = (target.folder / "meshes" / name).absolute()
        return _for_xml(_file_uri(path) if scheme else path.as_posix(), target.folder)
    return f"meshes/{name}"


def _file_uri(path: PurePath) -> str:
    """Return ``file://`` and an absolute path, unquoted, since simulators do not unquote; ``file:///C:/...``."""
    text = path.as_posix()
    return f"file://{text}" if text.startswith("/") else f"file:///{text}"


def _for_xml(text: str, path: Path) -> str:
    """Return a text that is made from `path`; raise an OSError that names the path if XML cannot contain it."""
    if ILLEGAL.search(text):
        raise OSError(errno.EINVAL, "the path has a character that XML cannot hold", str(path))
    return text


def _put_back(path: Path, data: bytes | None) -> None:
    """Restore a file's former content, or remove it if it did not exist, as far as possible."""
    with suppress(OSError):
        if data is None:
            path.unlink(missing_ok=True)
        else:
            write_atomic(path, data)


def _meshes(folder: Path) -> set[str]:
    meshes = folder / "meshes"
    return {path.name for path in meshes.iterdir() if _ENDING.search(path.name)} if meshes.is_dir() else set()


def _named(folder: Path, names: set[str], files: Iterable[Path]) -> set[str]:
    """Return the names of files in ``meshes/`` that the robots' files among `files` mention."""
    by_ending: dict[str, list[str]] = {}
    for name in names:
        by_ending.setdefault(name[name.rindex("-") :], []).append(name)
    named: set[str] = set()
    for path in files:
        if path.suffix.lower() in ROBOTS and path.is_file():
            data = read_bytes(path, MAX_BYTES)
            if data.startswith(CRATE):  # its names are packed: it may name any of them
                return set(names)
            text = data.decode("utf-16" if data[:2] in _UTF_16 else "utf-8", "replace")
            for match in _ENDING.finditer(text):
                ending = text[max(0, match.end() - _LONGEST) : match.end()]
                for name in by_ending.get(match[0], ()):
                    if ending.endswith(name) or _leads_to(ending, name, names, folder / "meshes"):
                        named.add(name)
    return named


def _leads_to(text: str, name: str, names: set[str], folder: Path) -> bool:
    """Return True if a text ends with what the disk resolves to a file's name, and not to another's."""
    mention = _NAME.search(text)
    if mention is None or mention[0] in names or filesystem_key(mention[0]) != filesystem_key(name):
        return False
    return (folder / mention[0]).is_file()
