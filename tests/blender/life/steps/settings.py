# SPDX-License-Identifier: GPL-3.0-or-later
"""Tags, densities, materials, masses, methods, units: by script, and by the buttons of the panel."""

from __future__ import annotations

import bpy

from ...scenes import select
from ..buttons import press
from ..modes import in_any_mode
from ..robot import Life


@in_any_mode
def tag_anything(life: Life) -> None:
    names = ["is_link", "is_collision", "is_mass", "has_mass", "is_visual", "is_frame"]
    settings, name = life.any().sdf_inertia, str(life.random.choice(names))
    setattr(settings, name, not getattr(settings, name))


def tag_selected(life: Life) -> None:
    ob = life.any()
    if ob.visible_get():
        select(ob)
        press(str(life.random.choice(["tag_link", "tag_collision", "tag_mass", "tag_visual", "untag"])))


@in_any_mode
def weigh(life: Life) -> None:
    settings = life.any().sdf_inertia
    settings.use_density = True
    settings.density = life.random.uniform(1.0, 1e4)


@in_any_mode
def name_material(life: Life) -> None:
    settings = life.any().sdf_inertia
    settings.material = str(life.random.choice(["Steel", "ABS", "", "Unobtainium"]))
    settings.infill = life.random.uniform(1.0, 100.0)


def set_density(life: Life) -> None:
    ob = life.any()
    if ob.visible_get():
        select(ob)
        press("set_density", density=life.random.uniform(1.0, 1e4))


@in_any_mode
def choose(life: Life) -> None:
    settings = life.any().sdf_inertia
    settings.inertia = str(life.random.choice(["AUTO", "FILLED", "MANUAL", "NONE"]))
    settings.geometry = str(life.random.choice(["MESH", "BOX", "ELLIPSOID", "SPHERE"]))
    settings.method = str(life.random.choice(["INHERIT", "EXACT", "HULL", "VOXEL", "SHELL"]))
    settings.voxel_size, settings.thickness = 0.25, life.random.uniform(0.01, 0.1)
    settings.manual_com = life.vector()


@in_any_mode
def target_mass(life: Life) -> None:
    settings = life.any().sdf_inertia
    settings.use_mass = not settings.use_mass
    settings.mass = life.random.uniform(0.1, 10.0)


@in_any_mode
def model_mass(life: Life) -> None:
    settings = bpy.context.scene.sdf_inertia_model
    settings.use_mass = not settings.use_mass
    settings.mass = life.random.uniform(1.0, 1e5)


@in_any_mode
def units(life: Life) -> None:
    bpy.context.scene.unit_settings.scale_length = float(life.random.choice([1.0, 0.001, 0.01]))


def drive(life: Life) -> None:
    ob, other = life.any(own=True), life.any()
    if ob is None or other == ob:  # Blender runs a driver by its own object's transform before that is known
        return
    ob.sdf_inertia.use_density = True
    driver = ob.driver_add("sdf_inertia.density").driver
    while driver.variables:
        driver.variables.remove(driver.variables[0])
    variable = driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id = other
    driver.expression = "100 + var * var"


@in_any_mode
def overlay(life: Life) -> None:
    settings = bpy.context.scene.sdf_inertia
    settings.scope = str(life.random.choice(["AUTO", "ALL", "SELECTED", "ACTIVE"]))
    settings.show_parts, settings.show_total = not settings.show_parts, not settings.show_total
