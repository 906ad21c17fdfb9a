# SPDX-License-Identifier: GPL-3.0-or-later
"""`check --summary`: counts and the worst findings as Markdown, for the page of a run on GitHub."""

import re
from contextlib import redirect_stdout

import pytest

from core.cli import check_formats
from core.cli.main import main
from core.findings.listed import REPOSITORY
from tests.core.cli.test_check_formats import BAD_TENSOR, GOOD, robot
from tests.core.cli.test_ci import git, repository, run_action

__all__ = ["repository"]

SECTION = f"{REPOSITORY}/blob/main/docs/findings.md#"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def summary_of(here, *words):
    """Check files; return the exit status, and the lines of the summary."""
    status = main(["check", "--summary", "all.md", *words])
    return status, (here / "all.md").read_text(encoding="utf-8").splitlines()


def test_the_first_line_counts_the_files_and_errors_come_first(here):
    good, bad = robot(here, GOOD, name="good.sdf"), robot(here, GOOD, BAD_TENSOR, name="bad.sdf")
    (here / "loose.urdf").write_text('<robot name="r"><!-- -- --><link name="l"/></robot>')
    status, lines = summary_of(here, "loose.urdf", good, "absent.stl", bad, "--baseline", known(here, bad))
    assert status == 2
    assert lines[0] == "4 files: 2 good, 1 with warnings, 1 not read; 1 known finding"
    status, lines = summary_of(here, "loose.urdf", good, bad)
    assert status == 1
    assert lines[0] == "3 files: 1 good, 1 with warnings, 1 invalid"
    assert lines[2:4] == ["| severity | finding | place | message |", "|---|---|---|---|"]
    error = f"| error | [triangle_inequality]({SECTION}triangle_inequality) | bad.sdf:3 l1 | no body has "
    assert lines[4].startswith(error)
    assert lines[5].startswith(f"| warning | [loose_xml]({SECTION}loose_xml) | loose.urdf:1 ")
    assert len(lines) == 6


def known(here, *files):
    """Write a baseline of what is wrong with files, and return its name."""
    with (here / "known.json").open("w", encoding="utf-8") as target, redirect_stdout(target):
        assert main(["check", "--json", *files]) == 1
    return "known.json"


def test_without_findings_there_is_no_table(here):
    assert summary_of(here, robot(here, GOOD)) == (0, ["1 file: 1 good"])


def test_the_table_ends_after_a_hundred_rows(here):
    _, lines = summary_of(here, robot(here, *[BAD_TENSOR] * 103))
    assert len(lines) == 4 + 100 + 1
    assert lines[-1] == "| and 3 more | | | |"


def test_long_names_do_not_exceed_the_limit_of_github(here):
    name = "&#x202e;" * 3_000  # which is shown as six characters
    links = (f'<link name="{number}{name}"><inertial>{BAD_TENSOR}</inertial></link>\n' for number in range(101))
    (here / "long.sdf").write_text(f'<sdf version="1.11"><model name="m">{"".join(links)}</model></sdf>')
    _, lines = summary_of(here, "-q", "long.sdf")
    assert "triangle" in lines[4]
    assert 100_000 < len("\n".join(lines).encode()) < 2**20


HOSTILE = "<img src=x onerror=alert(1)>`a|b`[x](http:a.example) # **big**"


def test_a_name_is_text_in_what_markdown_shows(here):
    markdown_it = pytest.importorskip("markdown_it", reason="there is no rich (requirements/test.txt)")
    attribute = HOSTILE.replace("<", "&lt;")
    link = f'<link name="{attribute}"><inertial>{BAD_TENSOR}</inertial></link>'
    (here / "robot.sdf").write_text(f'<sdf version="1.11"><model name="m">{link}</model></sdf>')
    _, lines = summary_of(here, "robot.sdf")
    html = markdown_it.MarkdownIt("commonmark").enable("table").render("\n".join(lines))
    assert html.count("<table>") == 1 and html.count("<tr>") == 2
    assert re.findall(r"<(?!/?(?:p|table|thead|tbody|tr|th|td|a)\b)[^>]*>", html) == []
    assert re.findall(r'href="([^"]*)"', html) == [f"{SECTION}triangle_inequality"]
    assert "&lt;img src=x onerror=alert(1)&gt;`a|b`[x](http:a.example) # **big**" in html


def test_a_summary_that_cannot_be_written_ends_with_2(here, capsys):
    assert main(["check", "--summary", "absent/all.md", robot(here, GOOD)]) == 2
    assert "cannot write absent/all.md" in capsys.readouterr().err


def test_the_action_appends_the_summary_and_keeps_the_exit_status(repository):
    robot(repository, BAD_TENSOR, name="x|`y`.sdf")
    git(repository, "add", ".")
    page = repository.parent / "page.md"
    page.write_text("before\n")
    for count, form in enumerate(check_formats.FORMATS, start=1):
        done = run_action(repository, FORMAT=form, OUTPUT="findings", GITHUB_STEP_SUMMARY=str(page))
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
        text = page.read_text()
        assert text.startswith("before\n")
        assert text.count("2 files: 1 good, 1 invalid\n") == count
    assert r"| x\|\`y\`.sdf:2 l0 |" in text


def test_the_action_writes_no_summary_without_the_variable_and_keeps_the_status_if_it_cannot(repository):
    git(repository, "add", ".")
    before = {*repository.iterdir(), *repository.parent.iterdir()}
    assert run_action(repository).returncode == 0
    assert {*repository.iterdir(), *repository.parent.iterdir()} == before
    done = run_action(repository, GITHUB_STEP_SUMMARY="absent/page.md")
    assert (done.returncode, done.stdout) == (0, "good robot.sdf: good\n::warning::the summary cannot be written\n")


def test_a_summary_that_the_options_name_is_theirs(repository):
    page = repository / "page.md"
    git(repository, "add", ".")
    assert run_action(repository, OPTIONS="--summary mine.md", GITHUB_STEP_SUMMARY=str(page)).returncode == 0
    assert "1 file" in (repository / "mine.md").read_text(encoding="utf-8") and not page.exists()
