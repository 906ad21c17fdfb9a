# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots for the tests of what is judged."""

from types import SimpleNamespace

import pytest

from core.files.mesh_writers import stl_bytes
from core.mesh.surface import Surface

from ..solids import box, joined, subdivided
from .robot_texts import FORMATS


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


@pytest.fixture
def write_links(tmp_path):
    """Return a function that writes links of `generated_robots`, all of them joined to the first, in a format."""

    def write(*links, form="urdf", digits=6):
        for link in links[1:]:
            link.parent = links[0]
        return FORMATS[form](SimpleNamespace(links=links, digits=digits, lost=set()), tmp_path)

    return write


@pytest.fixture
def crossing_boxes(tmp_path):
    """Two boxes of 768 faces each, of 1 m³, that share a half: together they are a box of 1.5 x 1 x 1 m."""
    mesh = joined(box(), box(low=(0.5, 0.0, 0.0)))
    for _ in range(3):
        mesh = subdivided(mesh)
    (tmp_path / "boxes.stl").write_bytes(stl_bytes(Surface(*mesh)))
    return '<geometry><mesh filename="boxes.stl"/></geometry>'
