# SPDX-License-Identifier: GPL-3.0-or-later
"""Which imported links shall have the computed inertia, and that back into the file they came from."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import bpy

from ...core.body.inertial import Inertial
from ...core.errors import InertiaError
from ...core.files.input_file import MAX_MESH_BYTES, read_bytes
from ...core.files.whole_files import write_whole
from ...core.sdf.published.write_back import write_back
from ..names import PROPERTIES


def imported_links(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the links of a scene that were imported, by name."""
    found = [ob for ob in scene.objects if getattr(ob, PROPERTIES).is_link and getattr(ob, PROPERTIES).source]
    return sorted(found, key=lambda ob: ob.name)


def is_accepted(ob: bpy.types.Object) -> bool:
    """Say whether a link's inertia is to be written into its file."""
    return bool(getattr(ob, PROPERTIES).accepted)


def accept(ob: bpy.types.Object, accepted: bool = True) -> None:
    """Give a link the inertia computed from its geometry at its published mass, or that of its file again.

    One for which the file has no numbers is computed anyway, and stays so.
    """
    settings = getattr(ob, PROPERTIES)
    settings.accepted = accepted
    published = settings.is_property_set("manual_mass")
    if not accepted:
        if published:
            settings.inertia = "MANUAL"
        return
    if published and not settings.use_mass and settings.manual_mass > 0.0:
        settings.mass, settings.use_mass = settings.manual_mass, True
    below = [child for child in ob.children if not getattr(child, PROPERTIES).is_link]
    if not any(getattr(one, PROPERTIES).is_collision or getattr(one, PROPERTIES).is_mass for one in (ob, *below)):
        for one in below:  # what is seen of it is all that can have its mass
            if getattr(one, PROPERTIES).is_visual:
                getattr(one, PROPERTIES).is_mass = True
    if published:
        settings.inertia = "FILLED"


def write_accepted(links: Iterable[tuple[bpy.types.Object, Inertial]]) -> dict[Path, int]:
    """Write links' inertials, in their frames, into the files they came from; return how many into each.

    Raises
    ------
    InertiaError
        ``source_changed`` where a file is not as it was when it was imported, or what `write_back` raises: nothing
        is written then.
    OSError
        If a file cannot be written.
    """
    by_file: dict[Path, dict[str, dict[str, Inertial]]] = {}
    objects: dict[Path, list[bpy.types.Object]] = {}
    for ob, inertial in links:
        settings = getattr(ob, PROPERTIES)
        path = Path(bpy.path.abspath(settings.source))
        _check(path, settings.source_hash)
        by_file.setdefault(path, {}).setdefault(settings.source_model, {})[settings.sdf_name or ob.name] = inertial
        objects.setdefault(path, []).append(ob)
    written = {path: _with_all(path, models) for path, models in by_file.items()}
    for path, data in written.items():
        write_whole(path, data)
        state = sha256(data).hexdigest()
        for ob in bpy.data.objects:
            settings = getattr(ob, PROPERTIES)
            if settings.source and Path(bpy.path.abspath(settings.source)) == path:
                settings.source_hash = state
    return {path: len(own) for path, own in objects.items()}


def _with_all(path: Path, models: dict[str, dict[str, Inertial]]) -> bytes:
    data = None
    for name, inertials in models.items():
        data = write_back(path, name, inertials, data)
    assert data is not None  # there is a model for each path
    return data


def _check(path: Path, state: str) -> None:
    if sha256(read_bytes(path, MAX_MESH_BYTES)).hexdigest() != state:
        message = "the file is not as it was when it was imported"
        raise InertiaError("source_changed", str(path), message, "import it again, and accept there")
