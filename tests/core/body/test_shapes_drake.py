# SPDX-License-Identifier: GPL-3.0-or-later
"""Drake's CalcSpatialInertia as an independent judge of single shapes."""

import numpy as np
import pytest

from core.body.shapes import Box, Capsule, Cylinder, Ellipsoid, Sphere

RHO = 2170.0

PAIRS = [
    (Box((0.3, 2.0, 5.0)), "Box", (0.3, 2.0, 5.0)),
    (Sphere(0.7), "Sphere", (0.7,)),
    (Ellipsoid((0.5, 1.0, 1.5)), "Ellipsoid", (0.5, 1.0, 1.5)),
    (Cylinder(0.5, 2.0), "Cylinder", (0.5, 2.0)),
    (Capsule(0.5, 2.0), "Capsule", (0.5, 2.0)),
]


@pytest.mark.parametrize(("ours", "kind", "sizes"), PAIRS, ids=[kind for _, kind, _ in PAIRS])
def test_shapes_agree_with_drake(ours, kind, sizes):
    geometry = pytest.importorskip("pydrake.geometry", reason="Drake is not installed")
    from pydrake.multibody.tree import CalcSpatialInertia

    theirs = CalcSpatialInertia(getattr(geometry, kind)(*sizes), RHO)
    body = ours.moments().inertial(RHO)
    tensor = theirs.Shift(theirs.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
    assert body.mass == pytest.approx(theirs.get_mass(), rel=1e-14)
    np.testing.assert_allclose(body.com, theirs.get_com(), rtol=0, atol=1e-15)
    np.testing.assert_allclose(body.inertia, tensor, rtol=0, atol=1e-14 * np.trace(tensor))


def test_a_mesh_agrees_with_drake(tmp_path):
    geometry = pytest.importorskip("pydrake.geometry", reason="Drake is not installed")
    from pydrake.multibody.tree import CalcSpatialInertia

    from core import mesh_moments

    from ..solids import L_CELLS, cells

    vertices, triangles = cells(L_CELLS, size=(0.5, 0.25, 2.0), low=(1, 2, 3))
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles.tolist()]
    (tmp_path / "l.obj").write_text("\n".join(lines) + "\n")
    theirs = CalcSpatialInertia(geometry.Mesh(str(tmp_path / "l.obj"), 1.0), RHO)
    body = mesh_moments(vertices, triangles).inertial(RHO)
    tensor = theirs.Shift(theirs.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
    assert body.mass == pytest.approx(theirs.get_mass(), rel=1e-12)
    np.testing.assert_allclose(body.com, theirs.get_com(), rtol=1e-12)
    # Drake shifts from the mesh's origin, ten times the body's size away, and loses two digits there.
    np.testing.assert_allclose(body.inertia, tensor, rtol=0, atol=1e-12 * np.trace(tensor))
