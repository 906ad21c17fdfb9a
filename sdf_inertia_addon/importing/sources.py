# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that links were imported from: where they are, how they were, and that we wrote them since."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import bpy

from ...core.files.input_file import digest
from ...core.files.replaced import check_unchanged
from ...core.formats.table import SUFFIXES
from ..names import PROPERTIES


def imported_links(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the links of a scene that were imported, by name."""
    links = [ob for ob in scene.objects if getattr(ob, PROPERTIES).is_link and getattr(ob, PROPERTIES).source]
    return sorted(links, key=lambda ob: ob.name)


def source_of(ob: bpy.types.Object) -> Path:
    """Return the file that a link was imported from."""
    return Path(bpy.path.abspath(getattr(ob, PROPERTIES).source))


def folders_of(path: Path) -> tuple[Path, ...]:
    """Return the folders in which a user looked for the meshes and models of a file."""
    lines = [line for ob in _links_of(path) for line in getattr(ob, PROPERTIES).source_folders.splitlines()]
    return tuple(Path(line) for line in dict.fromkeys(lines))


def add_folder(ob: bpy.types.Object, folder: Path) -> None:
    """Store a folder in which a user looked for the meshes of a link."""
    settings = getattr(ob, PROPERTIES)
    lines = dict.fromkeys([*settings.source_folders.splitlines(), str(folder.absolute())])
    settings.source_folders = "\n".join(lines)


def set_included(links: Iterable[bpy.types.Object], source: Path, reads: Mapping[str, str | None]) -> None:
    """Store in links the states of the files that their file includes, from all that was read for it."""
    robots = {_real(Path(path)): state for path, state in reads.items() if path.lower().endswith(SUFFIXES)}
    robots.pop(_real(source), None)
    text = "\n".join(f"{state} {path}" for path, state in robots.items() if state is not None)
    for ob in links:
        getattr(ob, PROPERTIES).source_included = text


def check_unedited(links: Iterable[bpy.types.Object]) -> None:
    """Raise ``source_changed`` if somebody else has changed a file of these links since it was imported."""
    for path, state in dict.fromkeys(state for ob in links for state in _states(ob)):
        now = digest(path)
        written, before = _ours.get(_real(path), ("", frozenset()))
        check_unchanged(path, written if now == written and state in before else state)


def note_written(before: Mapping[Path, str], after: Mapping[Path, str]) -> None:
    """Store the new SHA-256 of files that we wrote, also in all objects that came from them."""
    # Undo restores the hashes that are stored in the objects, but not the file.
    states = {_real(path): state for path, state in after.items()}
    for path, state in after.items():
        real = _real(path)
        _ours[real] = state, _ours.get(real, ("", frozenset()))[1] | {before[path]}
    for ob in bpy.data.objects:
        settings = getattr(ob, PROPERTIES)
        if settings.source:
            settings.source_hash = states.get(_real(source_of(ob)), settings.source_hash)
            lines = [f"{states.get(path, state)} {path}" for path, state in _included(ob)]
            settings.source_included = "\n".join(lines)


_ours: dict[Path, tuple[str, frozenset[str]]] = {}
"""How we left a file in this session, and how it was before each time."""


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _links_of(path: Path) -> list[bpy.types.Object]:
    return [ob for ob in bpy.data.objects if getattr(ob, PROPERTIES).source and source_of(ob) == path]


def _states(ob: bpy.types.Object) -> list[tuple[Path, str]]:
    """Return the files that a link is from, with their SHA-256 when it was imported or when we wrote them."""
    return [(source_of(ob), getattr(ob, PROPERTIES).source_hash), *_included(ob)]


def _included(ob: bpy.types.Object) -> list[tuple[Path, str]]:
    lines = (line.partition(" ") for line in getattr(ob, PROPERTIES).source_included.splitlines())
    return [(Path(path), state) for state, _, path in lines]
