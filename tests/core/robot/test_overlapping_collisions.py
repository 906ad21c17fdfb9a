# SPDX-License-Identifier: GPL-3.0-or-later
"""Collisions of one link that overlap weigh what libsdformat makes of them; the shared volume is reported."""

import re
import tracemalloc

import numpy as np
import pytest

from core import Pose
from core.body.shapes import Box, Cylinder, Sphere
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh
from core.robot.resolve import resolve_link

from ...thorough import many
from ..solids import box, cells, inverted, joined, rotation, subdivided
from ..solids.awkward import turned


def part(name, geometry, at=(0, 0, 0), density=1000.0, R=None, **more):
    return Collision(name, Pose(np.eye(3) if R is None else R, at), geometry, density, **more)


def mesh(*parts):
    return Mesh(Surface(*parts), np.eye(3))


def overlap_of(*parts, mode="filled", **more):
    """Return severity and message of the messages about overlapping collisions, if anything is."""
    body = resolve_link(Link("l", mode=mode, collisions=parts, **more))
    assert not body.refused
    found = [finding for finding in body.all_findings() if finding.code == "collisions_overlap"]
    assert len(found) <= 1 and all(finding.subject == "l" and finding.remedy for finding in found)
    return (found[0].severity, found[0].message) if found else None


CUBE = Box((1, 1, 1))


@pytest.mark.fault("11b")
@pytest.mark.parametrize("mode", ["auto", "filled"])
@pytest.mark.parametrize("other", [CUBE, mesh(*box(low=(-0.5, -0.5, -0.5)))], ids=["box", "mesh"])
def test_cubes_half_in_each_other_are_summed_and_the_half_reported(mode, other):
    parts = part("a", CUBE), part("b", other, (0.5, 0, 0), 3000.0)
    body = resolve_link(Link("l", mode=mode, collisions=parts))
    assert body.inertial.mass == pytest.approx(4000, rel=1e-15)  # each by its own density, as libsdformat has it
    np.testing.assert_allclose(body.inertial.com, [0.375, 0, 0], rtol=0, atol=1e-15)
    # A sixth of each mass, and the reduced mass 750 kg half a metre apart.
    moments = 4000 / 6 + 750 * 0.25 * np.array([0, 1, 1])
    np.testing.assert_allclose(body.inertial.inertia, np.diag(moments), rtol=0, atol=1e-12 * moments.sum())
    # Half a cubic metre, of which the lighter 500 kg are surely too much.
    severity, message = overlap_of(*parts, mode=mode)
    assert severity == "warning"
    assert "a and b" in message and "0.5 m³" in message and "12 %" in message


@pytest.mark.fault("11b")
@pytest.mark.parametrize("depth, severity", [(0.5, "warning"), (3e-3, "warning"), (1e-3, "info"), (1e-5, "info")])
@pytest.mark.parametrize("turn", [np.eye(3), rotation(np.random.default_rng(4))], ids=["straight", "turned"])
def test_an_overlap_below_a_thousandth_of_the_mass_is_an_info(depth, severity, turn):
    assert overlap_of(part("a", CUBE, R=turn), part("b", CUBE, turn @ [1 - depth, 0, 0], R=turn))[0] == severity


@pytest.mark.fault("11b")
@pytest.mark.parametrize("seed", range(4))
def test_the_volume_is_that_of_what_they_share(seed):
    # A rod through a cube, turned together: 0.2 x 0.3 x 1 of it.
    turn, place = rotation(np.random.default_rng(seed)), np.array([3.0, -2.0, 5.0])
    severity, message = overlap_of(part("a", CUBE, place, R=turn), part("b", Box((0.2, 0.3, 4)), place, R=turn))
    assert severity == "warning"
    (litres,) = re.findall(r"about ([0-9.]+) L", message)
    assert float(litres) == pytest.approx(60, rel=0.05)


@pytest.mark.parametrize("gap", [0.0, 1e-12, 0.1])
@pytest.mark.parametrize("turn", [np.eye(3), rotation(np.random.default_rng(7))], ids=["straight", "turned"])
def test_what_touches_or_stands_apart_does_not_overlap(gap, turn):
    assert overlap_of(part("a", CUBE, R=turn), part("b", CUBE, turn @ [1 + gap, 0, 0], R=turn)) is None
    hollow = mesh(*joined(box((3, 3, 3)), inverted(box(low=(1, 1, 1)))))
    assert overlap_of(part("a", hollow, R=turn), part("b", Sphere(0.4), turn @ [1.5, 1.5, 1.5])) is None
    hook = mesh(*cells({(0, 0, 0), (1, 0, 0), (0, 1, 0)}))
    assert overlap_of(part("a", hook, R=turn), part("b", CUBE, turn @ [1.5 + gap, 1.5 + gap, 0.5], R=turn)) is None


def test_a_mesh_is_taken_as_it_was_corrected():
    bad = turned(subdivided(box(low=(-0.5, -0.5, -0.5))), 3, 17)
    assert "0.5 m³" in overlap_of(part("a", mesh(*bad)), part("b", CUBE, (0.5, 0, 0)))[1]
    assert "0.5 m³" in overlap_of(part("a", mesh(*inverted(box()))), part("b", CUBE, (1, 0.5, 0.5)))[1]


def test_of_many_pairs_the_worst_is_named_and_all_are_summed():
    _, message = overlap_of(*(part(f"c{i}", CUBE, (x, 0, 0)) for i, x in enumerate((0, 0.9, 1.7, 2.6))))
    assert message.startswith("3 pairs of its collisions overlap by about 0.4 m³ in all, c1 and c2 the most: 10 % of")
    _, message = overlap_of(part("a", CUBE), part("b", Sphere(0.1234567), (0.55, 0, 0)))
    (litres,) = re.findall(r"about ([0-9.]+) L", message)
    assert len(litres.replace(".", "").lstrip("0")) <= 2  # the estimate has no more


@pytest.mark.parametrize("size", [1e-55, 1e-20, 1e20, 1e60])
def test_sizes_that_no_surface_has_refuse_nothing(size):
    parts = [
        Collision(name, Pose(np.eye(3), [x, 0, 0]), Box((size,) * 3), 1.0) for name, x in (("a", 0), ("b", size / 2))
    ]
    body = resolve_link(Link("l", mode="filled", collisions=tuple(parts)))
    assert not body.refused
    assert body.inertial.mass == pytest.approx(2 * size**3, rel=1e-12)


def test_what_has_no_mass_does_not_weigh_twice():
    assert overlap_of(part("a", CUBE), part("b", CUBE, (0.5, 0, 0), has_mass=False)) is None
    severity, _ = overlap_of(part("a", Cylinder(0.1, 2.0)), part("b", CUBE), mass=3.0)
    assert severity == "warning"  # it is somewhere else, then


def test_many_collisions_in_one_place_are_bounded_work():
    count = many(1000, 300)
    severity, message = overlap_of(*(part(f"c{i}", CUBE, (0, 0, i % 7)) for i in range(count)))
    assert severity == "warning" and message.startswith("64 pairs of its collisions overlap by at least 64 m³ in all")


def test_memory_grows_with_the_collisions_and_not_with_their_pairs():
    small, count = Box((0.1, 0.1, 0.1)), many(1500, 700)
    parts = [part(f"c{i}", small, (i, 0, 0)) for i in range(count)]
    tracemalloc.start()
    assert overlap_of(*parts) is None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < count**2 * 8  # one number for each pair
