# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes: what the faces of a mesh are like, and what was done about it."""

from __future__ import annotations

from .entry import Area, Entry

MESH = Area(
    "Meshes",
    "What the faces of a mesh are like, and what was done about it.",
    (
        Entry(
            "open_mesh",
            "Open mesh",
            ("error", "warning"),
            "The mesh has holes, or faces that belong to no closed surface, so it has no definite inside and no"
            " volume. A simulator that integrates it computes a wrong mass, or refuses it.",
            "Fill the holes or merge the vertices by distance; or choose the method Voxels, Hull or Shell; or fit a"
            " primitive.",
        ),
        Entry(
            "small_holes",
            "Small holes",
            ("warning",),
            "The mesh has holes that hardly matter: whatever they hide changes volume and inertia by at most 0.1 %."
            " They were measured as closed, and the error that this may mean is told.",
            "Close the holes.",
        ),
        Entry(
            "no_inside",
            "No inside",
            ("error",),
            "The mesh is open, and its faces go round no definite space: no method that fills it has an answer.",
            "Choose the method Shell with a thickness, or close the holes.",
        ),
        Entry(
            "ambiguous_inside",
            "Inside in doubt",
            ("warning",),
            "The mesh has large holes, so that it hardly says what is inside. Voxels answer with the space that its"
            " faces go round for the most part, and with an error that says how much is in doubt.",
            "Close the holes.",
        ),
        Entry(
            "holes_closed",
            "Holes closed",
            ("warning",),
            "The holes of the mesh were closed by flat fans, as you asked for; by how much volume and inertia may be"
            " off is told.",
            "Model the missing faces if that is too much.",
        ),
        Entry(
            "small_inside_out",
            "Small part inside out",
            ("warning",),
            "Faces cross each other so that a small part of the volume counts as negative. It changes volume and"
            " inertia by at most 0.1 %, which is told as an error.",
            "Take the crossing faces apart, or recalculate the normals.",
        ),
        Entry(
            "negative_winding",
            "Inside out in parts",
            ("error",),
            "Faces cross each other so that a part of the volume counts as negative. Such a mesh has no definite"
            " volume.",
            "Take the crossing faces apart or recalculate the normals; or choose the method Hull or Shell; or fit a"
            " primitive.",
        ),
        Entry(
            "inconsistent_winding",
            "Flipped normals",
            ("error", "warning"),
            "Some faces have normals that point the other way than their neighbours'. A warning: they were measured"
            " as if corrected. An error: two readings are equally likely, and a simulator would compute one or the"
            " other.",
            "Recalculate the normals (Mesh > Normals > Recalculate Outside), and remove inner walls.",
        ),
        Entry(
            "inside_out",
            "Inside out",
            ("warning",),
            "The normals of the mesh, or of one of its parts, point inwards. It was measured as if they pointed"
            " outwards; a simulator would compute a negative volume.",
            "Recalculate the normals (Mesh > Normals > Recalculate Outside).",
        ),
        Entry(
            "cavity",
            "Cavity",
            ("info",),
            "A closed part lies inside another with its normals turned inwards: it is hollow there, and the hollow"
            " does not count as mass.",
            "Nothing, if the hollow is meant; else delete the inner part.",
        ),
        Entry(
            "duplicate_faces",
            "Duplicate faces",
            ("warning",),
            "Faces lie on others with the same corners. They were counted once; a simulator may count them twice.",
            "Merge the vertices by distance, and delete the faces named.",
        ),
        Entry(
            "overlapping_shells",
            "Overlapping parts",
            ("warning",),
            "Parts of the mesh share some volume. It was counted once; a simulator that adds up the faces counts it"
            " twice, and gets too much mass.",
            "Join the parts to one (Boolean union), or take them apart.",
        ),
        Entry(
            "touching_shells",
            "Touching parts",
            ("info",),
            "Parts of the mesh touch without sharing any volume, which changes no number.",
            "Nothing needs doing.",
        ),
        Entry(
            "overlaps_not_checked",
            "Overlaps not checked",
            ("warning",),
            "The mesh has so many faces close to each other that those which intersect were not searched for singly."
            " A thin overlap would be counted twice; columns of voxels have seen no thick one.",
            "Join the parts to one (Boolean union), or take them apart.",
        ),
        Entry(
            "crossing_faces",
            "Intersecting faces",
            ("warning",),
            "Faces pass through others. What they enclose twice, or inside out, leaves the volume in doubt by the"
            " share named.",
            "Take these faces apart, or join what crosses to one body (Boolean union, or Remesh).",
        ),
        Entry(
            "not_checked",
            "Not checked in full",
            ("info",),
            "The mesh was read quickly: faces that intersect others were not searched for yet, and what they"
            " enclose twice would be counted twice.",
            "Check the mesh in full (Check Mesh).",
        ),
        Entry(
            "t_junction",
            "T-junctions",
            ("warning",),
            "A corner lies on the edge of another face without being one of its vertices. The mesh is closed in"
            " space, but not by its edges, and programs that look at the edges call it open.",
            "Add a vertex to the longer edge where the corner lies, then merge the vertices by distance.",
        ),
        Entry(
            "degenerate_faces",
            "Faces without area",
            ("info",),
            "Faces have no area. They change no number.",
            "Dissolve them (Mesh > Clean Up > Degenerate Dissolve).",
        ),
        Entry(
            "inner_walls",
            "Inner walls",
            ("info",),
            "Pairs of faces lie back to back inside the mesh and cancel. They change no number, but other programs"
            " may call the mesh broken.",
            "Delete these inner walls.",
        ),
        Entry(
            "non_manifold_edges",
            "Non-manifold edges",
            ("warning",),
            "Four or more faces meet at an edge. They cancel in pairs, so that the mesh is closed, but other"
            " programs may read it otherwise.",
            "Merge the vertices by distance, and delete inner walls.",
        ),
        Entry(
            "not_orientable",
            "One-sided surface",
            ("error",),
            "The surface has one side only, as a Moebius strip or a Klein bottle, so it has no inside and no volume.",
            "Cut and rebuild it so that it has an inside; or choose the method Hull or Shell; or fit a primitive.",
        ),
        Entry(
            "bent_quads",
            "Bent quads",
            ("warning", "info"),
            "Faces of four corners are not plane. The volume depends on the diagonal along which each is cut into"
            " triangles, and another program may choose the other one.",
            "Triangulate the mesh, so that the diagonals are your own.",
        ),
        Entry(
            "precision_lost",
            "Far from its origin",
            ("warning",),
            "The mesh lies so far from its own origin that its coordinates have too few digits left for its size; the"
            " error that follows for volume and inertia is told.",
            "Move the mesh to its origin (Object > Set Origin) and place it by the object's transform.",
        ),
        Entry(
            "unit_suspicion",
            "Doubtful unit",
            ("warning",),
            "A size, mass or tensor is about a power of a thousand away from what is likely: as if millimetres were"
            " taken for metres, or grams for kilograms. Inertia grows with the fifth power of a length.",
            "Check the unit of the file (a scale of 0.001 for millimetres), the mass and the density.",
        ),
        Entry(
            "zero_volume",
            "No volume",
            ("error",),
            "The body encloses no volume, so that it has no mass by its density and no inertia.",
            "Give it thickness (Solidify, or the method Shell), or fit a primitive.",
        ),
        Entry(
            "zero_area",
            "No area",
            ("error",),
            "None of the faces has an area, so a wall along them has no volume.",
            "Give the mesh faces of some area, or fit a primitive.",
        ),
        Entry(
            "no_faces",
            "No faces",
            ("error",),
            "The mesh has no faces, so it encloses nothing.",
            "Give it faces, fit a primitive, or remove the tag.",
        ),
        Entry(
            "not_finite",
            "Not finite",
            ("error",),
            "A coordinate, mass or tensor is infinite or not a number. No simulator can use it.",
            "Delete or move the vertex, or look at the modifier, constraint or value that makes it.",
        ),
        Entry(
            "out_of_range",
            "Out of range",
            ("error",),
            "The coordinates are so large or so small that their moments cannot be held as numbers.",
            "Check the unit and the scale of the mesh.",
        ),
        Entry(
            "index_out_of_range",
            "Corner does not exist",
            ("error",),
            "A face of the file names a vertex that the file does not have.",
            "Repair the mesh file, or export it anew.",
        ),
        Entry(
            "bad_mesh",
            "Unreadable mesh data",
            ("error",),
            "The vertices or faces given are no arrays of the shape and type that a mesh needs.",
            "Give rows of three coordinates, and rows of three or four indices.",
        ),
    ),
)
