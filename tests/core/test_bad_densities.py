# SPDX-License-Identifier: GPL-3.0-or-later
from math import inf, nan

import pytest

from core import InertiaError, primitives
from core.materials import MAX_DENSITY, WATER, checked_density, checked_mass
from core.model import Box, Capsule, Collision, Ellipsoid, Link
from core.pose import Pose
from core.resolve import resolve_link

BAD = [0.0, -0.0, -1.0, nan, inf, -inf, 1e30]


@pytest.mark.parametrize("density", BAD)
def test_an_impossible_density_is_refused_with_the_number_seen(density):
    for refuse in (checked_density, primitives.box((1, 1, 1)).inertial):
        with pytest.raises(InertiaError) as error:
            refuse(density)
        assert error.value.code == "bad_density"
        assert f"{density:g} kg/m³" in error.value.message
        assert error.value.remedy


@pytest.mark.parametrize("density", BAD)
@pytest.mark.parametrize("shape", [Box((1, 2, 3)), Capsule(0.5, 2), Ellipsoid((0.5, 1, 1.5))], ids=lambda s: s.kind)
@pytest.mark.parametrize("on_link", [True, False])
def test_a_part_of_impossible_density_is_refused_whatever_its_shape(shape, density, on_link):
    part = Collision("c", Pose.identity, shape, density=None if on_link else density)
    body = resolve_link(Link("l", density=density if on_link else 1000.0, collisions=(part,)))
    assert body.refused
    assert body.inertial is None
    (finding,) = body.parts[0].findings
    assert (finding.severity, finding.code, finding.subject) == ("error", "bad_density", "l/c")


@pytest.mark.parametrize("mass", [0.0, -1.0, nan, inf])
def test_an_impossible_target_mass_is_refused(mass):
    with pytest.raises(InertiaError) as error:
        checked_mass(mass)
    assert error.value.code == "bad_mass"
    part = Collision("c", Pose.identity, Box((1, 2, 3)), density=10.0)
    body = resolve_link(Link("l", mass=mass, collisions=(part,)))
    assert body.inertial is None
    assert [(finding.code, finding.subject) for finding in body.findings] == [("bad_mass", "l")]


def test_the_limits_themselves_are_densities():
    for density in (5e-324, 1e-3, WATER, MAX_DENSITY):
        assert checked_density(density) == density
