# SPDX-License-Identifier: GPL-3.0-or-later
"""A wheeled rover, in metres; x forwards, z up. Concave bodies, several densities per link, mirrored wheels."""

from __future__ import annotations

from math import cos, pi, radians, sin

import bpy
from mathutils import Vector
from scene import copy_tree, empty_scene, joint, link, look_at, mesh, part, place, visual
from solids import Point, Solid, ball, box, cells, circle, cylinder, loft, prism

WHEEL_RADIUS = 0.09
HALF_WIDTH = 0.03
"""Of a wheel."""
AXLES = {"front": 0.125, "rear": -0.125}
TRACK = 0.19
"""From the middle to a wheel's."""
SECTORS = 72
"""Around a wheel; six spokes of two and 24 lugs of three make it up."""


def build() -> None:
    empty_scene()
    body = chassis()
    for name, x in AXLES.items():
        drive(body, name, x)
    joint(sensor_head(), "REVOLUTE", parent=body, lower=radians(-150.0), upper=radians(150.0), effort=1.5, damping=0.02)
    joint(caster(), "CONTINUOUS", parent=body, damping=0.001)
    for name, x in AXLES.items():
        left = wheel(f"wheel_{name}_left", x)
        # The mirror image of the left wheel in the plane y = 0; its axle is the wheel's z.
        right = copy_tree(left, ("left", "right"))
        right.location.y = -left.location.y
        right.scale.z = -1.0
        joint(left, "CONTINUOUS", parent=body, effort=5.0, damping=0.01)
        # A link's frame keeps no mirror: Blender's rotation of the right one has its z turned, not its x and y.
        joint(right, "CONTINUOUS", parent=body, axis=axle_forwards(right), effort=5.0, damping=0.01)
    look_at((-0.01, 0.0, 0.17), 0.72, 28.0, 24.0)


def axle_forwards(wheel: bpy.types.Object) -> Vector:
    """Return the axis in a wheel's frame about which it rolls forwards: the chassis' y."""
    bpy.context.view_layer.update()
    axis = wheel.matrix_world.to_quaternion().inverted() @ Vector((0.0, 1.0, 0.0))
    return Vector(round(along, 6) for along in axis)


def chassis() -> bpy.types.Object:
    """An open tub of sheet aluminium, and all that is screwed into it; its inertia is written as numbers."""
    body = link(part(place("chassis", mesh("tub", tub(), "Aluminium"))), "FILLED", material="Aluminium")
    cube, round_bar = mesh("cube", box(), "Battery"), mesh("tube", cylinder(), "Carbon fibre")
    part(place("battery", cube, body, (-0.03, 0.0, 0.1005), size=(0.15, 0.09, 0.055)), "BOX", density=2200.0)
    board = mesh("board", box(), "FR4")
    part(place("computer", board, body, (0.09, 0.0, 0.085), size=(0.07, 0.085, 0.012)), "BOX", material="FR4")
    part(place("mast", round_bar, body, (0.15, 0.0, 0.203), size=(0.024, 0.024, 0.26)), "CYLINDER", material="Nylon")
    deck = mesh("deck", box(), "Carbon fibre")
    part(place("deck", deck, body, (-0.115, 0.0, 0.172), size=(0.1, 0.284, 0.004)), "BOX", material="Carbon fibre")
    rock = place("sample", mesh("rock", stone(), "Basalt"), body, (-0.115, 0.02, 0.195))
    part(rock, density=2900.0, method="VOXEL", voxel_size=0.0005)  # as one does with a scan
    boom = mesh("boom", box(), "Aluminium")
    part(place("boom", boom, body, (-0.26, 0.0, 0.13), size=(0.12, 0.03, 0.012)), "BOX", material="Aluminium")
    return body


def drive(body: bpy.types.Object, name: str, x: float) -> None:
    """A gear motor inside the wall and an axle outside, on both sides; the right one's is a mirrored copy."""
    motor, axle = mesh("motor", cylinder(), "Motor"), mesh("axle", cylinder(), "Steel")
    for side, y in (("left", 1.0), ("right", -1.0)):
        at = (x, 0.09 * y, WHEEL_RADIUS)
        made = place(f"motor_{name}_{side}", motor, body, at, (-90.0, 0.0, 0.0), (0.032, 0.032, 0.068 * y))
        part(made, "CYLINDER", density=3400.0)
        at = (x, 0.1475 * y, WHEEL_RADIUS)
        made = place(f"axle_{name}_{side}", axle, body, at, (-90.0, 0.0, 0.0), (0.012, 0.012, 0.035 * y))
        part(made, "CYLINDER", material="Steel")


def wheel(name: str, x: float) -> bpy.types.Object:
    """A spoked rim with a tyre, a hub and a valve, the axle along its z: the valve makes its products of inertia."""
    rim = bpy.data.meshes.get("rim") or mesh("rim", spoked_rim(), "Aluminium")
    tyre = bpy.data.meshes.get("tyre") or mesh("tyre", lugged_tyre(), "Rubber")
    hub = bpy.data.meshes.get("hub") or mesh("hub", cylinder(), "Motor")
    valve = bpy.data.meshes.get("valve") or mesh("valve", cylinder(), "Brass")
    made = place(name, rim, None, (x, TRACK, WHEEL_RADIUS), (-90.0, 0.0, 0.0))
    link(part(made), "AUTO", material="Aluminium")
    part(place(f"{name}_tyre", tyre, made), material="Rubber")
    part(place(f"{name}_hub", hub, made, size=(0.036, 0.036, 0.05)), "CYLINDER", density=3400.0)
    at, size = (0.0565, 0.0, 0.029), (0.005, 0.005, 0.014)
    part(place(f"{name}_valve", valve, made, at, size=size), "CYLINDER", material="Brass")
    return made


def sensor_head() -> bpy.types.Object:
    """A stereo camera with a satellite antenna: bought, so what it weighs is known from a pair of scales."""
    head = link(place("sensor_head", None, None, (0.15, 0.0, 0.333)), "AUTO", mass=0.48)
    case, lens = mesh("case", rounded_case(), "ABS"), mesh("lens", cylinder(), "Motor")
    part(place("camera", case, head, (0.0, 0.0, 0.03)), material="ABS")
    glass = mesh("glass", cylinder(), "Glass")
    for side, y in (("left", 0.045), ("right", -0.045)):
        made = place(f"lens_{side}", lens, head, (0.04, y, 0.03), (0.0, 90.0, 0.0), (0.036, 0.036, 0.02))
        part(made, "CYLINDER", material="Aluminium")
        visual(place(f"glass_{side}", glass, head, (0.0505, y, 0.03), (0.0, 90.0, 0.0), (0.028, 0.028, 0.002)))
    dome = mesh("dome", ball(), "POM")
    part(place("antenna", dome, head, (0.0, 0.0, 0.0685), size=(0.05, 0.05, 0.026)), "ELLIPSOID", material="POM")
    return head


def caster() -> bpy.types.Object:
    """A ball in a fork under the boom, against tipping over backwards."""
    made = link(place("caster", None, None, (-0.302, 0.0, 0.124)), "AUTO")
    fork = mesh("fork", prism(FORK, 0.024), "Aluminium")
    part(place("caster_fork", fork, made, turned=(90.0, 0.0, 90.0)), material="Aluminium")
    pin = mesh("pin", cylinder(), "Steel")
    part(place("caster_pin", pin, made, (0.0, 0.0, -0.057), size=(0.014, 0.014, 0.026)), "CYLINDER", material="Steel")
    sphere = mesh("ball", ball(), "POM")
    part(place("caster_ball", sphere, made, (0.0, 0.0, -0.097), size=(0.054, 0.054, 0.054)), "SPHERE", material="POM")
    return made


FORK = (
    (-0.035, -0.1),
    (-0.03, -0.1),
    (-0.03, -0.044),
    (0.03, -0.044),
    (0.03, -0.1),
    (0.035, -0.1),
    (0.035, -0.038),
    (0.008, -0.038),
    (0.008, 0.0),
    (-0.008, 0.0),
    (-0.008, -0.038),
    (-0.035, -0.038),
)
"""A stem over a U, in the caster's y and z."""


def tub() -> Solid:
    """A box with cut corners and a flange, open above, its walls 3 mm thick."""
    return loft(
        [
            _plan(0.195, 0.128, 0.07),
            _plan(0.2, 0.13, 0.08),
            _plan(0.2, 0.13, 0.164),
            _plan(0.212, 0.142, 0.164),
            _plan(0.212, 0.142, 0.17),
            _plan(0.197, 0.127, 0.17),
            _plan(0.197, 0.127, 0.08),
            _plan(0.192, 0.125, 0.073),
        ]
    )


def _plan(x: float, y: float, z: float, cut: float = 0.045) -> list[Point]:
    corners = ((x, y - cut), (x - cut, y), (cut - x, y), (-x, y - cut), (-x, cut - y), (cut - x, -y), (x - cut, -y))
    return [(a, b, z) for a, b in (*corners, (x, cut - y))]


def rounded_case() -> Solid:
    """A flat box with cut edges, wider across than along."""
    rings = ((0.027, 0.07, -0.0275), (0.03, 0.073, -0.0245), (0.03, 0.073, 0.0215), (0.026, 0.069, 0.0255))
    return loft([_plan(x, y, z, 0.008) for x, y, z in rings])


def spoked_rim() -> Solid:
    """A boss, six spokes and a barrel in one piece: solid where it must be, and full of holes."""
    radii = (0.018, 0.024, 0.053, 0.0595, 0.064)
    heights = (-0.028, -0.012, 0.0, 0.012, 0.022, 0.028)

    def filled(i: int, j: int, k: int) -> bool:
        boss = i == 0 and 1 <= k <= 3
        spoke = i in (1, 2) and j % 12 in (11, 0) and k in (2, 3)
        barrel = i == 3 or (i == 2 and k in (2, 3))
        return boss or spoke or barrel

    def place_at(i: int, j: int, k: int) -> Point:
        turn = 2.0 * pi * j / SECTORS
        return radii[i] * cos(turn), radii[i] * sin(turn), heights[k]

    return cells((len(radii) - 1, SECTORS, len(heights) - 1), filled, place_at, wrap=True)


def lugged_tyre() -> Solid:
    """A carcass on the rim with 24 V-shaped lugs."""
    radii = (0.064, 0.074, 0.082, WHEEL_RADIUS)
    heights = (-HALF_WIDTH, -0.02, 0.0, 0.02, HALF_WIDTH)

    def filled(i: int, j: int, _k: int) -> bool:
        return i < 2 or j % 3 < 2

    def place_at(i: int, j: int, k: int) -> Point:
        z = heights[k]
        crown = 0.010 * (abs(z) / HALF_WIDTH) ** 3 if i >= 2 else 0.0
        radius = radii[i] - crown
        turn = 2.0 * pi * j / SECTORS + (4.0 * abs(z) if i >= 2 else 0.0)
        return radius * cos(turn), radius * sin(turn), z

    return cells((len(radii) - 1, SECTORS, len(heights) - 1), filled, place_at, wrap=True)


def stone() -> Solid:
    """A lump, flat below: what a scanner makes of a rock."""
    bumps = ((3.0, 1.0, 2.0, 0.4), (1.0, 4.0, 1.0, 1.7), (2.0, -3.0, 4.0, 2.9), (-5.0, 2.0, 3.0, 0.8))
    vertices, faces = loft(
        [
            [(0.0, 0.0, -1.0)],
            *(circle(sin(pi * step / 20.0), -cos(pi * step / 20.0), 32) for step in range(1, 20)),
            [(0.0, 0.0, 1.0)],
        ]
    )
    lump = []
    for x, y, z in vertices:
        swell = 1.0 + sum(0.07 * sin(a * x + b * y + c * z + phase) for a, b, c, phase in bumps)
        lump.append((0.036 * swell * x, 0.044 * swell * y, max(0.030 * swell * z, -0.021)))
    return lump, faces
