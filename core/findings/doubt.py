# SPDX-License-Identifier: GPL-3.0-or-later
"""Doubtful numbers: published inertials that a body can have, but hardly this one: compared with its geometry."""

from __future__ import annotations

from .entry import Area, Entry

DOUBT = Area(
    "Doubtful numbers",
    "Published inertials that a body can have, but hardly this one: compared with its geometry.",
    (
        Entry(
            "not_uniform",
            "Parts of several densities",
            ("error", "warning"),
            "The centre of mass is not that of the link's parts at one density: a tensor computed so would be wrong.",
            "Give the parts densities (--densities), or choose --com geometry for one density.",
        ),
        Entry(
            "geometry_unit",
            "Geometry in another unit",
            ("error", "warning"),
            "Mass and tensor fit the geometry if its numbers are in mm, cm or inches, but they are read as metres."
            " Contacts happen at the wrong size, and a tensor computed from it is wrong by the square of the factor.",
            "Give the mesh the scale named, or give the sizes in metres. Keep the inertial.",
        ),
        Entry(
            "inertial_unit",
            "Inertial in another unit",
            ("error", "warning"),
            "The mass is in g, the centre of mass in mm, or the tensor in g·m², kg·mm² or g·mm²: in SI units the"
            " inertial fits the geometry.",
            "Give mass, centre and tensor in kg, m and kg·m².",
        ),
        Entry(
            "small_geometry",
            "Geometry too small",
            ("warning",),
            "Mass and tensor fit a body that is much larger than the geometry of the link.",
            "Check the scale of the geometry, or whether it is complete.",
        ),
        Entry(
            "implied_density",
            "Doubtful density",
            ("warning",),
            "The mass divided by the volume of the geometry is a density that hardly any robot part has.",
            "Weigh it, or correct the mass or the geometry.",
        ),
        Entry(
            "com_outside",
            "Centre of mass outside",
            ("warning",),
            "The centre of mass lies outside of the box around the geometry. Uniform or not, a body has it inside.",
            "Give it in the link's frame, not in the model's or the mesh's.",
        ),
        Entry(
            "radius_of_gyration",
            "Inertia too large",
            ("warning",),
            "The tensor is larger than any distribution of this mass inside the geometry can have. The link resists"
            " turning more than the real one.",
            "Give the tensor in kg·m² about the centre of mass, or compute it.",
        ),
        Entry(
            "impossible_spread",
            "Mass spread too far",
            ("warning",),
            "About this centre of mass, no mass inside the geometry is spread as far along a direction as the tensor"
            " has it.",
            "Correct the centre of mass or the tensor.",
        ),
        Entry(
            "small_tensor",
            "Inertia too small",
            ("warning",),
            "The tensor is a small fraction of that of a uniform body of this size. Motion is twitchy, and small"
            " time steps are needed.",
            "Give the tensor in kg·m² about the centre of mass, or compute it.",
        ),
        Entry(
            "template_tensor",
            "Template numbers",
            ("warning", "info"),
            "The numbers are those of a well-known example or default, not of this link.",
            "Compute them from the geometry, or measure them.",
        ),
        Entry(
            "padded_diagonal",
            "Filler tensor",
            ("warning", "info"),
            "All three moments are the same round number, though the shape is no ball or cube: a value to please"
            " the parser.",
            "Compute the tensor from the geometry, or measure it.",
        ),
        Entry(
            "copied_tensor",
            "Copied tensor",
            ("warning",),
            "Links of the same mass but different geometry share one tensor.",
            "Compute each from its own geometry.",
        ),
        Entry(
            "bounding_box_tensor",
            "Tensor of a box",
            ("info",),
            "The tensor is that of a solid box around the geometry, not of the geometry itself.",
            "Compute it from the geometry, or measure it.",
        ),
        Entry(
            "differs_from_collisions",
            "Differs from its collisions",
            ("info",),
            "The collisions, if they were uniform, would have another centre of mass or tensor than the file has.",
            "Nothing where the body is not uniform; else compute it from the geometry.",
        ),
        Entry(
            "geometry_not_read",
            "Not compared with geometry",
            ("warning",),
            "The geometry of a link could not be read, so its inertial was not compared with it.",
            "See the reason given: add the missing files, or name their folder with --path.",
        ),
    ),
)
