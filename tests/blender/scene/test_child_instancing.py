# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that instance their children on vertices or faces: each instance counts, the template does not."""

import numpy as np
import pytest

from ..scenes import add, box_link, box_mesh, mesh_data, only_link, read, tag

pytestmark = pytest.mark.usefixtures("scene")

CORNERS = [(x, y, z) for x in (0, 4) for y in (0, 4) for z in (0, 4)]


def cloud(name="cloud", **tags):
    ob = add(mesh_data(CORNERS, []), name)
    ob.instance_type = "VERTS"
    return tag(ob, **tags)


def test_a_collision_instanced_on_eight_vertices_counts_eight_times():
    host = cloud(is_link=True)
    child = tag(add(box_mesh(), "grain"), "collision")
    child.parent = host
    body = only_link()
    assert len(body.parts) == 8
    assert body.inertial.mass == pytest.approx(8000)
    np.testing.assert_allclose(body.inertial.com, (2, 2, 2), atol=1e-6)


def test_a_link_instanced_on_eight_vertices_is_eight_links_with_parts():
    host = cloud()
    wheel = box_link("wheel")
    wheel.parent = host
    hub = tag(add(box_mesh(), "hub", location=(0, 0, 1)), "collision")
    hub.parent = wheel
    model, bodies = read()
    assert len(bodies) == 8 and len({link.name for link in model.links}) == 8
    assert [len(body.parts) for body in bodies] == [2] * 8
    places = {tuple(np.round(link.pose.p, 6).tolist()) for link in model.links}
    assert places == {tuple(map(float, corner)) for corner in CORNERS}
    for body in bodies:
        np.testing.assert_allclose(body.inertial.com, (0, 0, 0.5), atol=1e-6)


def test_the_template_of_an_instancing_collision_counts_only_as_instances():
    host = cloud(is_link=True, is_collision=True)
    child = tag(add(box_mesh(), "grain"), "collision")
    child.parent = host
    (part,) = only_link().parts
    assert part.inertial.mass == pytest.approx(8000)


def test_the_original_of_an_object_instanced_under_links_is_no_orphan():
    host = cloud(is_link=True)
    shelf = tag(add(box_mesh(), "grain"), "collision")
    shelf.parent = host
    model, _bodies = read()
    assert not [finding for finding in model.findings if finding.code == "no_link"]
