# SPDX-License-Identifier: GPL-3.0-or-later
"""A name from a file is text in every output: no line, no command, no formula, no markup, no control sequence."""

import csv
import io
import json
import os
import re
import unicodedata
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.cli.batch.summary import Summary
from core.cli.main import main
from core.escapes import (
    for_csv,
    for_json,
    for_log,
    for_markdown,
    for_markdown_item,
    for_sarif,
    for_terminal,
    for_workflow_data,
)

HOOKS = Path(__file__).parents[3] / ".pre-commit-hooks.yaml"

# Pieces that together make commands, formulas, markup and control sequences, between any other characters.
PIECES: tuple[str, ...] = (
    "::",
    ":",
    "##[",
    "##",
    "[",
    "]",
    "](",
    "error",
    "stop-commands",
    "group",
    " ",
    "\n",
    "\r",
    "\t",
    "\x85",
)
PIECES += ("\xa0", "\u200b", "\u00ad", "\u202e", "\u2028", "\x1b[2J", "\x9b2J", "\\", "|", "`", "*", "_", "<b>", "&lt;")
PIECES += ("=", "+1", "-2", "@", "'", '"', ",", ";", "\uff1d", "\uffff")
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
ANY = st.lists(st.sampled_from(PIECES) | st.text(CHARACTERS, max_size=3), max_size=6).map("".join)

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d")
OURS = re.compile(r"::(error|warning|notice) file=[^:]*::[^\n]*")

MARK = "\nZq"
"""In names: if it begins a line, a name has begun one."""

URDF = """<robot name="{0}"><link name="{0}"><inertial><mass value="{1}"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial><collision name="{0}"><geometry>
<box size="1 2 3"/></geometry></collision></link></robot>"""

SDF = """<sdf version="1.11"><model name="{0}"><link name="{0}"><inertial auto="true"><density>{1}</density></inertial>
<collision name="{0}"><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""

READ_AS_SDF = ("csv", "md", "tables", "fill")
"""What shows the parts of auto links."""

COMMANDS = {
    "text": ("check", "--"),
    "verbose": ("check", "-v", "--"),
    "github": ("check", "--format", "github", "--"),
    "sarif": ("check", "--format", "sarif", "--"),
    "junit": ("check", "--format", "junit", "--"),
    "json": ("check", "--format", "json", "--"),
    "csv": ("report", "--format", "csv", "--"),
    "md": ("report", "--format", "md", "--"),
    "tables": ("report", "--format", "json", "--"),
    "report": ("report", "--"),
    "repair": ("repair", "--dry-run", "--what", "all", "--"),
    "fill": ("fill", "--json", "--"),
    "diff": ("diff", "--", "other.urdf"),
    "mass": ("mass", "--"),
    "batch": ("batch", "check", "--jobs", "1", "--"),
    "usage": ("check", "--badge", "-", "--json", "--total-mass"),
}


def is_command(line):
    """Return True if the runner of GitHub Actions may take a line for a command, as its ActionCommand.cs reads it."""
    line = "".join(one for one in line if unicodedata.category(one) != "Cf").lstrip()
    return line.startswith("::") or "##[" in line


def assert_is_text(output):
    assert not CONTROL.search(output)
    for line in output.split("\n"):
        assert not is_command(line) or OURS.fullmatch(line), line
        assert not line.lstrip().startswith(MARK.strip()), line


def columns_of(row):
    return re.sub(r"\\.", "", row).count("|")


def printed(form, name):
    """Run a command on a robot whose file, model, link and collision have a name; return what it prints."""
    references = "".join(f"&#{ord(one)};" for one in name)
    suffix, robot = ("sdf", SDF) if form in READ_AS_SDF else ("urdf", URDF)
    file = f"{name.replace('/', '')[:60]}.{suffix}"
    out, err = io.StringIO(), io.StringIO()
    with TemporaryDirectory() as folder, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            Path(file).write_text(robot.format(references, 1))
        except (OSError, ValueError):
            assume(False)
        Path("other.urdf").write_text(URDF.format(references, 2))
        try:
            main([*COMMANDS[form], file])
        except SystemExit:
            assert form == "usage"
    assert out.getvalue() + err.getvalue()
    return out.getvalue(), err.getvalue()


@given(ANY)
@example(" ::error::x")
@example("\u00ad:\u200b:error::x")
@example("a ##[add-matcher]x")
@example("#\u200b#[group]")
@pytest.mark.fault(130)
def test_no_line_of_a_log_is_a_command(name):
    for escape in (for_log, for_csv):
        assert_is_text(escape(name))
    for escape in (for_terminal, for_workflow_data, for_sarif, for_markdown, for_markdown_item):
        assert_is_text(f"x{escape(name)}")
        assert "\n" not in escape(name)


@given(ANY)
@pytest.mark.fault(130)
def test_json_is_the_same_value_without_commands(name):
    document = json.dumps({name: [name]}, ensure_ascii=False, indent=2)
    assert json.loads(for_json(document)) == {name: [name]}
    assert_is_text(for_json(document))


@given(ANY)
@pytest.mark.fault(133)
def test_a_cell_of_markdown_is_one_cell_without_markup(name):
    row = for_markdown(name)
    assert columns_of(f"| {row} | b |") == 3
    bare = re.sub(r"\\.", "\\\\", row)
    assert not set(bare) & set("<`*|~") and "](" not in bare
    assert not re.search(r"(^|[^\w])_|_($|[^\w])", bare) and ("&lt;" not in name or "&amp;lt;" in row)


def read_as_markdown(item):
    """The kinds and the contents of what an item of a list has, as a reader of CommonMark finds them."""
    (inline,) = [token for token in MarkdownIt().parse(f"- x {item}") if token.type == "inline"]
    return [(token.type, token.content) for token in inline.children]


@given(ANY)
@example("a`<b>`_c_`")
@pytest.mark.fault(133)
def test_a_name_in_an_item_of_markdown_is_text_or_code(name):
    assert {kind for kind, _ in read_as_markdown(for_markdown_item(name))} <= {"text", "text_special", "code_inline"}


@given(ANY)
def test_a_command_in_an_item_is_code_to_be_copied(name):
    assume("`" not in name)
    command = """python -m pip install "cadquery-ocp-novtk>=8,<9" '*_x_' &amp; [y](z)"""
    tokens = read_as_markdown(for_markdown_item(f"{name} run `{command}` {name}"))
    assert ("code_inline", command) in tokens


@given(ANY)
@pytest.mark.fault(133)
def test_csv_reads_back_to_the_name_and_is_no_formula(name):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([for_csv(name), -1.5])
    ((cell, number),) = csv.reader(io.StringIO(text.getvalue(), newline=""))
    assert not cell.lstrip().startswith(FORMULA) and number == "-1.5"
    if for_terminal(name) == name:
        assert cell in (name, f"'{name}")


@pytest.mark.fault(130, 133)
@pytest.mark.parametrize("form", [form for form in COMMANDS if form != "batch"])
def test_a_robot_of_any_name_is_text_in_every_output(form):
    @settings(max_examples=40)
    @given(ANY, ANY)
    @example(" ::stop-commands::", "::error::x")
    @example("::add-matcher::zz", "a\\|b")
    @example("=cmd()", "a ##[add-matcher]b")
    def holds(begin, end):
        out, err = printed(form, f"{begin}{MARK}{end}")
        assert_is_text(out)
        assert_is_text(err)
        if form in ("json", "sarif", "tables", "fill"):
            json.loads(out)
        if form == "junit":
            assert ElementTree.fromstring(out.partition("\n")[2]).tag == "testsuites"
        if form == "github":
            assert not out.splitlines()[-1].startswith("::")
        if form == "csv":
            rows = list(csv.DictReader(io.StringIO(out, newline="")))
            assert [bool(row["part"]) for row in rows] in ([], [True, False, False])
            assert not any(row[key].startswith(FORMULA) for row in rows for key in ("file", "model", "link", "part"))
        if form == "md":
            rows = [line for line in out.splitlines() if line.startswith("|")]
            assert len(set(map(columns_of, rows))) == 1

    holds()


@pytest.mark.fault(130)
@pytest.mark.parametrize("name", [" ::stop-commands::z", "a ##[add-matcher]x|y", "a\n::error::\x1b[2J\x9b2J"])
def test_a_batch_prints_any_name_as_text(name):
    out, err = printed("batch", name)
    assert_is_text(out)
    assert_is_text(err)
    assert json.loads(out)["input"] == f"{name}.urdf" and "| not done |" in err


@given(ANY, ANY)
@pytest.mark.fault(130, 133)
def test_the_summary_of_a_batch_keeps_its_columns(name, message):
    summary = Summary()
    summary.add({"outcome": "refused", "seconds": 1.0, "input": name, "message": message, "result": {}})
    text = summary.markdown(2.0)
    assert_is_text(text)
    tables = [[columns_of(row) for row in part.splitlines()] for part in text.split("\n\n")[1:]]
    assert [set(table) for table in tables] == [{3}, {4}, {3}]


@pytest.mark.fault(133)
def test_a_link_of_a_plain_name_stays_as_it_is_in_the_tables():
    name = "wheel_front-1.5 (left) [a] größe"
    assert {escape(name) for escape in (for_log, for_terminal, for_csv, for_markdown, for_sarif)} == {name}
    assert for_csv("-2") == "'-2"


@pytest.mark.fault(131)
def test_the_hook_ends_its_options_before_the_names_of_files():
    assert "  args: [--]\n" in HOOKS.read_text()


@pytest.mark.fault(131)
def test_a_file_named_like_an_option_is_checked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    os.mkdir("--baseline=d")
    name = "--baseline=d/k.urdf"
    Path(name).write_text(URDF.format("l", 1))
    assert main(["check", "--", name]) == 1
    assert f"{name}: invalid" in capsys.readouterr().out


@pytest.mark.fault(94)
def test_sarif_has_the_error_numbers_of_libsdformat(tmp_path, capsys):
    path = tmp_path / "bad.sdf"
    path.write_text('<sdf version="1.11"><model name="m"><link name="l"><pose>x</pose></link></model></sdf>')
    main(["check", "--format", "json", str(path)])
    (finding, *_) = json.loads(capsys.readouterr().out)["files"][0]["findings"]
    main(["check", "--format", "sarif", str(path)])
    (result, *_) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["properties"]["sdf_codes"] == finding["sdf_codes"] == [9, 1]


@pytest.mark.fault(140)
def test_an_empty_mesh_gets_the_remedies_of_the_command(tmp_path, capsys):
    path = tmp_path / "empty.stl"
    path.write_bytes(bytes(84))
    assert main(["check", str(path)]) == 1
    printed = capsys.readouterr().out
    assert "the mesh is empty" in printed and "tag" not in printed.split("[no_faces]")[1]
