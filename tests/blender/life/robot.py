# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot in Blender and its user: what the steps of a life act upon."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np

from ..scenes import add, box_mesh, checkout, empty, module, tag, wedge_mesh

CROWD = 40
"""Objects of a scene, from which on a step makes no more."""


class Life:
    """A session of Blender with the add-on, by a seed: the same steps for the same seed and Blender.

    Parameters
    ----------
    seed : int
    folder : Path
        Where it may save, export and make files to import.
    """

    def __init__(self, seed: int, folder: Path) -> None:
        self.random = np.random.default_rng(seed)
        self.folder = folder
        self.made = 0
        self.registrations = 0
        self.clicks: list[tuple[str, dict[str, object]]] = []
        """Buttons that a panel has drawn, some of them long ago."""
        self.library = self._saved_library()
        self.library_bytes = self.library.read_bytes()

    # --- the add-on --------------------------------------------------------------------------------------------------

    def switch_on(self) -> None:
        """Enable the add-on, as a window would have it or as in the background."""
        checkout().register()
        self.registrations += 1
        module("sdf_inertia_addon.live.jobs").use_thread(bool(self.random.random() < 0.7))
        # Meshes of a million triangles would take minutes: let smaller ones count as large.
        module("sdf_inertia_addon.live.resolver").BUDGET = float(self.random.choice([0.004, 0.05]))

    def switch_off(self) -> None:
        timed = {"live.jobs": "_tick", "mesh_tools.trials": "_try_waiting", "viewport.draw_handlers": "_place_again"}
        timers = [getattr(module(f"sdf_inertia_addon.{name}"), callback) for name, callback in timed.items()]
        checkout().unregister()
        assert not any(map(bpy.app.timers.is_registered, timers))

    # --- the scene ---------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Make a robot in an empty file."""
        bpy.ops.wm.read_homefile(use_empty=True)
        base = tag(add(wedge_mesh(), "base", scale=(1, 2, 1)), "link", "collision", use_density=True, density=700)
        arm = tag(empty("arm", base, rotation_euler=(1, 2, 3), location=(2, 0, 0)), "link", inertia="FILLED")
        for number in range(3):
            tag(add(box_mesh(), f"part{number}", base, location=(number, 0, 3)), "collision", "visual")
            tag(add(wedge_mesh(), f"bone{number}", arm, location=(0, number, 0)), "collision")
        empty("stray")
        instances = bpy.data.collections.new("instances")
        wheel = bpy.data.objects.new("wheel", box_mesh())
        instances.objects.link(wheel)
        tag(wheel, "link", "collision")
        bpy.ops.ed.undo_push(message="made")

    def any(self, *kinds: str, own: bool = False) -> bpy.types.Object:
        """Return an object of the scene that may be changed, of one of these types, None without one.

        What a library has, Blender lets scripts change, but neither saves nor undoes; with `own`, overrides are left
        out too, of which only some changes are saved.
        """
        objects = [ob for ob in bpy.context.scene.objects if ob.library is None and (not kinds or ob.type in kinds)]
        objects = [ob for ob in objects if not (own and ob.override_library)]
        return objects[self.random.integers(len(objects))] if objects else None

    def any_mesh(self) -> bpy.types.Object:
        """Return an object whose mesh may be changed, None without one."""
        objects = [ob for ob in bpy.context.scene.objects if ob.type == "MESH" and ob.library is None]
        objects = [ob for ob in objects if ob.data.library is None and not ob.override_library]
        return objects[self.random.integers(len(objects))] if objects else None

    def crowded(self) -> bool:
        return len(bpy.data.objects) > CROWD

    def vector(self, scale: float = 1.0) -> tuple[float, ...]:
        return tuple(scale * self.random.standard_normal(3))

    def name(self, stem: str) -> str:
        self.made += 1
        return f"{stem}{self.made}"

    def path(self, ending: str) -> Path:
        """Return a path in the folder that is not there yet."""
        return self.folder / f"{self.name('file')}{ending}"

    def _saved_library(self) -> Path:
        """Return a file with a robot of two links, as a colleague would have saved it."""
        self.switch_on()
        bpy.ops.wm.read_homefile(use_empty=True)
        torso = tag(add(wedge_mesh(), "torso"), "link", "collision", material="Steel")
        tag(add(box_mesh(), "chest", torso, location=(0, 0, 2)), "collision", use_density=True, density=300)
        head = tag(empty("head", torso, location=(0, 0, 4)), "link", joint_type="REVOLUTE", joint_use_limits=True)
        tag(add(box_mesh(), "skull", head), "collision", geometry="BOX")
        path = self.folder / "library.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        self.switch_off()
        return path
