# SPDX-License-Identifier: GPL-3.0-or-later
"""A person at a terminal gets colours and tables, a pipe plain text; `explain` says what a code means."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.cli.terminal import changed
from core.files.mesh_writers import obj_bytes
from core.findings.listed import listed
from core.mesh.surface import Surface

from ..solids import box

CHECKOUT = Path(__file__).parents[3]
ARM = CHECKOUT / "examples" / "arm.urdf"


def at_a_terminal(*words, **environment):
    """Run a command in a pseudo-terminal of 100 columns; return what it shows."""
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    pytest.importorskip("rich", reason="rich is not installed")
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment}
    command = [sys.executable, "-m", "core", *map(str, words)]
    run = subprocess.Popen(command, cwd=CHECKOUT, env=env, stdout=theirs, stderr=subprocess.DEVNULL, close_fds=True)
    os.close(theirs)
    shown = b""
    while True:
        try:
            block = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        shown += block
    os.close(ours)
    run.wait()
    return shown.decode()


def plain(shown):
    """Return what a terminal shows without colours and with the line ends of a file."""
    return re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\r", "")


def test_a_terminal_shows_place_message_fix_and_the_next_command():
    shown = at_a_terminal("check", ARM)
    assert "\x1b[" in shown and "arm.urdf:8 base" in shown and "Fix:" in shown
    assert "3 errors, 1 warning in 1 file" in shown and "sdf-inertia repair" in shown


def test_a_terminal_without_colours_gets_none():
    shown = at_a_terminal("check", ARM, NO_COLOR="1")
    assert "arm.urdf:8 base" in shown and "\x1b[31" not in shown and "\x1b[1;31" not in shown


def test_a_dumb_terminal_gets_the_text_of_a_pipe():
    assert "\x1b" not in at_a_terminal("check", ARM, TERM="dumb")


FAULTS = [CHECKOUT / "tests" / "core" / "golden" / f"faults.{kind}" for kind in ("urdf", "sdf")]


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize(
    "words",
    [["repair", "-v", "--dry-run", FAULTS[0]], ["report", FAULTS[1]], ["diff", *FAULTS], ["check", "-v", *FAULTS]],
)
def test_no_line_is_wider_than_the_terminal(words, columns):
    lines = plain(at_a_terminal(*words, COLUMNS=str(columns))).splitlines()
    wide = [line for line in lines if not re.fullmatch(r" +`[^`]*`\S*", line)]  # a command is one line
    assert len(wide) > 20 and columns - 20 < max(map(len, wide)) <= columns


def test_a_wide_terminal_gets_lines_of_at_most_100_columns():
    lines = plain(at_a_terminal("check", *FAULTS, COLUMNS="200")).splitlines()
    assert 80 < max(map(len, lines)) <= 100


def findings_in(shown):
    """Return the paragraph of each error and warning in what a command prints, in one line."""
    paragraphs = re.findall(r"^( *)((?:error|warning): .*(?:\n\1 .*)*)", plain(shown), re.MULTILINE)
    return [" ".join(paragraph.split()) for _, paragraph in paragraphs]


def test_a_finding_is_the_same_in_every_command_pipe_and_terminal(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(CHECKOUT)
    arm = ARM.relative_to(CHECKOUT)
    expected = findings_in(at_a_terminal("check", arm, COLUMNS="60"))
    assert len(expected) == 4 and expected[0].startswith("error: examples/arm.urdf:8 base: no body has")
    page = tmp_path / "arm.html"
    for words in (["check", arm], ["report", arm], ["report", arm, "--format", "html", "-o", page]):
        main([*map(str, words)])
        assert findings_in("".join(capsys.readouterr())) == expected
    assert findings_in(at_a_terminal("report", arm)) == expected
    main(["diff", str(arm), str(arm)])
    assert findings_in(capsys.readouterr().out) == expected[:1]  # the only one about the numbers alone
    main(["repair", str(arm), "--dry-run", "--what", "missing"])
    assert findings_in(capsys.readouterr().err) == expected[:3]  # it leaves doubts alone


def test_no_line_ends_within_a_command(tmp_path, capsys):
    robot = tmp_path / f"{'a robot' * 20}.urdf"
    robot.write_bytes(ARM.read_bytes())
    for shown in (at_a_terminal("check", robot, COLUMNS="60"), main(["check", str(robot)]) and capsys.readouterr().out):
        assert f"`sdf-inertia repair --in-place '{robot}'`" in plain(shown)


def test_repair_shows_why_if_it_is_asked_to():
    why = "no body has the principal moments"
    assert why in plain(at_a_terminal("repair", "--dry-run", "-v", ARM))
    assert why not in plain(at_a_terminal("repair", "--dry-run", ARM))


def test_the_next_command_stays_on_one_line_however_long(tmp_path):
    robot = tmp_path / f"{'r' * 120}.urdf"
    robot.write_bytes(ARM.read_bytes())
    shown = plain(at_a_terminal("check", robot, COLUMNS="80")).splitlines()
    assert f"next: sdf-inertia repair --in-place --dry-run {robot}" in shown


def test_the_lines_of_a_finding_do_not_end_in_spaces():
    shown = plain(at_a_terminal("check", ARM)).splitlines()
    assert [line for line in shown if line.startswith("    Fix:")] and shown == [line.rstrip() for line in shown]


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("850", "0.85", ["0.85"]),
        ("0, 0, 120", "0, 0, 0.12", ["0.12"]),
        ("0.1, 0.2, 0.3", "0.15, 0.2, 0.4", ["5", "4"]),
        ("", "1, 2, 3", ["1", "2", "3"]),
        ("1, 2, 3", "1, 2, 3", []),
    ],
)
def test_each_number_marks_its_own_changed_digits(old, new, marked):
    pytest.importorskip("rich", reason="rich is not installed")
    text = changed(old, new)
    assert text.plain == new
    assert [new[span.start : span.end] for span in text.spans if span.style and span.start < span.end] == marked


def test_markup_in_a_name_is_shown_as_text(tmp_path):
    robot = tmp_path / "r.urdf"
    robot.write_text(ARM.read_text().replace('"base"', '"[red]base[/red]"'))
    assert "[red]base[/red]" in plain(at_a_terminal("check", robot))
    assert "[red]base[/red]" in plain(at_a_terminal("report", robot))


@pytest.mark.fault(130)
@pytest.mark.parametrize("words", [["check", "-v"], ["report"], ["repair", "-v", "--dry-run"], ["diff", ARM]])
def test_a_control_sequence_in_a_name_is_shown_as_text(words, tmp_path):
    robot = tmp_path / "r.urdf"
    text = ARM.read_text()
    for name in ("arm", "base"):
        text = text.replace(f'"{name}"', f'"&#27;[2J{name}&#155;2J"')
    robot.write_text(text)
    shown = plain(at_a_terminal(*words, robot))
    assert "\\x9b2J" in shown and not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)


def test_a_terminal_counts_what_is_wrong_in_each_file():
    shown = plain(at_a_terminal("check", ARM, FAULTS[1]))
    assert "arm.urdf: invalid, 3 errors, 1 warning\n" in shown and "in 2 files" in shown


def test_a_pipe_gets_no_colours_and_never_imports_rich():
    script = (
        f"import sys; from core.cli.main import main; main(['check', {str(ARM)!r}]); sys.exit('rich' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script, ARM], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and "invalid" in run.stdout and "\x1b" not in run.stdout


def test_quiet_prints_errors_alone_and_nothing_of_a_sound_file(tmp_path, capsys):
    assert main(["check", "-q", str(ARM)]) == 1
    printed = capsys.readouterr().out
    assert "[triangle_inequality]" in printed and "warning:" not in printed
    sound = tmp_path / "sound.urdf"
    sound.write_text("<robot name='r'><link name='l'/></robot>")
    assert main(["check", "-q", str(sound)]) == 0 and capsys.readouterr().out == ""


def test_quiet_prints_nothing_of_a_sound_file_at_a_terminal(tmp_path):
    sound = tmp_path / "sound.urdf"
    sound.write_text("<robot name='r'><link name='l'/></robot>")
    assert at_a_terminal("check", "-q", sound) == ""


def test_verbose_explains_each_finding(capsys):
    assert main(["check", "-v", str(ARM)]) == 1
    assert listed()["triangle_inequality"].meaning.split(",")[0] in " ".join(capsys.readouterr().out.split())


def test_several_meshes_are_a_table_with_a_line_each(tmp_path, capsys):
    names = []
    for size in (1.0, 2.0):
        path = tmp_path / f"box{size:g}.obj"
        path.write_bytes(obj_bytes(Surface(*box((size, size, size)))))
        names.append(str(path))
    assert main(["mass", *names, "--density", "1"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("file") and "mass [kg]" in head
    assert [row.split()[2] for row in rows] == [f"{size**3:g}" for size in (1.0, 2.0)]


@pytest.mark.parametrize("code", ["open_mesh", "bad_mass", "no_link"])
def test_explain_says_what_a_code_means_and_what_helps(code, capsys):
    assert main(["explain", code]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert listed()[code].title in printed and listed()[code].remedy in printed and "{" not in printed


def test_explain_tells_values_from_actions_of_the_same_name(capsys):
    assert main(["explain", "com_outside"]) == 0
    assert "m lies <outside> m outside the bounding box" in capsys.readouterr().out
    assert main(["explain", "inside_out"]) == 0
    assert "Fix: recalculate the normals" in capsys.readouterr().out


def test_explain_lists_all_codes(capsys):
    assert main(["explain"]) == 0
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:2] == "  "} == set(listed())


def test_explain_names_codes_near_an_unknown_one(capsys):
    assert main(["explain", "triangle_inequalty"]) == 2
    assert "did you mean triangle_inequality" in capsys.readouterr().err


def test_the_next_command_is_that_of_an_error_and_is_whole(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = """<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="{0}" iyy="{0}" izz="{1}" ixy="0"
ixz="0" iyz="0"/></inertial><collision><geometry><box size=".1 .2 .3"/></geometry></collision></link></robot>"""
    Path("doubt.urdf").write_text(text.format(1, 1))
    Path("it's `bad`.urdf").write_text(text.format(0.001, 0.01))
    assert main(["check", "."]) == 1
    (command,) = re.findall("^next: (sdf-inertia repair .*)", capsys.readouterr().out, re.MULTILINE)
    assert shlex.split(command)[2:] == ["--in-place", "--dry-run", "it's `bad`.urdf"]
