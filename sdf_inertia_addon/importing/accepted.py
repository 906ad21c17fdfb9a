# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps track of the imported links whose computed inertia was accepted, and writes it back into their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import bpy
import numpy as np

from ...core.body.inertial import READ_NOISE, Inertial
from ...core.errors import Finding, InertiaError
from ...core.files.input_file import digest, read_bytes
from ...core.files.limits import MAX_MESH_BYTES
from ...core.files.replaced import check_unchanged
from ...core.files.whole_files import write_several_atomic
from ...core.formats.sdf_format import SDF
from ...core.formats.table import document_of, format_of, read_robot_document, write_back
from ...core.sdf.file_link import FileLink
from ...core.sdf.xml.document import Document
from ..names import PROPERTIES
from ..scene.belonging import below, is_solid


def imported_links(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the links of a scene that were imported, by name."""
    found = [ob for ob in scene.objects if getattr(ob, PROPERTIES).is_link and getattr(ob, PROPERTIES).source]
    return sorted(found, key=lambda ob: ob.name)


def is_accepted(ob: bpy.types.Object) -> bool:
    """Return True if a link has the computed inertia because the user accepted it."""
    settings = getattr(ob, PROPERTIES)
    return bool(settings.accepted and settings.inertia == "FILLED")


def has_published(ob: bpy.types.Object) -> bool:
    """Return True if the file gives an imported link numbers."""
    return bool(getattr(ob, PROPERTIES).is_property_set("manual_mass"))


def has_stated_mass(ob: bpy.types.Object) -> bool:
    """Return True if a link's mass follows from what the file or the user says, and not from water's density."""
    settings = getattr(ob, PROPERTIES)
    return bool(settings.use_mass or settings.use_density or (has_published(ob) and settings.manual_mass > 0.0))


def accept(ob: bpy.types.Object, accepted: bool = True) -> None:
    """Give a link the inertia computed from its geometry at the mass in its file, or that of its file again."""
    settings = getattr(ob, PROPERTIES)
    for one in _seen_alone(ob):  # what is seen of it is all that can have its mass
        getattr(one, PROPERTIES).is_mass = accepted
    settings.accepted = accepted
    if not accepted:
        settings.inertia = _as_in_file(ob)
        return
    if not settings.use_mass and has_published(ob) and settings.manual_mass > 0.0:
        settings.mass, settings.use_mass = settings.manual_mass, True
    settings.inertia = "FILLED"


def _seen_alone(ob: bpy.types.Object) -> list[bpy.types.Object]:
    """Return a link's visuals if it has no collisions and no other parts with mass; otherwise nothing.

    If MJCF gives one of them a mass, all have what they have in MuJoCo.
    """
    parts = [ob, *below(ob)]
    seen = [one for one in parts if getattr(one, PROPERTIES).is_visual]
    if any(map(_has_own_mass, seen)):
        return []
    return seen if not any(is_solid(one) for one in parts if one not in seen or _collides(one)) else []


def _has_own_mass(ob: bpy.types.Object) -> bool:
    settings = getattr(ob, PROPERTIES)
    return bool(settings.is_mass and (settings.use_mass or settings.use_density))


def _collides(ob: bpy.types.Object) -> bool:
    return bool(getattr(ob, PROPERTIES).is_collision)


def _as_in_file(ob: bpy.types.Object) -> str:
    """Return how an imported link was before its computed inertia was accepted."""
    if has_published(ob):
        return "MANUAL"
    if getattr(ob, PROPERTIES).without_inertial:
        return "NONE"
    try:
        return "AUTO" if format_of(document_of(_source(ob))) == SDF else "FILLED"  # only SDF has auto
    except InertiaError:  # the file is gone
        return "FILLED"


def write_accepted(
    links: Iterable[tuple[bpy.types.Object, Inertial]],
) -> tuple[dict[Path, int], tuple[Finding, ...]]:
    """Write links' inertials, in their frames, into the files they came from; the first originals stay as FILE.bak.

    Returns
    -------
    counts : dict of Path to int
        How many into each file.
    findings : tuple of Finding
        What the new files could not keep of the old ones, and where the originals are.

    Raises
    ------
    InertiaError
        ``source_changed`` where a file is not as it was when it was imported, ``accepted_twice`` where two objects
        stand for one link of a file, or what `write_back` raises: nothing is written then.
    OSError
        If a file cannot be written; where there is no room or permission for one, none is.
    """
    by_file: dict[Path, dict[str, dict[str, Inertial]]] = {}
    for ob, inertial in links:
        settings = getattr(ob, PROPERTIES)
        path = _source(ob)
        _check(path, settings.source_hash)
        own = by_file.setdefault(path, {}).setdefault(settings.source_model, {})
        if settings.sdf_name in own:
            raise InertiaError.of("accepted_twice", ob.name, link=settings.sdf_name, file=path.name)
        own[settings.sdf_name] = inertial
    read = {path: document_of(path) for path in by_file}
    written = {path: _written(document, by_file[path]) for path, document in read.items()}
    before = {path: sha256(document.data).hexdigest() for path, document in read.items()}
    try:
        lost = write_several_atomic(written, {str(path): state for path, state in before.items()}, backup=True)
    finally:  # if it fails halfway, some files are already written
        for path, data in written.items():
            state = sha256(data).hexdigest()
            if digest(path) == state:
                _note(path, before[path], state)
    return {path: sum(map(len, models.values())) for path, models in by_file.items()}, lost


def _written(document: Document, inertials: Mapping[str, Mapping[str, Inertial]]) -> bytes:
    """Return a file's new bytes; mass and centre of mass stay where Blender's float32 cannot tell them from the new."""
    file = read_robot_document(document)
    given = {(link.model, link.local_name): link for link in file.links}
    new = {
        model: {name: _kept(given.get((model, name)), inertial) for name, inertial in own.items()}
        for model, own in inertials.items()
    }
    return write_back(file, new)


def _kept(link: FileLink | None, new: Inertial) -> Inertial:
    mass, com = new.mass, new.com
    if link is not None and link.mass is not None and np.float32(link.mass) == np.float32(mass):
        mass = link.mass
    if link is not None and link.com is not None and np.abs(com - link.com).max() <= READ_NOISE * new.size:
        com = link.com
    return Inertial(mass, com, new.inertia)


def _note(path: Path, before: str, state: str) -> None:
    """Store the file's new hash in all objects that came from it, and that this session wrote it."""
    # Undo restores the hashes that are stored in the objects, but not the file.
    _ours[path] = state, _ours.get(path, ("", frozenset()))[1] | {before}
    for ob in bpy.data.objects:
        if getattr(ob, PROPERTIES).source and _source(ob) == path:
            getattr(ob, PROPERTIES).source_hash = state


def _hash(path: Path) -> str:
    return sha256(read_bytes(path, MAX_MESH_BYTES)).hexdigest()


_ours: dict[Path, tuple[str, frozenset[str]]] = {}
"""How we left a file in this session, and how it was before each time."""


def _source(ob: bpy.types.Object) -> Path:
    return Path(bpy.path.abspath(getattr(ob, PROPERTIES).source))


def _check(path: Path, state: str) -> None:
    """Refuse a file that somebody else has changed since it was imported."""
    now = _hash(path)
    left, before = _ours.get(path, ("", frozenset()))
    check_unchanged(path, left if now == left and state in before else state)
