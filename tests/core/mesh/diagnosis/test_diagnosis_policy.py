# SPDX-License-Identifier: GPL-3.0-or-later
"""What a diagnosis says and does beyond the awkward set: both numbers, limits, thin overlaps, many shells."""

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh, mesh_moments

from ....thorough import THOROUGH, sample
from ...solids import box, cells, frustum, grid, inverted, joined, polygon, prism, rotation, shuffled, subdivided

BALL = frustum()

UNION_ERROR = 1e-4
"""What a union is right to, at the worst."""


def finding(measured, code):
    (found,) = [finding for finding in measured.findings if finding.code == code]
    return found


@pytest.mark.fault(15)
def test_a_duplicate_face_is_reported_with_the_number_before_and_after():
    vertices, triangles = box()
    measured = measure_mesh(vertices, np.vstack([triangles, triangles[4:5]]))
    message = finding(measured, "duplicate_faces").message
    assert message.startswith("1 duplicate face was counted once (face numbers: 12);")
    assert message.endswith("the volume is 1 m³, not 1.083 m³")  # one tetrahedron about the middle twice
    assert len(measured.surface.triangles) == 12


@pytest.mark.fault(11)
def test_an_overlap_is_reported_with_its_volume_and_its_share():
    measured = measure_mesh(*joined(box(), box(low=(0.5, 0.5, 0.5))))
    message = finding(measured, "overlapping_shells").message
    assert message == "parts of the mesh overlap by 6.67 % of its volume (0.125 m³); the overlap was counted once"


def test_a_shell_that_is_swallowed_stays_where_a_cavity_in_it_does():
    # Each cavity winds once: twice around them, less one. They cross, so columns decide, and see the whole box.
    cavities = (inverted(box((3, 3, 3), (3, 3, 3))), inverted(box((3, 3, 3), (4, 4, 4))))
    nest = [box((10, 10, 10)), box((8, 8, 8), (1, 1, 1)), box((6, 6, 6), (2, 2, 2))]
    measured = measure_mesh(*joined(*nest, *cavities))
    assert measured.method == "union"
    assert measured.moments.volume == pytest.approx(1000, rel=UNION_ERROR)


def test_what_lies_in_a_good_shell_too_is_not_turned_with_a_bad_one():
    good, bad = box((4, 4, 4)), inverted(box((4, 4, 4), (2, 0, 0)))
    measured = measure_mesh(*joined(good, bad, box((1, 1, 1), (2.5, 1, 1))))
    assert measured.moments.volume == pytest.approx(4 * 4 * 6, rel=UNION_ERROR)
    assert "1 of its 3 loose parts is" in finding(measured, "inside_out").message


def test_what_is_inside_does_not_depend_on_the_order_of_faces():
    # Half of the inverted box lies in the other. With the faces as they are listed, some orders had it inside.
    fine = subdivided(inverted(box((1, 1, 1), (1.5, 0.5, 0.5))))
    mesh = joined(box((2, 2, 2)), fine)
    rng = np.random.default_rng(1)
    outcomes = set()
    for _ in range(12 if THOROUGH else 5):
        vertices, triangles = shuffled(mesh, rng)
        try:
            outcomes.add(tuple(found.code for found in measure_mesh(vertices, triangles).findings))
        except InertiaError as error:
            outcomes.add(error.code)
    assert len(outcomes) == 1


@pytest.mark.parametrize("out", sample([0.03, 0.003, 1e-4], 2))
@pytest.mark.parametrize("along", range(3))
def test_a_part_in_a_cavity_that_sticks_into_the_wall_counts_once(out, along):
    part = box(np.roll((2, 1, 1), along), np.roll((5 + out, 4.5, 4.4), along))
    mesh = joined(box((10, 10, 10)), inverted(box((4, 4, 4), (3, 3, 3))), part)
    measured = measure_mesh(*mesh)
    assert measured.method == "union"
    assert measured.moments.volume == pytest.approx(1000 - 64 + 2 - out, rel=1e-12)


@pytest.mark.parametrize(("seed", "far"), [(2, 100), (2, 200), (11, 200)])
def test_a_cavity_that_touches_walls_is_one_in_coarse_float32(seed, far):
    # Of a block of 12, half of a cavity of 2 is filled by another block; coordinates have steps of 8e-6 and 1.5e-5.
    vertices, triangles = joined(
        box((2, 3, 2), low=(3, 0, 3)), box((2, 2, 1), low=(3, 0, 3)), inverted(box((1, 1, 2), low=(4, 1, 3)))
    )
    placed = vertices @ rotation(np.random.default_rng(seed)).T + [4, -far, -100]
    measured = measure_mesh(placed.astype(np.float32), triangles)
    assert measured.moments.volume == pytest.approx(11, rel=1e-4)
    assert measured.findings[0].code == "cavity"


def test_a_small_shell_far_away_inside_out_is_turned():
    # Its volume is lost in the rounding of the large one's: the sign is found about its own centre.
    tiny = box((1e-6, 1e-6, 1e-6), (5, 5, 5))
    measured = measure_mesh(*joined(box(), inverted(tiny)))
    assert [found.code for found in measured.findings] == ["inside_out"]
    assert mesh_moments(measured.surface.vertices, measured.surface.triangles[12:]).volume > 0


@pytest.mark.fault(9)
def test_a_cavity_is_reported_with_its_volume():
    mesh = joined(box((3, 3, 3)), inverted(box(low=(1, 1, 1))), inverted(box((0.5,) * 3, (0.2, 0.2, 0.2))))
    (cavity,) = measure_mesh(*mesh).findings
    assert (cavity.severity, cavity.code) == ("info", "cavity")
    assert cavity.message == "2 cavities of 1.125 m³ in all; 25.88 m³ of material is left"


@pytest.mark.parametrize("aside", [0.0, 0.3])
@pytest.mark.parametrize("depth", sample([1e-2, 1e-3, 1e-4, 1e-5], 2))
def test_balls_that_overlap_by_a_hair_are_noticed(depth, aside):
    ball = subdivided(prism(polygon(12), -0.7, 0.6, top_scale=0.6))
    low, high = ball[0].min(axis=0), ball[0].max(axis=0)
    turn = rotation(np.random.default_rng(5)) if aside else np.eye(3)
    shift = np.array([0, 0, (high - low)[2] * (1 - depth)])
    mesh = joined(ball, (ball[0] + shift, ball[1]))
    measured = measure_mesh(mesh[0] @ turn.T, mesh[1])
    assert measured.method == "union"
    assert measured.error < UNION_ERROR


def test_shells_that_nest_without_touching_do_not_overlap():
    rings = cells(grid(5, 5, 1) - grid(3, 3, 1)), None
    hook = rings[0]
    other = cells(grid(1, 1, 1), low=(1, 1, 0))  # fills part of nothing: the corner that the ring leaves out
    other = other[0] * [0.5, 0.5, 1] + [0.5, 0.5, 0], other[1]
    measured = measure_mesh(*joined(hook, other))
    assert measured.method == "exact"
    assert measured.moments.volume == pytest.approx(16.25, rel=1e-14)


@pytest.mark.fault(8)
@pytest.mark.thorough
def test_a_thousand_shells_are_distinguished():
    rng = np.random.default_rng(0)
    boxes = [box(low=1.5 * np.array(index)) for index in np.ndindex(10, 10, 10)]
    flipped = rng.choice(1000, 20, replace=False)
    mesh = joined(*[inverted(one) if k in flipped else one for k, one in enumerate(boxes)])
    measured = measure_mesh(*mesh)
    assert measured.moments.volume == pytest.approx(1000, rel=1e-13)
    assert "20 of its 1000 loose parts are" in finding(measured, "inside_out").message


@pytest.mark.fault(28, 29)
@pytest.mark.parametrize("longest, doubted", [(9e-5, True), (2e-4, False), (9.0, False), (11.0, True)])
def test_the_unit_is_doubted_where_no_robot_part_is_so_large_or_small(longest, doubted):
    codes = {found.code for found in measure_mesh(*box((longest, longest / 2, longest / 3))).findings}
    assert ("unit_suspicion" in codes) == doubted


@pytest.mark.fault(31)
@pytest.mark.parametrize("dtype, lost", [(np.float32, True), (np.float64, False)])
def test_digits_are_lost_far_away_in_float32_only(dtype, lost):
    vertices, triangles = box((0.01, 0.01, 0.01), (1000, 0, 0))
    measured = measure_mesh(vertices.astype(dtype), triangles)
    assert ("precision_lost" in {found.code for found in measured.findings}) == lost
    if lost:
        assert (
            "rounded to steps of 0.61 % of its size, 99900 times its size away"
            in finding(measured, "precision_lost").message
        )


def test_harmless_oddities_are_reported_read_quickly_or_not():
    vertices, triangles = box()
    odd = vertices, np.vstack([triangles, [[0, 0, 1]]])
    for quick in (False, True):
        assert {found.code for found in measure_mesh(*odd, quick=quick).findings} == {"degenerate_faces"}


@pytest.mark.parametrize("depth", [3e-2, 1e-2, 3e-3])
def test_corners_that_pierce_each_other_are_noticed(depth):
    """Their bounding boxes share a wide window, of which the overlap is a speck."""
    turn = rotation(np.random.default_rng(11))
    ball = BALL[0] @ turn.T
    tip = ball[np.argmax(ball.sum(axis=1))]
    mirrored = 2 * tip - ball - depth * np.ones(3), BALL[1][:, ::-1]  # through the outermost corner
    measured = measure_mesh(*joined((ball, BALL[1]), mirrored))
    assert measured.method == "union"
    assert measured.error < UNION_ERROR
    codes = {found.code for found in check_mesh(*joined((ball, BALL[1]), mirrored))}
    assert codes & {"crossing_faces", "overlapping_shells"}  # by their faces, when asked
    truth = 2 * mesh_moments(*BALL).volume
    assert measured.moments.volume <= truth * (1 + 1e-14)
    assert measured.moments.volume == pytest.approx(truth, rel=1e-4)
