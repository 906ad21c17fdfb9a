# SPDX-License-Identifier: GPL-3.0-or-later
"""Which operators help against which finding, and on which object."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.errors import Finding
from ...core.judge.geometry.wrong_tensors import CODES
from ...core.robot.resolve import LinkBody
from ..names import (
    CLOSE_HOLES,
    CUT_QUADS,
    DELETE_LOOSE_FACES,
    FIT_PRIMITIVE,
    MERGE_BY_DISTANCE,
    RECALCULATE_OUTSIDE,
    USE_EXACT,
    USE_HULL,
    USE_MEANT_INERTIAL,
    USE_SHELL,
    USE_VOXELS,
    WRITE_FILLED,
)

SOLID = (USE_HULL, USE_SHELL, FIT_PRIMITIVE)
"""What gives a number for a surface that encloses nothing."""

REMEDIES: Mapping[str, tuple[str, ...]] = {
    "open_mesh": (USE_VOXELS, CLOSE_HOLES, DELETE_LOOSE_FACES, MERGE_BY_DISTANCE, *SOLID),
    "open_sheets": (DELETE_LOOSE_FACES,),
    "split_vertices": (MERGE_BY_DISTANCE,),
    "small_holes": (CLOSE_HOLES, DELETE_LOOSE_FACES, MERGE_BY_DISTANCE, USE_VOXELS),
    "no_inside": (USE_SHELL, USE_HULL, DELETE_LOOSE_FACES, FIT_PRIMITIVE),
    "ambiguous_inside": (CLOSE_HOLES, DELETE_LOOSE_FACES, *SOLID),
    "open_columns": (CLOSE_HOLES, DELETE_LOOSE_FACES, *SOLID),
    "not_orientable": (DELETE_LOOSE_FACES, *SOLID),
    "negative_winding": (USE_VOXELS, RECALCULATE_OUTSIDE, DELETE_LOOSE_FACES, *SOLID),
    "small_inside_out": (RECALCULATE_OUTSIDE, USE_VOXELS),
    "inconsistent_winding": (RECALCULATE_OUTSIDE,),
    "inside_out": (RECALCULATE_OUTSIDE,),
    "zero_volume": (USE_SHELL, FIT_PRIMITIVE),
    "zero_area": (FIT_PRIMITIVE,),
    "no_faces": (FIT_PRIMITIVE,),
    "duplicate_faces": (MERGE_BY_DISTANCE,),
    "inner_walls": (MERGE_BY_DISTANCE, DELETE_LOOSE_FACES),
    "non_manifold_edges": (MERGE_BY_DISTANCE, DELETE_LOOSE_FACES),
    "bent_quads": (CUT_QUADS,),
    "t_junction": (USE_VOXELS, FIT_PRIMITIVE),
    "overlapping_shells": (USE_VOXELS, USE_HULL, FIT_PRIMITIVE),
    "crossing_faces": (USE_VOXELS, USE_HULL, FIT_PRIMITIVE),
    "overlaps_not_checked": (USE_VOXELS, USE_HULL, FIT_PRIMITIVE),
    "bad_thickness": (USE_SHELL,),
    "thick_shell": (USE_SHELL,),
    "no_hull": (USE_VOXELS, USE_SHELL, FIT_PRIMITIVE),
    "bad_voxel_size": (USE_VOXELS,),
    "voxels_too_fine": (USE_VOXELS,),
    "voxels_too_coarse": (USE_VOXELS,),
    "auto_not_possible": (WRITE_FILLED,),
    "auto_ignores_method": (USE_EXACT, WRITE_FILLED),
    "inertial_unit": (USE_MEANT_INERTIAL,),
    "com_outside": (USE_MEANT_INERTIAL,),
    **dict.fromkeys(CODES.values(), (USE_MEANT_INERTIAL,)),
}
"""By the code of the finding, the likeliest first."""

ACTIONS: Mapping[str, str] = {
    "exact": USE_EXACT,
    "voxel": USE_VOXELS,
    "voxel_size": USE_VOXELS,
    "hull": USE_HULL,
    "shell": USE_SHELL,
    "thickness": USE_SHELL,
    "close_holes": CLOSE_HOLES,
    "fill": CLOSE_HOLES,
    "merge": MERGE_BY_DISTANCE,
    "outside": RECALCULATE_OUTSIDE,
    "triangulate": CUT_QUADS,
    "fit": FIT_PRIMITIVE,
}
"""The operator for each action that a remedy names."""

METHODS: Mapping[str, str] = {USE_EXACT: "exact", USE_VOXELS: "voxel", USE_HULL: "hull", USE_SHELL: "shell"}
"""The method that an operator chooses."""

ON_LINK = (WRITE_FILLED, USE_MEANT_INERTIAL)
"""What changes the link, whichever part a finding is about."""


def remedies_of(finding: Finding, body: LinkBody | None = None) -> tuple[str, ...]:
    """Return the operators that may fix a finding: first those of its own remedy, in order.

    A mistake in a link's manual inertial is corrected only if its `body` knows one certain correction.
    """
    known = REMEDIES.get(finding.code, ())
    if body is None or body.right is None:
        known = tuple(operator for operator in known if operator != USE_MEANT_INERTIAL)
    named = (ACTIONS[action] for action in finding.actions if action in ACTIONS)
    return tuple(dict.fromkeys((*named, *known))) if known else ()
