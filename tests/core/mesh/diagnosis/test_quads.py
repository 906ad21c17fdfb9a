# SPDX-License-Identifier: GPL-3.0-or-later
"""Quads that are not plane: how much volume depends on their diagonals, and when it is reported."""

import re

import numpy as np
import pytest

from core import InertiaError, mesh_moments
from core.files.mesh_file import load_surface
from core.mesh.diagnosis.remarks import bent_quads, diagonal_spread
from core.mesh.measure import check_surface
from core.mesh.surface import Surface
from core.robot.mesh_method import MeshMethod
from core.robot.model import Mesh

from ...solids import rotation

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
CORNERS = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=float)
SIDES = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])


def cut(quads):
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def cut_otherwise(quads):
    return np.concatenate([quads[:, [0, 1, 3]], quads[:, [1, 2, 3]]])


def bent_cube(by):
    corners = CORNERS.copy()
    corners[7] += by
    return corners


def test_a_plane_quad_hides_nothing_and_a_bent_one_its_tetrahedron():
    square = SQUARE.copy()
    assert diagonal_spread(Surface(square, cut(np.arange(4)[None]), np.arange(4)[None])) == 0
    square[2, 2] = 0.6
    assert diagonal_spread(Surface(square, [[0, 1, 2]], [[0, 1, 2, 3]])) == pytest.approx(0.1, rel=1e-14)
    two = np.vstack([square, square + [0, 0, 5]])
    assert diagonal_spread(Surface(two, [[0, 1, 2]], [[0, 1, 2, 3], [4, 5, 6, 7]])) == pytest.approx(0.2, rel=1e-14)


@pytest.mark.fault(25)
def test_no_choice_of_diagonals_moves_the_volume_by_more():
    corners = bent_cube((0.3, 0.2, 0.1))
    spread = diagonal_spread(Surface(corners, cut(SIDES), SIDES))
    volumes = []
    for choice in range(64):
        ways = [(cut, cut_otherwise)[choice >> side & 1](SIDES[side : side + 1]) for side in range(6)]
        volumes.append(mesh_moments(corners, np.concatenate(ways)).volume)
    assert max(volumes) - min(volumes) == pytest.approx(spread, rel=1e-12)  # each bent side leans the same way here


@pytest.mark.fault(25)
@pytest.mark.parametrize(
    ("by", "severity"), [(0.0, None), (2.0**-8, None), (2.0**-7, "info"), (2.0**-6, "info"), (2.0**-3, "warning")]
)
def test_the_share_is_reported_from_0_1_percent_a_warning_from_1_percent(by, severity):
    # Moved along an edge, the corner bends the top alone, by a tetrahedron of base 1/2 and height `by`.
    surface = Surface(bent_cube((0, 0, by)), cut(SIDES), SIDES)
    assert diagonal_spread(surface) == pytest.approx(by / 6, rel=1e-12)
    volume = mesh_moments(surface.vertices, surface.triangles).volume
    found = bent_quads(surface, volume)
    assert [finding.severity for finding in found] == ([severity] if severity else [])
    assert all(f"{100.0 * by / 6 / volume:.2f} %" in finding.message for finding in found)


def test_of_triangles_alone_nothing_is_reported():
    corners = bent_cube((0.3, 0.2, 0.1))
    assert bent_quads(Surface(corners, cut(SIDES)), 1) == ()
    assert bent_quads(Surface(corners, cut(SIDES), np.zeros((0, 4), int)), 1) == ()


def test_a_part_has_the_same_share_however_it_is_stretched():
    surface = Surface(bent_cube((0.1, 0.1, 0.2)), cut(SIDES), SIDES)
    shear = np.diag([0.2, 3, 1]) @ rotation(np.random.default_rng(4)) @ np.diag([1, -2, 0.5])
    shares = []
    for stretch in (np.eye(3), shear):
        for params in ({}, {"gz:voxel_size": "0.02"}):
            findings = MeshMethod(Mesh(surface, stretch), params).measure().findings
            (message,) = (finding.message for finding in findings if finding.code == "bent_quads")
            shares.append(float(re.search(r"([0-9.]+) %", message)[1]))
    assert shares[0] > 1
    assert shares == pytest.approx([shares[0]] * 4, abs=0.02)


def test_impossible_quads_are_refused_as_impossible_triangles_are():
    for quad, code in (([0, 1, 2], "bad_mesh"), ([0.0, 1, 2, 3], "bad_mesh"), ([0, 1, 2, 8], "index_out_of_range")):
        with pytest.raises(InertiaError) as error:
            Surface(CORNERS, cut(SIDES), [quad])
        assert error.value.code == code


def test_a_file_of_quads_is_checked_by_its_quads(tmp_path):
    path = tmp_path / "bent.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in bent_cube((0, 0, 0.3))]
    path.write_text("\n".join(lines + ["f " + " ".join(str(corner + 1) for corner in side) for side in SIDES]))
    surface, _ = load_surface(path)
    assert surface.quads.tolist() == SIDES.tolist()
    assert "bent_quads" in {finding.code for finding in check_surface(surface)}
    triangles = "\n".join("f " + " ".join(str(corner + 1) for corner in row) for row in cut(SIDES))
    path.write_text("\n".join([*lines, triangles]))
    surface, _ = load_surface(path)
    assert surface.quads is None
    assert check_surface(surface) == ()


@pytest.mark.fault(25)
def test_the_bent_quads_of_a_real_mesh_are_reported(data):
    surface, _ = load_surface(data / "meshes" / "clean" / "quadknot.obj")
    (finding,) = (finding for finding in check_surface(surface) if finding.code == "bent_quads")
    volume = mesh_moments(surface.vertices, surface.triangles).volume
    a, b, c, d = surface.vertices[surface.quads].transpose(1, 0, 2)
    spread = np.abs(np.linalg.det(np.stack([b - a, c - a, d - a], axis=1))).sum() / 6
    assert f"{100.0 * spread / volume:.2f} %" in finding.message
