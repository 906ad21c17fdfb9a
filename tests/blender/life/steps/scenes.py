# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes and view layers: new ones, the active one, and those that are removed."""

from __future__ import annotations

import bpy

from ...scenes import add, box_mesh, tag
from ..robot import Life


def new_scene(life: Life) -> None:
    if len(bpy.data.scenes) < 4:
        kinds = ["NEW", "EMPTY", "LINK_COPY"] if life.crowded() else ["NEW", "EMPTY", "LINK_COPY", "FULL_COPY"]
        bpy.ops.scene.new(type=str(life.random.choice(kinds)))
    if not bpy.context.scene.objects:
        tag(add(box_mesh(), life.name("lonely"), location=life.vector()), "link", "collision")


def switch_scene(life: Life) -> None:
    scenes = [scene for scene in bpy.data.scenes if scene.objects and scene.library is None]
    if scenes:
        bpy.context.window.scene = scenes[life.random.integers(len(scenes))]


def delete_scene(life: Life) -> None:
    others = [scene for scene in bpy.data.scenes if scene != bpy.context.scene]
    if any(scene.objects for scene in others):
        bpy.ops.scene.delete()
        switch_scene(life)


def view_layer(life: Life) -> None:
    """Look at another view layer of the scene, with other collections excluded, or make one."""
    layers = bpy.context.scene.view_layers
    if len(layers) < 3:
        layers.new(life.name("layer"))
    bpy.context.window.view_layer = layers[life.random.integers(len(layers))]


def delete_view_layer(life: Life) -> None:
    layers = bpy.context.scene.view_layers
    others = [layer for layer in layers if layer != bpy.context.view_layer]
    if others:
        layers.remove(others[0])
