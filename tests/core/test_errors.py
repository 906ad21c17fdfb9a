# SPDX-License-Identifier: GPL-3.0-or-later
import pickle
from dataclasses import replace

from core import Finding, InertiaError
from core.errors import finding_lines, first_error, grouped, has_error


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
    base = Finding("error", "x", "arm.urdf:8 /robot[@name='arm']/link[@name='base']", "m")
    assert str(base) == "error: arm.urdf:8 base: m [x]"  # the place as `check` prints it


def test_a_finding_and_an_error_keep_their_data_between_processes():
    reason = InertiaError.of("bad_mass", "arm", "given", mass=-1.0)
    finding = Finding.of("warning", "texture_not_written", "arm", "unreadable", image="skin", reason=reason.sentence)
    for read in (pickle.loads(pickle.dumps(finding)), pickle.loads(pickle.dumps(replace(finding, subject="arm")))):
        assert read == finding and repr(read) == repr(finding) and {read, finding} == {finding}
        assert read.sentence.form == "unreadable" and read.sentence.values["reason"].values == {"mass": -1.0}
        assert reason.message in read.message and read.fix.alternatives == finding.fix.alternatives
    again = pickle.loads(pickle.dumps(reason))
    assert str(again) == str(reason) and again.sentence.values == {"mass": -1.0}


def test_findings_with_the_same_texts_are_equal_whatever_their_data():
    finding = Finding.of("error", "bad_mass", "arm", "given", mass=-1.0)
    assert finding == Finding("error", "bad_mass", "arm", finding.message, finding.remedy)
    assert finding != Finding.of("error", "bad_mass", "arm", "given", mass=-2.0)


def test_other_values_change_a_message_and_leave_its_remedy():
    finding = replace(Finding.of("error", "zero_tensor", "arm", mass=2.0), sdf_codes=(19,))
    beside = finding.with_values({"twin": "leg", "moments": "1, 2, 3"})
    assert beside.message == "the tensor is zero, and the mass is 2 kg; its twin leg has (1, 2, 3) kg·m²"
    assert (beside.fix, beside.sdf_codes) == (finding.fix, (19,))


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


def test_a_line_about_several_names_them_all_up_to_twelve():
    def lines(*names):
        return list(finding_lines(Finding("error", "x", name, "m", "r") for name in names))

    assert lines("nut", "bolt", "nut") == ["error: m [x] (3 times: nut, bolt) Fix: r."]
    numbers = [str(number) for number in range(14)]
    assert lines(*numbers) == [f"error: m [x] (14 times: {', '.join(numbers[:12])} and 2 more) Fix: r."]
    place = "robot.urdf:8 /robot[@name='arm']/link[@name='base']"
    assert lines(place, "a") == [f"error: m [x] (2 times; the first: {place}) Fix: r."]
    assert lines("", "a") == ["error: m [x] (2 times; the first: without a name) Fix: r."]
    assert lines("a") == ["error: a: m [x] Fix: r."]


def test_the_error_to_tell_is_a_parts_own():
    refused, own, other = (Finding("error", code, "", "m") for code in ("part_refused", "open_mesh", "no_hull"))
    assert first_error([Finding("info", "x", "", "m"), refused, own, other]) == own
    assert first_error([refused]) == refused and first_error([Finding("info", "x", "", "m")]) is None
