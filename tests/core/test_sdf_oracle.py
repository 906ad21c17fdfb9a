# SPDX-License-Identifier: GPL-3.0-or-later
"""Minimal files on which we and libsdformat once disagreed, each with libsdformat 16's own answer."""

import json

import numpy as np
import pytest

from core.__main__ import main
from core.errors import InertiaError
from core.pose import Pose
from core.sdf.judged import judged
from core.sdf.read import read_sdf

BETTER_HERE = {
    "include_two_models": "libsdformat reports 11 and takes the first of the two; so do we, and nothing is written",
}
"""Cases on which what we do is no less than libsdformat's answer, and not the same."""

NOT_YET = (
    "ampersand",
    "dashes",
    "default_xmlns",
    "leading_ws",
    "qname",
    "comment_num",
    "pose_comment",
    "same16",
    "polyline_repeated_false_alarm",
)
"""Cases whose mending is on its way; a name that is done fails here, and goes."""

CASES = [
    "ampersand",
    "badsize_nonauto",
    "badsize_visual",
    "canonical_missing",
    "collision_empty_name",
    "collision_no_name",
    "comment_num",
    "dashes",
    "default_xmlns",
    "density_abc_nonauto",
    "dup_collision",
    "dup_visual",
    "include_custom_params",
    "include_name_colons",
    "include_two_models",
    "joint_bad_type",
    "joint_no_type",
    "joint_parent_missing",
    "leading_ws",
    "light_no_type",
    "link_name_colons",
    "link_name_reserved",
    "link_name_world",
    "material_bad",
    "model_without_link",
    "placement_without_pose",
    "plugin_no_file",
    "polyline_repeated_false_alarm",
    "pose3_collision_nonauto",
    "pose3_in_visual",
    "pose_comment",
    "qname",
    "rel_model_top",
    "same16",
    "sensor_no_type",
    "two_shapes",
    "two_top_models",
    "visual_no_name",
    "world_merge_links",
    "world_no_name",
]
