# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed parts count exactly; inner walls, open sheets and second sides are left out, with a warning."""

from functools import partial

import numpy as np
import pytest
from pytest import mark, param

from core import InertiaError, measure_mesh, mesh_moments
from core.body.compare import difference
from core.mesh.policy import diagnose_surface
from core.mesh.surface import Surface
from core.mesh.winding.solid import solid_moments

from ...mesh_files import read
from ...solids import box, cells, grid, joined, unwelded
from ...solids.awkward import welded, without
from ...work import calls_of

CUBE = box()
THIN = 1e-3
"""Thickness of a sheet, if it is one of material: a thousandth of the size, which is 1 m."""


def sheet(*corners):
    return np.array(corners, dtype=float), np.array([(0, 1, 2), (0, 2, 3)])


def upright(x, bottom=0.0, top=1.0):
    return sheet((x, 0, bottom), (x, 1, bottom), (x, 1, top), (x, 0, top))


def level(low, high, z):
    return sheet((low, low, z), (high, low, z), (high, high, z), (low, high, z))


def with_walls(count):
    """Return the cube of slices that share their vertices with single walls between them."""
    walls = [upright(float(k)) for k in range(1, count + 1)]
    vertices, triangles = welded(joined(cells(grid(count + 1, 1, 1)), *walls))
    return vertices / (count + 1.0, 1.0, 1.0), triangles


def both_sides(mesh):
    return mesh[0], np.vstack([mesh[1], mesh[1][:, ::-1]])


def other_diagonals(mesh):
    """Return the mesh and its second sides: (a, b, c), (a, c, d) become (d, b, a), (d, c, b)."""
    a, b, c, d = mesh[1].reshape(-1, 6)[:, [0, 1, 2, 5]].T
    return mesh[0], np.vstack([mesh[1], np.column_stack([d, b, a, d, c, b]).reshape(-1, 3)])


def split(mesh, off):
    vertices, triangles = unwelded(mesh)
    return vertices + np.random.default_rng(7).uniform(-off, off, vertices.shape), triangles


def is_the_cube(moments, tolerance=1e-12):
    """Compare with the closed form of a cube of 1 m with a corner in the origin."""
    assert abs(moments.volume - 1.0) <= tolerance
    assert np.abs(moments.centroid - 0.5).max() <= tolerance
    assert np.abs(moments.covariance - np.eye(3) / 12.0).max() <= tolerance


def measured(mesh, *codes, tolerance=1e-12):
    """Return the measurement of what is the cube, with these codes; so is the surface that an exporter writes."""
    found = measure_mesh(*mesh)
    written = mesh if found.surface is None else (found.surface.vertices, found.surface.triangles)
    assert {one.code for one in found.findings} == set(codes)
    assert found.method == "exact"
    is_the_cube(found.moments, tolerance)
    is_the_cube(mesh_moments(*written), tolerance)
    return found


@mark.fault(157)
@mark.parametrize("count", (1, 2, 5))
def test_walls_that_are_there_once_are_left_out(count):
    assert measured(with_walls(count), "inner_walls").error == 0.0


@mark.fault(157)
@mark.parametrize("count", (3, 4))
def test_rooms_between_walls_in_three_directions_are_no_cavities(count):
    walls = []
    for axis in range(3):
        for place in range(1, count):
            for u, v in np.ndindex(count, count):
                corners = np.array([(u, v), (u + 1, v), (u + 1, v + 1), (u, v + 1)], dtype=float)
                walls.append(sheet(*np.insert(corners, axis, place, axis=1)))
    vertices, triangles = welded(joined(cells(grid(count, count, count)), *walls))
    assert measured((vertices / count, triangles), "inner_walls").error == 0.0


@mark.fault(157, 158)
def test_a_cavity_where_a_wall_and_a_sheet_meet_at_an_edge_stays_one():
    which = grid(4, 4, 4) - {(x, y, z) for x in (1, 2) for y in (1, 2) for z in (1, 2)}
    room = [sheet((0, y, 1), (1, y, 1), (1, y, 2), (0, y, 2)) for y in (1, 2)]  # beside the cavity
    room += [sheet((0, 1, z), (1, 1, z), (1, 2, z), (0, 2, z)) for z in (1, 2)]
    ends = [sheet((1, y, 2), (2, y, 2), (2, y + 1, 2), (1, y + 1, 2)) for y in (0, 1)]  # in the solid, in the cavity
    found = measure_mesh(*welded(joined(cells(which), *room, *ends)))
    assert "inner_walls" in {one.code for one in found.findings}
    assert found.moments.volume == pytest.approx(56.0, rel=1e-12)


SHEETS = {
    "a fin": (upright(0.5, 1.0, 2.0), (THIN, 1, 1), (0.5, 0, 1)),
    "a fin on an edge": (upright(0.0, 1.0, 2.0), (THIN, 1, 1), (0, 0, 1)),
    "a sunk fin": (upright(0.5, 0.5, 1.5), (THIN, 1, 1), (0.5, 0, 0.5)),
    "a sheet apart": (upright(3.0), (THIN, 1, 1), (3, 0, 0)),
    "a decal": (level(0.25, 0.75, 1.0 + THIN), (0.5, 0.5, THIN), (0.25, 0.25, 1 + THIN)),
    "a ground plane of 100 m²": (level(-5.0, 5.0, -0.125), (10, 10, THIN), (-5, -5, -0.125)),
}


@mark.fault(158)
@mark.parametrize("name", SHEETS)
def test_an_open_sheet_is_left_out_and_the_error_covers_it_as_a_wall(name):
    beside, size, low = SHEETS[name]
    mesh = joined(CUBE, beside)
    found, checked = measured(mesh, "open_sheets"), diagnose_surface(Surface(*mesh))
    alone = mesh_moments(*CUBE)
    off = difference(alone + mesh_moments(*box(size, low)), alone, alone)
    assert off.mass <= found.error == checked.error
    assert off.inertia <= max(checked.error, checked.error_inertia)


@mark.fault(157)
def test_a_wall_of_its_own_vertices_that_only_touches_is_left_out_too():
    assert {one.code for one in measure_mesh(*joined(CUBE, upright(0.5))).findings} <= {"inner_walls", "open_sheets"}


@mark.fault(159)
@mark.parametrize("doubled", (both_sides(CUBE), other_diagonals(CUBE), unwelded(both_sides(CUBE))))
def test_one_side_is_kept_of_a_body_with_faces_for_both(doubled):
    assert measured(doubled, "duplicate_faces").error == 0.0


@mark.fault(159)
@mark.parametrize("size", (1e-2, 1e-1))
def test_the_outer_side_is_kept_however_small_the_body(size):
    vertices, triangles = both_sides(CUBE)
    for faces in (triangles, triangles[::-1]):  # with the outer side first, and last
        cube = measure_mesh(vertices * size, faces)
        assert [finding.code for finding in cube.findings] == ["duplicate_faces"]  # and not "inside_out"
        assert cube.moments.volume == pytest.approx(size**3, rel=1e-12)


@mark.fault(159)
@mark.parametrize("kept", (2, 6, 10))
def test_an_open_surface_stays_an_error_though_it_is_doubled(kept):
    with pytest.raises(InertiaError) as error:
        measure_mesh(*both_sides((CUBE[0], CUBE[1][:kept])))
    assert error.value.code == "zero_volume"


@mark.fault(161)
def test_vertices_apart_by_a_millionth_are_merged():
    found = measured(split(CUBE, 1e-6), "split_vertices", tolerance=4e-6)
    assert 0.0 < found.error < 1e-4


FILES = [
    param("min_wall.obj", {"inner_walls"}, 0.0, marks=mark.fault(157)),
    param("internal_wall_10.obj", {"inner_walls"}, 0.0, marks=mark.fault(157)),
    param("internal_wall_14.obj", {"inner_walls"}, 0.0, marks=mark.fault(157)),
    param("min_fin.obj", {"open_sheets"}, 2e-3, marks=mark.fault(158)),
    param("fins_07.stl", {"open_sheets"}, 5e-3, marks=mark.fault(158)),
    param("min_sheet_apart.obj", {"open_sheets"}, 2e-3, marks=mark.fault(158)),
    param("min_bigsheet.obj", {"open_sheets"}, 0.2, marks=mark.fault(158)),
    param("min_double.obj", {"duplicate_faces"}, 0.0, marks=mark.fault(159)),
]


@mark.parametrize("name, codes, most", FILES)
def test_the_files_of_the_catalogue_are_the_cube(data, name, codes, most):
    file = data / "robot_faults" / "mesh_core" / name
    if not file.is_file():
        pytest.skip(f"there is no {file}")
    assert measured(read(file), *codes).error <= most


@mark.fault(161)
def test_the_ball_whose_vertices_differ_in_the_sixth_digit_is_read(data):
    file = data / "robot_faults" / "mesh_core" / "dupverts_13.obj"
    if not file.is_file():
        pytest.skip(f"there is no {file}")
    found = measure_mesh(*read(file))
    assert [one.code for one in found.findings] == ["split_vertices"]
    assert abs(found.moments.volume / 4.15274 - 1.0) < 1e-5 and found.error < 1e-5


def tube(sides=24, inner=0.04, outer=0.05, length=1.0):
    """Return a thin pipe, and the discs that would close its bore at either end, by rim vertices of its own."""
    turn = 2 * np.pi * np.arange(sides) / sides
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    vertices = np.vstack([np.column_stack([r * ring, np.full(sides, z)]) for z in (0, length) for r in (inner, outer)])
    i, j = np.arange(sides), np.roll(np.arange(sides), -1)
    a, b, c, d = (np.column_stack([i, j]) + k * sides for k in range(4))  # low inner and outer, high inner and outer

    def band(low, high):
        return np.vstack([np.column_stack([low, high[:, 1]]), np.column_stack([low[:, 0], high[:, ::-1]])])

    triangles = np.vstack([band(b, d), band(a, c)[:, ::-1], band(a, b), band(c, d)[:, ::-1]])
    discs = [np.column_stack([np.full(sides - 2, k), k + i[1:-1], k + i[2:]]) for k in (0, 2 * sides)]
    return vertices, triangles, discs


@mark.fault(158)
@pytest.mark.parametrize("ends", [(0,), (0, 1)])
def test_discs_over_the_bore_of_a_pipe_do_not_fill_it(ends):
    vertices, triangles, discs = tube()
    pipe = mesh_moments(vertices, triangles)
    assert 0.0 < pipe.volume < 0.4 * np.pi * 0.05**2
    for turned in (1, -1):
        found = measure_mesh(vertices, np.vstack([triangles, *(discs[end][:, ::turned] for end in ends)]))
        assert {one.code for one in found.findings} == {"open_sheets"}
        assert found.moments.volume == pytest.approx(pipe.volume, rel=1e-12)


@mark.fault(158)
def test_a_lid_over_a_pocket_does_not_fill_it():
    places = grid(3, 3, 3)
    body = cells(places - {(1, 1, 2)})
    found = measure_mesh(*welded(joined(body, level(1, 2, 3))))
    assert found.moments.volume == pytest.approx(26, rel=1e-12)
    assert "open_sheets" in {one.code for one in found.findings}


@mark.fault(158)
@pytest.mark.parametrize("gap", [1e-4, 1e-2])
def test_panels_that_enclose_together_are_not_left_out(gap):
    vertices, triangles = box((3, 2, 1))
    panels = []
    for axis in range(3):
        for side in (0, 1):
            there = (vertices[triangles][:, :, axis] == side * (3, 2, 1)[axis]).all(axis=1)
            panel, middle = vertices.copy(), vertices[triangles[there]].mean(axis=(0, 1))
            panels.append((middle + (panel - middle) * (1 - gap), triangles[there]))
    wheel = box((0.2, 0.2, 0.2), (4, 0, 0))
    with pytest.raises(InertiaError, match="not closed"):
        measure_mesh(*joined(*panels, wheel))
    found = measure_mesh(*joined(*panels, wheel), method="voxel")
    assert abs(found.moments.volume - 6.008) <= 6.008 * found.error < 0.3


def test_sheets_that_enclose_too_much_alone_are_not_measured_together():
    """To measure them together takes seconds, and could only find more."""
    cups = [without(box(low=(2.0 * k, 0, 0)), 0, 1) for k in range(1, 6)]
    plates = [level(2.0 * k, 2.0 * k + 1.0, 0.1 * k) for k in range(1, 6)]  # they enclose nothing alone
    for loose, count in ((plates, 1), (cups, 0)):
        surface = Surface(*joined(CUBE, *loose))
        assert calls_of(solid_moments, partial(diagnose_surface, surface)) == count
    with pytest.raises(InertiaError, match="not closed"):
        diagnose_surface(surface)


@mark.fault(159)
@pytest.mark.parametrize("shift", [(1, 0, 0), (1, 1, 0), (1, 1, 1), (2, 0, 0)])
def test_a_body_of_two_sides_counts_though_it_touches_another(shift):
    found = measure_mesh(*welded(joined(box(), both_sides(box(low=shift)))))
    assert found.moments.volume == pytest.approx(2.0, rel=1e-12)
    assert "duplicate_faces" in {one.code for one in found.findings}


@mark.fault(158)
@pytest.mark.parametrize("low", [0.2, 0.25, 0.3, 0.7])
def test_a_flat_sheet_encloses_nothing_wherever_it_is(low):
    fin = np.array([(2.0, low, 0), (2, low + 2, 0), (2, low + 2, 2), (2, low, 2)]), np.array([(0, 1, 2), (0, 2, 3)])
    found = measured(joined(CUBE, fin), "open_sheets")
    assert found.error == pytest.approx(1.25 * 4 * THIN, rel=1e-3)


def bent(x):
    """Return two walls of two sides that share an edge: they enclose a part of their prism, 0.4 m wide."""
    corners = np.array([(0, 0.3, 0.2), (0.4, 0.3, 0.2), (0.4, 0.3, 0.8), (0, 0.3, 0.8), (0, 0.7, 0.2), (0, 0.7, 0.8)])
    return both_sides((corners + (x, 0, 0), np.array([(0, 1, 2), (0, 2, 3), (0, 3, 5), (0, 5, 4)])))


@mark.fault(5)
@pytest.mark.parametrize("way", [1, -1])
def test_walls_of_two_sides_within_a_body_enclose_nothing(way):
    vertices, walls = bent(0.3)
    cube = measure_mesh(*joined(CUBE, (vertices, walls[::way, ::way])))
    is_the_cube(cube.moments)
    assert cube.error == cube.error_inertia == 0.0
    assert {(one.code, one.severity) for one in cube.findings} == {("inner_walls", "info")}


@mark.fault(5)
def test_walls_of_two_sides_beside_a_body_leave_what_they_enclose_in_doubt():
    inside, across, beside, far = (measure_mesh(*joined(CUBE, bent(x))).error for x in (0.3, 0.8, 1.5, 900.0))
    assert inside == 0.0 < across < beside == pytest.approx(far, rel=1e-6)
