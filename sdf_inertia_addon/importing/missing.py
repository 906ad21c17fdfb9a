# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of imported robots whose meshes were not found, and the search for them in a folder that the user names."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import bpy

from ...core.formats.robot_file import ImportedRobot
from ...core.formats.table import robots_of
from ...core.sdf.read.locate import PACKAGE_FILES
from ..names import PROPERTIES
from .build import build_missing, hide_collisions
from .mesh_files import MeshFiles

DEPTH = 5
"""Levels of folders that are searched for packages: the user's own, a workspace in it, its repositories, packages."""

MOST_FOLDERS = 5_000


def roots_in(folder: Path) -> tuple[Path, ...]:
    """Return a folder, and the packages in it with the folders that they are in: there meshes are looked up."""
    roots, level, left = [folder], [folder], MOST_FOLDERS
    for _ in range(DEPTH):
        below: list[Path] = []
        for one in level[:left]:
            files, folders = _content(one)
            below += folders
            if one != folder and not files.isdisjoint(PACKAGE_FILES):
                roots += [one.parent, one]
        left, level = max(left - len(level), 0), below
    return tuple(dict.fromkeys(roots))


def _content(folder: Path) -> tuple[set[str], list[Path]]:
    """Return the names of a folder's files, and the folders in it; nothing of one that cannot be read."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda one: one.name)
            folders = [one for one in listed if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
    except OSError:
        return set(), []
    return {one.name for one in listed}, [Path(one.path) for one in folders]


def incomplete_links(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the imported links that lack parts and can be changed."""
    return [ob for ob in scene.objects if getattr(ob, PROPERTIES).missing and ob.is_editable]


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
    robots: dict[tuple[str, str, str], dict[str, bpy.types.Object]] = defaultdict(dict)
    for ob in incomplete_links(context.scene):
        settings: Any = getattr(ob, PROPERTIES)
        own = ob.users_collection[0].name_full  # a file may be imported twice
        robots[settings.source, settings.source_model, own][settings.sdf_name] = ob
    read: dict[str, dict[str, ImportedRobot]] = {}
    count = 0
    files = MeshFiles()
    try:
        for (source, model, _), links in robots.items():
            if source not in read:
                found = robots_of(bpy.path.abspath(source), roots_in(folder), files.loaders)
                read[source] = {robot.model.name: robot for robot in found}
            if model in read[source]:
                count += build_missing(read[source][model], files, context.scene, links)
    finally:
        files.close()
    context.view_layer.update()
    changed = {ob.users_collection[0] for links in robots.values() for ob in links.values()}
    hide_collisions(context.view_layer, changed)
    return count
