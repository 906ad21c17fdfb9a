# SPDX-License-Identifier: GPL-3.0-or-later
from core import Finding, InertiaError
from core.errors import first_error, grouped, has_error


def test_only_a_nameless_finding_takes_a_subject():
    assert Finding("info", "x", "", "m").about("a").subject == "a"
    assert Finding("info", "x", "b", "m").about("a").subject == "b"
    assert InertiaError("x", "", "m").about("a").subject == "a"
    assert InertiaError("x", "b", "m").about("a").subject == "b"


def test_an_error_says_who_what_and_how_to_fix_it():
    error = InertiaError("open_mesh", "Wheel", "it has a hole", "close it")
    assert error.finding() == Finding("error", "open_mesh", "Wheel", "it has a hole", "close it")
    assert str(error) == "error: Wheel: it has a hole [open_mesh] Fix: close it."
    assert str(Finding("info", "x", "", "m")) == "info: m [x]"


def test_only_errors_are_errors():
    assert has_error([Finding("info", "x", "", ""), Finding("error", "y", "", "")])
    assert not has_error([Finding("info", "x", "", ""), Finding("warning", "y", "", "")])
    assert not has_error([])


def test_findings_that_say_the_same_of_others_are_one_with_a_count():
    def said(subject, message="m"):
        return Finding("warning", "x", subject, message)

    found = [said("a"), said("b", "other"), said("c"), said("a"), Finding("error", "x", "d", "m")]
    assert grouped(found) == [(found[0], 3), (found[1], 1), (found[4], 1)]
    assert grouped([]) == []


def test_the_error_to_tell_is_a_parts_own():
    refused, own, other = (Finding("error", code, "", "m") for code in ("part_refused", "open_mesh", "no_hull"))
    assert first_error([Finding("info", "x", "", "m"), refused, own, other]) == own
    assert first_error([refused]) == refused and first_error([Finding("info", "x", "", "m")]) is None
