# SPDX-License-Identifier: GPL-3.0-or-later
"""Manifold's union of solids is the union, wherever and however they touch; or it is refused with the reason."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.errors import InertiaError
from core.mesh.integrate import surface_moments
from core.mesh.manifold import NotUnited, union_seconds, united
from core.mesh.surface import Surface

from ...exact import assert_same
from ...solids import ball, box, inverted, joined, rotation, shuffled, unwelded
from ...solids.awkward import t_junctions, welded
from ...solids.overlapping import arranged, boxes_and_union, overlapping

CHECKOUT = Path(__file__).parents[4]
HALF = (0.5, 0.5, 0.5)


def solids(*meshes):
    return [Surface(*mesh) for mesh in meshes]


def boxes(corners, turn=None, shift=0.0):
    turn = np.eye(3) if turn is None else turn
    each = [box(np.subtract(high, low), low) for low, high in corners]
    return [Surface(vertices @ turn.T + shift, triangles) for vertices, triangles in each]


def assert_united(parts, want, tolerance=1e-12):
    union = united(parts)
    edges = np.concatenate([union.triangles[:, [i, (i + 1) % 3]] for i in range(3)]).tolist()
    assert sorted(edges) == sorted([b, a] for a, b in edges)
    assert union.vertices.dtype == np.float64
    assert_same(surface_moments(union), want, tolerance)


@pytest.mark.parametrize("seed", range(8))
def test_boxes_have_the_union_of_inclusion_and_exclusion(seed):
    rng = np.random.default_rng(seed)
    corners = [(low, high) for low, high, _ in arranged(rng)]
    for turn in (np.eye(3), rotation(rng)):
        assert_united(boxes(corners, turn), boxes_and_union(corners, turn)[2])


@pytest.mark.parametrize("apart", [1e-6, 1e-9, 1e-11, 0.0, -1e-11, -1e-9, -1e-6])
def test_gaps_and_overlaps_of_a_hair_are_exact(apart):
    corners = [((0, 0, 0), (1, 1, 1)), ((1 + apart, 0, 0), (2 + apart, 1, 1)), ((0, 1, 1 + apart), (1, 2, 2 + apart))]
    assert_united(boxes(corners), boxes_and_union(corners)[2])


def test_equal_solids_are_one():
    part = Surface(*ball())
    assert_united([part] * 3, surface_moments(part))
    rng = np.random.default_rng(1)
    assert_united(solids(ball(), shuffled(ball(), rng), unshared(shuffled(ball(), rng))), surface_moments(part))


def unshared(mesh):
    """Return a mesh welded again in another order of vertices."""
    return welded(unwelded(mesh))


@pytest.mark.parametrize("thickness", [1e-3, 1e-6, 1e-9])
def test_plates_and_specks_keep_their_digits(thickness):
    shift = np.array([0.5, 0.5, thickness / 2])
    corners = [(np.zeros(3), np.array([1, 1, thickness])), (shift, shift + [1, 1, thickness])]
    assert_united(boxes(corners), boxes_and_union(corners)[2], 1e-9)
    speck = np.array([0.5, 0.5, 1 - thickness / 2])
    union = united(boxes([(np.zeros(3), np.ones(3)), (speck, speck + thickness)]))
    assert surface_moments(union).volume == pytest.approx(1 + thickness**3 / 2, rel=1e-13)


@pytest.mark.parametrize(("size", "shift"), [(1e-6, 0.0), (1e6, 0.0), (1e-3, 1.0), (1.0, 1e6)])
def test_size_and_place_do_not_matter(size, shift):
    mesh, want = overlapping(np.array(HALF))
    A, t = size * np.eye(3), np.full(3, shift)
    parts = [Surface(mesh[0][part] @ A.T + t, mesh[1][:12]) for part in (slice(8), slice(8, 16))]
    # A coordinate has 2^-53 of itself for its last digit.
    assert_united(parts, want.transformed(A, t), 1e-12 + 1e-15 * shift / size)


def test_float32_is_taken_as_it_is():
    vertices, triangles = box((0.1, 0.2, 0.3))
    single = Surface(vertices.astype(np.float32), triangles)
    assert_united([single, single], surface_moments(single))


def test_a_solid_with_a_cavity_is_one_with_its_shell():
    hollow = joined(box((4, 4, 4)), inverted(box((2, 2, 2), (1, 1, 1))))
    union = united(solids(hollow, box((2, 1, 1), (2, 1.5, 1.5))))
    assert surface_moments(union).volume == pytest.approx(64 - 8 + 1, rel=1e-14)


def test_edges_of_four_faces_and_faces_without_area_are_taken():
    four_faces = welded(joined(box(), box(low=(1, 1, 0))))
    assert len(four_faces[0]) == 14
    union = united(solids(four_faces, box(low=(0.5, 0.5, 0.0))))
    assert surface_moments(union).volume == pytest.approx(2.5, rel=1e-14)
    vertices, triangles = box()
    # The edge from 0 to 1 has a corner in its middle on one side, and a face without area between.
    a, b = 0, next(j for i, j, k in np.vstack([triangles, np.roll(triangles, 1, axis=1)]).tolist() if i == 0)
    split = with_corner_on_edge(vertices, triangles, a, b)
    assert surface_moments(united([split, *solids(box(low=HALF))])).volume == pytest.approx(1.875, rel=1e-14)


def with_corner_on_edge(vertices, triangles, a, b):
    """Return a surface whose face along the edge from a to b is two, and between them and the next a sliver."""
    (face,) = (row for row in triangles.tolist() if (a, b) in zip(row, [*row[1:], row[0]], strict=True))
    (c,) = set(face) - {a, b}
    m = len(vertices)
    rest = [row for row in triangles.tolist() if row != face]
    return Surface(
        np.vstack([vertices, (vertices[a] + vertices[b]) / 2]), np.array([*rest, (a, m, c), (m, b, c), (a, b, m)])
    )


def test_a_solid_that_is_open_or_inside_out_or_not_merged_is_refused():
    good = Surface(*box())
    for bad, reason in (
        (Surface(box()[0], box()[1][1:]), "NotManifold"),
        (Surface(*unwelded(box())), "NotManifold"),
        (Surface(*inverted(box())), "the volume -1, and not"),
        (Surface(*t_junctions()), "NotManifold"),
    ):
        with pytest.raises(NotUnited, match=f"solid 1.*{reason}"):
            united([good, bad])


def test_a_union_of_many_small_solids_takes_longer_than_of_two_large():
    assert union_seconds(100_000, 2, 1000) < 0.4 < union_seconds(4000, 1000, 35_000)


def test_the_same_solids_give_the_same_union_to_the_bit():
    rng = np.random.default_rng(3)
    parts = [Surface(ball()[0] * 0.5 + rng.random(3), ball()[1]) for _ in range(12)]
    one, other = united(parts), united(parts)
    assert (one.vertices == other.vertices).all()
    assert (one.triangles == other.triangles).all()


def test_windows_finds_the_libraries_of_a_wheel_that_was_unpacked(tmp_path):
    folder = tmp_path / "manifold3d-3.5.4.data" / "platlib"
    folder.mkdir(parents=True)
    # In a fresh interpreter, for the module cannot be loaded twice; only Windows has the function.
    code = (
        "import os, sys; sys.path.append(sys.argv[1]); offered = []; os.add_dll_directory = offered.append\n"
        "from core.mesh.manifold import library; library(); library(); print(*offered)"
    )
    process = subprocess.run([sys.executable, "-c", code, tmp_path], cwd=CHECKOUT, capture_output=True, text=True)
    assert process.stdout.split() == [str(folder)], process.stderr


@pytest.mark.fault(215)
def test_without_the_library_there_is_no_union(monkeypatch):
    monkeypatch.setitem(sys.modules, "manifold3d", None)
    with pytest.raises(InertiaError) as error:
        united(solids(box(), box()))
    assert (error.value.code, str(error.value.remedy)) == (
        "missing_library",
        "run `pip install manifold3d`, in Python 3.14 or older",
    )
