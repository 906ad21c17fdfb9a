# SPDX-License-Identifier: GPL-3.0-or-later
"""The error told with a union is not below the true one."""

import numpy as np
import pytest

from core import measure_mesh

from .solids import box, joined, rotation
from .test_voxel_estimates import solid, true_error

# Found among thousands: here the spread over like columns is smaller than the error of their mean.
UNLUCKY = {
    "along the axes": (
        [[0.58332854, 0.06142957, 0.39778256], [0.83296762, 0.67451117, 0.83500972]],
        [[0.4946841, 0.53335067, 0.34811822], [0.5946841, 0.92568681, 0.44811822]],
        np.eye(3),
    ),
    "askew": (
        [[0.17432737, 0.13791311, 0.23421791], [0.99868265, 0.39039495, 0.33421791]],
        [[0.60984525, 0.3766002, 0.17727929], [0.86096437, 0.86159921, 0.52099142]],
        np.array(
            [
                [0.6271053, 0.72257777, 0.2908957],
                [-0.13523405, -0.26678482, 0.95422094],
                [0.7671054, -0.63773602, -0.06958506],
            ]
        ),
    ),
}


def measured_and_true(one, other, R):
    """Measure the union of two boxes, each its low and high corner, under a map; and its moments."""
    (a, b), (c, d) = np.array(one), np.array(other)
    vertices, triangles = joined(box(b - a, a), box(d - c, c))
    union = solid(a, b) + solid(c, d) + -solid(np.maximum(a, c), np.minimum(b, d))
    return measure_mesh(vertices @ R.T, triangles), union.transformed(R)


@pytest.mark.parametrize("name", UNLUCKY)
def test_a_union_of_boxes_that_columns_see_alike_is_told_no_better_than_it_is(name):
    found, truth = measured_and_true(*UNLUCKY[name])
    assert found.method == "union"
    assert 1e-8 < true_error(found.moments, truth) <= found.error < 1e-4


def test_the_error_of_unions_is_not_below_the_true_one_and_of_its_order():
    rng = np.random.default_rng(31)
    ratios = []
    for _ in range(30):
        a = rng.uniform(0.0, 0.5, 3)
        one, other = (np.zeros(3), rng.uniform(0.5, 1.0, 3)), (a, a + rng.uniform(0.3, 1.0, 3))
        found, truth = measured_and_true(one, other, rotation(rng))
        ratios.append(found.error / true_error(found.moments, truth))
    assert min(ratios) > 1
    assert np.median(ratios) < 20
