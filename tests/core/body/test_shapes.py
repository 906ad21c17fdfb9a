# SPDX-License-Identifier: GPL-3.0-or-later
"""What each shape knows of itself, beside its moments, and what is asked of every new one."""

import numpy as np
import pytest

from core import InertiaError, mesh_moments
from core.body.shapes import SHAPES, Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere

EACH = [
    Sphere(0.7),
    Box((1.0, 2.0, 3.0)),
    Cylinder(0.5, 3.0),
    Capsule(0.5, 2.0),
    Cone(0.5, 2.0),
    Ellipsoid((0.5, 1.0, 1.5)),
]

each = pytest.mark.parametrize("shape", EACH, ids=lambda shape: shape.kind)


def test_every_shape_is_tested_here():
    assert [shape.kind for shape in EACH] == list(SHAPES)


@each
def test_its_mesh_is_closed_outward_on_it_and_nearly_as_large(shape):
    vertices, faces = shape.facets()
    edges = {(a, b) for face in faces for a, b in zip(face, face[1:] + face[:1], strict=True)}
    assert edges == {(b, a) for a, b in edges} and len(edges) == sum(map(len, faces))
    triangles = np.array([(face[0], a, b) for face in faces for a, b in zip(face[1:], face[2:], strict=False)])
    found, own = mesh_moments(vertices, triangles), shape.moments()
    assert 0.95 * own.volume < found.volume < (1 + 1e-12) * own.volume
    # A cone's centroid, too, is on the side where the class says that it is.
    assert found.centroid == pytest.approx(own.centroid, abs=0.01)
    # A box of one part in 1e15 of rounding; an ellipsoid's distance is exact where it is 0.
    assert np.abs(shape.distance(vertices)).max() < 1e-14


@each
def test_it_comes_back_from_its_meshs_extents_which_are_its_own(shape):
    vertices, _ = shape.facets()
    extents = np.ptp(vertices, axis=0)
    assert extents == pytest.approx(2 * shape.half_sizes(np.eye(3)), rel=1e-12)
    found = SHAPES[shape.kind].from_extents(*extents.tolist())
    assert type(found) is type(shape)
    assert np.hstack(found.values()) == pytest.approx(np.hstack(shape.values()), rel=1e-12)


@each
def test_made_larger_it_has_the_moments_of_the_larger_solid(shape):
    larger, expected = shape.scaled(3.0).moments(), shape.moments().transformed(3 * np.eye(3))
    assert larger.volume == pytest.approx(expected.volume, rel=1e-14)
    assert larger.covariance == pytest.approx(expected.covariance, rel=1e-14)


@pytest.mark.parametrize("shape", [shape for shape in EACH if shape.turning_axes == 3], ids=lambda shape: shape.kind)
def test_in_renamed_axes_it_is_the_same_solid(shape):
    became = [2, 0, 1]
    assert np.diag(shape.renamed(became).moments().covariance) == pytest.approx(
        np.diag(shape.moments().covariance)[became], rel=1e-14
    )


@each
def test_from_its_own_spread_it_has_its_own_proportions(shape):
    moments = shape.moments()
    found = type(shape).proportioned(*(np.diag(moments.covariance) / moments.volume).tolist())
    alike = found.scaled((moments.volume / found.moments().volume) ** (1 / 3))
    assert np.hstack(alike.values()) == pytest.approx(np.hstack(shape.values()), rel=1e-9)


@pytest.mark.parametrize(
    ("kind", "extents", "code", "why"),
    [
        ("box", (1.0, 0.0, 1.0), "no_extent", "an extent is 0"),
        ("sphere", (1.0, 1.0, 1.1), "unequal_extents", "a sphere needs three equal ones"),
        ("cylinder", (1.0, 1.1, 2.0), "unequal_extents", "a cylinder needs equal ones in x and y"),
        ("cone", (1.0, 1.1, 2.0), "unequal_extents", "a cone needs equal ones in x and y"),
        ("capsule", (1.0, 1.1, 2.0), "unequal_extents", "a capsule needs equal ones in x and y"),
        ("capsule", (1.0, 1.0, 0.5), "unequal_extents", "a capsule needs z no shorter than x"),
    ],
)
def test_extents_that_are_not_its_own_are_refused_with_the_reason(kind, extents, code, why):
    with pytest.raises(InertiaError) as error:
        SHAPES[kind].from_extents(*extents)
    x, y, z = extents
    assert error.value.code == code
    assert error.value.message == f"its extents are {x:g} x {y:g} x {z:g} m, and {why}"
    assert error.value.remedy


def test_a_capsule_without_length_is_a_sphere():
    assert SHAPES["capsule"].from_extents(1.0, 1.0, 1.0) == Sphere(0.5)


def test_shapes_of_the_same_sizes_are_equal_only_if_they_are_of_one_kind():
    assert Cylinder(1.0, 2.0) == Cylinder(1.0, 2.0) != Cone(1.0, 2.0)
    assert repr(Cone(1.0, 2.0)) == "Cone(radius=1.0, length=2.0)"
