# SPDX-License-Identifier: GPL-3.0-or-later
"""Thirty families of meshes, sound and faulty, with exact rational truth: the same for the same seed everywhere."""

import numpy as np

from . import exported, faulty, holes, together
from .case import Generated

FAMILIES = {
    make.__name__: make
    for make in (
        faulty.clean,
        faulty.flipped_faces,
        faulty.inside_out,
        together.nested,
        together.apart,
        together.touching,
        together.shared_edges,
        together.overlapping,
        together.overlapping_tilted,
        faulty.duplicates,
        faulty.back_to_back,
        faulty.t_junctions,
        faulty.near_duplicates,
        holes.small_holes,
        holes.large_holes,
        holes.self_crossing,
        faulty.far,
        together.overlapping_far,
        faulty.thin,
        together.combined,
        exported.inner_walls,
        exported.fins,
        exported.decals,
        exported.double_sided,
        exported.split_vertices,
        exported.lattices,
        exported.threads,
        exported.foils,
        exported.t_chains,
        exported.drills,
    )
}


def generated(family: str, number: int) -> Generated:
    """Return one mesh of a family."""
    return FAMILIES[family](np.random.default_rng([list(FAMILIES).index(family), number]))
