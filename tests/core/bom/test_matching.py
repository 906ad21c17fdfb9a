# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows and parts: by whole names, then without the instance's number, then by letters and digits; never by a piece."""

import time
import unicodedata

import pytest

from core.bom.bom import read_bom
from core.bom.matching import Item, matched
from core.bom.weights import SubAssembly
from core.errors import InertiaError


@pytest.fixture
def bom(tmp_path):
    def written(*lines, head="Item,Name,Part Number,Qty,Material,Density (kg/m3),Mass (g)"):
        path = tmp_path / "bom.csv"
        path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
        return read_bom(path)

    return written


def item(name, number="", instances=(), count=1):
    return Item(name, number, tuple(instances), count)


def result(bom, *items):
    """Return the line and the way of each item's match, by name, and the codes of the findings."""
    matches, findings = matched(bom, items)
    return {one.name: (match.row.line, match.how) for one, match in matches.items()}, [one.code for one in findings]


def test_whole_names_and_numbers_match_whatever_their_case(bom):
    rows = bom(",TRÄGER,,1,,,5", ",,pl-10,1,,,5", ",Base  plate.SLDPRT,,1,,,5")
    items = item("Träger"), item("Platte", "PL-10"), item("base plate")
    ways = {"Träger": (2, "name"), "Platte": (3, "name"), "base plate": (4, "name")}
    assert result(rows, *items) == (ways, [])


def test_the_two_forms_of_an_umlaut_are_one_name(bom):
    decomposed = unicodedata.normalize("NFD", "Träger")
    assert decomposed != "Träger"
    assert result(bom(f",{decomposed},,1,,,5"), item("Träger"))[0] == {"Träger": (2, "name")}


@pytest.mark.parametrize("suffix", [":1", "<2>", "-3", " (4)", ".001"])
def test_a_row_may_have_the_number_of_an_instance(bom, suffix):
    codes = ["bom_match"] if suffix == "-3" else []  # a dash may be a part of the name
    assert result(bom(f",Träger{suffix},,1,,,5"), item("Träger")) == ({"Träger": (2, "name without its number")}, codes)
    assert result(bom(",Träger,,1,,,5"), item(f"Träger{suffix}"))[0] == {
        f"Träger{suffix}": (2, "name without its number")
    }


def test_parts_that_differ_by_their_number_are_two(bom):
    assert result(bom(",PL-20,,1,,,5"), item("PL-10")) == ({}, ["bom_row"])
    assert result(bom(",PL,,1,,,5"), item("PL-10"), item("PL-20")) == ({}, ["bom_row"])
    assert result(bom(",PL-20,,1,,,5"), item("PL-10"), item("PL-20"))[0] == {"PL-20": (2, "name")}


def test_the_name_of_an_instance_matches_after_that_of_a_part(bom):
    rows = bom(",pin,,1,,,5")
    assert result(rows, item("bolt", instances=["pin"]))[0] == {"bolt": (2, "name of an instance")}
    assert result(rows, item("bolt", instances=["pin"]), item("pin"))[0] == {"pin": (2, "name")}
    assert result(rows, item("bolt", instances=["pin"]), item("nut", instances=["pin"])) == ({}, ["bom_row"])


def test_letters_and_digits_match_one_part_and_say_so(bom):
    rows = bom(",base_plate 2,,1,,,5")
    assert result(rows, item("Base-Plate2")) == ({"Base-Plate2": (2, "letters and digits")}, ["bom_match"])
    assert result(rows, item("Base-Plate2"), item("base plate/2")) == ({}, ["bom_row"])


@pytest.mark.parametrize("name", ["arm", "arm plate left", "m", "plate", "armplate1"])
def test_a_piece_of_a_name_never_matches(bom, name):
    assert result(bom(f",{name},,1,,,5"), item("arm plate")) == ({}, ["bom_row"])


def test_name_and_number_together_tell_parts_of_one_name_apart(bom):
    matches, findings = matched(
        bom(",pin,A-1,2,,,5", ",pin,A-2,3,,,7"),
        (first := item("pin", "A-1", count=2), second := item("pin", "A-2", count=3)),
    )
    assert (matches[first].row.line, matches[second].row.line, findings) == (2, 3, [])


def test_a_row_that_names_two_parts_is_refused(bom):
    with pytest.raises(InertiaError, match="'pin' and 'A-2' are two parts") as caught:
        matched(bom(",pin,A-2,1,,,5"), [item("pin", "A-1"), item("bolt", "A-2")])
    assert caught.value.code == "bom_conflict"


def test_one_row_counts_for_all_products_of_its_name(bom):
    matches, findings = matched(bom(",pin,,5,,,5"), [item("pin", count=2), item("pin", count=3)])
    assert len(matches) == 2 and findings == []


@pytest.mark.parametrize(
    ("other", "what"),
    [(",pin,,1,Steel,,6", "mass"), (",pin,,1,Brass,,5", "material"), (",pin,,1,Steel,7000,5", "density")],
)
def test_two_rows_with_unlike_numbers_are_refused_with_both_lines(bom, other, what):
    with pytest.raises(InertiaError, match=f"lines 2 and 3 state a different {what}"):
        matched(bom(",pin,,1,Steel,7850,5", other), [item("pin", count=2)])


def test_rows_after_the_first_are_compared_with_each_other(bom):
    rows = bom(",pin,,1,,,", ",pin,,1,,,100", ",pin,,1,,,200")
    with pytest.raises(InertiaError, match="lines 3 and 4 state a different mass"):
        matched(rows, [item("pin", count=3)])


def test_a_part_and_its_sub_assembly_of_one_name_count_apart(bom):
    part, assembly = item("motor", count=2), SubAssembly("motor", "", (), 2)
    matches, findings = matched(bom(",motor,,2,,,6"), [part, assembly])
    assert matches.keys() == {part, assembly} and findings == []


def test_items_tell_a_sub_assembly_from_its_part_of_one_name(bom):
    part, assembly = item("motor", count=2), SubAssembly("motor", "", (), 2)
    matches, findings = matched(bom("1,motor,,2,,,500", "1.1,motor,,1,,,300"), [part, assembly])
    assert (matches[part].row.line, matches[assembly].row.line, findings) == (3, 2, [])


def test_sums_are_no_parts_and_free_parts_are_named(bom):
    matches, findings = matched(bom(",bracket,,1,,,5", ",Total,,,,,5", ",pin,,1,,,5"), [item("l-bracket"), item("pin")])
    (finding,) = findings
    assert finding.message == "no part is called 'bracket'; parts without a row: 'l-bracket'" and len(matches) == 1


def test_rows_that_agree_to_their_digits_are_joined(bom):
    rows = bom(",pin,,1,steel,,5.0", ",pin,,2,Steel,,5.04", ",pin:3,,1,,7850,")
    (match,) = matched(rows, [item("pin", count=4)])[0].values()
    assert [row.line for row in match.rows] == [2, 3] and (match.row.material, match.row.mass.value) == ("steel", 5e-3)
    joined = bom(",pin,,1,,,5", ",pin,,2,Steel,7850,")
    matches, findings = matched(joined, [item("pin", count=3)])
    (row,) = (match.row for match in matches.values())
    assert (row.material, row.density.value, findings) == ("Steel", 7850.0, [])


def test_quantities_are_compared_with_the_placements(bom):
    assert matched(bom(",pin,,3,,,5"), [item("pin", count=3)])[1] == []
    (finding,) = matched(bom(",pin,,3,,,5"), [item("pin", count=4)])[1]
    assert (finding.severity, finding.code) == ("warning", "bom_quantity")
    assert "has 3 of it, the assembly 4" in finding.message
    assert matched(bom(",pin,,,,,5"), [item("pin", count=4)])[1] == []


@pytest.mark.parametrize("quantity", ["2", "12"])
def test_quantities_may_be_per_parent_or_in_all(bom, quantity):
    rows = bom("1,arm,,2,,,", "1.1,hand,,3,,,", f"1.1.1,pin,,{quantity},,,5")
    items = item("arm", count=2), item("hand", count=6), item("pin", count=12)
    assert [one.code for one in matched(rows, items)[1]] == []


def test_quantities_of_neither_kind_are_reported(bom):
    rows = bom("1,arm,,2,,,", "1.1,pin,,3,,,5")
    assert [one.code for one in matched(rows, [item("arm", count=2), item("pin", count=5)])[1]] == ["bom_quantity"]


def test_many_rows_and_parts_are_matched_in_little_time(bom):
    rows = bom(*(f"{number},part {number},,1,,,5" for number in range(5000)))
    items = [item(f"Part {number}") for number in range(5000)]
    start = time.process_time()
    matches, findings = matched(rows, items)
    assert (len(matches), findings) == (5000, [])
    assert time.process_time() - start < 2.0
