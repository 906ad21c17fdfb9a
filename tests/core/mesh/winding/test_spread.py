# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the line lies between an inside and none: the space of winding above 1/4 is twice that above 3/4."""

import numpy as np
import pytest

from core import InertiaError, measure_mesh

from ...solids import polygon, prism
from .test_solid import winding

CELLS = 26
"""Samples along each axis of the mesh's bounding box."""

ANSWERED, REFUSED = 1.95, 2.05
"""Spreads: the line is at 2, and samples are as coarse as that."""


def tube(height):
    vertices, triangles = prism(polygon(12), 0, height)
    return vertices, triangles[:24]


def cup(height):
    vertices, triangles = prism(polygon(12), 0, height)
    return vertices, triangles[(vertices[triangles][:, :, 2] < height).any(axis=1)]


def spread(vertices, triangles):
    """Return the volume of winding above 1/4 by that above 3/4, from solid angles at sampled points."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    grid = np.stack(np.meshgrid(*[(np.arange(CELLS) + 0.5) / CELLS] * 3, indexing="ij"), -1).reshape(-1, 3)
    points = low + grid * (high - low)
    w = np.abs(np.concatenate([winding(vertices, triangles, some) for some in np.array_split(points, 16)]))
    return (w > 0.25).sum() / (w > 0.75).sum()


SPREAD = [(tube, height) for height in (2.05, 2.1, 2.15, 2.2, 2.35, 2.5, 2.7)]
SPREAD += [(cup, height) for height in (0.55, 0.6, 0.65, 0.7, 0.8, 0.9, 1.0)]


@pytest.mark.fault(2)
@pytest.mark.parametrize(("make", "height"), SPREAD, ids=[f"{make.__name__} {height}" for make, height in SPREAD])
def test_voxels_answer_up_to_a_spread_of_two_and_refuse_beyond(make, height):
    mesh = make(height)
    ratio = spread(*mesh)
    assert 1.5 < ratio < 3.0
    assert ratio < ANSWERED or ratio > REFUSED  # none is so near the line that samples could not tell
    if ratio > 2.0:
        with pytest.raises(InertiaError) as error:
            measure_mesh(*mesh, method="voxel")
        assert error.value.code == "no_inside"
    else:
        found = measure_mesh(*mesh, method="voxel")
        whole = measure_mesh(*prism(polygon(12), 0, height)).moments.volume
        assert abs(found.moments.volume / whole - 1.0) <= found.error
        assert "ambiguous_inside" in {one.code for one in found.findings}
