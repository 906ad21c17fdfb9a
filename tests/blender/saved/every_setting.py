# SPDX-License-Identifier: GPL-3.0-or-later
"""A file in which no setting is as it comes, with what they are: python -m tests.blender.saved.every_setting FILE.blend

Made where it is needed, by any Blender, so it has what the newest version knows too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import bpy

from ..scenes import add, box_mesh, checkout

OF_OBJECTS = ("sdf_inertia", "sdf_inertia_begun")
OF_SCENES = ("sdf_inertia", "sdf_inertia_model")


def main(path: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    ob, other = add(box_mesh(), "ob"), add(None, "other")
    for owner, groups in ((ob, OF_OBJECTS), (bpy.context.scene, OF_SCENES)):
        for group in groups:
            change(getattr(owner, group), other)
    # What was begun by a button ends where a script sets something.
    for setting in kept(ob.sdf_inertia_begun):
        setattr(ob.sdf_inertia_begun, setting.identifier, True)
    path.with_suffix(".json").write_text(json.dumps(settings()), encoding="utf-8")
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def kept(group: bpy.types.PropertyGroup) -> Iterator[bpy.types.Property]:
    """Yield the settings of a group that Blender saves."""
    return (one for one in group.bl_rna.properties if one.is_runtime and not one.is_skip_save)


def change(group: bpy.types.PropertyGroup, other: bpy.types.Object) -> None:
    """Set each to something else than its default."""
    for setting in kept(group):
        setattr(group, setting.identifier, another(setting, other))
    for setting in kept(group):
        assert value(group, setting) != default(setting), f"{setting.identifier} is as it comes"


def another(setting: bpy.types.Property, other: bpy.types.Object) -> object:
    if setting.type == "POINTER":
        return other
    if setting.type == "BOOLEAN":
        return not setting.default
    if setting.type == "ENUM":
        return next(name for name in setting.enum_items.keys()[::-1] if name != setting.default)
    if setting.identifier == "material":
        return "Steel"  # the density is that of the material, and of an unknown one there is none
    if setting.type == "STRING":
        return f"é {setting.identifier}"
    if getattr(setting, "is_array", False):
        return [number + 0.25 * (index + 1) for index, number in enumerate(setting.default_array)]
    between = (setting.hard_min + min(setting.hard_max, setting.hard_min + 1000.0)) / 2.0
    return type(setting.default)(setting.default + 0.25 if setting.hard_max > 1e6 else between)


def default(setting: bpy.types.Property) -> object:
    if setting.type == "POINTER":
        return None
    return list(setting.default_array) if getattr(setting, "is_array", False) else setting.default


def value(group: bpy.types.PropertyGroup, setting: bpy.types.Property) -> object:
    found = getattr(group, setting.identifier)
    if isinstance(found, bpy.types.ID):
        return found.name
    return list(found) if getattr(setting, "is_array", False) else found


def settings() -> dict[str, object]:
    """Return every setting of ours in the loaded file by where it stands."""
    owners = [*((ob, OF_OBJECTS) for ob in bpy.data.objects), *((scene, OF_SCENES) for scene in bpy.data.scenes)]
    return {
        f"{owner.bl_rna.identifier} {owner.name}.{name}.{setting.identifier}": value(getattr(owner, name), setting)
        for owner, names in owners
        for name in names
        for setting in kept(getattr(owner, name))
    }


if __name__ == "__main__":
    checkout().register()
    try:
        main(Path(sys.argv[1]))
    finally:
        bpy.ops.wm.read_homefile(use_empty=True)
        checkout().unregister()
