# SPDX-License-Identifier: GPL-3.0-or-later
"""Exit statuses of ``fill``: 1 and nothing written where a simulator would refuse a link; the same as check's."""

import pytest

from core.document.document import Document
from core.errors import has_error
from core.formats.sdf.read import read_document

from ....thorough import many
from ...command_line import run, run_json
from ...robot_files import check_path

BOX = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
AUTO = "<inertial auto='true'><density>500</density></inertial>"


def explicit(mass=8, moments=(1, 1, 1)):
    cells = "".join(f"<i{axis}{axis}>{moment}</i{axis}{axis}>" for axis, moment in zip("xyz", moments, strict=True))
    return f"<inertial><mass>{mass}</mass><inertia>{cells}</inertia></inertial>"


def link(name, inertial, content=BOX):
    return f"<link name='{name}'>{inertial}{content}</link>"


def fixed(child, parent="world"):
    return f"<joint name='j_{child}' type='fixed'><parent>{parent}</parent><child>{child}</child></joint>"


def robot(*links, extra=""):
    return f"<sdf version='1.11'>\n<model name='m'>\n{''.join(one + chr(10) for one in links)}{extra}</model>\n</sdf>"


REFUSED = {
    "bad_mass": link("b", explicit(mass=-1)),
    "not_finite": link("b", explicit(mass="inf")),
    "zero_mass": link("b", explicit(mass=0)),
    "negative_moment": link("b", explicit(moments=(-1, 1, 1))),
    "triangle_inequality": link("b", explicit(moments=(1, 1, 3))),
    "bad_number": link("b", "<inertial><mass>1 kg</mass></inertial>"),
    "no_collision": link("b", AUTO, ""),
    "bad_density": link("b", AUTO.replace("500", "-500")),
    "frame_not_found": link("b", AUTO).replace("<inertial", "<pose relative_to='nowhere'/><inertial", 1),
}

SAME_IN_ALL = ("check", "report", "fill", "fill --auto")


def statuses(path, tmp_path):
    found = {"check": int(has_error(check_path(path))), "report": run("report", path)}
    for command in ("fill", "fill --auto"):
        out = tmp_path / f"{command}.out.sdf"
        found[command] = run(*command.split(), path, "-o", out)
        assert out.exists() == (found[command] == 0)
    return found


@pytest.mark.parametrize("code", REFUSED)
def test_every_command_says_1_and_fill_writes_nothing(code, tmp_path, capfd):
    path = tmp_path / "m.sdf"
    path.write_text(robot(link("a", AUTO), link("c", explicit()), REFUSED[code]))
    assert statuses(path, tmp_path) == dict.fromkeys(SAME_IN_ALL, 1)
    assert f"[{code}]" in capfd.readouterr().err
    assert run("fill", path) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "nothing is written" in captured.err and "--skip-invalid" in captured.err


@pytest.mark.parametrize("code", [code for code in REFUSED if code != "frame_not_found"])
@pytest.mark.parametrize("options", [(), ("--auto",)])
def test_skip_invalid_writes_the_others_and_leaves_the_refused_bytes(options, code, tmp_path):
    path, out = tmp_path / "m.sdf", tmp_path / "out.sdf"
    path.write_text(robot(link("a", AUTO), link("c", explicit()), REFUSED[code]))
    assert run("fill", *options, path, "-o", out, "--skip-invalid") == 1
    text = out.read_text()
    assert REFUSED[code] in text
    links = {one.name: one for one in read_document(Document.parse(text.encode(), "out.sdf")).links}
    assert (links["m::a"].auto, links["m::c"].auto) == ((True, True) if options else (False, False))
    assert text != path.read_text()


def test_in_place_a_refused_file_stays_to_the_byte(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(robot(link("a", AUTO), REFUSED["bad_mass"]))
    before = path.read_bytes()
    assert run("fill", path, "--in-place") == 1
    assert path.read_bytes() == before
    assert run("fill", path, "--in-place", "--skip-invalid") == 1
    assert path.read_bytes() != before


def test_json_says_that_nothing_was_written(tmp_path, capsys):
    path, out = tmp_path / "m.sdf", tmp_path / "out.sdf"
    path.write_text(robot(link("a", AUTO), REFUSED["bad_mass"]))
    status, answer = run_json(capsys, "fill", path, "-o", out, "--json")
    assert (status, answer["output"], [one["done"] for one in answer["links"]]) == (1, None, [False])
    assert [finding["code"] for finding in answer["findings"]] == ["bad_mass"]
    status, answer = run_json(capsys, "fill", path, "-o", out, "--json", "--skip-invalid")
    assert (status, answer["output"], [one["done"] for one in answer["links"]]) == (1, str(out), [True])


def test_a_refused_link_of_an_included_file_counts_too(tmp_path):
    (tmp_path / "part.sdf").write_text(robot(REFUSED["bad_mass"]).replace("'m'", "'part'"))
    path = tmp_path / "m.sdf"
    path.write_text(robot(link("a", AUTO), extra="<include><uri>part.sdf</uri></include>"))
    assert statuses(path, tmp_path) == dict.fromkeys(SAME_IN_ALL, 1)


HELD = [
    (link("b", explicit(0, (0, 0, 0))), fixed("b")),
    (link("b", explicit(0, (0, 0, 0))), fixed("b", "a")),
    (link("b", explicit(0, (0, 0, 0))), "<static>true</static>"),
]


@pytest.mark.parametrize("massless, extra", HELD)
def test_a_massless_link_that_is_held_is_taken_by_every_command(massless, extra, tmp_path, capsys):
    path = tmp_path / "m.sdf"
    path.write_text(robot(link("a", AUTO), massless, extra=extra))
    assert statuses(path, tmp_path) == dict.fromkeys(SAME_IN_ALL, 0)
    assert run("diff", path, path) == 0
    _, answer = run_json(capsys, "report", path, "--format", "json")
    (body,) = [one for one in answer["models"][0]["links"] if one["name"] == "b"]
    assert body["mass"] == 0.0 and body["inertia"]["ixx"] == 0.0
    assert [(one["severity"], one["code"]) for one in body["findings"]] == [("info", "zero_mass")]


def test_a_massless_link_with_an_impossible_tensor_is_refused(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(robot(link("a", AUTO), link("b", explicit(0, (1, 1, 3))), extra=fixed("b")))
    assert statuses(path, tmp_path) == dict.fromkeys(SAME_IN_ALL, 1)


def test_many_links_fixed_in_a_row_are_held_by_the_last(tmp_path):
    names = [f"l{i}" for i in range(many(1000, 200))]
    massless = [link(name, explicit(0, (0, 0, 0)), "") for name in names]
    joints = [fixed(name, after) for name, after in zip(names, [*names[1:], "heavy"], strict=True)]
    path = tmp_path / "m.sdf"
    path.write_text(robot(*massless, link("heavy", explicit()), extra="".join(joints)))
    assert run("fill", path, "-o", tmp_path / "out.sdf") == 0
    loose = "".join(joints[-9:]).replace("heavy", "nothing")
    path.write_text(robot(*massless[-9:], link("heavy", explicit()), extra=loose))
    assert run("fill", path, "-o", tmp_path / "other.sdf") == 1
    assert not (tmp_path / "other.sdf").exists()


GROUND = "<collision name='ground'><geometry>{}</geometry></collision>"


@pytest.mark.fault(65)
@pytest.mark.parametrize(
    "geometry",
    [
        "<plane/>",
        "<heightmap><uri>height.png</uri></heightmap>",
        "<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height></polyline>",
    ],
    ids=["plane", "heightmap", "polyline"],
)
def test_a_shape_without_inertia_is_an_error_and_the_rest_is_summed(geometry, tmp_path, capsys):
    path = tmp_path / "m.sdf"
    (tmp_path / "height.png").touch()
    path.write_text(robot(link("a", AUTO), link("b", AUTO, BOX + GROUND.format(geometry))))
    status, answer = run_json(capsys, "report", path, "--format", "json")
    assert status == 1
    whole, refused = answer["models"][0]["links"]
    assert whole["mass"] == refused["mass"] == 3000  # as libsdformat sums what is left
    part, ground = refused["parts"]
    assert (part["mass"], ground["mass"]) == (3000, None)
    (error,) = [finding for finding in ground["findings"] if finding["severity"] == "error"]
    assert (error["code"], error["sdf_codes"]) == ("unsupported_geometry", [37, 19])
    assert {finding["code"] for finding in refused["findings"]} == {"part_refused"}
    assert statuses(path, tmp_path) == dict.fromkeys(SAME_IN_ALL, 1)
