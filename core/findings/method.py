# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods: voxels, convex hulls, thin walls and calculators of your own."""

from __future__ import annotations

from .entry import Area, Entry

METHOD = Area(
    "Methods",
    "Voxels, convex hulls, thin walls and calculators of your own.",
    (
        Entry(
            "not_simplified",
            "Not simplified",
            ("error",),
            "A collision is to be written with fewer faces, and its mesh is not closed, or no solid would be left of it"
            " within the tolerance.",
            "Choose a smaller tolerance, write the convex hull, or close the mesh.",
        ),
        Entry(
            "open_columns",
            "Open mesh",
            ("error",),
            "So many of the lines through the mesh enter it and do not leave it that voxels cannot say what is"
            " inside: its holes are too large.",
            "Close the holes (Fill Holes); or choose the method Hull or Shell; or fit a primitive.",
        ),
        Entry(
            "voxels_too_coarse",
            "Voxels too coarse",
            ("warning", "error"),
            "The voxels are large compared with the mesh, so that the estimated error of volume and inertia is"
            " large; an error where none lies inside.",
            "Choose a smaller voxel size, or the method Exact.",
        ),
        Entry(
            "voxels_too_fine",
            "Voxels too fine",
            ("error",),
            "The voxel size would make more voxels than can be counted in a sensible time.",
            "Choose a larger voxel size.",
        ),
        Entry(
            "bad_voxel_size",
            "Impossible voxel size",
            ("error",),
            "A voxel size must be a length above 0.",
            "Give a voxel size above 0.",
        ),
        Entry(
            "convex_hull",
            "Convex hull used",
            ("info",),
            "The number is that of the convex hull, as chosen, not that of the mesh itself. Hollows and gaps count"
            " as mass.",
            "Nothing, if the hull is meant; else choose another method.",
        ),
        Entry(
            "missing_library",
            "Library missing",
            ("error",),
            "The library manifold3d, which unites overlapping parts and makes convex hulls, is not installed or cannot"
            " be loaded. The add-on's zip brings it along.",
            "Install it (pip install manifold3d); in Blender, install the zip that is made for this system.",
        ),
        Entry(
            "no_hull",
            "No convex hull",
            ("error",),
            "No dependable convex hull of the vertices was found.",
            "Choose the method Voxels or Shell.",
        ),
        Entry(
            "bad_thickness",
            "Impossible thickness",
            ("error",),
            "The method Shell needs a thickness above 0 that is small for the surface. A wall thicker than the part"
            " is no thin wall.",
            "Choose a smaller thickness; or model the thickness (Solidify) and choose the method Exact.",
        ),
        Entry(
            "thick_shell",
            "Thick wall",
            ("warning",),
            "The wall is thick for its surface, so that what meets at creases, corners and opposite sides counts"
            " twice. The estimated error says how much.",
            "Choose a smaller thickness; or model the thickness (Solidify) and choose the method Exact.",
        ),
        Entry(
            "unknown_method",
            "Unknown method",
            ("error",),
            "There is no method or calculator of this name.",
            "Choose one of those named, or register the calculator first.",
        ),
        Entry(
            "bad_calculator",
            "Calculator not accepted",
            ("error",),
            "A calculator to be registered needs a name of letters, digits, _, - and . that no other has, and a"
            " function.",
            "Give it another name, or a function.",
        ),
        Entry(
            "calculator_failed",
            "Calculator failed",
            ("error",),
            "A calculator of your own raised an exception, or did not return a measurement.",
            "Mend the calculator, or choose another method.",
        ),
        Entry(
            "bad_parameter",
            "Parameter is no number",
            ("error",),
            "A parameter of the method should be a number, and is not.",
            "Write a number, such as 0.01.",
        ),
        Entry(
            "no_fit",
            "No primitive fits",
            ("error",),
            "No primitive of the kind chosen fits the shape.",
            "Choose another primitive, or best of all.",
        ),
        Entry(
            "cancelled",
            "Cancelled",
            ("error",),
            "The computation was cancelled before it had an answer.",
            "Compute again.",
        ),
        Entry(
            "computation_failed",
            "Computation failed",
            ("error",),
            "Computing the number raised an exception: a bug in SDF Inertia or in a calculator of your own. The"
            " link has no number.",
            "Report it with the .blend, or try another method.",
        ),
        Entry(
            "our_bug",
            "Bug in SDF Inertia",
            ("error",),
            "An exception in SDF Inertia itself leaves no answer for this file.",
            "Report it with the file and the lines that were printed.",
        ),
    ),
)
