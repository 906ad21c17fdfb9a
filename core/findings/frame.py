# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames, joints and includes: what refers to what in a model."""

from __future__ import annotations

from .entry import Area, Entry

FRAME = Area(
    "Frames, joints and includes",
    "What refers to what in a model.",
    (
        Entry(
            "frame_not_found",
            "Frame not found",
            ("error",),
            "A pose is relative to a frame that its model does not have.",
            "Correct the name.",
        ),
        Entry(
            "frame_cycle",
            "Frames in a circle",
            ("error",),
            "Poses are relative to each other in a circle, so that no place is known.",
            "Give one of them another relative_to.",
        ),
        Entry(
            "attached_to_not_found",
            "Attached to nothing",
            ("error",),
            "A frame is attached to something that its model does not have.",
            "Correct the name.",
        ),
        Entry(
            "attached_to_cycle",
            "Attached in a circle",
            ("error",),
            "Joints and frames are fixed to each other in a circle, without a link.",
            "Fix one of them to a link.",
        ),
        Entry(
            "top_relative_to",
            "Nothing to be relative to",
            ("error",),
            "The pose of a model at the top of a file is relative to something, and there is nothing round it.",
            "Remove the attribute.",
        ),
        Entry(
            "canonical_link_not_found",
            "Canonical link not found",
            ("error",),
            "The canonical_link of a model is none of its links.",
            "Correct the name.",
        ),
        Entry(
            "placement_not_found",
            "Placement frame not found",
            ("error",),
            "The placement_frame is no frame of the model.",
            "Correct the name.",
        ),
        Entry(
            "placement_without_pose",
            "Placement without pose",
            ("error",),
            "A placement_frame needs a pose, which says where it is placed.",
            "Give the model or the include a <pose>.",
        ),
        Entry(
            "merge_unsupported",
            "Cannot be merged",
            ("error",),
            "libsdformat cannot merge this include into where it stands.",
            "Include it without merge.",
        ),
        Entry(
            "include_not_read",
            "Include not read",
            ("warning", "error"),
            "An included model is on the network, which is never asked, or is in none of the folders known. All else of"
            " the file is checked. An error with fill --strict.",
            "Copy the model below the file, or give its folder with --path.",
        ),
        Entry(
            "include_params",
            "Include with params",
            ("error",),
            "An include changes its model by experimental:params, which is not supported. The included model is not"
            " read; all else of the file is.",
            "Include a copy of the model with these changes.",
        ),
        Entry(
            "include_cycle",
            "Includes in a circle",
            ("error",),
            "Files include each other in a circle.",
            "Break the circle.",
        ),
        Entry(
            "too_many_includes",
            "Too many includes",
            ("error",),
            "The file, with what it includes, has more includes than the limit.",
            "Split the file.",
        ),
        Entry(
            "child_not_found",
            "Child not found",
            ("error",),
            "The child of a joint is no link or frame of its model.",
            "Correct the name.",
        ),
        Entry(
            "child_is_world",
            "Child is the world",
            ("error",),
            "The child of a joint is the world, or is fixed to it, and cannot move.",
            "Make the world its parent.",
        ),
        Entry(
            "parent_not_found",
            "Parent not found",
            ("error",),
            "The parent of a joint is no link or frame of its model.",
            "Correct the name.",
        ),
        Entry(
            "parent_is_child",
            "Parent is child",
            ("error",),
            "Both ends of a joint are the same body.",
            "Join two bodies.",
        ),
        Entry(
            "joint_loop",
            "Joints in a loop",
            ("error", "warning"),
            "Links are each other's parents by their joints. Physics engines that keep a tree drop or refuse such a"
            " joint.",
            "Exchange parent and child of one joint, or remove it.",
        ),
        Entry(
            "axis_frame_not_found",
            "Frame of the axis not found",
            ("error",),
            "The axis of a joint is expressed in a frame that its model does not have.",
            "Correct the name.",
        ),
        Entry(
            "bad_mimic",
            "Bad mimic",
            ("error",),
            "A joint mimics one that its model does not have, or itself.",
            "Correct the <mimic>.",
        ),
    ),
)
