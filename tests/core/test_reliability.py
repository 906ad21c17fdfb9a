# SPDX-License-Identifier: GPL-3.0-or-later
"""Each fault of the catalogue has a test that says so, or a reason why not; the page says the same."""

from tests.faults import NOT_TESTED, ROWS
from tools.faults import CHECKOUT, holders
from tools.reliability_page import PAGE, page

NUMBERS = [number for rows in ROWS.values() for number in rows]


def test_each_fault_is_held_by_a_test_or_a_reason_is_given():
    held = holders()
    assert set(held) <= set(NUMBERS), "a marker names a row that is not in the catalogue"
    assert [row for row in NUMBERS if (row in held) == (row in NOT_TESTED)] == []
    assert all(NOT_TESTED.values())


def test_a_marker_is_found_in_decorators_cases_and_modules():
    held = holders()
    assert any(one.name and one.case for tests in held.values() for one in tests)
    assert {one.path.split("/")[1] for tests in held.values() for one in tests} >= {"core", "blender"}


def test_the_page_is_what_the_markers_say():
    assert (CHECKOUT / PAGE).read_text(encoding="utf-8") == page(), "make docs"
