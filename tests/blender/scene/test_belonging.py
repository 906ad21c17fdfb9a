# SPDX-License-Identifier: GPL-3.0-or-later
"""A collision or visual belongs to itself if it is a link, else to the nearest link above it."""

import pytest

from ..scenes import add, box_link, box_mesh, empty, findings, read, tag

pytestmark = pytest.mark.usefixtures("scene")


def parts():
    """Return the names of collisions and visuals by link."""
    model, _bodies = read()
    return {link.name: ([c.name for c in link.collisions], [v.name for v in link.visuals]) for link in model.links}


def test_parts_belong_to_the_nearest_link_above():
    base = tag(empty("base"), "link")
    frame = empty("frame", base)  # untagged, in between
    arm = tag(empty("arm", frame), "link")
    tag(add(box_mesh(), "plate", frame), "collision")
    bone = tag(add(box_mesh(), "bone", empty("grip", arm)), "collision")
    tag(add(box_mesh(), "cover", bone), "visual")
    assert parts() == {"arm": (["bone"], ["cover_visual"]), "base": (["plate"], [])}


def test_a_part_of_a_part_belongs_to_the_same_link():
    base = box_link("base")
    tag(add(box_mesh(), "bolt", tag(add(box_mesh(), "lid", base), "collision")), "collision")
    assert parts() == {"base": (["base", "bolt", "lid"], [])}


def test_a_link_that_is_a_collision_belongs_to_itself():
    base = tag(empty("base"), "link")
    tag(add(box_mesh(), "wheel", base), "link", "collision", "visual")
    assert parts() == {"base": ([], []), "wheel": (["wheel"], ["wheel_visual"])}


@pytest.mark.fault(54)
@pytest.mark.parametrize("kind", ["collision", "visual"])
def test_a_part_without_a_link_is_an_error_that_names_it(kind):
    tag(add(box_mesh(), "lonely", empty("no link")), kind)
    box_link("base")
    found = findings()["no_link"]
    assert (found.severity, found.subject) == ("error", "lonely")
    assert kind in found.message and found.remedy
    assert parts() == {"base": (["base"], [])}


def test_untagging_the_link_above_makes_orphans():
    base = tag(empty("base"), "link")
    tag(add(box_mesh(), "plate", base), "collision")
    assert "no_link" not in findings()
    base.sdf_inertia.is_link = False
    assert findings()["no_link"].subject == "plate"


def test_settings_of_a_link_apply_to_parts_without_their_own():
    base = box_link("base", use_density=True, density=500.0, method="EXACT")
    tag(add(box_mesh(), "own", base), "collision", use_density=True, density=20.0)
    tag(add(box_mesh(), "unset", base), "collision", density=30.0)  # not used: use_density is off
    _model, (body,) = read()
    assert {part.name: part.density for part in body.parts} == {"base": 500.0, "own": 20.0, "unset": 500.0}
    # Three cubes of 1 m³.
    assert body.inertial.mass == pytest.approx(500 + 20 + 500, rel=1e-12)


def test_the_target_mass_scales_every_part_and_leaves_the_centre_of_mass():
    base = box_link("base", use_density=True, density=500.0)
    tag(add(box_mesh(), "far", base, location=(4, 0, 0)), "collision", use_density=True, density=1500.0)
    tag(base, use_mass=True, mass=8.0)
    _model, (body,) = read()
    assert {part.name: part.inertial.mass for part in body.parts} == pytest.approx({"base": 2.0, "far": 6.0})
    assert body.inertial.mass == 8.0
    assert body.inertial.com == pytest.approx([3.0, 0.0, 0.0], abs=1e-12)
