# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of imported robots whose meshes were not found, and the search for them in a folder that the user names."""

from __future__ import annotations

import os
from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import Any

import bpy

from ...core.formats.table import robots_of
from ..names import PROPERTIES
from .build import build_missing, hide_collisions
from .mesh_files import MeshFiles

DEPTH = 4
"""Levels of folders below the user's that are searched: from a workspace, over its repositories, to their packages."""

MOST_FOLDERS = 2_000


def roots_in(folder: Path) -> tuple[Path, ...]:
    """Return a folder and those below it, the nearest first, in which packages and meshes are looked up."""
    level, found = [folder], [folder]
    for _ in range(DEPTH):
        level = [Path(one.path) for above in level for one in _folders(above)]
        found += level
        if len(found) > MOST_FOLDERS:
            break
    return tuple(islice(found, MOST_FOLDERS))


def _folders(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            below = [one for one in entries if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
    except OSError:
        return []
    return sorted(below, key=lambda one: one.name)


def incomplete_links(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the imported links that lack parts."""
    return [ob for ob in scene.objects if getattr(ob, PROPERTIES).missing]


def count_missing(scene: bpy.types.Scene) -> int:
    """Return how many parts are missing."""
    return sum(len(getattr(ob, PROPERTIES).missing.splitlines()) for ob in incomplete_links(scene))


def find_meshes(context: bpy.types.Context, folder: Path) -> int:
    """Make the missing parts whose meshes are in a folder or below it; return how many.

    Raises
    ------
    InertiaError
        If the file of a robot can no longer be read.
    """
    by_file: dict[str, dict[str, dict[str, bpy.types.Object]]] = defaultdict(lambda: defaultdict(dict))
    for ob in incomplete_links(context.scene):
        settings: Any = getattr(ob, PROPERTIES)
        by_file[settings.source][settings.source_model][settings.sdf_name] = ob
    count = 0
    files = MeshFiles()
    try:
        for source, models in by_file.items():
            for robot in robots_of(bpy.path.abspath(source), roots_in(folder), files.loaders):
                count += build_missing(robot, files, context.scene, models[robot.model.name])
    finally:
        files.close()
    context.view_layer.update()
    hide_collisions(
        {ob.users_collection[0] for models in by_file.values() for own in models.values() for ob in own.values()}
    )
    return count
