# SPDX-License-Identifier: GPL-3.0-or-later
"""A link that stays AUTO: Drake integrates the mesh that was written for it, and gets the number that we show."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
from core import Measurement, Moments, Pose, mesh_moments, register_calculator, unregister_calculator  # noqa: E402
from core.body.compare import difference  # noqa: E402
from core.formats.package import Target, write_model  # noqa: E402
from core.judge.geometry.resolve_model import resolve_model  # noqa: E402
from core.mesh.surface import Surface  # noqa: E402
from core.robot.model import Collision, Link, Mesh, Model  # noqa: E402

from ...drake_inertia import loaded  # noqa: E402
from ...solids import ball, box, cells, inverted, joined, rotation  # noqa: E402
from ...solids.awkward import doubled, turned, without  # noqa: E402
from ...solids.overlapping import boxes_and_union  # noqa: E402

SAME = 1e-6
"""What the file may change of our number, by the rule for AUTO."""

CUBES = [((0, 0, 0), (1, 1, 1)), ((0.5, 0.25, 0.5), (1.5, 1.25, 2)), ((-0.75, 0.5, 0.5), (0.25, 0.75, 0.75))]
POSES = [(0.3, -0.2, 0.5, 0.4, -0.7, 2.1), (-4.0, 2.5, 1.25, 1.9, 0.3, -0.6), (0.0, 0.0, -0.4, 0.0, 0.0, 1.0)]


def link_of(*meshes, stretch=None, params=None):
    """Return an AUTO link of collisions with a mesh each, at the poses above."""
    stretch = np.eye(3) if stretch is None else stretch
    collisions = [
        Collision(f"c{i}", Pose.from_sdf(POSES[i]), Mesh(Surface(*mesh), stretch), 2700.0 + i, params or {})
        for i, mesh in enumerate(meshes)
    ]
    return Link("l", mode="auto", collisions=tuple(collisions))


def exported(link, folder):
    """Return what we show of a link, what Drake makes of its file, and the meshes that were written."""
    model = Model("m", (link,))
    (body,) = resolve_model(model)
    sdf = write_model(model, (body,), Target.of(folder, "m"), uri_style="file").file
    return body, loaded(sdf.read_text())["m::l"], sorted(sdf.parent.glob("meshes/*.obj"))


def assert_auto(link, folder, *true):
    """The link is AUTO, and Drake's number is ours and that of the moments given, one for each collision."""
    body, drake, _ = exported(link, folder)
    assert body.mode == "auto", [str(finding) for finding in body.all_findings()]
    assert difference(drake, body.inertial).worst < SAME
    placed = [
        moments.inertial(collision.density).transformed(collision.pose)
        for moments, collision in zip(true, link.collisions, strict=True)
    ]
    whole = placed[0]
    for other in placed[1:]:
        whole += other
    assert difference(drake, whole, whole).worst < SAME
    return body


def codes(body):
    return {finding.code for finding in body.all_findings()}


def test_rotated_parts_far_from_their_origins(tmp_path):
    rng = np.random.default_rng(3)
    meshes = []
    for mesh in (cells({(0, 0, 0), (1, 0, 0), (1, 1, 0)}), box((0.1, 2.0, 0.4)), box()):
        meshes.append((mesh[0] @ rotation(rng).T + 20.0 * rng.normal(size=3), mesh[1]))
    assert_auto(link_of(*meshes), tmp_path, *(mesh_moments(*mesh) for mesh in meshes))


@pytest.mark.parametrize("diagonal", [(1e-3, 1e-3, 1e-3), (0.5, 2.0, -1.0)])
def test_stretched_and_mirrored_parts(diagonal, tmp_path):
    mesh = cells({(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)}, low=(3.0, -2.0, 1.0))
    stretch = np.diag(diagonal)
    true = mesh_moments(*mesh).transformed(stretch)
    assert_auto(link_of(mesh, mesh, stretch=stretch), tmp_path, true, true)


def test_flipped_and_duplicate_faces(tmp_path):
    mesh = cells({(0, 0, 0), (1, 0, 0), (1, 1, 0)}, low=(0.2, 0.3, 0.4))
    odd = doubled(turned(mesh, 3, 7), 10, 11)
    body = assert_auto(link_of(odd, inverted(mesh)), tmp_path, mesh_moments(*mesh), mesh_moments(*mesh))
    assert codes(body) == {"inconsistent_winding", "duplicate_faces", "inside_out"}


@pytest.fixture
def united():
    """A calculator that knows the union of `CUBES`: its surface, by cells of a grid in which they all lie."""
    low, side = np.array((-0.75, 0.0, 0.0)), 0.25
    grid = np.indices((9, 5, 8)).reshape(3, -1).T
    middles = low + (grid + 0.5) * side
    inside = np.any([((middles > a) & (middles < b)).all(axis=1) for a, b in np.array(CUBES)], axis=0)
    surface = Surface(*cells(map(tuple, grid[inside].tolist()), (side,) * 3, low))

    def calculator(_vertices, _triangles, _params):
        return Measurement(mesh_moments(surface.vertices, surface.triangles), "cells", surface=surface)

    register_calculator("cells", calculator)
    yield {"sdf_inertia:method": "cells"}
    unregister_calculator("cells")


def test_overlapping_cubes_with_the_surface_of_a_calculator(united, tmp_path):
    *mesh, true = boxes_and_union(CUBES)
    link = link_of(mesh, params=united)
    assert_auto(link, tmp_path, true)
    _, _, (written,) = exported(link, tmp_path / "again")
    assert written.read_text().count("\nf ") > len(mesh[1])  # the union's own faces


def test_a_surface_of_another_solid_is_filled_with_both_numbers(tmp_path):
    cube, other = Surface(*box((2, 2, 2))), Surface(*box((2, 2, 2.001)))
    moments: Moments = mesh_moments(cube.vertices, cube.triangles)
    register_calculator("other", lambda *_: Measurement(moments, "other", surface=other))
    try:
        body, drake, _ = exported(link_of(box((2, 2, 2)), params={"sdf_inertia:method": "other"}), tmp_path)
    finally:
        unregister_calculator("other")
    assert body.mode == "filled" and difference(drake, body.inertial).worst < SAME
    (finding,) = body.all_findings()
    assert finding.code == "auto_not_possible"
    assert "21600 kg" in finding.message and "21610.8 kg" in finding.message


def test_overlapping_cubes_are_written_as_their_union(tmp_path):
    *mesh, true = boxes_and_union(CUBES, rotation(np.random.default_rng(5)))
    body = assert_auto(link_of(mesh, box()), tmp_path, true, mesh_moments(*box()))
    assert "overlapping_shells" in codes(body) and body.parts[0].method == "union"


def test_a_small_hole_is_closed_in_what_is_written(tmp_path):
    mesh = ball()
    holed = without(mesh, 100)
    body, drake, _ = exported(link_of(joined(holed, box(low=(3, 0, 0)))), tmp_path)
    assert body.mode == "auto" and difference(drake, body.inertial).worst < SAME
    assert "small_holes" in codes(body)
    true = (
        (mesh_moments(*mesh) + mesh_moments(*box(low=(3, 0, 0)))).inertial(2700.0).transformed(Pose.from_sdf(POSES[0]))
    )
    assert 0 < difference(drake, true).mass <= body.error


def test_a_part_of_known_mass_keeps_it_under_a_target(tmp_path):
    mesh = cells({(0, 0, 0), (1, 0, 0), (1, 1, 0)})
    link = link_of(mesh, box((0.3, 0.4, 0.5)))
    servo, shell = (
        replace(part, density=density) for part, density in zip(link.collisions, (None, 900.0), strict=True)
    )
    link = replace(link, mass=300.0, collisions=(replace(servo, mass=55.0), shell))
    body, drake, _ = exported(link, tmp_path)
    assert (body.mode, body.parts[0].inertial.mass) == ("auto", 55.0)
    expected = mesh_moments(*mesh).inertial(55.0 / 3.0).transformed(link.collisions[0].pose)
    other = mesh_moments(*box((0.3, 0.4, 0.5))).inertial(245.0 / 0.06).transformed(link.collisions[1].pose)
    assert difference(body.inertial, expected + other).worst < 1e-12
    assert difference(drake, body.inertial).worst < SAME
