# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh under a stretch is measured as the stretched mesh, however often and in whatever order it is asked for."""

import numpy as np
import pytest

from core.mesh.surface import Surface
from core.robot.mesh_method import MeshMethod
from core.robot.model import Mesh

from ....thorough import THOROUGH
from ...exact import assert_same
from ...solids import polygon, prism
from ...solids.overlapping import boxes_and_union

FIRST, SECOND = ((0.0, 0.0, 0.0), (0.01, 1.0, 1.0)), ((0.007, 0.5, 0.2), (0.013, 1.3, 0.9))


@pytest.mark.parametrize("factors", [(1, 100, 3, 1000), (1000, 1, 100)] if THOROUGH else [(1, 1000), (1000, 30, 1)])
def test_the_error_of_a_union_is_that_of_the_stretched_one(factors):
    vertices, triangles, union = boxes_and_union([FIRST, SECOND])
    surface = Surface(vertices, triangles)
    for factor in (*factors, *factors):
        mesh = Mesh(surface, np.diag([factor, 1.0, 1.0]))
        measured = MeshMethod(mesh, {}).measure()
        truth = union.transformed(np.diag([factor, 1.0, 1.0]))
        assert measured.method == "union"
        assert measured.error == 0.0
        assert_same(measured.moments, truth)
        assert MeshMethod(mesh, {}).known() is not None


def test_an_exact_integral_is_taken_once_for_every_stretch():
    surface = Surface(*prism(polygon(5)))
    MeshMethod(Mesh(surface, np.eye(3)), {}).measure()
    assert MeshMethod(Mesh(surface, np.diag([1.0, 1.0, 2.0])), {}).known() is not None
