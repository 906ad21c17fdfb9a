# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensors by a wrong formula, of another size or about another axis are named, and repaired to closed forms."""

from dataclasses import replace

import numpy as np
import pytest

from core.judge.measured import RepairOptions

from ..robot_files import check_path, repair
from .generated_robots import Inertial, Link, Part, tensor_of
from .robot_texts import SIX

NOWHERE = np.zeros(3)
ASIDE = (0.05, -0.03, 0.2)
FORMS = ("urdf", "sdf", "mjcf")


def part(kind, size, xyz=NOWHERE, rpy=NOWHERE, file=""):
    return Part(kind, np.array(size), np.array(xyz, float), np.array(rpy, float), file)


def body(*parts, density=1400.0, **changed):
    return replace(Inertial.of([*parts], density), **changed)


def base():
    plate = part("box", (0.2, 0.1, 0.03))
    return Link("base", [plate], body(plate))


def six_of(tensor):
    return np.array([tensor[cell] for cell in SIX])


def accused(path):
    """Return the codes and the messages of what is wrong with a robot."""
    return [(finding.code, str(finding.message)) for finding in check_path(path)]


def assert_repaired(path, right, what=None):
    """Fail unless `repair` gives the last link these numbers, and leaves nothing to report."""
    repaired = repair(path, None if what is None else RepairOptions(frozenset({what})))
    (link,) = repaired.links
    xx, yy, zz, xy, xz, yz = right.six
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    assert link.new.mass == pytest.approx(right.mass, rel=1e-5)
    np.testing.assert_allclose(link.new.com, right.com, atol=1e-5 * np.abs(right.com).max() + 1e-12)
    np.testing.assert_allclose(link.new.inertia, tensor, atol=1e-4 * np.trace(tensor))
    path.write_bytes(repaired.data)
    assert accused(path) == []


@pytest.mark.fault(183)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "parts",
    [
        (part("cylinder", (0.02, 0.02, 0.15), (0, 0, 0.15)), part("box", (0.05, 0.03, 0.02), (0, 0, 0.32))),
        (
            part("box", (0.02, 0.03, 0.04)),
            part("box", (0.03, 0.02, 0.02), (0.1, 0, 0.1)),
            part("sphere", (0.025,) * 3, (0.2, 0, 0)),
        ),
    ],
    ids=["two parts", "three parts"],
)
def test_parts_summed_about_their_own_centres_are_named(parts, form, write_links):
    right = body(*parts)
    moments = [each.moments() for each in parts]
    about_centres = sum(1400.0 * volume * tensor_of(spread) for volume, _, spread in moments)
    path = write_links(base(), Link("arm", [*parts], replace(right, six=six_of(about_centres))), form=form)
    ((code, message),) = accused(path)
    assert code == "tensor_formula" and f"sum of those of its {len(parts)} parts" in message
    assert_repaired(path, right)


@pytest.mark.fault(183)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("across", "around", "words"),
    [(0.0, 1.0, "a thin rod, without m·r²/4"), (4.0, 4.0, "a cylinder of twice the radius")],
    ids=["rod", "diameter"],
)
@pytest.mark.parametrize(("radius", "half"), [(0.07, 0.1), (0.012, 0.02), (0.0313, 0.1085)])
def test_the_formula_of_a_rod_or_a_diameter_is_named(radius, half, across, around, words, form, write_links):
    wheel = part("cylinder", (radius, radius, half), ASIDE)
    right = body(wheel)
    moment = right.mass * (across * radius**2 / 4 + half**2 / 3)
    six = np.array([moment, moment, right.mass * around * radius**2 / 2, 0, 0, 0])
    path = write_links(base(), Link("wheel", [wheel], replace(right, six=six)), form=form)
    ((code, message),) = accused(path)
    assert code == "tensor_formula" and words in message
    assert "small_geometry" not in [finding.code for finding in check_path(path, strict=True)]
    assert_repaired(path, right)


@pytest.mark.fault(184)
@pytest.mark.parametrize(("per_metre", "unit"), [(1.0, "m"), (100.0, "cm"), (1000.0, "mm")])
@pytest.mark.parametrize("kind", ["prism", "octahedron", "box"])
def test_the_tensor_of_a_volume_without_density_is_named(kind, per_metre, unit, write_links):
    """MeshLab prints the integral over the volume, in the mesh's unit to the fifth power, and rounding as products."""
    grip = part(kind, (0.06, 0.025, 0.04), file="" if kind == "box" else "grip.obj")
    right = body(grip, density=800.0)
    six = right.six * per_metre**5 / 800.0
    six[3:] += 1e-16 * six[0] * np.array([1.0, -1.0, 0.5])
    path = write_links(base(), Link("grip", [grip], replace(right, six=six)), digits=10)
    ((code, message),) = accused(path)
    assert code == "tensor_formula" and f"the volume of its geometry in {unit}, without a density" in message
    assert_repaired(path, right)


@pytest.mark.fault(182)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scale", [0.5, 1.5, 2.0])
def test_a_geometry_scaled_afterwards_is_named_with_its_scale(scale, form, write_links):
    """The centre and the tensor are those at another size, and the mass stays: both are repaired, by name alone."""
    now = part("box", (0.06, 0.03, 0.15), (0.04, 0.02, 0.15))
    right = body(now)
    old = replace(right, com=scale * right.com, six=scale**2 * right.six)
    path = write_links(base(), Link("arm", [now], old), form=form)
    ((code, message),) = accused(path)
    assert code == "tensor_size" and f"at {scale:g} times the size" in message
    assert repair(path).data == path.read_bytes()
    assert_repaired(path, right, "size")


@pytest.mark.fault(170)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("wrong", "source", "name"), [(2, 0, "izz"), (0, 1, "ixx"), (1, 2, "iyy")])
def test_a_moment_that_repeats_another_is_named(wrong, source, name, form, write_links):
    arm = part("box", (0.05, 0.04, 0.027), ASIDE)
    right = body(arm)
    six = right.six.copy()
    six[wrong] = six[source]
    path = write_links(base(), Link("arm", [arm], replace(right, six=six)), form=form)
    ((code, message),) = accused(path)
    assert code == "tensor_axes" and f"its {name} (" in message and "wrong axes" not in message
    assert f"{right.six[wrong]:.4g} kg·m² would fit" in message
    assert_repaired(path, right, "axes")


@pytest.mark.fault(187)
@pytest.mark.parametrize(("wide", "perhaps"), [(0.06, False), (0.02, True)])
@pytest.mark.parametrize(("wrong", "axis"), [(2, 0), (0, 1), (1, 2)])
def test_a_body_long_along_another_axis_is_not_called_too_large(wrong, axis, wide, perhaps, write_links):
    """The tensor is that of a rod about as long as the geometry, so no exchange of its moments gives the geometry's."""
    half = np.full(3, 0.02)
    half[axis], half[3 - wrong - axis] = 0.3, wide
    shell = part("box", half + [0.004, 0.002, 0.0])
    rod = np.full(3, 2.0 * 0.29**2 / 3.0)
    rod[wrong] = 2.0 * 0.02**2 / 2.0
    path = write_links(base(), Link("rod", [shell], Inertial(2.0, NOWHERE, np.array([*rod, 0, 0, 0]))))
    ((code, message),) = accused(path)
    assert code == "tensor_axes" and ("perhaps about the wrong axes" in message) == perhaps
    assert perhaps or f"long along {'xyz'[wrong]}, but its geometry along {'xyz'[axis]}" in message
    assert_repaired(path, replace(body(shell), mass=2.0, six=body(shell).six * 2.0 / body(shell).mass), "axes")


@pytest.mark.fault(187)
def test_an_exchange_is_named_though_the_centre_is_left_at_zero(write_links):
    chip = part("box", (0.012, 0.012, 0.003), (0.02, 0, 0.01))
    right = body(chip)
    path = write_links(base(), Link("imu", [chip], replace(right, com=NOWHERE, six=right.six[[0, 2, 1, 3, 4, 5]])))
    assert "about the wrong axes" in dict(accused(path))["tensor_axes"]
