# SPDX-License-Identifier: GPL-3.0-or-later
"""libsdformat's own error numbers and names, as findings show them."""

from __future__ import annotations

from collections.abc import Iterable

ERROR_CODES = {
    1: "FILE_READ",
    2: "DUPLICATE_NAME",
    3: "RESERVED_NAME",
    4: "ATTRIBUTE_MISSING",
    5: "ATTRIBUTE_INVALID",
    7: "ATTRIBUTE_INCORRECT_TYPE",
    8: "ELEMENT_MISSING",
    9: "ELEMENT_INVALID",
    11: "ELEMENT_INCORRECT_TYPE",
    14: "URI_LOOKUP",
    16: "MODEL_CANONICAL_LINK_INVALID",
    17: "MODEL_WITHOUT_LINK",
    19: "LINK_INERTIA_INVALID",
    20: "JOINT_CHILD_LINK_INVALID",
    21: "JOINT_PARENT_LINK_INVALID",
    22: "JOINT_PARENT_SAME_AS_CHILD",
    23: "FRAME_ATTACHED_TO_INVALID",
    24: "FRAME_ATTACHED_TO_CYCLE",
    26: "POSE_RELATIVE_TO_INVALID",
    27: "POSE_RELATIVE_TO_CYCLE",
    31: "MODEL_PLACEMENT_FRAME_INVALID",
    33: "MERGE_INCLUDE_UNSUPPORTED",
    37: "WARNING",
    38: "JOINT_AXIS_EXPRESSED_IN_INVALID",
    39: "CONVERSION_ERROR",
    40: "PARSING_ERROR",
    41: "JOINT_AXIS_MIMIC_INVALID",
}
"""sdf::ErrorCode of libsdformat 16, as far as it is used here."""


def error_codes_text(codes: Iterable[int]) -> str:
    """Return libsdformat's codes in words, such as ``37 WARNING, 19 LINK_INERTIA_INVALID``."""
    return ", ".join(f"{number} {ERROR_CODES[number]}" for number in codes)
