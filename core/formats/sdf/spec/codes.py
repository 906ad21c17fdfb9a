# SPDX-License-Identifier: Apache-2.0
"""libsdformat's error numbers (sdf::ErrorCode) for our codes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....errors import Finding, InertiaError

MESH_REFUSED = (37, 19)
"""A mesh calculator without a result: its own error, then that of the link."""

OF_BODIES: dict[str, tuple[int, ...]] = {
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
    "open_mesh": MESH_REFUSED,
    "inconsistent_winding": MESH_REFUSED,
    "zero_volume": MESH_REFUSED,
    "no_faces": MESH_REFUSED,
}
"""Codes from the rest of core, which does not know about files.

libsdformat reports all numbers of a tuple. Some faults it does not report at all: it silently accepts an open mesh that
is centred, a target mass of zero, and since version 16 a size of zero."""

SDF_CODES: dict[str, tuple[int, ...]] = {
    # The file and its text.
    "file_read": (1,),
    "bad_xml": (1,),
    "not_sdf": (1,),
    "bad_version": (1,),
    "bad_number": (9, 1),
    "bad_boolean": (9, 1),
    "bad_vector": (9, 1),
    "bad_pose": (9, 1),
    "bad_value": (9, 1),
    "no_name": (4, 9, 1),
    "missing_attribute": (4, 9, 1),
    "missing_element": (8, 9),
    "attribute_form": (),
    "bad_urdf": (1,),
    "uri_lookup": (14,),
    # Names, types and numbers of elements.
    "duplicate_name": (2,),
    "reserved_name": (3,),
    "renamed": (37,),
    "bad_type": (5,),
    "several_models": (11,),
    "axis_zero": (9,),
    "bad_mimic": (41,),
    # Frames, joints and models.
    "top_relative_to": (5, 9, 1),
    "canonical_link_not_found": (16,),
    "no_link": (17,),
    "massless_lump": (9, 1),
    "child_not_found": (20,),
    "child_is_world": (20,),
    "parent_not_found": (21,),
    "parent_is_child": (22,),
    "attached_to_not_found": (23,),
    "attached_to_cycle": (24,),
    "frame_not_found": (26,),
    "frame_cycle": (27,),
    "placement_not_found": (26,),
    "placement_without_pose": (31, 9, 1),
    "merge_unsupported": (33,),
    "axis_frame_not_found": (38,),
    # Inertia.
    "auto_overwrites": (37,),
    "inertial_relative_to": (7,),
    **OF_BODIES,
}
"""libsdformat's numbers for each of our codes, the first reported first."""


def with_sdf_codes(finding: Finding) -> Finding:
    """Return a finding with libsdformat's codes, if there are any."""
    if finding.code not in OF_BODIES or finding.sdf_codes:
        return finding
    return replace(finding, sdf_codes=OF_BODIES[finding.code])


def sdf_error(code: str, place: object, form: str = "", /, codes: Any = None, **values: Any) -> InertiaError:
    """Return an error about a place in a file with libsdformat's codes: the given ones, else those of our code."""
    return InertiaError.of(code, str(place), form, **values).with_sdf_codes(SDF_CODES[code] if codes is None else codes)
