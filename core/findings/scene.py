# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender scene: Tags, objects and settings in Blender."""

from __future__ import annotations

from .entry import Area, Entry

SCENE = Area(
    "Blender scene",
    "Tags, objects and settings in Blender.",
    (
        Entry(
            "no_link",
            "In no link",
            ("error",),
            "A tagged object has no link above it, or a model has no link, so that the part belongs to nothing.",
            "Tag its parent as a link, parent it to one, or untag it; a model needs a link, or must be static.",
        ),
        Entry(
            "unknown_choice",
            "Setting of another version",
            ("error",),
            "A choice of the object, such as its method or geometry, is stored by a number that stands for nothing"
            " here: a later version has saved the file, or something else has written to it.",
            "Choose it again, or open the file with the version that saved it.",
        ),
        Entry(
            "free_links",
            "Links without joints",
            ("warning",),
            "The links of the model are not joined: in a simulation each moves freely, and the robot falls apart.",
            "Give each link a joint (Joints from Hierarchy, or its Joint section), or include the model in one that has"
            " them.",
        ),
        Entry(
            "joint_parent_missing",
            "Joint without a parent",
            ("error",),
            "A link has a joint, but there is no link above it, or what was chosen as its parent is no link.",
            "Choose the parent, or World, or parent its object to that of a link.",
        ),
        Entry(
            "no_root",
            "No base",
            ("error",),
            "Every link is the child of another, so that nothing says where the robot begins.",
            "Choose None as the joint of the link that the robot stands on, or World as its parent.",
        ),
        Entry(
            "two_parents",
            "Closed loop",
            ("warning",),
            "A link is the child of several joints. Gazebo simulates such a loop, Drake refuses it, and URDF has none.",
            "Leave out one of the joints where the robot goes to these.",
        ),
        Entry(
            "texture_not_written",
            "Texture left out",
            ("warning",),
            "The material has an image that cannot be written with the visual: it is missing, neither PNG nor JPEG, or"
            " the mesh has no UV map. The colour is written.",
            "Save or pack the image as PNG, and unwrap the mesh.",
        ),
        Entry(
            "axis_zero",
            "Axis without direction",
            ("error",),
            "The axis of a joint is zero, or not a number.",
            "Give it a direction, such as 0 0 1.",
        ),
        Entry(
            "limits_swapped",
            "Swapped limits",
            ("error",),
            "The lower limit of a joint is above the upper one.",
            "Make the lower limit the smaller one.",
        ),
        Entry(
            "link_sheared",
            "Sheared link",
            ("info",),
            "The axes of the link's object are sheared. The frame of a link takes only location and rotation; the"
            " shear goes into its parts, and no number changes.",
            "Nothing; apply the scale of its parents to be rid of it.",
        ),
        Entry(
            "link_mirrored",
            "Mirrored link",
            ("info",),
            "The link's object is mirrored. The frame of a link takes only location and rotation; its parts stay"
            " mirrored, and no number changes.",
            "Nothing needs doing.",
        ),
        Entry(
            "not_evaluated",
            "Disabled",
            ("error", "warning"),
            "A tagged object, or one that makes instances of it, is disabled in viewports or in an excluded"
            " collection, so that Blender does not evaluate it.",
            "Enable it (outliner: monitor icon, or the collection's check box), or untag it.",
        ),
        Entry(
            "hidden_instances",
            "Hidden instances",
            ("error",),
            "The object is hidden by its eye icon and makes instances, which Blender does not show to add-ons while"
            " it is.",
            "Open its eye in the outliner, or remove the tags.",
        ),
        Entry(
            "sheared_primitive",
            "Sheared primitive",
            ("error",),
            "The axes of the object are sheared, so that no primitive fits it.",
            "Choose the geometry Mesh, or apply the scale of its parents.",
        ),
        Entry(
            "unequal_extents",
            "Unequal extents",
            ("error",),
            "The extents of the object do not fit the primitive chosen: a sphere needs three equal ones, a"
            " cylinder, cone or capsule equal x and y.",
            "Choose Ellipsoid or Mesh, or correct the scale.",
        ),
        Entry(
            "no_extent",
            "No extent",
            ("error",),
            "The object has no vertices, or no thickness, that a primitive could fit.",
            "Tag a mesh object instead, choose Mesh, or give it thickness.",
        ),
        Entry(
            "unknown_material",
            "Unknown material",
            ("error", "warning"),
            "There is no material of this name here. A warning where the density that was saved with it is used.",
            "Choose a material of the list, add it in the add-on's preferences, or clear it and give a density.",
        ),
        Entry(
            "material_differs",
            "Material differs",
            ("warning",),
            "The material has another density here than when it was chosen. The density saved with the object is used.",
            "Choose the material again, or clear it.",
        ),
        Entry(
            "scripts_blocked",
            "Scripts blocked",
            ("warning",),
            "Blender did not run the Python scripts in this file. If they shape the model, it is not as its author"
            " made it.",
            "Trust the file if they shape the model (--trust, or Allow Execution).",
        ),
        Entry(
            "driver_blocked",
            "Driver blocked",
            ("error",),
            "The object depends on a driver that runs Python, which Blender blocked: its shape or place is not as"
            " its author made it.",
            "Trust the file (--trust, or Allow Execution), or remove the driver.",
        ),
        Entry(
            "sculpting",
            "Being sculpted",
            ("error",),
            "The object is sculpted with Multiresolution, and Blender gives its shape away only outside of sculpt"
            " mode.",
            "Leave sculpt mode.",
        ),
        Entry(
            "before_sculpting",
            "From before sculpting",
            ("info",),
            "The numbers shown are from before the object was sculpted.",
            "Leave sculpt mode.",
        ),
        Entry(
            "computing",
            "Computing",
            ("info",),
            "The numbers are being computed.",
            "Wait, or press Esc to cancel.",
        ),
        Entry(
            "computing_cancelled",
            "Computing cancelled",
            ("info",),
            "Computing the numbers was cancelled: those shown are old, or there are none.",
            "Compute again (Compute Inertia).",
        ),
    ),
)
