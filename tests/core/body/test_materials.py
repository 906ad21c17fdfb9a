# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of densities: possible, in range, with a source, each once; and what a density says about a material."""

from math import inf, nan, pi

import pytest

from core.body.materials import BLENDER, CATEGORIES, LIBRARY, MATERIALS, SOURCES, WATER, checked_density
from core.body.pose import Pose
from core.body.shapes import Box
from core.judge.geometry.implied_density import LIGHTEST, OSMIUM, SOLIDS, implied_density, in_words
from core.robot.model import Collision, Link
from core.robot.resolve import resolve_link

OLD = {
    "Water": 1000, "Aluminium": 2700, "Steel": 7850, "Stainless steel": 8000, "Titanium": 4500, "Brass": 8500,
    "Copper": 8960, "Lead": 11340, "PLA": 1240, "ABS": 1040, "PETG": 1270, "Nylon": 1140, "POM": 1410,
    "Polycarbonate": 1200, "Acrylic": 1190, "Carbon fibre": 1600, "FR4": 1850, "Rubber": 1100, "Plywood": 680,
    "Glass": 2500,
}  # fmt: skip


def test_every_material_has_a_possible_density_in_its_range_and_a_source():
    assert MATERIALS["Water"] == WATER == 1000
    assert set(MATERIALS) == set(SOURCES)
    ranges = {row.name: (row.low, row.high) for rows in LIBRARY.values() for row in rows}
    for name, density in MATERIALS.items():
        assert 1 <= checked_density(density) < 22590, name  # nothing is denser than osmium
        low, high = ranges[name]
        assert low <= density <= high <= 2 * density or name.startswith("Foam"), name
        assert SOURCES[name]


def test_names_that_files_rely_on_keep_their_densities():
    assert {name: MATERIALS[name] for name in OLD} == OLD


def test_categories_hold_every_material_once_whatever_its_case():
    names = [name for names in CATEGORIES.values() for name in names]
    assert names == list(MATERIALS)
    assert len({name.casefold() for name in names}) == len(names)
    assert all(CATEGORIES.values())
    assert len(names) > 100


def test_blenders_presets_are_marked_as_such():
    presets = [name for name in MATERIALS if name.startswith("Blender: ")]
    assert len(presets) == 46
    assert [material.name for material in LIBRARY[BLENDER]] == presets
    assert {material.source for material in LIBRARY[BLENDER]} == {"Blender"}


@pytest.mark.parametrize(
    "name, grams, cubic_centimetres",
    [
        ("LiPo pack", 376, 15.5 * 4.4 * 2.4),
        ("Li-ion cell 18650", 45.6, pi / 4 * 1.82**2 * 6.51),
        ("PCB with parts", 25, 6.86 * 5.34 * 1.2),
        ("Servo, metal case", 165, 3.35 * 5.85 * 4.4),
        ("Servo, plastic case", 52.9, 3.2 * 5.0 * 4.0),
        ("Stepper motor, NEMA 17", 240, 4.32 * 4.32 * 3.81),
        ("Aluminium composite panel", 3800, 100 * 100 * 0.3),
        ("Glass fibre", 258 / 2 + 120 / 2, 100),
    ],
)
def test_a_density_made_from_mass_and_size_is_theirs(name, grams, cubic_centimetres):
    # Rounded to two or three digits.
    assert MATERIALS[name] == pytest.approx(1000 * grams / cubic_centimetres, rel=0.012)


def body(mass, density=None, size=(0.1, 0.1, 0.1)):
    part = Collision("c", Pose.identity, Box(size))
    return resolve_link(Link("l", density=density, mass=mass, collisions=(part,)))


@pytest.mark.parametrize(
    ("kilograms", "material", "density", "text"),
    [
        (0.312, "ABS", None, "312 kg/m³: 0.30 x ABS: hollow, or printed with 30 % infill?"),
        (7.85, "Steel", None, "7850 kg/m³: as Steel"),
        (2.71, "", None, "2710 kg/m³: as Aluminium"),
        (2.0, "Steel", None, "2000 kg/m³: 0.25 x Steel: hollow?"),  # metal is not printed
        (2.7, "ABS", None, "2700 kg/m³: 2.60 x ABS: parts not modelled, or of Aluminium?"),
        (1.3, "PLA", None, "1300 kg/m³: as PLA"),
        (0.31, "", None, "310 kg/m³: 0.25 x PLA: hollow, or printed with 25 % infill?"),
        (0.18, "", None, "180 kg/m³: as Balsa"),
        (0.4, "My foam core", 800.0, "400 kg/m³: 0.50 x My foam core: hollow?"),
    ],
)
def test_a_mass_over_the_volume_is_compared_with_a_material(kilograms, material, density, text):
    assert implied_density(body(kilograms), material, density) == (text, True)


@pytest.mark.parametrize("mass, word", [(1000.0, "denser than any solid"), (1e-3, "lighter than any foam")])
def test_what_no_material_weighs_is_no_material(mass, word):
    found = implied_density(body(mass), "ABS")
    assert not found.possible
    assert word in found.text and "check the mass" in found.text


def test_every_solid_agrees_with_itself():
    for name, density in SOLIDS.items():
        assert in_words(density, name).text.endswith(f": as {name}")
        assert LIGHTEST < density < OSMIUM


@pytest.mark.parametrize("density", [0.0, -1.0, nan, inf])
def test_a_density_that_is_none_is_not_compared_with(density):
    """A link's own density is ignored if all its parts have theirs, so nobody has refused it."""
    for implied in (5e-324, 1e-300, 30.0, 1000.0, 1e300, inf):
        assert in_words(implied, "mine", density) == in_words(implied)


def test_there_is_nothing_to_compare_without_a_volume():
    assert implied_density(body(-1.0)) is None
    assert implied_density(resolve_link(Link("l"))) is None
