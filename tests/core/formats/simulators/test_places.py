# SPDX-License-Identifier: GPL-3.0-or-later
"""Each finding about a file leads to the element that is wrong; findings that say the same are one line of text."""

import json
import re

import pytest
from lxml import etree

from core.errors import finding_lines
from core.formats.sdf.fill import fill, make_auto
from core.formats.sdf.read import read_sdf
from core.formats.simulators.verdicts import link_verdicts

from ...command_line import run
from ...robot_files import check_path
from ...sdf_text import BOX, inertial, joint, link

PLACE = re.compile(r"(.*):(\d+) (/.*)", re.DOTALL)

MESH = "<geometry><mesh><uri>{}</uri></mesh></geometry>"
AUTO = "<inertial auto='true'/>"

FAULTY = {
    "mass": link(content=inertial(-1, (1, 1, 1))),
    "tensor": link(content=inertial(1, (1, 1, 3))),
    "massless": link(content=inertial(0, (0, 0, 0))) + link("b") + joint("revolute", "b", "l"),
    "unit": link(content=inertial(8, (1e3, 1e3, 1.1e3))),
    "copied": "".join(link(f"l{i}", inertial(4 * 2**i, (0.03, 0.06, 0.07))) for i in range(3)),
    "default": link(content=""),
    "density": link(content=AUTO, geometry=BOX + "<density>-1</density>"),
    "no density": link(content=AUTO),
    "size": link(content=AUTO, geometry=BOX.replace("0.4", "-4")),
    "flat": link(content=AUTO, geometry="<geometry><plane/></geometry>"),
    "no geometry": link(content=AUTO, geometry=""),
    "no collision": f"<link name='l'>{AUTO}</link>",
    "no mesh": link(content=AUTO, geometry=MESH.format("lost.obj")),
    "refused mesh": link(content=AUTO, geometry=MESH.format("/etc/passwd")),
    "mesh that is none": link(content=AUTO, geometry=MESH.format("bad.obj")),
    "format": link(content=AUTO, geometry=MESH.format("mesh.xyz")),
    "open mesh": link(content=AUTO, geometry=MESH.format("open.obj")),
    "beside": link(content=f"<inertial auto='true'>{inertial(1, (1, 1, 1))[10:]}"),
    "number": link(content="<inertial><mass>heavy</mass></inertial>"),
    "pose": link(content="<pose>1 2 3</pose>"),
    "frame": "<link name='l'><pose relative_to='nowhere'/></link>",
    "circle": "<link name='l'/><frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>",
    "name": "<link name='l'/><link name='l'/><link/>",
    "joint": "<link name='l'/><joint name='j' type='fixed'><parent>world</parent><child>nothing</child></joint>",
    "typo": "<link name='l'><inertal/></link>",
    "include": "<link name='l'/><include><uri>lost</uri></include><include/>",
    "included": "<link name='l'/><include><uri>inc.sdf</uri></include>",
    "broken include": "<link name='l'/><include><uri>broken.sdf</uri></include>",
    "config": "<link name='l'/><include><uri>folder</uri></include>",
    "seen": link(content=inertial(8, (1e3, 1e3, 1e3)), geometry=MESH.format("lost.obj")),
}


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a model, beside all that the faulty ones name."""
    (tmp_path / "bad.obj").write_text("v 0 0 0\nf 1 2 x\n")
    (tmp_path / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    (tmp_path / "mesh.xyz").write_text("0")
    (tmp_path / "inc.sdf").write_text(f"<sdf version='1.11'>\n<model name='i'>\n{FAULTY['tensor']}\n</model></sdf>")
    (tmp_path / "broken.sdf").write_text("<sdf version='1.11'>\n<model")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "model.config").write_text("<model><sdf version='1.11'>lost.sdf</sdf></model>")

    def write(content):
        (tmp_path / "m.sdf").write_text(f"<sdf version='1.11'>\n<model name='m'>\n{content}\n</model></sdf>")
        return tmp_path / "m.sdf"

    return write


def assert_leads_to_an_element(subject):
    """Assert that a subject names a file, a line there, and the path of an element that begins on it."""
    path, line, element = PLACE.fullmatch(subject).groups()
    found = etree.parse(path).xpath(element)
    assert int(line) in [one.sourceline for one in found], subject  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", FAULTY)
def test_every_finding_of_each_command_leads_to_its_element(kind, file, capsys):
    path = file(FAULTY[kind])
    run("check", "--json", "--strict", "--gazebo", path)
    (checked,) = json.loads(capsys.readouterr().out)["files"]
    assert checked["findings"]
    read = read_sdf(path)
    found = [finding for body in link_verdicts(read) for finding in body.all_findings()]
    found += [*fill(read).findings, *fill(read, keep_auto=True).findings, *make_auto(read).findings]
    for subject in (*(finding["subject"] for finding in checked["findings"]), *(finding.subject for finding in found)):
        assert_leads_to_an_element(subject)


LINKS = "".join(link(f"l{number}", inertial(-1, (1, 1, 1))) for number in range(3003))


@pytest.mark.fault(98)
@pytest.mark.thorough
def test_3003_findings_of_one_cause_are_one_paragraph_and_each_in_the_json(file, capsys):
    path = file(LINKS + link("other", inertial(-2, (1, 1, 1))))
    run("check", path)
    verdict, *paragraph = capsys.readouterr().out.splitlines()
    assert verdict == f"{path}: invalid, 3004 errors"
    first, others, _, counted = paragraph[:4]
    assert first.startswith(f"  error: {path}:3 l0: ") and "l8 and 2995 more" in others and "3004 invalid" in counted
    run("check", "--json", path)
    (checked,) = json.loads(capsys.readouterr().out)["files"]
    assert len(checked["findings"]) == 3004


@pytest.mark.parametrize("command", ["fill", "report"])
def test_so_do_fill_and_report(command, file, capsys):
    run(command, file(link("l", inertial(-1, (1, 1, 1))) + link("k", inertial(-1, (1, 1, 1)))))
    lines = "".join(capsys.readouterr()).splitlines()
    assert sum("[bad_mass]" in line for line in lines) == 1 and "  The same: k" in lines


def test_findings_that_differ_in_anything_but_the_place_stay_apart(file):
    found = check_path(file(link("a", inertial(-1, (1, 1, 1))) + link("b", inertial(-2, (1, 1, 1)))))
    assert [line for line in finding_lines(found)] == [str(finding) for finding in found]
