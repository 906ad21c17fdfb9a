# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Mesh tells all there is to tell of a mesh, and changes nothing."""

import bpy
import numpy as np
import pytest

from tests.core.solids.crossings import loop

from ..scenes import add, box_link, box_mesh, empty, findings, mesh_data, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def check(capfd, **options):
    capfd.readouterr()
    assert bpy.ops.sdf_inertia.check_mesh(**options) == {"FINISHED"}
    return [line for line in capfd.readouterr().out.splitlines() if line.startswith(("Info", "Warning"))]


@pytest.mark.versions
def test_a_good_mesh_has_nothing_wrong(capfd):
    select(box_link("good"))
    assert check(capfd) == ["Info: good: nothing is wrong with its mesh"]


def test_a_large_surface_that_passes_through_itself_is_reported_as_its_link(capfd):
    vertices, triangles = loop(2e-3)
    assert len(triangles) > 1024
    link = tag(empty("link"), "link", use_density=True)
    ob = tag(add(mesh_data(vertices.tolist(), triangles.tolist()), "loop", link), "collision")
    assert "crossing_faces" in findings()
    before = np.array([vertex.co for vertex in ob.data.vertices])
    assert any(line.startswith("Warning: loop: Intersecting faces. ") for line in check(capfd, target=ob.name))
    assert (before == np.array([vertex.co for vertex in ob.data.vertices])).all()


def test_what_refuses_a_mesh_is_reported_without_an_exception(capfd):
    faces = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6)]
    corners = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    add(mesh_data(corners, faces), "open")
    (line,) = check(capfd, target="open")
    assert "The mesh is not closed: 4 edges" in line
    assert "close the holes" in line


def test_a_mesh_is_checked_with_its_scale_in_metres(capfd):
    add(box_mesh(), "large", scale=(2000, 2000, 2000))
    (line,) = check(capfd, target="large")
    assert "2e+03 m" in line


def test_what_has_no_mesh_or_is_not_there_is_reported(capfd):
    empty("nothing")
    (line,) = check(capfd, target="nothing")
    assert "has no mesh" in line
    with pytest.raises(RuntimeError, match="no object 'nobody'"):
        bpy.ops.sdf_inertia.check_mesh(target="nobody")
