# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines simulate of the file that an export would write: computed on demand, and kept for the panel."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import bpy

from .. import live
from ..names import MODEL
from .export_scene import Export, export_scene

if TYPE_CHECKING:
    from ...core.engines.compared import Comparison

READ_BY = {
    "sdf": ("gazebo", "drake"),
    "urdf": ("gazebo", "drake", "mujoco", "pinocchio", "pybullet", "pybullet-file", "newton"),
}
"""The engines that read a format."""


class EngineComparison(NamedTuple):
    """A comparison, and the signature of the live model that it is about."""

    comparison: Comparison
    signature: int


_kept: dict[tuple[int, str], EngineComparison] = {}


def property_of(engine: str) -> str:
    """Return the name of the setting by which an engine is compared."""
    return f"for_{engine.replace('-', '_')}"


def chosen_engines(scene: bpy.types.Scene) -> list[str]:
    """Return the engines that the user wants compared, of those that read the format."""
    settings = getattr(scene, MODEL)
    return [name for name in READ_BY[settings.compared_format] if getattr(settings, property_of(name))]


def kept_comparison(scene: bpy.types.Scene) -> EngineComparison | None:
    """Return the last comparison of a scene in the chosen format, however old; None if there is none."""
    return _kept.get((scene.session_uid, getattr(scene, MODEL).compared_format))


def compare_engines(depsgraph: bpy.types.Depsgraph) -> Export:
    """Export the scene's model to a temporary folder, and keep what the chosen engines simulate of the file.

    Returns
    -------
    Export
        Without a file if it was refused; then nothing is compared.

    Raises
    ------
    InertiaError
        If the file cannot be read.
    OSError
        If it cannot be written.
    """
    from ...core.engines.compared import compared  # at the first click: Blender shall start as quickly as before
    from ...core.formats.table import read_robot_file

    scene, signature = depsgraph.scene.original, live.model(depsgraph).signature
    file_format = getattr(scene, MODEL).compared_format
    _kept.pop((scene.session_uid, file_format), None)
    with TemporaryDirectory() as folder:
        exported = export_scene(depsgraph, Path(folder), file_format=file_format)
        if exported.sdf is not None:
            comparison = compared(read_robot_file(exported.sdf), chosen_engines(scene))
            _kept[scene.session_uid, file_format] = EngineComparison(comparison, signature)
    return exported
