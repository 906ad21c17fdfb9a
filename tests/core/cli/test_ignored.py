# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments `<!-- sdf-inertia: ignore[code] -->`: findings that are known and accepted where they are."""

import json

import pytest

from core.cli.check_formats import FORMATS
from core.cli.main import main
from tests.core.command_line import run, run_json

BAD = "<mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia>"
MASS = "<mass>-1</mass>"
TENSOR = "<!-- sdf-inertia: ignore[triangle_inequality] -->"


def link(name, inertial=BAD, comment=""):
    return f'<link name="{name}">\n{comment}<inertial>{inertial}</inertial>\n</link>\n'


def model(*links, before="", within="", after=""):
    return f'{before}<sdf version="1.11">{within}<model name="m">\n{"".join(links)}</model></sdf>\n{after}'


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def checked(here, capsys):
    """Return a function that checks a text; it returns the status, the findings by code and place, and how many are
    known."""

    def check(text, *words, name="robot.sdf"):
        (here / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return results(capsys, name, *words)

    return check


def results(capsys, *words):
    status, out = run_json(capsys, "check", "--json", *words)
    (file,) = out["files"]
    return status, [f"{one['code']} {one['subject']}" for one in file["findings"]], file.get("known", 0)


PLACE = "triangle_inequality robot.sdf:{} /sdf/model[@name='m']/link[@name='{}']"


def test_a_comment_of_a_million_codes_gives_few_warnings(checked):
    comment = f"<!-- sdf-inertia: ignore[{'nonsense,' * 100_000}] -->"
    status, findings, known = checked(model(link("a", comment=comment)))
    assert (status, len(findings), known) == (1, 2, 0)


@pytest.mark.parametrize("comment", ["ignore[no_such_code]", "ignore", "ignore[]", "ignored[bad_mass]"])
def test_a_comment_that_is_wrong_is_a_warning_at_its_line(checked, capsys, comment):
    text = model(link("a"), before=f"\n<!-- sdf-inertia: {comment} -->\n")
    status, findings, known = checked(text)
    assert (status, known) == (1, 0)
    assert findings[1:] == ["unused_ignore robot.sdf:2"]
    run("check", "robot.sdf")
    assert "warning: robot.sdf:2: " in capsys.readouterr().out


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be"])
def test_a_comment_of_utf_16_counts_too(checked, codec):
    text = model(link("a\U0001f600"), link("b", comment=TENSOR), link("c"))
    status, findings, known = checked(text.encode(codec))
    assert (status, known) == (1, 1)
    assert [one.split("/")[-1] for one in findings if "triangle" in one] == [
        "link[@name='a\U0001f600']",
        "link[@name='c']",
    ]


def test_a_comment_in_an_included_file_is_for_that_file(checked, here):
    world = '<sdf version="1.11"><world name="w"><include><uri>part</uri></include></world></sdf>'
    (here / "part").mkdir()
    for comment, expected in (("", (1, 0)), (TENSOR, (0, 1))):
        (here / "part/model.sdf").write_text(model(link("a", comment=comment)))
        status, _, known = checked(world)
        assert (status, known) == expected
    (here / "part/model.sdf").write_text(model(link("a"), link("b", MASS), before=TENSOR))
    assert checked(world + TENSOR, "--strict")[2] == 1
    assert "unused_ignore robot.sdf:1" in checked(world + TENSOR, "--strict")[1]


MACRO = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="body" params="izz">
<inertial>{}<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="${{izz}}"/></inertial>
</xacro:macro>
</robot>
"""

CALLS = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="macros.xacro"/>
<link name="a">{}
<xacro:body izz="5"/></link>
<link name="b">
<xacro:body izz="6"/></link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
</robot>
"""


def test_a_comment_in_a_macro_is_for_all_its_calls_and_one_at_a_call_for_that_call(checked, here):
    pytest.importorskip("xacro", reason="there is no xacro (requirements/test.txt)")
    for in_macro, at_call, expected in (("", "", (1, 0)), (TENSOR, "", (0, 2)), ("", TENSOR, (1, 1))):
        (here / "macros.xacro").write_text(MACRO.format(in_macro))
        status, findings, known = checked(CALLS.format(at_call), name="robot.urdf.xacro")
        assert (status, known) == expected, findings
    assert "link[@name='b']" in findings[0]


def test_an_unused_comment_in_a_file_of_macros_is_reported_there(checked, here):
    pytest.importorskip("xacro", reason="there is no xacro (requirements/test.txt)")
    (here / "macros.xacro").write_text(MACRO.format("<!-- sdf-inertia: ignore[bad_mass] -->"))
    _, findings, _ = checked(CALLS.format(TENSOR), "--strict", name="robot.urdf.xacro")
    assert [one for one in findings if "unused" in one] == ["unused_ignore macros.xacro:3"]


def test_a_comment_and_a_baseline_go_together(checked, here, capsys):
    text = model(link("a"), link("b"), link("c"))
    (here / "robot.sdf").write_text(text)
    _, out = run_json(capsys, "check", "--json", "robot.sdf")
    findings = [one for one in out["files"][0]["findings"] if "'c'" not in one["subject"]]
    out["files"][0]["findings"] = findings
    (here / "known.json").write_text(json.dumps(out))
    text = model(link("a", comment=TENSOR), link("b"), link("c"))
    assert checked(text, "--baseline", "known.json") == (1, [PLACE.format(8, "c")], 2)
    capsys.readouterr()
    assert run("check", "robot.sdf", "--baseline", "known.json") == 1
    assert "fixed" not in capsys.readouterr().err  # the finding is still there


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_no_error_that_is_ignored(here, capsys, form):
    (here / "robot.sdf").write_text(model(link("a", comment=TENSOR)))
    assert run("check", "--format", form, "robot.sdf") == 0
    assert "triangle_inequality" not in capsys.readouterr().out
    assert run("check", "robot.sdf") == 0
    assert capsys.readouterr().out.startswith("robot.sdf: no new finding, 1 known\n")


def test_batch_check_obeys_comments_and_repair_does_not(here, capsys):
    (here / "robot.sdf").write_text(model(link("a", comment=TENSOR)))
    assert main(["batch", "check", "robot.sdf", "--jobs", "1"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["result"] == {"findings": [], "known": 1}
    _, out = run_json(capsys, "repair", "--dry-run", "--json", "robot.sdf")
    assert "triangle_inequality" in str(out)
