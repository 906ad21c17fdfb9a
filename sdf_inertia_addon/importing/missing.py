# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of imported robots whose meshes were not found, and the search for them in a folder that the user names."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import Finding, InertiaError
from ...core.formats.robot_file import ImportedRobot
from ...core.formats.table import robots_of
from ..names import PROPERTIES
from .build import build_missing, hide_collisions
from .mesh_files import MeshFiles
from .sources import add_folder


def _first_seen(made: list[bpy.types.Object]) -> list[bpy.types.Object]:
    """Return the links whose visuals are all among the objects that were made."""
    links = dict.fromkeys(ob.parent for ob in made if ob.parent is not None and getattr(ob, PROPERTIES).is_visual)
    return [link for link in links if all(ob in made or not getattr(ob, PROPERTIES).is_visual for ob in link.children)]


def incomplete_links(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the imported links that lack parts and can be changed."""
    return [ob for ob in scene.objects if getattr(ob, PROPERTIES).missing and _may_change(ob)]


def _may_change(ob: bpy.types.Object) -> bool:
    collection = ob.users_collection[0]
    return bool(ob.is_editable and collection.is_editable and not (ob.override_library or collection.override_library))


def count_missing(scene: bpy.types.Scene) -> int:
    """Return how many parts are missing."""
    return sum(len(getattr(ob, PROPERTIES).missing.splitlines()) for ob in incomplete_links(scene))


def find_meshes(context: bpy.types.Context, folder: Path) -> tuple[int, list[Finding]]:
    """Make the missing parts whose meshes are in a folder or below it.

    Returns
    -------
    count : int
        How many were made.
    findings : list of Finding
        Why the file of a robot can no longer be read.
    """
    robots: dict[tuple[str, str, str], dict[str, bpy.types.Object]] = defaultdict(dict)
    for ob in incomplete_links(context.scene):
        settings: Any = getattr(ob, PROPERTIES)
        collection = ob.users_collection[0].name_full  # a file may be imported twice
        robots[settings.source, settings.source_model, collection][settings.sdf_name] = ob
    files = MeshFiles()
    read: dict[str, dict[str, ImportedRobot]] = {}
    findings = []
    made: list[bpy.types.Object] = []
    try:
        for source in dict.fromkeys(source for source, _, _ in robots):
            path = bpy.path.abspath(source)
            try:
                read[source] = {robot.model.name: robot for robot in robots_of(path, (folder,), files.loaders)}
            except InertiaError as error:
                findings.append(error.about(os.path.basename(path)).finding())
        for (source, model, _), links in robots.items():
            robot = read.get(source, {}).get(model)
            if robot is not None:
                for ob in links.values():
                    add_folder(ob, folder)
                made += build_missing(robot, files, context.scene, links)
    finally:
        files.close()
    context.view_layer.update()
    first = _first_seen(made)  # until now their collisions were all there was to see
    hide_collisions(context.view_layer, [*made, *(ob for link in first for ob in link.children if ob not in made)])
    return len(made), findings
