# SPDX-License-Identifier: GPL-3.0-or-later
"""A name from a file is text in every output: no line, no command, no formula, no markup, no control sequence."""

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cli.main import main
from core.escapes import for_csv, for_log, for_markdown, for_terminal, for_workflow_data

HOOKS = Path(__file__).parents[3] / ".pre-commit-hooks.yaml"

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        "::error::x",
        "a\n::stop-commands::z",
        "=1+1",
        "-2",
        "@x",
        "\x1b[2J",
        "\x9b2J",
        "a|b",
        "<b>",
        "[x](y)",
        "\u202egpj",
    ]
)

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

ROBOT = """<robot name="r"><link name="{}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""

NAMES = ["::error::x", "a&#10;::stop-commands::z", "=cmd()", "a|b", "&lt;b&gt;", "&#9;x", "a&#155;2J", "[x](y)"]


@given(ANY)
def test_no_line_of_a_terminal_ends_in_a_name_or_moves_its_cursor(name):
    assert not CONTROL.search(for_terminal(name)) and "\n" not in for_terminal(name)


@given(ANY)
def test_no_line_of_a_workflow_becomes_a_command(name):
    assert not for_log(name).startswith(("::", "##["))
    assert "\n" not in for_workflow_data(name) and not CONTROL.search(for_workflow_data(name))


@given(ANY)
def test_no_cell_of_a_spreadsheet_becomes_a_formula(name):
    text = io.StringIO()
    csv.writer(text).writerow([for_csv(name), 1.5])
    (cell, number), *rest = csv.reader(io.StringIO(text.getvalue(), newline=""))
    assert not rest and not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert cell.removeprefix("'") == name.removeprefix("'") and number == "1.5"


@given(ANY)
def test_a_cell_of_markdown_is_one_cell_without_markup(name):
    row = for_markdown(name)
    assert "\n" not in row and not re.search(r"(?<!\\)\||<|(?<!\\)[`*]|(?<!\\)\]\(|(?<=\])\(", row.replace("\\](", ""))


@pytest.mark.fault(130)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("words", ["check", "check --format github", "report", "repair --dry-run", "check -v"])
def test_a_link_of_any_name_is_text_in_what_a_command_prints(name, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("::warning::x.urdf").write_text(ROBOT.format(name))
    command, *options = words.split()
    main(
        [command, *options, "--", "::warning::x.urdf"] if command != "repair" else [*words.split(), "::warning::x.urdf"]
    )
    printed = "".join(capsys.readouterr())
    assert printed and not CONTROL.search(printed)
    commands = [line for line in printed.splitlines() if line.startswith("::")]
    assert not commands or "github" in words
    assert all(re.match(r"::(error|warning|notice) file=%3A%3A", line) for line in commands)


@pytest.mark.fault(130)
@pytest.mark.parametrize("name", NAMES)
def test_a_link_of_any_name_is_text_in_junit(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("r.urdf").write_text(ROBOT.format(name))
    assert main(["check", "--format", "junit", "r.urdf"]) == 1
    assert ElementTree.fromstring(capsys.readouterr().out.split("\n", 1)[1]).tag == "testsuites"


@pytest.mark.fault(133)
@pytest.mark.parametrize("name", NAMES)
def test_a_link_of_any_name_is_text_in_the_report(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("r.urdf").write_text(ROBOT.format(name))
    main(["report", "--format", "csv", "r.urdf"])
    cells = [
        cell for row in csv.DictReader(io.StringIO(capsys.readouterr().out)) for cell in (row["link"], row["part"])
    ]
    assert any(cells) and not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in cells)
    main(["report", "--format", "md", "r.urdf"])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1 and "<b>" not in "".join(rows)


@pytest.mark.fault(131)
def test_the_hook_ends_its_options_before_the_names_of_files():
    assert "  args: [--]\n" in HOOKS.read_text()


@pytest.mark.fault(131)
def test_a_file_named_like_an_option_is_checked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name = "--baseline=known.urdf"
    Path(name).write_text(ROBOT.format("l"))
    assert main(["check", "--", name]) == 1
    assert f"{name}: refused" in capsys.readouterr().out


@pytest.mark.fault(140)
def test_an_empty_mesh_gets_the_remedies_of_the_command(tmp_path, capsys):
    path = tmp_path / "empty.stl"
    path.write_bytes(bytes(84))
    assert main(["check", str(path)]) == 1
    printed = capsys.readouterr().out
    assert "the mesh is empty" in printed and "tag" not in printed.split("[no_faces]")[1]
