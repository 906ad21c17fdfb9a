# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of an object's properties in Blender: set as scripts set them, or put into the file behind its back.

A little robot of a scene is read, resolved and exported with them. Blender itself refuses some; what it takes, we read.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from .oracle import FaultError
from .values import ODD_FLOATS, ODD_INTEGERS, ODD_TEXTS

HEADLESS = Path(__file__).parents[2] / "sdf_inertia_addon" / "headless.py"

OBJECTS = ("base", "arm", "box", "rod", "shell")
"""Two links, a collision on each, and a visual; `_scene` builds them."""

FLAGS = (
    *("is_link", "is_collision", "is_visual", "is_mass", "has_mass", "is_frame", "use_density", "use_mass", "accepted"),
    *("joint_world", "joint_use_limits", "is_joint"),
)
NUMBERS = tuple(
    """
    density infill mass manual_mass voxel_size thickness simplify_tolerance joint_lower joint_upper joint_effort
    joint_velocity joint_damping joint_friction joint_pitch joint_position
    joint_rotor_inertia joint_gear_ratio joint_mimic_multiplier joint_mimic_offset
    """.split()
)
VECTORS = {"manual_com": 3, "manual_inertia": 6, "joint_axis": 3, "joint_axis2": 3}
TEXTS = ("material", "joint_name", "sdf_name", "source", "source_model", "source_hash")
CHOICES = {
    "geometry": ("MESH", "BOX", "SPHERE", "CYLINDER", "CAPSULE", "CONE", "ELLIPSOID", "CUBE"),
    "inertia": ("AUTO", "FILLED", "MANUAL", "NONE"),
    "method": ("INHERIT", "EXACT", "VOXEL", "HULL", "SHELL", "BEST"),
    "write_as": ("AS_IS", "CONVEX_HULL", "SIMPLIFIED", "DECOMPOSED", ""),
    "joint_type": ("NONE", "FIXED", "REVOLUTE", "CONTINUOUS", "PRISMATIC", "SCREW", "UNIVERSAL", "BALL", "GEAR"),
}
POINTERS = ("joint_parent", "joint_frame", "joint_child", "joint_mimic")
MODEL = {"author": "", "description": "", "static": True, "use_mass": True, "mass": 1.0}
PLACES = ("location", "rotation_euler", "scale")

ODD: tuple[Any, ...] = (None, [], {}, [1.0, 2.0], "x", b"\xff", True, 7)


def make(random: Random, folder: Path) -> Path:
    """Write a list of what is set: where, how, the property and its value."""
    changes = [_change(random) for _ in range(random.choice((1, 2, 3, 5, 8)))]
    path = folder / "values.json"
    path.write_text(json.dumps(changes, default=lambda one: one.decode("latin-1")))
    return path


def _change(random: Random) -> list[Any]:
    name, kind = random.choice(OBJECTS), random.random()
    if kind < 0.1:
        return [name, "place", random.choice(PLACES), random.choice((*ODD_FLOATS, 2.0, -1.0, 0.3)), random.randrange(3)]
    if kind < 0.2:
        key = random.choice(list(MODEL))
        return ["", random.choice(("script", "file")), key, random.choice((MODEL[key], *ODD_FLOATS, *ODD_TEXTS)), 0]
    how = "script" if kind < 0.65 else "file"
    key, value = _value(random, how == "file")
    return [name, how, key, random.choice(ODD) if how == "file" and random.random() < 0.2 else value, 0]


def _value(random: Random, in_file: bool) -> tuple[str, Any]:
    kind = random.randrange(6)
    number = random.choice((*ODD_FLOATS, 1.0, 0.05, 100.0, 1e-3, -0.5))
    if kind == 0:
        return random.choice(FLAGS), random.choice((True, False, 2, -1) if in_file else (True, False))
    if kind == 1:
        return random.choice(NUMBERS), random.choice((number, *ODD_INTEGERS)) if in_file else number
    if kind == 2:
        key = random.choice(list(VECTORS))
        size = VECTORS[key] if random.random() < 0.8 else random.choice((1, 2, 7))
        return key, [random.choice((*ODD_FLOATS, 1.0, 0.1)) for _ in range(size)]
    if kind == 3:
        return random.choice(TEXTS), random.choice((*ODD_TEXTS, "steel", "base", "arm"))
    if kind == 4:
        key = random.choice(list(CHOICES))
        return key, random.choice((0, 1, 5, 7, 99, -1, 2**31 - 1)) if in_file else random.choice(CHOICES[key])
    return random.choice(POINTERS), random.choice((*OBJECTS, ""))


@contextmanager
def addon() -> Iterator[None]:
    """Register the checkout in this process, build the scene, and unregister in the end: Blender's wheel needs that."""
    headless = runpy.run_path(str(HEADLESS), run_name="headless")
    checkout = headless["import_checkout"]()
    checkout.register()
    _modules["package"] = headless["PACKAGE"]
    bpy: Any = import_module("bpy")
    try:
        bpy.ops.wm.read_homefile(use_empty=True)
        _build()
        yield
    finally:
        bpy.ops.wm.read_homefile(use_empty=True)
        checkout.unregister()


_modules: dict[str, str] = {}


def _module(name: str) -> Any:
    return import_module(f"{_modules['package']}.{name}")


def _build() -> None:
    bpy: Any = import_module("bpy")

    mesh = bpy.data.meshes.new("mesh")
    corners = [(float(x), float(y), float(z)) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    mesh.from_pydata(corners, [], [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
    parents = {"arm": "base", "box": "base", "rod": "arm", "shell": "arm"}
    for name in OBJECTS:
        ob = bpy.data.objects.new(name, None if name in ("base", "arm") else mesh)
        bpy.context.scene.collection.objects.link(ob)
        if name in parents:
            ob.parent = bpy.data.objects[parents[name]]


def _reset() -> None:
    """Put the scene back to what it was before any input."""
    bpy: Any = import_module("bpy")

    scene = bpy.context.scene
    for holder in (scene, *(bpy.data.objects[name] for name in OBJECTS)):
        for key in ("sdf_inertia", "sdf_inertia_model"):
            holder.pop(key, None)
    for name in OBJECTS:
        ob = bpy.data.objects[name]
        ob.location, ob.rotation_euler, ob.scale = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    for name in ("base", "arm"):
        bpy.data.objects[name].sdf_inertia.is_link = True
    for name in ("box", "rod"):
        bpy.data.objects[name].sdf_inertia.is_collision = True
    bpy.data.objects["shell"].sdf_inertia.is_visual = True
    bpy.data.objects["arm"].sdf_inertia.joint_type = "REVOLUTE"


def _apply(name: str, how: str, key: str, value: Any, axis: int) -> None:
    bpy: Any = import_module("bpy")

    holder = bpy.data.objects[name] if name else bpy.context.scene
    group = "sdf_inertia" if name else "sdf_inertia_model"
    if key in POINTERS:
        value = bpy.data.objects.get(value) if isinstance(value, str) else value
    with suppress(TypeError, ValueError, OverflowError, AttributeError, KeyError):  # Blender's own refusals
        if how == "place":
            getattr(holder, key)[axis] = value
        elif how == "script":
            setattr(getattr(holder, group), key, value)
        else:
            if group not in holder:
                holder[group] = {}
            holder[group][key] = value


def run(path: Path) -> str:
    """Read, resolve and export the scene with the values; return the outcome."""
    bpy: Any = import_module("bpy")

    _reset()
    for change in json.loads(path.read_text()):
        _apply(*change)
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    turn = crc32(path.read_bytes())
    inertia = ("AS_SET", "AUTO", "FILLED")[turn % 3]
    _module("sdf_inertia_addon.scene.scene_read").read_scene_links(depsgraph)
    with TemporaryDirectory() as folder:
        export = _module("sdf_inertia_addon.export.export_scene").export_scene(
            depsgraph, Path(folder), inertia, skip_invalid=turn % 2 == 0, file_format="urdf" if turn % 5 == 0 else "sdf"
        )
        for body in export.bodies:
            if not body.refused and body.inertial is not None and not body.inertial.is_finite():
                raise FaultError(f"{body.name} has no numbers")
        if any(not (finding.code and finding.message) for finding in export.findings):
            raise FaultError(f"a finding says nothing: {export.findings}")
        if export.sdf is None:
            return "refused"
        if export.sdf.suffix == ".sdf":
            file = _module("core.formats.sdf.read").read_sdf(export.sdf)
            errors = [one for one in file.findings if one.severity == "error"]
            if errors and not export.refused:
                raise FaultError(f"what was exported is refused: {errors}")
    return "exported in part" if export.refused else "exported"
