# SPDX-License-Identifier: GPL-3.0-or-later
"""How many variables of each room have a name that says nothing, such as ``found`` or ``one``."""

from tools.placeholder_names import by_room, places

MOST = {
    "sdf_inertia_addon/operators": 1,
    "sdf_inertia_addon/overlay": 4,
    "sdf_inertia_addon/viewport": 3,
}
"""The limit of each room, 0 for others: lower it when names get better, never raise it."""

MODULE = """
def kept(own, *, found=None):
    left: int = 0
    with open(own) as told:
        self.left = [one for one in told if (said := one)]
    try:
        for one, other in own: pass
    except ValueError as kept:
        print(left)
"""


def test_no_room_has_more_placeholder_names_than_before():
    above = {room: count for room, count in by_room().items() if count > MOST.get(room, 0)}
    assert not above, "python -m tools.placeholder_names ROOM lists the places"


def test_every_way_to_bind_a_name_counts(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(MODULE)
    bound = sorted((place.line, place.name) for place in places(path))
    assert bound == [
        (2, "found"),
        (2, "own"),
        (3, "left"),
        (4, "told"),
        (5, "one"),
        (5, "said"),
        (7, "one"),
        (8, "kept"),
    ]
