# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension in this Blender: whether it is there, its numbers and findings, what it computes, reads and writes."""

from __future__ import annotations

import gc
import sys
import threading
from importlib import import_module

import bpy
import screen

EXTENSION = "bl_ext.user_default.sdf_inertia"


def install(package: str) -> bool:
    """Install the extension from its zip, as a user does; say whether it is enabled."""
    with screen.anywhere():
        bpy.ops.extensions.package_install_files(filepath=package, repo="user_default", enable_on_install=True)
    return enabled()


def enabled() -> bool:
    return EXTENSION in bpy.context.preferences.addons and hasattr(bpy.types.Object, "sdf_inertia")


def joint_handle() -> tuple[float, float]:
    """Where the handle of the active link's joint is on the screen."""
    _window, _area, region = screen.place("VIEW_3D", "WINDOW")
    drawn = import_module(f"{EXTENSION}.sdf_inertia_addon.viewport.draw_handlers").last_drawn(region)
    (view,) = [view for view in drawn[0].joints if view.active]
    return screen.on_screen(view.handle(drawn[1], drawn[0].metres_per_unit))


def number(name: str = "Cube") -> tuple[float, ...] | None:
    """Mass [kg] and centre of mass in the world [m] of an object's link, as the extension has it now."""
    live = import_module(f"{EXTENSION}.sdf_inertia_addon.live")
    link = live.model(bpy.context.evaluated_depsgraph_get()).link_of(bpy.data.objects[name])
    if link is None or link.body.inertial is None:
        return None
    inertial, pose = link.body.inertial, link.body.pose
    return (inertial.mass, *(pose.R @ inertial.com + pose.p).tolist())


def centres() -> dict[str, tuple[float, ...]]:
    """Where each link's centre of mass is in the scene, by its object's name; nothing while one is being computed."""
    found = {ob.name: number(ob.name) for ob in bpy.context.view_layer.objects if ob.sdf_inertia.is_link}
    if computing() is not None or None in found.values():
        return {}
    metre = bpy.context.scene.unit_settings.scale_length
    return {name: tuple(x / metre for x in place) for name, (_mass, *place) in found.items()}


def checking(name: str = "Cube") -> bool | None:
    """Return True if an object's link has its quick number and is still being checked; None if it has no number."""
    live = import_module(f"{EXTENSION}.sdf_inertia_addon.live")
    link = live.model(bpy.context.evaluated_depsgraph_get()).link_of(bpy.data.objects[name])
    return None if link is None or link.body.inertial is None else link.checking


def hold(held: bool) -> None:
    """Keep the other thread from measuring anything, as if the machine were slow; or let it go on."""
    core = import_module(f"{EXTENSION}.core.judge.geometry.pending")
    if held:
        core.gate = threading.Event()
        core.run = core.Task.run

        def slow(task, progress=None):
            core.gate.wait(60)
            return core.run(task, progress)

        core.Task.run = slow
    else:
        core.Task.run = core.run
        core.gate.set()


def export(folder: str) -> None:
    """Open the dialog of the export at a folder, as the button does."""
    with screen.anywhere():
        bpy.ops.sdf_inertia.export_model("INVOKE_DEFAULT", directory=folder)


def import_robot(path: str) -> None:
    """Import a robot's file as it is when it is dropped on the 3D view."""
    with screen.anywhere():
        bpy.ops.sdf_inertia.import_sdf("INVOKE_DEFAULT", True, filepath=path)  # with its undo step


def export_by_script(path: str) -> set[str]:
    """Export as a script does that runs in a window."""
    with screen.anywhere():
        return bpy.ops.sdf_inertia.export_sdf(filepath=path)


def computing() -> tuple[str, float, int] | None:
    """What is being computed, the share of it that is done, and what waits."""
    status = import_module(f"{EXTENSION}.sdf_inertia_addon.live.jobs").status()
    return None if status is None else tuple(status)[:3]


def codes(name: str = "Cube") -> list[str]:
    """The codes of all findings about an object's link."""
    live = import_module(f"{EXTENSION}.sdf_inertia_addon.live")
    link = live.model(bpy.context.evaluated_depsgraph_get()).link_of(bpy.data.objects[name])
    return [] if link is None else [finding.code for finding in link.body.all_findings()]


def enable() -> None:
    with screen.anywhere():
        bpy.ops.preferences.addon_enable(module=EXTENSION)


def disable() -> None:
    with screen.anywhere():
        bpy.ops.preferences.addon_disable(module=EXTENSION)


def _registered(kind: str) -> int:
    """How many classes of the extension are registered: gizmos do not say so themselves."""
    base = getattr(bpy.types, kind)
    ours = {cls.__name__ for cls in base.__subclasses__() if cls.__module__.startswith(EXTENSION)}
    return sum(base.bl_rna_get_subclass_py(name) is not None for name in ours)


def traces() -> dict[str, object]:
    """All that is to be found of the extension in this Blender."""
    gc.collect()  # a class is only gone once nobody refers to it
    return {
        "types": sorted(name for name in dir(bpy.types) if name.startswith("SDF_INERTIA")),
        "classes": sum(_registered(kind) for kind in ("Panel", "Operator", "UIList", "Gizmo", "GizmoGroup")),
        "operators": sorted(dir(bpy.ops.sdf_inertia)),
        "modules": len([name for name in sys.modules if name.startswith(f"{EXTENSION}.")]),
        "handlers": {n: len(v) for n in dir(bpy.app.handlers) if isinstance(v := getattr(bpy.app.handlers, n), list)},
    }
