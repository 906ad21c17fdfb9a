# SPDX-License-Identifier: GPL-3.0-or-later
"""A format that is not XML: its own parser makes the elements, and the rest of a robot's file follows."""

from dataclasses import replace

import pytest

from core import read_robot
from core.document.document import Document
from core.formats import table
from core.formats.sdf.format import SDF


def parsed(data, name, path):
    """Return the document of lines ``link mass ixx iyy izz``."""
    links = ""
    for line in data.decode().splitlines():
        link, mass, *moments = line.split()
        tensor = "".join(f"<i{a}{a}>{moment}</i{a}{a}>" for a, moment in zip("xyz", moments, strict=True))
        links += f"<link name='{link}'><inertial><mass>{mass}</mass><inertia>{tensor}</inertia></inertial></link>"
    return Document.parse(f"<sdf version='1.11'><model name='m'>{links}</model></sdf>".encode(), name, path)


@pytest.fixture
def robot(monkeypatch, tmp_path):
    lines = replace(SDF, name="Lines", suffixes=(".lines",), parse=parsed)
    monkeypatch.setattr(table, "FORMATS", (*table.FORMATS, lines))
    file = tmp_path / "robot.lines"
    file.write_text("good 2 0.01 0.02 0.02\nbad 2 0.01 0.02 0.2\n")
    return read_robot(file)


def test_a_format_with_its_own_parser_is_read_and_checked(robot):
    assert [link.inertial.mass for link in robot.links.values()] == [2.0, 2.0]
    errors = [finding for finding in robot.check() if finding.severity == "error"]
    assert [finding.code for finding in errors] == ["triangle_inequality"]
    assert "link[@name='bad']" in errors[0].subject
