# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots for the tests of what is judged."""

import pytest


@pytest.fixture
def robot(tmp_path):
    """Return a function that writes a URDF of links, all of them joined to the first."""

    def write(*links, name="robot.urdf"):
        names = [one.split('"')[1] for one in links]
        joint = '<joint name="{0}_" type="continuous"><parent link="{1}"/><child link="{0}"/></joint>'
        joints = "".join(joint.format(child, names[0]) for child in names[1:])
        path = tmp_path / name
        path.write_text(f'<robot name="robot">{"".join(links)}{joints}</robot>')
        return path

    return write
