# SPDX-License-Identifier: GPL-3.0-or-later
"""`check --format` and `check --baseline`: what forges, dashboards and scripts read."""

import json
import os
import re
from urllib.parse import unquote_to_bytes

import pytest
from lxml import etree

from core.cli.check_formats import FORMATS
from core.cli.main import main
from core.findings.listed import PAGE, REPOSITORY, listed
from core.robot.report import SCHEMA
from tests.core.command_line import run
from tools.house import CHECKOUT

BAD_TENSOR = "<mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia>"
GOOD = "<mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"


def robot(folder, *inertials, name="robot.sdf", before=""):
    """Write a model with a link for each inertial, each on a line of its own."""
    links = "".join(f'<link name="l{n}"><inertial>{one}</inertial></link>\n' for n, one in enumerate(inertials))
    path = folder / name
    path.write_text(f'<sdf version="1.11">{before}<model name="m">\n{links}</model></sdf>\n', encoding="utf-8")
    return name


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys, *words):
    capsys.readouterr()
    status = run("check", *words)
    return status, capsys.readouterr().out


def test_github_shows_a_finding_at_its_line_with_its_title(here, capsys):
    status, out = check(capsys, "--format", "github", robot(here, GOOD, BAD_TENSOR))
    assert status == 1
    annotation = re.match(r"::error file=robot.sdf,line=3,title=([^:]+)::(.*)\n", out)
    assert annotation[1] == listed()["triangle_inequality"].title
    assert "1, 1, 5 kg·m²" in annotation[2]


def test_github_takes_signs_with_a_meaning_of_their_own(here, capsys):
    name = robot(here, BAD_TENSOR, name="a,b:c%.sdf")
    _status, out = check(capsys, "--format", "github", name)
    assert out.startswith("::error file=a%2Cb%3Ac%25.sdf,line=2,title=")


def test_sarif_has_a_rule_for_each_code_and_a_place_for_each_result(here, capsys):
    status, out = check(capsys, "--format", "sarif", robot(here, BAD_TENSOR, "<mass>-1</mass>", name="a b.sdf"))
    (report,) = json.loads(out)["runs"]
    rules = [rule["id"] for rule in report["tool"]["driver"]["rules"]]
    assert status == 1
    assert rules == ["bad_mass", "triangle_inequality"]
    found = {}
    for result in report["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        (place,) = (location["physicalLocation"] for location in result["locations"])
        assert place["artifactLocation"]["uri"] == "a%20b.sdf"
        found[result["ruleId"]] = result["level"], place["region"]["startLine"]
    assert found == {"triangle_inequality": ("error", 2), "bad_mass": ("error", 3)}


def test_sarif_links_the_tool_and_each_rule_to_their_pages(here, capsys):
    _status, out = check(capsys, "--format", "sarif", robot(here, BAD_TENSOR))
    (report,) = json.loads(out)["runs"]
    driver = report["tool"]["driver"]
    assert driver["informationUri"] == REPOSITORY
    assert f"uses: {REPOSITORY.removeprefix('https://github.com/')}@" in (CHECKOUT / "docs/ci.md").read_text()
    (rule,) = driver["rules"]
    assert rule["helpUri"] == f"{REPOSITORY}/blob/main/docs/findings.md#triangle_inequality"
    assert "### triangle_inequality\n" in (CHECKOUT / PAGE).read_text(encoding="utf-8")


def test_a_result_of_sarif_keeps_its_fingerprint_when_lines_are_inserted(here, capsys):
    def prints():
        (report,) = json.loads(check(capsys, "--format", "sarif", "robot.sdf")[1])["runs"]
        return [result["partialFingerprints"] for result in report["results"]]

    robot(here, BAD_TENSOR, BAD_TENSOR)
    before = prints()
    robot(here, BAD_TENSOR, BAD_TENSOR, before="\n\n<!-- two lines -->\n")
    assert prints() == before
    assert before[0] != before[1]


def test_junit_fails_a_case_for_each_kind_of_error_and_counts_them(here, capsys):
    files = robot(here, BAD_TENSOR, BAD_TENSOR, "<mass>-1</mass>"), robot(here, GOOD, name="good.sdf")
    status, out = check(capsys, "--format", "junit", *files)
    root = etree.fromstring(out.encode())
    assert status == 1
    assert (root.get("tests"), root.get("failures")) == ("3", "2")
    assert [suite.get("name") for suite in root] == list(files)
    assert {case.get("name") for case in root.iterfind("testsuite/testcase[failure]")} == {
        "triangle_inequality",
        "bad_mass",
    }
    assert root[1][0].get("name") == "no finding"


def test_the_message_of_junit_is_the_first_error_as_colcon_shows_no_more(here, capsys):
    name = robot(here, GOOD, BAD_TENSOR, BAD_TENSOR.replace("5", "7"))
    root = etree.fromstring(check(capsys, "--format", "junit", name)[1].encode())
    (failure,) = root.iterfind("testsuite/testcase[@name='triangle_inequality']/failure")
    message = failure.get("message")
    assert message.startswith("robot.sdf:3 ") and "1, 1, 5 kg·m²" in message and "1, 1, 7" not in message
    assert message.partition(" Fix: ")[2] and "1, 1, 7 kg·m²" in failure.text


@pytest.mark.parametrize("form", ["json", "sarif", "junit"])
def test_a_format_for_machines_stands_alone_on_standard_output(here, capsys, form):
    _status, out = check(capsys, "--format", form, robot(here, BAD_TENSOR), "absent.stl")
    etree.fromstring(out.encode()) if form == "junit" else json.loads(out)


@pytest.mark.parametrize("name", [b"x\xff.sdf", "x\uffff\x7f.sdf".encode()], ids=["no UTF-8", "no XML"])
def test_every_format_takes_a_file_of_any_name(here, capfd, name):
    try:
        path = os.fsdecode(name)
        robot(here, BAD_TENSOR, name=path)
    except (OSError, ValueError) as error:
        pytest.skip(f"this system has no such name: {error}")
    for form in FORMATS:
        assert main(["check", "--format", form, path]) == 1
        out = capfd.readouterr().out
        if form == "junit":
            etree.fromstring(out.encode())
        if form == "sarif":
            (result,) = json.loads(out)["runs"][0]["results"]
            (place,) = (location["physicalLocation"] for location in result["locations"])
            assert unquote_to_bytes(place["artifactLocation"]["uri"]) == name


def test_json_is_the_same_by_both_names_and_not_with_another_format(here, capsys):
    robot(here, BAD_TENSOR)
    assert check(capsys, "--json", "robot.sdf") == check(capsys, "--format", "json", "robot.sdf")
    with pytest.raises(SystemExit):
        run("check", "--json", "--format", "sarif", "robot.sdf")


def baseline(here, capsys, *files):
    _status, out = check(capsys, "--format", "json", *files)
    (here / "known.json").write_text(out, encoding="utf-8")
    return "--baseline", "known.json"


def test_what_a_baseline_knows_is_not_a_reason_to_fail_wherever_it_is_now(here, capsys):
    known = baseline(here, capsys, robot(here, BAD_TENSOR))
    robot(here, BAD_TENSOR, before="\n\n")
    status, out = check(capsys, "robot.sdf", *known)
    assert (status, out.splitlines()) == (0, ["robot.sdf: no new finding, 1 known", "  1 link: 1 invalid inertial"])


def test_what_a_baseline_does_not_know_fails(here, capsys):
    known = baseline(here, capsys, robot(here, BAD_TENSOR))
    robot(here, BAD_TENSOR, BAD_TENSOR)
    status, out = check(capsys, "robot.sdf", *known)
    assert status == 1
    assert "error: robot.sdf:3 l1: " in out
    assert "link[@name='l0']" not in out


def test_of_findings_that_are_alike_a_baseline_knows_as_many_as_there_were(here, capsys):
    alike = '<link name="l"><inertial><mass>-1</mass></inertial></link>'
    for count, expected in ((1, 0), (2, 1)):
        (here / "twice.sdf").write_text(f'<sdf version="1.11"><model name="m">{alike * count}</model></sdf>')
        if count == 1:
            known = baseline(here, capsys, "twice.sdf")
        assert check(capsys, "twice.sdf", *known)[0] == expected


def test_a_baseline_says_what_is_no_longer_found(here, capsys):
    known = baseline(here, capsys, robot(here, BAD_TENSOR))
    robot(here, GOOD)
    capsys.readouterr()
    assert run("check", "robot.sdf", *known) == 0
    assert "known.json: 1 finding is fixed" in capsys.readouterr().err


@pytest.mark.fault(137)
@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{}",
        "[]",
        '{"files": [{"file": 1}]}',
        pytest.param("[" * 100_000, id="nested 100,000 deep"),
        '{"files": [{"file": "a", "findings": [{"code": [], "subject": "x"}]}]}',
        '{"schema": 2, "files": []}',
        '{"schema": NaN, "files": []}',
        '{"schema": null, "files": []}',
        '{"schema": -1, "files": []}',
    ],
)
def test_a_baseline_that_is_none_stops_the_check(here, capsys, text):
    if text is not None:
        (here / "known.json").write_text(text)
    assert run("check", robot(here, GOOD), "--baseline", "known.json") == 2
    assert "bad_baseline" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("schema", "reason"), [(SCHEMA + 1, "a newer version"), ("one", "did not write"), (None, "did not write")]
)
def test_a_baseline_of_another_schema_stops_the_check(here, capsys, schema, reason):
    (here / "known.json").write_text(json.dumps({"schema": schema, "files": []}))
    assert run("check", robot(here, GOOD), "--baseline", "known.json") == 2
    assert reason in capsys.readouterr().err


def test_a_baseline_from_before_there_was_a_schema_is_read(here, capsys):
    _, name = baseline(here, capsys, robot(here, BAD_TENSOR))
    earlier = json.loads((here / name).read_text())
    assert earlier.pop("schema") == SCHEMA
    (here / name).write_text(json.dumps(earlier))
    assert check(capsys, "robot.sdf", "--baseline", name)[0] == 0


def test_an_unreadable_file_is_never_known_and_keeps_its_findings(here, capsys):
    known = baseline(here, capsys, "absent.stl")
    assert run("check", "absent.stl", *known) == 2
    assert "fixed" not in capsys.readouterr().err


def test_what_is_no_xml_is_shown_at_its_line_and_known_wherever_that_is(here, capsys):
    known = ()
    for before in ("\n", "\n\n\n"):
        (here / "broken.sdf").write_text(f'<sdf version="1.11">{before}<model name="m"></sdf>\n')
        line = before.count("\n") + 1
        assert f"::error file=broken.sdf,line={line}," in check(capsys, "--format", "github", "broken.sdf")[1]
        (result,) = json.loads(check(capsys, "--format", "sarif", "broken.sdf")[1])["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": line}
        known = known or baseline(here, capsys, "broken.sdf")
    assert check(capsys, "broken.sdf", *known) == (0, "broken.sdf: no new finding, 1 known\n")


def test_links_with_one_cause_are_one_paragraph_that_names_them(here, capsys):
    _, out = check(capsys, robot(here, GOOD, BAD_TENSOR, BAD_TENSOR, BAD_TENSOR.replace("5", "7")))
    (paragraph,) = re.findall(r"^  error: (?:.|\n    )*", out, re.MULTILINE)
    text = " ".join(paragraph.split())
    assert text.startswith("error: robot.sdf:3 l1: ") and " Likewise: l2, l3 Fix: " in text
    assert len(out.splitlines()) == 8  # a line for each paragraph


def test_a_path_below_the_working_directory_is_shown_from_there(here, capsys):
    status, out = check(capsys, here / robot(here, BAD_TENSOR))
    assert status == 1 and out.startswith("robot.sdf: invalid, 1 error\n")
