# SPDX-License-Identifier: GPL-3.0-or-later
"""What another file has: linked, appended, overridden, reloaded. Never written into."""

from __future__ import annotations

import shutil

import bpy

from ..robot import Life


def link(life: Life) -> None:
    if not life.crowded():
        _bring(life, link=True)


def append(life: Life) -> None:
    if not life.crowded():
        _bring(life, link=False)


def link_by_hand(life: Life) -> None:
    """Link an object as File > Link does."""
    if life.crowded():
        return
    path = _copy(life)
    bpy.ops.wm.link(filepath=f"{path}/Object/torso", directory=f"{path}/Object/", filename="torso")


def override(life: Life) -> None:
    linked = [ob for ob in bpy.context.scene.objects if ob.library is not None and ob.override_library is None]
    if linked and not life.crowded():
        ob = linked[life.random.integers(len(linked))]
        ob.override_create(remap_local_usages=True)


def change_override(life: Life) -> None:
    overrides = [ob for ob in bpy.context.scene.objects if ob.override_library is not None and ob.library is None]
    if overrides:
        ob = overrides[life.random.integers(len(overrides))]
        ob.location = life.vector()
        ob.sdf_inertia.use_density, ob.sdf_inertia.density = True, life.random.uniform(1.0, 1e4)
        ob.sdf_inertia.is_link = not ob.sdf_inertia.is_link


def make_local(life: Life) -> None:
    foreign = [ob for ob in bpy.context.scene.objects if ob.library is not None or ob.override_library is not None]
    if foreign:
        foreign[life.random.integers(len(foreign))].make_local()


def reload_library(life: Life) -> None:
    if bpy.data.libraries:
        bpy.data.libraries[life.random.integers(len(bpy.data.libraries))].reload()


def _bring(life: Life, link: bool) -> None:
    with bpy.data.libraries.load(str(_copy(life)), link=link) as (there, here):
        here.objects = list(there.objects)
    for ob in here.objects:
        bpy.context.scene.collection.objects.link(ob)


def _copy(life: Life) -> str:
    """Return a copy of the library: Blender 4.2 crashes on appending from a file what is already linked from it."""
    path = life.path(".blend")
    shutil.copy(life.library, path)
    return str(path)
