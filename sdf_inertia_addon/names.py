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

PANEL_CATEGORY = "SDF"
