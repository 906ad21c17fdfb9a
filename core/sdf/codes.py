# SPDX-License-Identifier: GPL-3.0-or-later
"""What libsdformat reports where we report something: its sdf::ErrorCode, by our code."""

from __future__ import annotations

from dataclasses import replace

from ..errors import Finding, InertiaError

ERROR_CODES = {
    1: "FILE_READ",
    2: "DUPLICATE_NAME",
    3: "RESERVED_NAME",
    4: "ATTRIBUTE_MISSING",
    5: "ATTRIBUTE_INVALID",
    7: "ATTRIBUTE_INCORRECT_TYPE",
    8: "ELEMENT_MISSING",
    9: "ELEMENT_INVALID",
    14: "URI_LOOKUP",
    17: "MODEL_WITHOUT_LINK",
    19: "LINK_INERTIA_INVALID",
    20: "JOINT_CHILD_LINK_INVALID",
    23: "FRAME_ATTACHED_TO_INVALID",
    24: "FRAME_ATTACHED_TO_CYCLE",
    26: "POSE_RELATIVE_TO_INVALID",
    27: "POSE_RELATIVE_TO_CYCLE",
    31: "MODEL_PLACEMENT_FRAME_INVALID",
    37: "WARNING",
}
"""sdf::ErrorCode of libsdformat 16, as far as it is used here."""

MESH_REFUSED = (37, 19)
"""A mesh calculator that gives no answer: its own error, then that of the link."""

SDF_CODES: dict[str, tuple[int, ...]] = {
    # The file and its text.
    "file_read": (1,),
    "bad_xml": (1,),
    "bad_version": (1,),
    "bad_number": (9, 1),
    "bad_boolean": (5, 9, 1),
    "bad_vector": (9, 1),
    "bad_pose": (9, 1),
    "missing_element": (8, 9),
    "no_name": (4,),
    "duplicate_name": (2,),
    "reserved_name": (3,),
    "no_link": (17,),
    "bad_urdf": (1,),
    "renamed": (37,),
    "uri_lookup": (14,),
    # Frames.
    "child_not_found": (20,),
    "attached_to_not_found": (23,),
    "attached_to_cycle": (24,),
    "frame_not_found": (26,),
    "frame_cycle": (27,),
    "placement_not_found": (31,),
    # Inertia.
    "default_density": (8,),
    "no_collision": (8,),
    "no_geometry": (37, 19),
    "unsupported_geometry": (37, 19),
    "bad_density": (19,),
    "bad_size": (19,),
    "negative_moment": (19,),
    "triangle_inequality": (19,),
    "not_finite": (19,),
    "bad_mass": (19,),
    "gz_math_refuses": (19,),
    "auto_overwrites": (37,),
    "inertial_relative_to": (7,),
    "open_mesh": MESH_REFUSED,
    "inconsistent_winding": MESH_REFUSED,
    "zero_volume": MESH_REFUSED,
    "no_faces": MESH_REFUSED,
}
"""Where several numbers stand, libsdformat reports them all. Some it does not report at all: a mesh that is open but
centred it takes without a word, and so a target mass of zero, and since version 16 a size of zero."""


def with_sdf_codes(finding: Finding) -> Finding:
    """Return a finding whose message names libsdformat's codes, where it has such codes."""
    if finding.code not in SDF_CODES or "libsdformat: " in finding.message:
        return finding
    return replace(finding, message=f"{finding.message} (libsdformat: {told(finding.code)})")


def told(code: str) -> str:
    """Return libsdformat's codes for one of ours in words, such as ``37 WARNING, 19 LINK_INERTIA_INVALID``."""
    return ", ".join(f"{number} {ERROR_CODES[number]}" for number in SDF_CODES[code])


def sdf_error(code: str, place: object, message: str, remedy: str = "") -> InertiaError:
    """Return an error about a place in a file, whose message names libsdformat's codes."""
    return InertiaError(code, str(place), f"{message} (libsdformat: {told(code)})", remedy)
