# SPDX-License-Identifier: GPL-3.0-or-later
"""A row is about a part by its whole name, and what a part weighs follows from what is known, in one order."""

from pathlib import Path

import pytest

from core import InertiaError
from core.body.density_map import DensityMap, Stated
from core.bom.bom import Bom, Row
from core.bom.weights import Stock, SubAssembly, Weighing, weights_of
from core.quantity import Quantity

LITRE = 1e-3


def row(line, *names, quantity=None, material="", mass=None, density=None, item="", error=0.0):
    weighed = None if mass is None else Quantity(mass, error, True)
    return Row(
        line, item, names, quantity, material, weighed, None if density is None else Quantity(density, 0.5, True)
    )


def stock(name, count=1, number="", instances=(), volume=LITRE, material="", density=None):
    return Stock(name, number, instances, count, volume, material, density)


def weigh(parts, *rows, assemblies=(), **options):
    bom = Bom(Path("bom.csv"), rows) if rows else None
    weights, findings = weights_of(parts, assemblies, Weighing(bom, **options))
    return [weights[part] for part in parts], findings


def codes(findings):
    return [finding.code for finding in findings]


@pytest.mark.parametrize(
    ("name", "part", "how"),
    (
        ("TRÄGER ", stock("Träger"), "name"),
        ("P-01", stock("beam", number="P-01"), "name"),
        ("beam.SLDPRT", stock("beam"), "name"),
        ("Träger", stock("Bauteil 7", instances=("Träger:1", "Träger:2")), "name without its number"),
        ("beam<2>", stock("beam"), "name without its number"),
        ("beam-3", stock("beam"), "name without its number"),
        ("L_bracket 2", stock("L-Bracket2"), "letters and digits"),
    ),
)
def test_a_row_matches_by_a_whole_name(name, part, how):
    (weight,), findings = weigh([part], row(2, name, density=2700.0))
    assert (weight.density, weight.match.how) == (2700.0, how)
    assert codes(findings) == (["bom_match"] if how == "letters and digits" else [])


@pytest.mark.parametrize("name", ("beams", "bea", "my beam", "PL-20"))
def test_no_row_matches_by_a_piece_of_a_name(name):
    weights, findings = weigh([stock("beam"), stock("PL-10")], row(2, name, density=2700.0), density=1000.0)
    assert [weight.match for weight in weights] == [None, None]
    assert codes(findings) == ["bom_row"]


def test_a_name_without_its_number_that_two_parts_have_matches_none():
    parts = [stock("plate:1"), stock("plate:2")]
    weights, findings = weigh(parts, row(2, "plate", density=2700.0), density=1000.0)
    assert [weight.density for weight in weights] == [1000.0, 1000.0] and codes(findings) == ["bom_row"]


def test_what_is_known_counts_in_one_order():
    whole = {"material": "PLA", "mass": 1.0, "density": 2000.0}
    part, bare = stock("a", material="Steel", density=7900.0), stock("a", material="Steel")
    named = DensityMap([Stated("a", 3000.0)])
    cases = [
        (part, whole, {}, (1.0, None, "row's mass")),
        (part, whole | {"mass": None}, {}, (None, 2000.0, "row's density")),
        (part, {"material": "PLA"}, {"densities": named}, (None, 1240.0, "row's material")),
        (part, {}, {"densities": named, "density": 1.0}, (None, 3000.0, "map of densities")),
        (part, {}, {"density": 1.0}, (None, 7900.0, "file's density")),
        (bare, {}, {"density": 1.0}, (None, 7850.0, "file's material")),
        (stock("a"), {"material": "unobtainium"}, {"density": 5.0}, (None, 5.0, "density for all")),
        (stock("a"), {"material": "unobtainium"}, {}, (None, None, "")),
    ]
    for item, cells, options, expected in cases:
        (weight,), _ = weigh([item], row(2, "a", **cells), **options)
        assert (weight.mass, weight.density, weight.source) == expected
    assert codes(weight.findings) == ["no_density"] and "unobtainium" in weight.findings[0].message


def test_rows_of_one_part_agree_or_are_refused():
    (weight,), findings = weigh([stock("a", 3)], row(2, "a", quantity=1, mass=0.5), row(3, "a", quantity=2, mass=0.5))
    assert weight.mass == 0.5 and not findings
    with pytest.raises(InertiaError, match="lines 2, 3"):
        weigh([stock("a")], row(2, "a", mass=0.5), row(3, "a", mass=0.6))


def test_one_mass_for_parts_of_unlike_volumes_is_refused():
    parts = [stock("screw"), stock("screw", volume=2 * LITRE)]
    with pytest.raises(InertiaError, match="2 parts of this name"):
        weigh(parts, row(2, "screw", mass=0.1))
    weights, _ = weigh(parts, row(2, "screw", material="Steel"))
    assert [weight.density for weight in weights] == [7850.0, 7850.0]


@pytest.mark.parametrize(
    ("rows", "differs"),
    (
        ([row(2, "a", quantity=6)], False),
        ([row(2, "b", quantity=3, item="1"), row(3, "a", quantity=2, item="1.1")], False),  # in each parent
        ([row(2, "b", quantity=3, item="1"), row(3, "a", quantity=6, item="1.1")], False),  # of all
        ([row(2, "a", quantity=5)], True),
        ([row(2, "a")], False),
    ),
)
def test_quantities_are_those_of_the_assembly_or_a_warning(rows, differs):
    parts = [stock("a", 6, density=1e3), stock("b", 3, density=1e3)]
    _, findings = weigh(parts, *rows)
    assert ("bom_quantity" in codes(findings)) == differs
    if differs:
        (finding,) = [one for one in findings if one.code == "bom_quantity"]
        assert "has 5 of it, the assembly 6" in finding.message


def test_a_part_without_a_row_is_an_error_unless_a_density_is_given():
    for options, severity in (({}, "error"), ({"density": 1000.0}, "warning")):
        (_, other), _ = weigh([stock("a"), stock("b")], row(2, "a", mass=1.0), **options)
        (finding,) = other.findings
        assert (finding.code, finding.severity) == ("bom_part", severity)


def test_a_mass_that_fits_the_row_is_reported_not_changed():
    part = stock("a", 4, material="Steel")
    (weight,), _ = weigh([part], row(2, "a", quantity=4, mass=4 * 7.85))
    assert weight.mass == 4 * 7.85 and codes(weight.findings) == ["bom_total"]
    (weight,), _ = weigh([part], row(2, "a", quantity=4, mass=4 * 7.85), bom_mass="row")
    assert weight.mass == 7.85 and not weight.findings


def test_a_mass_beside_a_material_shows_the_density_it_makes():
    (weight,), _ = weigh([stock("a")], row(2, "a", mass=7.85, material="Steel"))
    assert not weight.findings
    (weight,), _ = weigh([stock("a")], row(2, "a", mass=2.7, material="Steel"))
    assert weight.mass == 2.7 and "2700 kg/m³, its material 'Steel' has 7850" in weight.findings[0].message
    (weight,), _ = weigh([stock("a")], row(2, "a", mass=120.0))  # grams taken for kilograms
    assert codes(weight.findings) == ["bom_density"] and "which no solid has" in weight.findings[0].message


def test_a_sub_assemblys_mass_is_compared_and_never_added():
    parts = [stock("a"), stock("b")]
    assembly = SubAssembly("arm", "", (), 1, (parts[0], parts[0], parts[1]))
    rows = row(2, "a", mass=1.0), row(3, "b", mass=0.5)
    for mass, differs in ((2.5, False), (2.6, True)):
        weights, findings = weigh(parts, *rows, row(4, "arm", mass=mass), assemblies=[assembly])
        assert [weight.mass for weight in weights] == [1.0, 0.5]
        assert codes(findings) == (["bom_assembly"] if differs else [])
