# SPDX-License-Identifier: GPL-3.0-or-later
"""What closing holes may be wrong by is stated, and holds: closed meshes less one to fifty of their faces."""

import numpy as np
import pytest

from core import measure_mesh
from core.mesh.diagnosis.remarks import corrected, crossing, inner_walls
from core.mesh.policy import close_holes
from core.mesh.surface import Surface

from ....thorough import sample
from ...families.sound import block, stone
from ...solids import box, subdivided, torus
from ...solids.awkward import without


def closed(rng):
    """Return a closed mesh of 500 faces or more: a stone, a stepped block, or a ring."""
    kind = rng.integers(3)
    if kind == 0:
        return stone(rng, 4)
    vertices, triangles = block(rng, 3) if kind == 1 else torus(int(rng.integers(12, 40)), int(rng.integers(24, 60)))
    while len(triangles) < 500:
        vertices, triangles = subdivided((vertices, triangles))
    return vertices, triangles


@pytest.mark.parametrize("seed", sample(range(500), 30))
def test_closing_holes_is_right_within_its_stated_bound(seed):
    rng = np.random.default_rng([5, seed])
    vertices, triangles = closed(rng)
    count = int(rng.integers(1, 51))
    if rng.random() < 0.5:
        missing = rng.choice(len(triangles), count, replace=False)
    else:
        middles = vertices[triangles].mean(axis=1)
        missing = np.argsort(np.linalg.norm(middles - middles[rng.integers(len(middles))], axis=1))[:count]
    whole = measure_mesh(vertices, triangles)
    assert whole.error < 1e-4  # a stone's corners are whole numbers, as if rounded
    surface, bounds, (finding,) = close_holes(Surface(vertices, np.delete(triangles, missing, axis=0)))
    assert finding.code == "holes_closed"
    found = measure_mesh(surface.vertices, surface.triangles).moments
    assert abs(whole.moments.volume / found.volume - 1.0) <= bounds[0]
    trace = np.trace(found.covariance)
    assert abs(np.trace(whole.moments.covariance) / trace - 1.0) <= bounds[1]
    assert np.abs(whole.moments.covariance - found.covariance).max() <= bounds[1] * trace


@pytest.mark.fault(2)
@pytest.mark.parametrize("times", [3, 4])
def test_a_hole_too_small_to_matter_is_closed_and_told_with_its_bound(times):
    mesh = box()
    for _ in range(times):
        mesh = subdivided(mesh)
    measured = measure_mesh(*without(mesh, 100))
    (finding,) = measured.findings
    assert (finding.severity, finding.code) == ("warning", "small_holes")
    assert finding.message.startswith("1 hole (3 edges at ")
    # A dome over a triangle of area A holds up to 0.376 A^1.5 of the volume 1; of the tensor's trace of 1/2 more.
    dome = 0.376 * (0.5 / 4**times) ** 1.5
    assert dome < measured.error < 1e-3
    assert measured.moments.volume == pytest.approx(1, rel=1e-14)


def test_faces_that_close_holes_are_not_listed():
    faces = np.array([-1, -1, 3, 5])
    for finding in (inner_walls(faces), crossing(faces, 0.0), corrected("inconsistent_winding", faces, 1.0, 2.0)):
        assert "2 faces" in finding.message
        assert "3, 5" in finding.message and "-1" not in finding.message
