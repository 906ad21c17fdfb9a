# SPDX-License-Identifier: Apache-2.0
"""Removes our mesh files and textures that no robot needs any more: of an earlier export, or of one that was killed."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from ..document.document import MAX_BYTES
from ..errors import InertiaError
from ..files.input_file import read_bytes
from ..files.mesh_writers import is_ours
from ..files.temporary import remove_leftovers
from ..files.whole_files import filesystem_key
from .writers import BY_SUFFIX

ROBOTS = (*BY_SUFFIX, ".world", ".xacro")
"""Files that may name a mesh."""

_ENDING = re.compile(r"-[0-9a-f]{8}\.(?:obj|stl|png|jpg)")

_NAME = re.compile(r"[^/\\\"'<>]+$")
"""The last part of a path, at its end, in a text of XML."""

_LONGEST = 300
"""Maximum characters of a file's name: no file system allows more than 255."""

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


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
        found = _meshes(sdf.parent) if among is None else among
        for name in sorted(found - _named(sdf.parent, found, sdf.parent.iterdir())):
            path = sdf.parent / "meshes" / name
            if os.path.realpath(path) not in stay and is_ours(path):
                path.unlink(missing_ok=True)


def _meshes(folder: Path) -> set[str]:
    meshes = folder / "meshes"
    return {path.name for path in meshes.iterdir() if _ENDING.search(path.name)} if meshes.is_dir() else set()


def _named(folder: Path, names: set[str], files: Iterable[Path]) -> set[str]:
    """Return the names of files in ``meshes/`` that the robots' files among `files` mention."""
    by_ending: dict[str, list[str]] = {}
    for name in names:
        by_ending.setdefault(name[-len("-01234567.obj") :], []).append(name)
    named: set[str] = set()
    for path in files:
        if path.suffix.lower() in ROBOTS and path.is_file():
            data = read_bytes(path, MAX_BYTES)
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
