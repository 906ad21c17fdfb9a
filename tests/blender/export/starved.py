# SPDX-License-Identifier: GPL-3.0-or-later
"""What a process that stands ready does with Blender in copies of itself: exports, and inertials written back."""

import sys

import bpy

from ..scenes import add, box_mesh, checkout, module, tag, wedge_mesh


def prepare():
    checkout().register()
    for name in ("export.command", "importing.accepted"):
        module(f"sdf_inertia_addon.{name}")


def make(blend, size):
    """Make a .blend of two links with a mesh each, one of that size."""
    bpy.ops.wm.read_homefile(use_empty=True)
    base = tag(add(wedge_mesh(), "base"), "link", "collision", "visual", use_density=True)
    tag(
        add(box_mesh(), "arm", base, location=(0, 0, 2), scale=[float(size)] * 3), "link", "collision", inertia="FILLED"
    )
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    return 0


def export(*words):
    """Export as headless.py does."""
    return module("sdf_inertia_addon.export.command").run(words)


def write_back(*paths):
    """Import robots, accept what is computed for all of their links, and write it back; print an error."""
    bpy.ops.wm.read_homefile(use_empty=True)
    for path in paths:
        bpy.ops.sdf_inertia.import_sdf(filepath=path)
    bpy.ops.sdf_inertia.accept_computed()
    try:
        bpy.ops.sdf_inertia.write_back()
    except RuntimeError as error:
        print(str(error).strip(), file=sys.stderr)
        return 2
    return 0
