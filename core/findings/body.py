# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass and inertia: the numbers of one body: what no body can have, and what a part or link lacks."""

from __future__ import annotations

from .entry import Area, Entry

BODY = Area(
    "Mass and inertia",
    "The numbers of one body: what no body can have, and what a part or link lacks.",
    (
        Entry(
            "bad_mass",
            "Impossible mass",
            ("error",),
            "A mass must be above 0 and finite. Simulators divide by it.",
            "Give a mass above 0 kg, or a size and density that lead to one.",
        ),
        Entry(
            "bad_density",
            "Impossible density",
            ("error",),
            "A density must be above 0 and no larger than that of any matter a robot is made of.",
            "Give a density in kg/m³: water 1000, PLA 1240, aluminium 2700, steel 7850.",
        ),
        Entry(
            "target_below_parts",
            "Target too small",
            ("error",),
            "A target mass is shared out among the parts, or links, whose mass is not known. Those whose mass is known"
            " already weigh as much, or there are no others.",
            "Raise the target, correct the masses that are known, or do without one of them.",
        ),
        Entry(
            "model_mass",
            "Scaled to the robot's mass",
            ("info", "warning"),
            "The whole robot has a target mass. Links without a target, a manual inertia or parts of known mass were"
            " scaled to it, all by the same factor; not those of a collection that is exported alone (a warning).",
            "Nothing needs doing; weigh links or parts that are not alike, and give them their own mass. Export the"
            " whole scene.",
        ),
        Entry(
            "collisions_overlap",
            "Overlapping collisions",
            ("warning", "info"),
            "Two collisions of a link share some volume. Their masses are added all the same, as simulators do, so that"
            " volume weighs twice; below 0.1 % of the link's mass it is only an info.",
            "Take them apart, make them one mesh, whose overlap is counted once, or give the link the mass that was"
            " weighed.",
        ),
        Entry(
            "default_density",
            "No density given",
            ("warning",),
            "No density or mass is given, so SDFormat's default of 1000 kg/m³ (water) is used. Printed plastic,"
            " aluminium and steel weigh 1.2 to 8 times as much.",
            "Give the part or its link a density, a material or a mass.",
        ),
        Entry(
            "negative_moment",
            "Negative moment of inertia",
            ("error",),
            "The inertia tensor has a principal moment below 0, which no body has. Simulators refuse it, or the"
            " body speeds up by itself.",
            "Compute it from the geometry, or enter the tensor about the centre of mass with SDF's signs.",
        ),
        Entry(
            "triangle_inequality",
            "Impossible moments of inertia",
            ("error",),
            "The largest principal moment exceeds the sum of the other two, which no body can have. Simulators"
            " refuse it, or the motion is wrong.",
            "Compute it from the geometry, or enter the tensor about the centre of mass with SDF's signs.",
        ),
        Entry(
            "zero_moment",
            "Moment of inertia of zero",
            ("warning",),
            "A principal moment is zero: only a point or a line has no extent. A simulator may divide by it.",
            "Give the body an extent, or compute the tensor from the geometry.",
        ),
        Entry(
            "zero_tensor",
            "Tensor of zero",
            ("error",),
            "The link has a mass, and moves or has geometry, but its tensor is zero or missing: no body with an extent"
            " has that, and simulators divide by it or refuse it.",
            "Compute it from the geometry: repair.",
        ),
        Entry(
            "zero_mass",
            "No mass",
            ("error", "info"),
            "The mass is 0. An info where a fixed joint holds the link to a body with mass; an error where the link"
            " moves by itself.",
            "Give it a mass, or fix it to another link.",
        ),
        Entry(
            "zero_scale",
            "Scale of zero",
            ("error",),
            "The scale is 0 along a direction, which flattens the shape and leaves no volume.",
            "Give every axis of the object and of its parents a scale other than 0.",
        ),
        Entry(
            "bad_size",
            "Impossible size",
            ("error", "warning"),
            "A size or place of a shape is not above 0, or not finite.",
            "Give every size a length above 0, and every pose numbers of metres.",
        ),
        Entry(
            "bad_length",
            "Impossible length",
            ("error",),
            "A length given on the command line must be above 0 and finite.",
            "Give a length in metres above 0.",
        ),
        Entry(
            "no_collision",
            "No collision",
            ("error", "warning"),
            "The link has no collision to compute its inertia from. A warning where it has no part at all, and is"
            " left out of what is written.",
            "Tag a collision below it, make its inertia Manual, or untag the link.",
        ),
        Entry(
            "part_refused",
            "Part without inertia",
            ("error",),
            "A part of the link has no inertia, so the link has none: leaving it out would give a wrong sum.",
            "See the finding of the part.",
        ),
        Entry(
            "no_manual_inertia",
            "No numbers entered",
            ("error",),
            "The inertia of the link is Manual, but no mass and tensor are given.",
            "Enter them, or choose Auto or Filled.",
        ),
    ),
)
