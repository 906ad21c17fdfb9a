# SPDX-License-Identifier: GPL-3.0-or-later
"""A small arm with a gripper, in a scene of millimetres: nested links, modifiers, parts scaled out of proportion."""

from __future__ import annotations

from math import radians

import bpy
from scene import copy_tree, empty_scene, joint, link, look_at, mesh, part, place, visual
from solids import Solid, ball, box, capsule, cells, circle, cone, cylinder, loft, prism


def build() -> None:
    empty_scene()
    units = bpy.context.scene.unit_settings
    units.system, units.scale_length, units.length_unit = "METRIC", 0.001, "MILLIMETERS"
    foot = base()
    shoulder = upper_arm(foot)
    elbow = forearm(shoulder)
    palm = wrist(elbow)
    gear = motor(palm)
    left = finger(palm)
    # The mirror image of the left finger in the wrist's plane y = 0.
    right = copy_tree(left, ("left", "right"))
    right.location.y = -left.location.y
    right.scale.y = -1.0
    y = (0.0, 1.0, 0.0)
    joint(shoulder, "REVOLUTE", axis=y, lower=radians(-60.0), upper=radians(90.0), effort=8.0, damping=0.05)
    joint(elbow, "REVOLUTE", axis=y, lower=radians(-120.0), upper=radians(60.0), effort=5.0, damping=0.05)
    joint(palm, "REVOLUTE", lower=radians(-170.0), upper=radians(170.0), effort=2.0, damping=0.02)
    joint(gear, "FIXED")
    for side in (left, right):
        joint(side, "PRISMATIC", axis=y, lower=-12.0, upper=12.0, effort=20.0, damping=2.0)
    look_at((75.0, 0.0, 120.0), 380.0, 20.0, 16.0)


def base() -> bpy.types.Object:
    """A turned foot (bevelled), a bearing in its bore, and a yoke of which one half is modelled and one mirrored."""
    made = link(part(place("base", mesh("foot", turned_foot(), "POM"))), "FILLED", material="POM")
    _bevel(made, 1.2)
    steel = mesh("bearing", cylinder(), "Steel")
    part(place("bearing", steel, made, (0.0, 0.0, 33.0), size=(44.0, 44.0, 14.0)), "CYLINDER", material="Steel")
    yoke = place("yoke", mesh("half_yoke", half_yoke(), "Aluminium"), made, (0.0, 0.0, 40.0))
    part(yoke, material="Aluminium")
    mirror = yoke.modifiers.new("Mirror", "MIRROR")
    mirror.use_axis = (False, True, False)
    _bevel(yoke, 0.8)
    bolt = mesh("bolt", cylinder(), "Steel")
    for side, y in (("left", 29.5), ("right", -29.5)):
        head = place(f"bolt_{side}", bolt, made, (0.0, y, 82.0), (90.0, 0.0, 0.0), (14.0, 14.0, 3.0))
        part(head, "CYLINDER", material="Steel")
    return made


def upper_arm(parent: bpy.types.Object) -> bpy.types.Object:
    """A solid bar with round ends, from the shoulder's axis (the origin) to the elbow's; spacers on the axis."""
    made = link(place("shoulder", None, parent, (0.0, 0.0, 82.0), (0.0, 12.0, 0.0)), "AUTO", material="Carbon fibre")
    bar = mesh("bar", capsule(14.0, 120.0), "Carbon fibre")
    part(place("bar", bar, made, (0.0, 0.0, 60.0)), "CAPSULE")
    spacer = mesh("spacer", cylinder(), "Brass")
    for name, z, length in (("spacer", 0.0, 8.0), ("elbow_spacer", 120.0, 2.0)):
        for side, y in (("left", 14.0 + length / 2.0), ("right", -14.0 - length / 2.0)):
            ring = place(f"{name}_{side}", spacer, made, (0.0, y, z), (90.0, 0.0, 0.0), (16.0, 16.0, length))
            part(ring, "CYLINDER", material="Brass")
    return made


def forearm(parent: bpy.types.Object) -> bpy.types.Object:
    """A fork that subdivision rounds. Printed half empty: a pair of scales gives the mass, the mesh the rest."""
    made = place("elbow", mesh("fork", coarse_fork(), "PLA"), parent, (0.0, 0.0, 120.0), (0.0, 66.0, 0.0))
    rounded = made.modifiers.new("Subdivision", "SUBSURF")
    rounded.levels = rounded.render_levels = 2
    return link(part(made), "AUTO", material="PLA", mass=0.062)


def wrist(parent: bpy.types.Object) -> bpy.types.Object:
    """A bent sheet that solidify gives its thickness inwards, on a flange, with a cap and a centring pin."""
    made = link(place("wrist", None, parent, (0.0, 0.0, 116.0), (14.0, 0.0, 75.0)), "AUTO", material="Aluminium")
    flange = mesh("flange", cylinder(), "Aluminium")
    part(place("flange", flange, made, (0.0, 0.0, 3.0), size=(30.0, 30.0, 6.0)), "CYLINDER")
    sheet = place("palm", mesh("sheet", bent_sheet(), "Aluminium"), made, (0.0, 0.0, 6.0))
    solid = part(sheet).modifiers.new("Solidify", "SOLIDIFY")
    solid.thickness, solid.offset, solid.use_even_offset = 2.5, -1.0, True
    pin = mesh("pin", cone(), "Brass")
    part(place("pin", pin, made, (0.0, 0.0, 18.5), size=(10.0, 10.0, 20.0)), "CONE", material="Brass")
    cap = mesh("cap", ball(), "ABS")
    part(place("cap", cap, made, (22.0, 0.0, 8.0), size=(16.0, 34.0, 22.0)), "ELLIPSOID", material="ABS")
    return made


def motor(parent: bpy.types.Object) -> bpy.types.Object:
    """A bought motor: mass, centre of mass and tensor stand in its data sheet, and its shape tells nothing of them."""
    can = mesh("can", cylinder(), "Motor")
    made = place("motor", None, parent, (-26.0, 0.0, -2.0))
    # Inside, a rotor near the gear end, two thirds of 22 mm in diameter: not a uniform cylinder.
    link(made, "MANUAL", manual_mass=0.094, manual_com=(0.0, 0.0, -3.5))
    made.sdf_inertia.manual_inertia = (1.36e-5, 1.36e-5, 4.9e-6, 0.0, 0.0, 0.0)
    part(place("motor_can", can, made, size=(22.0, 22.0, 36.0)), "CYLINDER", density=6870.0)
    shaft = mesh("shaft", cylinder(), "Steel")
    visual(place("motor_shaft", shaft, made, (0.0, 0.0, 21.0), size=(4.0, 4.0, 6.0)))
    return made


def finger(parent: bpy.types.Object) -> bpy.types.Object:
    """A claw with a row of rubber ribs, one of them modelled."""
    claw = mesh("claw", prism(CLAW, 14.0), "Aluminium")
    made = place("finger_left", None, parent, (0.0, 25.0, 9.0))
    link(made, "AUTO", material="Aluminium")
    body = part(place("finger_left_claw", claw, made, turned=(90.0, 0.0, 90.0)))
    _bevel(body, 0.8)
    rib = mesh("rib", box(), "Rubber")
    # On the inner face of the tip, which leans inwards by 20 degrees.
    ribs = place("finger_left_ribs", rib, made, (0.0, 9.24, 59.0), (20.0, 0.0, 0.0), (12.0, 1.6, 2.4))
    row = part(ribs, material="Rubber").modifiers.new("Array", "ARRAY")
    row.count, row.relative_offset_displace = 8, (0.0, 0.0, 1.6)
    return made


CLAW = (
    (-5.0, 0.0),
    (5.0, 0.0),
    (22.0, 26.0),
    (21.0, 56.0),
    (4.0, 92.0),
    (-2.0, 92.0),
    (11.1, 56.0),
    (11.0, 30.0),
)
"""In the finger's y and z; the tip bends inwards."""


def _bevel(ob: bpy.types.Object, width: float) -> None:
    bevel = ob.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments = width, 2
    bevel.limit_method, bevel.angle_limit = "ANGLE", radians(35.0)


def turned_foot() -> Solid:
    """A plate under a column that is bored from above."""
    rings = ((58.0, 0.0), (58.0, 9.0), (36.0, 12.0), (31.0, 38.0), (22.0, 38.0), (22.0, 26.0), (14.0, 26.0))
    return loft([circle(radius, z) for radius, z in (*rings, (14.0, 12.0))])


def half_yoke() -> Solid:
    """The half at y > 0 of a U with tapered cheeks, open where the mirror closes it."""
    section = ((0.0, 0.0), (28.0, 0.0), (28.0, 55.0), (22.0, 55.0), (22.0, 6.0), (0.0, 6.0))
    outline = [(y, z, 17.0 - 0.11 * z) for y, z in section]
    vertices, faces = loft([[(side * x, y, z) for y, z, x in outline] for side in (-1.0, 1.0)])
    return vertices, [face for face in faces if any(vertices[corner][1] > 0.0 for corner in face)]


def coarse_fork() -> Solid:
    """The cage of the forearm: two cheeks about the elbow's axis that join into a beam."""
    across = ((-13.0, 13.0),) * 3 + ((-12.0, 12.0), (-9.0, 9.0), (-8.5, 8.5), (-8.5, 8.5))
    along = (-14.0, 0.0, 18.0, 30.0, 62.0, 112.0, 116.0)
    breadth = (-25.0, -16.0, 16.0, 25.0)
    narrow = (1.0, 1.0, 1.0, 1.0, 0.62, 0.56, 0.56)

    def filled(_i: int, j: int, k: int) -> bool:
        return j != 1 or k >= 2

    return cells((1, 3, len(along) - 1), filled, lambda i, j, k: (across[k][i], breadth[j] * narrow[k], along[k]))


def bent_sheet() -> Solid:
    """A strip bent to a channel along x: its outer face only, wound outwards (down and to the sides)."""
    section = ((-33.0, 16.0), (-33.0, 2.0), (-31.0, 0.0), (31.0, 0.0), (33.0, 2.0), (33.0, 16.0))
    vertices = [(x, y, z) for y, z in section for x in (-15.0, 15.0)]
    return vertices, [(2 * a, 2 * a + 2, 2 * a + 3, 2 * a + 1) for a in range(len(section) - 1)]
