# SPDX-License-Identifier: GPL-3.0-or-later
"""Minimal files on which we and libsdformat once disagreed, each with libsdformat 16's own answer."""

import json

import pytest

from core.errors import InertiaError
from core.formats.sdf.read import read_sdf
from core.formats.simulators.verdicts import link_verdicts

from ...command_line import run, run_json
from ...sdf_oracle import assert_same_links, oracle_file

BETTER_HERE = {"include_custom_params": "include_params"}
"""Cases in which we refuse, by a finding that says why, what libsdformat takes: name -> code."""

UNJUDGED = {
    "light_no_type": "a light has no bearing on inertia",
    "material_bad": "nor has a material",
    "plugin_no_file": "nor has a plugin",
    "sensor_bad": "nor has a sensor",
    "sensor_no_type": "nor has a sensor",
}
"""Withdrawn cases, with the reason: libsdformat refuses them, and we ignore them and keep them unchanged."""

REFUSED = {
    "badsize_nonauto": 9,
    "badsize_visual": 9,
    "canonical_missing": 16,
    "collision_empty_name": 5,
    "collision_no_name": 4,
    "density_abc_nonauto": 9,
    "dup_collision": 2,
    "dup_visual": 2,
    "include_name_colons": 3,
    "include_two_models": 11,
    "joint_bad_type": 5,
    "joint_no_type": 4,
    "joint_parent_missing": 21,
    "link_name_colons": 3,
    "link_name_reserved": 3,
    "link_name_world": 3,
    "model_without_link": 17,
    "placement_without_pose": 31,
    "pose3_collision_nonauto": 9,
    "pose3_in_visual": 9,
    "pose_comment": 9,
    "rel_model_top": 5,
    "two_top_models": 11,
    "visual_no_name": 4,
    "world_merge_links": 33,
    "world_no_name": 4,
}
"""What libsdformat reports first."""

TAKEN_FOR = [
    pytest.param("ampersand", marks=pytest.mark.fault(90)),
    pytest.param("comment_num", marks=pytest.mark.fault(74)),
    pytest.param("dashes", marks=pytest.mark.fault(90)),
    pytest.param("default_xmlns", marks=pytest.mark.fault(90)),
    pytest.param("include_custom_params"),
    pytest.param("leading_ws", marks=pytest.mark.fault(90)),
    pytest.param("polyline_repeated_false_alarm", marks=pytest.mark.fault(98)),
    pytest.param("qname", marks=pytest.mark.fault(90)),
    pytest.param("same16", marks=pytest.mark.fault(95)),
    pytest.param("two_shapes", marks=pytest.mark.fault(93)),
]
"""What it takes, each for a row of the catalogue of faults."""

TAKEN = [str(case.values[0]) for case in TAKEN_FOR]


@pytest.fixture(scope="module")
def cases(data):
    path = data / "sdf_oracle" / "cases.json"
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    return json.loads(path.read_text())


@pytest.fixture
def path(cases, data, request, tmp_path):
    """The case's main file, written with the others where they belong."""
    return oracle_file(data, tmp_path, request.getfixturevalue("name"))[0]


def errors_of(path):
    """Return what we refuse a file for, in our order."""
    try:
        file = read_sdf(path)
    except InertiaError as error:
        return [error.finding()]
    findings = [*file.findings, *(finding for body in link_verdicts(file) for finding in body.all_findings())]
    return [finding for finding in findings if finding.severity == "error"]


def test_every_case_is_listed_once(cases):
    assert sorted([*REFUSED, *TAKEN, *(UNJUDGED.keys() & cases.keys())]) == sorted(cases)
    assert {name: case["oracle"]["errors"][0][0] for name, case in cases.items() if name in REFUSED} == REFUSED
    assert not any(cases[name]["oracle"]["errors"] for name in TAKEN)
    assert set(BETTER_HERE) <= set(TAKEN)


@pytest.mark.fault(94)
@pytest.mark.every
@pytest.mark.parametrize("name", REFUSED)
def test_what_libsdformat_refuses_is_refused_for_the_same_cause(name, path):
    first, *_ = errors_of(path)
    assert first.sdf_codes[0] == REFUSED[name]
    assert str(path.parent) in first.subject


@pytest.mark.fault(94)
@pytest.mark.parametrize("name", REFUSED)
def test_all_commands_refuse_it_and_nothing_is_written(name, path, tmp_path, capsys):
    target = tmp_path / "filled.sdf"
    assert run("check", path) == run("report", path) == run("fill", path, "-o", target) == 1
    assert not target.exists()
    capsys.readouterr()
    _, answer = run_json(capsys, "check", path, "--json")
    codes = [finding.get("sdf_codes") for finding in answer["files"][0]["findings"] if finding["severity"] == "error"]
    assert REFUSED[name] in [numbers[0] for numbers in codes if numbers]


@pytest.mark.fault(110)
@pytest.mark.parametrize("name", UNJUDGED)
def test_what_has_no_bearing_on_inertia_is_passed_through(name, cases, request, tmp_path, capsys):
    if name not in cases:
        pytest.skip(f"the reference data has no {name}")
    path = request.getfixturevalue("path")
    assert cases[name]["oracle"]["errors"]
    assert errors_of(path) == []
    assert run("fill", path, "-o", tmp_path / "filled.sdf") == 0
    assert (tmp_path / "filled.sdf").exists()


@pytest.mark.fault(92)
@pytest.mark.parametrize("name", BETTER_HERE)
def test_what_is_refused_here_alone_is_refused_by_name(name, path):
    assert [finding.code for finding in errors_of(path)] == [BETTER_HERE[name]]


@pytest.mark.parametrize("name", [one for one in TAKEN_FOR if one.values[0] not in BETTER_HERE])
def test_what_libsdformat_takes_has_the_same_numbers_and_poses(name, path, cases, tmp_path):
    assert errors_of(path) == []
    assert_same_links(path, cases[name]["oracle"])
    assert run("check", path) == run("report", path) == run("fill", path, "-o", tmp_path / "filled.sdf") == 0
