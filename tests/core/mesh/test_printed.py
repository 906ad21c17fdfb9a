# SPDX-License-Identifier: GPL-3.0-or-later
"""A printed part is a solid wall inside its surface, and an infill within that."""

import json

import numpy as np
import pytest
import trimesh

from core import InertiaError, measure_mesh, mesh_moments, read_robot
from core.body.compare import relative_error
from core.body.moments import Moments
from core.cli.main import main
from core.mesh.hull import library

from ..solids import box, inverted, joined, polygon, prism, rotation, torus

SHARE = 0.2
EVENLY = 1.2207440846057596 ** -np.arange(1.0, 4.0)
"""Multiples of it, without their whole parts, fill a cube evenly: the powers of the root of x⁴ = x + 1."""


def printed(mesh, wall, infill=SHARE):
    return measure_mesh(*mesh, method="printed", wall=wall, infill=infill)


def filled(outer, core, infill=SHARE):
    """Return the moments of a solid with a core of less density."""
    inside = mesh_moments(*core)
    return mesh_moments(*outer) + Moments(
        (infill - 1) * inside.volume, inside.centroid, (infill - 1) * inside.covariance
    )


def test_a_box_is_the_box_less_its_core():
    mesh = box((3, 2, 1))
    for infill in (0.0, SHARE, 0.9):
        want = filled(mesh, box((2.6, 1.6, 0.6), (0.2, 0.2, 0.2)), infill)
        measured = printed(mesh, 0.2, infill)
        assert relative_error(measured.moments, want) < 1e-13
        assert measured.error == measured.error_inertia == 0.0


@pytest.mark.parametrize("n", [3, 5, 64])
def test_a_turned_prism_is_the_prism_less_its_core(n):
    mesh, R = prism(polygon(n), 0, 2), rotation(np.random.default_rng(n))
    core = prism(polygon(n, 1 - 0.1 / np.cos(np.pi / n)), 0.1, 1.9)
    turned = mesh[0] @ R.T + 5.0, mesh[1]
    want = filled(mesh, core).transformed(R, (5, 5, 5))
    assert relative_error(printed(turned, 0.1).moments, want) < 1e-13


def ring(n, outer, inner, low, high):
    """Return a tube of n sides: the walls, and two caps."""
    around = np.arange(n)
    following = (around + 1) % n
    flat = np.concatenate([polygon(n, outer), polygon(n, inner)])
    vertices = np.concatenate([np.column_stack([flat, np.full(2 * n, z)]) for z in (low, high)])
    quads = [
        (around, following, following + 2 * n, around + 2 * n),
        (following + n, around + n, around + 3 * n, following + 3 * n),
        (following, around, around + n, following + n),
        (around + 2 * n, following + 2 * n, following + 3 * n, around + 3 * n),
    ]
    a, b, c, d = np.concatenate(quads, axis=1)
    return vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def test_a_tube_is_the_tube_less_its_core():
    n, wall = 48, 0.05
    mitre = wall / np.cos(np.pi / n)
    mesh, core = ring(n, 1, 0.6, 0, 2), ring(n, 1 - mitre, 0.6 + mitre, wall, 2 - wall)
    measured = printed(mesh, wall)
    assert relative_error(measured.moments, filled(mesh, core)) < 1e-13
    assert 0.0 < measured.error < 1e-3  # a slicer may round the bore's edges


def test_a_print_is_never_more_than_the_solid_and_tends_to_it():
    mesh = torus()
    solid = measure_mesh(*mesh).moments
    walls = [printed(mesh, wall, 0.1).moments.volume for wall in (0.01, 0.1, 0.3, 0.39)]
    assert walls == sorted(walls)
    assert walls[-1] < solid.volume
    for wall, infill in ((0.1, 1.0), (0.5, 0.1), (1e9, 0.0)):
        assert relative_error(printed(mesh, wall, infill).moments, solid) == 0.0


def test_a_cavity_has_a_wall_of_its_own():
    mesh = joined(box((4, 4, 4)), inverted(box((1, 1, 1), (1.5, 1.5, 1.5))))
    core = joined(box((3.6, 3.6, 3.6), (0.2, 0.2, 0.2)), inverted(box((1.4, 1.4, 1.4), (1.3, 1.3, 1.3))))
    assert relative_error(printed(mesh, 0.2).moments, filled(mesh, core)) < 1e-13


def parts():
    """Return solids with edges, holes and ribs, some of them thinner than two walls of 0.2."""
    from manifold3d import Manifold

    plate, post, hole = Manifold.cube((4, 2, 0.6)), Manifold.cube((0.5, 2, 2)), Manifold.cylinder(1, 0.3, 0.3, 24)
    bracket = plate + post - hole.translate((1.5, 0.5, -0.2)) - hole.translate((3, 1, -0.2))
    yield bracket
    yield bracket + Manifold.cube((2.5, 0.2, 1.5)).translate((0, 0.9, 0))
    yield Manifold.cube((3, 0.5, 2)) + Manifold.cube((0.5, 2, 2))
    yield Manifold.cube((3, 1, 0.3)) + Manifold.cube((0.3, 1, 2)).translate((1.35, 0, 0))
    yield plate + Manifold.cylinder(1, 0.15, 0.15, 16).translate((2, 1, 0.4))
    yield Manifold.cylinder(2, 1, 1, 24) - Manifold.cylinder(3, 0.7, 0.7, 24).translate((0, 0, -0.5))
    yield Manifold.sphere(1, 12)
    yield Manifold.cylinder(2, 1, 0.2, 16)
    yield Manifold.cube((0.25, 0.25, 4)) + Manifold.cube((1, 1, 0.8))
    yield Manifold.cube((2, 2, 2)) - Manifold.cube((1.5, 1.5, 1.5)).translate((0.4, 0.3, 0.7))


def counted(mesh, wall, count=4000):
    """Return the moments of a mesh less those of the points in it that are farther than a wall from its surface."""
    corners = mesh[0][mesh[1]]
    low, high = mesh[0].min(axis=0), mesh[0].max(axis=0)
    points = low + np.outer(np.arange(count), EVENLY) % 1.0 * (high - low)
    to_a, to_b, to_c = (corners[:, corner] - points[:, None] for corner in range(3))
    a, b, c = (np.linalg.norm(to, axis=2) for to in (to_a, to_b, to_c))
    over = (to_a * np.cross(to_b, to_c)).sum(axis=2)
    under = a * b * c + (to_a * to_b).sum(axis=2) * c + (to_b * to_c).sum(axis=2) * a + (to_c * to_a).sum(axis=2) * b
    points = points[np.arctan2(over, under).sum(axis=1) > np.pi]
    nearest = trimesh.triangles.closest_point(np.tile(corners, (len(points), 1, 1)), np.repeat(points, len(corners), 0))
    distance = np.linalg.norm(nearest.reshape(len(points), -1, 3) - points[:, None], axis=2).min(axis=1)
    solid, core = mesh_moments(*mesh), points[distance > wall]
    volume = solid.volume * len(core) / len(points)
    if not volume:
        return solid
    less = (SHARE - 1.0) * volume
    return solid + Moments(less, core.mean(axis=0), less * np.cov(core.T, bias=True))


@pytest.mark.skipif(not library(), reason="manifold3d builds the parts")
def test_ten_parts_are_as_points_by_their_distance_count_them():
    by_columns = 0
    for part in parts():
        mesh = part.to_mesh()
        vertices, triangles = np.asarray(mesh.vert_properties[:, :3], dtype=float), np.asarray(mesh.tri_verts)
        measured = printed((vertices, triangles), 0.2)
        by_columns += "solid_where_thin" in [finding.code for finding in measured.findings]
        want = counted((vertices, triangles), 0.2)
        # Four thousand points in its box, of which it fills a third or more, are right to about 1 %.
        assert relative_error(measured.moments, want) < 0.02 + max(measured.error, measured.error_inertia)
        assert measured.error < 0.02
    assert 3 <= by_columns <= 8


def test_an_impossible_wall_or_infill_is_refused():
    for wall, infill, code in (
        (None, 0.2, "bad_wall"),
        (0.0, 0.2, "bad_wall"),
        (0.1, None, "bad_infill"),
        (0.1, 20.0, "bad_infill"),
    ):
        with pytest.raises(InertiaError) as refused:
            printed(box(), wall, infill)
        assert refused.value.code == code


ROBOT = """<sdf version="1.11"><model name="m"><link name="arm"><inertial auto="true"><density>1240</density>
<auto_inertia_params>{params}</auto_inertia_params></inertial><collision name="c"><geometry>{geometry}</geometry>
</collision></link></model></sdf>"""
PRINTED = "".join(
    f"<sdf_inertia:{name}>{text}</sdf_inertia:{name}>"
    for name, text in (("method", "printed"), ("wall", "0.05"), ("infill", "0.2"))
)


def test_a_file_a_map_and_the_options_mean_the_same_print(tmp_path, capsys):
    block = box((0.4, 0.3, 0.2))
    (tmp_path / "part.obj").write_text(
        "".join(f"v {x} {y} {z}\n" for x, y, z in block[0]) + "".join(f"f {a} {b} {c}\n" for a, b, c in block[1] + 1)
    )
    mass = 1240 * (0.4 * 0.3 * 0.2 - 0.8 * 0.3 * 0.2 * 0.1)
    mesh, shape = "<mesh><uri>part.obj</uri></mesh>", "<box><size>1 1 1</size></box>"
    for name, params, geometry in (("file", PRINTED, mesh), ("shape", PRINTED, shape), ("plain", "", mesh)):
        (tmp_path / f"{name}.sdf").write_text(ROBOT.format(params=params, geometry=geometry))
    (tmp_path / "map.csv").write_text("match,material,wall,infill\narm,PLA,5cm,0.2\n")
    assert read_robot(tmp_path / "file.sdf").links["arm"].inertial.mass == pytest.approx(mass)
    filled = read_robot(tmp_path / "plain.sdf").fill()
    for how in ({"densities": tmp_path / "map.csv"}, {"density": 1240, "wall": 0.05, "infill": 0.2}):
        (change,) = filled.repair(["all"], mass="density", **how).changes
        assert change.new.mass == pytest.approx(mass)
    assert "bad_wall" in {finding.code for finding in read_robot(tmp_path / "shape.sdf").check()}
    options = ["--method", "printed", "--wall", "50mm", "--infill", "20%", "--density", "1240"]
    assert main(["mass", str(tmp_path / "part.obj"), "--json", *options]) == 0
    assert json.loads(capsys.readouterr().out)["mass"] == pytest.approx(mass)
