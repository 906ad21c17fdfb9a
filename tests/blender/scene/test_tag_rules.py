# SPDX-License-Identifier: GPL-3.0-or-later
"""What names and parents say an object is."""

import pytest

from ..scenes import checkout, module

checkout()
RULES = module("sdf_inertia_addon.scene.tag_rules")
NO_LINK, NO_MESH, NO_PARTS, NO_RULE, TAGGED = (
    getattr(RULES, name) for name in ("NO_LINK", "NO_MESH", "NO_PARTS", "NO_RULE", "TAGGED")
)
Candidate, rule_of, tags_by_rules = RULES.Candidate, RULES.rule_of, RULES.tags_by_rules

BOTH = frozenset({"collision", "visual"})
COLLISION = frozenset({"collision"})


@pytest.mark.parametrize(
    "name, tag, geometry",
    [
        ("wheel_collision", "collision", ""),
        ("wheel_collision.001", "collision", ""),
        ("Wheel_Col.012", "collision", ""),
        ("wheel-colonly", "collision", ""),
        ("wheel$convcolonly", "collision", ""),
        ("collision_wheel_2", "collision", ""),
        ("wheel collision 3", "collision", ""),
        ("wheel_collision_2", "collision", ""),
        ("wheel_collision2", "collision", ""),
        ("UCX_Wheel_01", "collision", "MESH"),
        ("ubx_wheel", "collision", "BOX"),
        ("USP_wheel.003", "collision", "SPHERE"),
        ("UCP_wheel", "collision", "CAPSULE"),
        ("wheel_visual", "visual", ""),
        ("visual_wheel", "visual", ""),
        ("Wheel.Vis", "visual", ""),
        ("base_link", "link", ""),
        ("link_3", "link", ""),
        ("link1", "link", ""),
        ("LINK.001", "link", ""),
        ("base_link_visual", "visual", ""),
        ("collision_base_link", "collision", ""),
        ("visual_hull_collision", "collision", ""),
    ],
)
def test_a_name_says_what_an_object_is(name, tag, geometry):
    assert rule_of(name) == (tag, geometry)


def test_a_word_within_a_word_says_nothing():
    names = ("wheel", "protocol", "linkage", "blink", "division", "colour", "ucx", "", "_", ".001", "123")
    assert [name for name in names if rule_of(name) is not None] == []
    assert rule_of("col_or").tag == "collision"  # the price of short words: the operator says what it made


def verdicts(*objects, rule="both", meshes_are=COLLISION):
    return tags_by_rules(objects, rule, meshes_are)


def tags(*objects, **options):
    return [sorted(verdict.tags) for verdict in verdicts(*objects, **options)]


def test_names_alone_leave_the_others_alone():
    found = verdicts(
        Candidate("base_link", kind="empty"),
        Candidate("base_visual", 0),
        Candidate("base_collision", 0),
        Candidate("bolt", 0),
        Candidate("lamp_link", kind="other"),
        rule="names",
    )
    assert [sorted(one.tags) for one in found] == [["link"], ["visual"], ["collision"], [], []]
    assert [one.reason for one in found] == ["", "", "", NO_RULE, NO_MESH]


def test_by_hierarchy_an_empty_is_a_link_above_meshes_else_a_frame():
    robot = (
        Candidate("robot", kind="empty"),
        Candidate("base", 0, "empty"),
        Candidate("hull", 1),
        Candidate("lid", 2),
        Candidate("arm", 1, "empty"),
        Candidate("rod", 4),
        Candidate("sensor_frame", 4, "empty"),
    )
    found = verdicts(*robot, rule="hierarchy", meshes_are=BOTH)
    both = ["collision", "visual"]
    assert [sorted(one.tags) for one in found] == [[], ["link"], both, both, ["link"], both, ["frame"]]
    assert found[0].reason == NO_PARTS


def test_by_hierarchy_a_top_mesh_is_link_and_part():
    made = tags(Candidate("body_visual"), Candidate("lid_visual", 0), rule="hierarchy")
    assert made == [["collision", "link"], ["collision"]]
    assert tags(Candidate("lid", 1), Candidate("body")) == [["collision"], ["collision", "link"]]


def test_beside_named_collisions_what_has_no_name_is_the_visual():
    assert tags(Candidate("wheel"), Candidate("wheel_collision", 0)) == [["link", "visual"], ["collision"]]
    assert tags(Candidate("link", kind="empty"), Candidate("a_visual", 0), Candidate("b", 0)) == [
        ["link"],
        ["visual"],
        ["collision"],
    ]
    link = Candidate("link", kind="empty")
    named = (Candidate("a_visual", 0), Candidate("a_collision", 0))
    found = verdicts(link, *named, Candidate("bolt", 0), meshes_are=BOTH)
    assert (found[3].tags, found[3].reason) == (frozenset(), NO_RULE)


def test_each_link_is_checked_by_itself():
    made = tags(
        Candidate("a", kind="empty"),
        Candidate("a_collision", 0),
        Candidate("a_mesh", 0),
        Candidate("b", kind="empty"),
        Candidate("b_mesh", 3),
    )
    assert made == [["link"], ["collision"], ["visual"], ["link"], ["collision"]]


def test_what_is_tagged_stays_and_counts():
    base = Candidate("base", kind="empty", tags=frozenset({"link"}), chosen=False)
    found = verdicts(base, Candidate("hull", 0), Candidate("seen", 0, tags=frozenset({"visual"})))
    assert [sorted(one.tags) for one in found] == [[], ["collision"], []]
    assert [one.reason for one in found] == ["", "", TAGGED]


def test_what_is_not_chosen_is_left_alone():
    assert tags(Candidate("body", chosen=False), Candidate("lid", 0)) == [[], ["collision", "link"]]


def test_a_part_has_the_geometry_of_its_name_and_without_a_link_a_reason():
    (_link, part) = verdicts(Candidate("base_link", kind="empty"), Candidate("UBX_base", 0))
    assert (part.tags, part.geometry) == (COLLISION, "BOX")
    (alone,) = verdicts(Candidate("wheel_collision"), rule="names")
    assert (alone.tags, alone.reason) == (COLLISION, NO_LINK)


def test_an_empty_named_as_parts_groups_parts_and_is_not_a_link():
    found = verdicts(
        Candidate("base_link", kind="empty"),
        Candidate("visuals", 0, "empty"),
        Candidate("hull", 1),
        Candidate("collisions", 0, "empty"),
        Candidate("hull_box", 3),
        Candidate("arm", 0, "empty"),
        Candidate("rod", 5),
    )
    made = [sorted(one.tags) for one in found]
    assert made == [["link"], [], ["visual"], [], ["collision"], ["link"], ["collision"]]
