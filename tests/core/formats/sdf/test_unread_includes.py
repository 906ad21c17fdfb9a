# SPDX-License-Identifier: GPL-3.0-or-later
"""Includes from the network, of what is not found, and with params: what of the rest is read, filled and an error."""

import pytest

from core.formats.sdf.read import read_sdf

from ...command_line import run, run_json
from .texts import codes_of

FUEL = "https://fuel.gazebosim.org/1.0/OpenRobotics/models/"
BALL = (
    "<link name='l'><inertial auto='true'/><collision name='c'><density>700</density><geometry><sphere>"
    "<radius>0.1</radius></sphere></geometry></collision></link>"
)
TABLE = f"<include><uri>{FUEL}Table</uri><name>table</name></include>"
ARM = f"<include merge='true'><uri>{FUEL}Arm</uri></include>"
NAMELESS = f"<include><uri>{FUEL}Lamp</uri></include>"


def world(*includes, model=BALL):
    return f"<sdf version='1.11'><world name='w'>{''.join(includes)}<model name='m'>{model}</model></world></sdf>"


@pytest.fixture
def written(tmp_path):
    def write(text, name="w.sdf"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


NOT_READ = ("warning", "include_not_read")


@pytest.mark.fault(147)
def test_includes_from_the_network_are_one_warning_with_their_count(written, tmp_path):
    inner = written(f"<sdf version='1.11'><model name='i'>{BALL}{NAMELESS}</model></sdf>", "i.sdf")
    path = written(world(TABLE, NAMELESS * 10, f"<include><uri>{inner.name}</uri></include>"))
    file = read_sdf(path)
    assert codes_of(file.findings) == [NOT_READ]
    assert file.findings[0].message == "12 included models from the network were not read"
    assert [link.body.inertial is None for link in file.links] == [False, False]
    assert run("check", path) == run("report", path) == run("fill", path, "-o", tmp_path / "filled.sdf") == 0
    assert b"<mass>" in (tmp_path / "filled.sdf").read_bytes()


@pytest.mark.fault(147)
def test_includes_that_are_not_found_are_one_warning_that_lists_them(written):
    file = read_sdf(written(world(*(f"<include><uri>model://{name}</uri></include>" for name in "abcadefgh"), TABLE)))
    assert codes_of(file.findings) == [NOT_READ] * 2
    first = file.findings[0]
    assert first.message.startswith("9 included models were not read: 'model://a' is not found in ")
    assert first.message.endswith("'model://b', 'model://c', 'model://d', 'model://e', 'model://f' and 2 more")
    assert first.sdf_codes == (14,) and "--path" in first.remedy


@pytest.mark.fault(147)
@pytest.mark.parametrize("option, status", [((), 0), (("--strict",), 1)])
def test_fill_strict_refuses_what_it_could_not_read(option, status, written, tmp_path, capsys):
    target = tmp_path / "filled.sdf"
    code, said = run_json(capsys, "fill", written(world(TABLE)), "-o", target, "--json", *option)
    assert code == status and target.exists() == (status == 0)
    (finding,) = [one for one in said["findings"] if one["code"] == "include_not_read"]
    assert finding["severity"] == ("error" if status else "warning")


@pytest.mark.fault(147)
@pytest.mark.parametrize(
    ("include", "code"),
    [
        ("<include><uri/></include>", "uri_refused"),
        ("<include><uri>a\tb</uri></include>", "uri_refused"),
        ("<include/>", "missing_element"),
        ("<include><uri>w.sdf</uri></include>", "include_cycle"),
        ("<include><uri>empty.sdf</uri></include>", "missing_element"),
    ],
)
def test_an_include_that_is_wrong_itself_is_an_error(include, code, written):
    written("<sdf version='1.11'/>", "empty.sdf")
    file = read_sdf(written(world(include)))
    assert ("error", code) in codes_of(file.findings)
    assert [link.name for link in file.links] == ["m::l"]


@pytest.mark.fault(175)
def test_an_include_whose_xml_is_broken_leaves_the_rest_to_be_judged(written):
    written("<sdf", "broken.sdf")
    file = read_sdf(written(world("<include><uri>broken.sdf</uri></include>")))
    assert codes_of(file.findings) == [("warning", "include_not_read")] and [link.name for link in file.links] == [
        "m::l"
    ]
    assert "this is not XML" in file.findings[0].message


@pytest.mark.fault(92)
def test_an_include_with_params_is_refused_by_name_and_the_rest_is_read(written):
    written(f"<sdf version='1.11'><model name='arm'>{BALL}</model></sdf>", "arm.sdf")
    params = "<experimental:params><link element_id='l' action='remove'/></experimental:params>"
    changed = f"<include><uri>arm.sdf</uri>{params}</include>"
    file = read_sdf(written(world(changed, "<include><uri>arm.sdf</uri><name>b</name></include>")))
    assert [one for one in codes_of(file.findings) if one[0] != "info"] == [("error", "include_params")]
    assert "/include" in file.findings[-1].subject and "experimental:params" in file.findings[-1].message
    assert [link.name for link in file.links] == ["b::l", "m::l"]
    assert all(link.body.inertial.mass > 0.0 for link in file.links)
