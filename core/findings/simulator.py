# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulators and auto: what Gazebo, Drake and libsdformat make of a file, and which links can be auto."""

from __future__ import annotations

from .entry import Area, Entry

SIMULATOR = Area(
    "Simulators and auto",
    "What Gazebo, Drake and libsdformat make of a file, and which links can be auto.",
    (
        Entry(
            "auto_not_possible",
            "Cannot be Auto",
            ("warning", "error"),
            "The link was to be computed by the simulator, which would get another number than ours. It is written"
            " with our numbers instead; an error where Auto is required.",
            "Choose Filled for this link; or the method Exact and a closed mesh.",
        ),
        Entry(
            "auto_ignores_method",
            "Gazebo ignores voxels",
            ("warning",),
            "The link is Auto by voxels, but a simulator may ignore the voxel size and integrate the mesh exactly."
            " The exact number is shown.",
            "Choose a smaller voxel, the method Exact, or Filled.",
        ),
        Entry(
            "auto_overwrites",
            "Numbers beside auto",
            ("warning",),
            "The inertial is auto and has numbers too. libsdformat computes it anew, and the numbers count for"
            " nothing.",
            "Remove the numbers, or auto='true'.",
        ),
        Entry(
            "auto_differs",
            "Auto changes the numbers",
            ("warning",),
            "With auto, a simulator would compute another centre of mass or tensor than the file has.",
            "Keep the numbers if they were measured; take auto if they were guessed.",
        ),
        Entry(
            "auto_kept",
            "Auto kept",
            ("info",),
            "The numbers were filled in and auto was kept beside them: simulators compute them anew, with a"
            " warning, and Drake refuses the file.",
            "Fill without keeping auto, unless you want just that.",
        ),
        Entry(
            "included_auto",
            "Auto in an included file",
            ("info",),
            "The auto inertial stands in an included file, which is not changed.",
            "Fill that file.",
        ),
        Entry(
            "not_resolved",
            "Auto not computed",
            ("info",),
            "The inertia is auto, and was not to be computed.",
            "Fill the file, or ask for a report on it.",
        ),
        Entry(
            "stays_explicit",
            "Keeps its numbers",
            ("warning", "info"),
            "The link was to become auto, but a simulator could not compute from its collisions what the file says.",
            "See the reason given; nothing needs doing if the numbers may stay.",
        ),
        Entry(
            "densities_differ",
            "Different densities",
            ("error",),
            "The collisions' own densities do not add up to the mass that the file gives, so auto cannot say the same.",
            "Keep the numbers, or correct the densities or the mass.",
        ),
        Entry(
            "fluid_added_mass",
            "Fluid added mass",
            ("error",),
            "libsdformat loses the added mass of a fluid where auto is true.",
            "Keep the numbers.",
        ),
        Entry(
            "simulator_differs",
            "Simulator differs",
            ("warning",),
            "A simulator computes another inertia from this file than the one given here.",
            "Fill the file with the numbers given here.",
        ),
        Entry(
            "gazebo_refuses",
            "Gazebo refuses the mesh",
            ("error", "warning"),
            "Gazebo's own mesh calculator finds no valid inertia in this mesh, and the file is refused.",
            "Close the mesh, turn its normals outwards, and give it no negative scale; or fill the file.",
        ),
        Entry(
            "gazebo_differs",
            "Gazebo differs",
            ("warning",),
            "Gazebo's own mesh calculator gets another number than the right one, or takes a mesh that has none.",
            "Repair the mesh, or fill the file with the right numbers.",
        ),
        Entry(
            "gazebo_agrees",
            "Gazebo agrees",
            ("info",),
            "Gazebo's own mesh calculator gets the same number.",
            "Nothing needs doing.",
        ),
        Entry(
            "gz_math_refuses",
            "Refused by gz-math",
            ("error",),
            "The tensor is possible, but the formula of gz-math calls it impossible, so that libsdformat refuses"
            " the file.",
            "Write it along its principal axes, rotated by the inertial's pose.",
        ),
        Entry(
            "drake_needs_file_uris",
            "Drake needs file URIs",
            ("info",),
            "Drake crashes on Auto links whose collision meshes have relative URIs; Gazebo loads them.",
            "For Drake, export with file:// URIs, or write the links Filled.",
        ),
        Entry(
            "drake_no_friction",
            "Drake ignores friction",
            ("info",),
            "Joints have friction, which holds a robot's pose in Gazebo and MuJoCo. Drake takes only their damping.",
            "For Drake, give the joints damping, or hold them by a controller.",
        ),
        Entry(
            "stale",
            "Out of date",
            ("warning",),
            "The inertial was computed from a mesh that was changed since, or replaced by another.",
            "Export the model anew, or compute the inertial from the mesh as it is now.",
        ),
        Entry(
            "not_in_urdf",
            "Not in URDF",
            ("error", "warning", "info"),
            "URDF holds one tree of fixed, turning and sliding joints, and boxes, spheres, cylinders and meshes. What"
            " is none of these is refused, left out, or written as a mesh; the message says which.",
            "Export SDF, or choose what URDF has.",
        ),
        Entry(
            "mesh_optimization",
            "Mesh optimisation",
            ("warning",),
            "The simulator computes from its convex hull or decomposition of the mesh, which is some percent larger"
            " than the mesh that is measured here.",
            "Remove the optimization from the <mesh>.",
        ),
        Entry(
            "submesh_ignored",
            "Submesh ignored",
            ("warning",),
            "Gazebo's calculator takes the whole mesh file where a submesh is named without an optimization. Here"
            " the submesh counts.",
            "Put the submesh into a file of its own.",
        ),
        Entry(
            "default_inertial",
            "No inertial",
            ("info", "warning"),
            "The link has geometry and no inertial. SDFormat takes 1 kg and moments of 1 kg·m²; other engines take"
            " 0 kg, or compute it at 1000 kg/m³.",
            "Compute it (repair, with a density), or give it an inertial or, in SDF, auto='true'.",
        ),
        Entry(
            "unsupported_geometry",
            "Geometry without volume",
            ("error",),
            "The geometry, such as a plane or a heightmap, has no volume to compute inertia from.",
            "Use a shape or a mesh, or give the inertia.",
        ),
        Entry(
            "no_geometry",
            "No geometry",
            ("error", "warning"),
            "A collision has no geometry that can be read, or the tagged object is none that has a mesh.",
            "Give it a shape or a mesh, tag a mesh object instead, or remove the tag.",
        ),
    ),
)
