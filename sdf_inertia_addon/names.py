# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids that Blender, users' scripts and saved files rely on."""

PROPERTIES = "sdf_inertia"
"""The attribute of an object that holds its tags and settings."""

COMMAND = "sdf_inertia"
"""``blender --command sdf_inertia``."""

TAG_LINK = "sdf_inertia.tag_link"
TAG_COLLISION = "sdf_inertia.tag_collision"
TAG_VISUAL = "sdf_inertia.tag_visual"
UNTAG = "sdf_inertia.untag"
EXPORT_SDF = "sdf_inertia.export_sdf"
USE_VOXELS = "sdf_inertia.use_voxels"
USE_HULL = "sdf_inertia.use_hull"
USE_SHELL = "sdf_inertia.use_shell"
FIT_PRIMITIVE = "sdf_inertia.fit_primitive"
FILL_HOLES = "sdf_inertia.fill_holes"
RECALCULATE_OUTSIDE = "sdf_inertia.recalculate_outside"
MERGE_BY_DISTANCE = "sdf_inertia.merge_by_distance"
SELECT_LINK = "sdf_inertia.select_link"

PANEL_CATEGORY = "SDF"
