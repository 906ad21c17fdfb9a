# SPDX-License-Identifier: GPL-3.0-or-later
"""Centres of mass that are clicked, and the handles of the active link that are dragged."""

import pytest

MANUAL = {
    "inertia": "MANUAL",
    "manual_mass": 1000.0,
    "manual_com": (0.5, 0.0, 0.25),
    "manual_inertia": (500.0, 600.0, 700.0, 0.0, 0.0, 0.0),
}
CENTER = (0.5, 0.0, 0.25)

RING = 29.0
"""Radius of the ring for the mass at an interface scale of 1: the ball's 7, and 22."""


def manual(user, **settings):
    user.run("scene.tag('Cube', 'is_link', 'is_collision', **settings)", settings={**MANUAL, **settings})
    user.run("setattr(bpy.context.scene.sdf_inertia, 'labels', 'NONE')")
    user.keys()
    user.picture()  # what was drawn is what can be clicked


def settings(user):
    return user.run("scene.settings()")


def hold(user, start, *ways):
    """Press the button at a place and go these ways in pixels from it, without letting go."""
    user.window.move(start[0] - 2, start[1] - 2)
    user.window.move(*start)
    user.window.program("xdotool", "mousedown", "1")
    user.window.breathe()
    for x, y in ways:
        user.window.move(start[0] + x, start[1] + y)


def let_go(user):
    user.window.program("xdotool", "mouseup", "1")
    user.window.breathe()


def test_a_click_on_a_centre_of_mass_selects_its_link_and_undo_works(user):
    places = user.run("scene.links(60)")
    user.keys()
    user.picture("links")
    for index in (0, 13, 59):
        name, point = places[index]
        x, y = user.on_screen(*point)
        user.window.click(x + 4, y - 4)
        assert user.run("scene.selected()") == (name, [name])
    user.keys("ctrl+z")
    assert user.run("scene.selected()") == (places[13][0], [places[13][0]])
    x, y = user.on_screen(*places[30][1])
    user.window.program("xdotool", "keydown", "shift")
    user.window.click(x, y)
    user.window.program("xdotool", "keyup", "shift")
    assert user.run("scene.selected()") == (places[30][0], sorted((places[13][0], places[30][0])))
    x, y = user.on_screen(*places[7][1])
    user.run("setattr(bpy.data.objects['link 7'], 'hide_select', True)")
    user.window.click(x, y)
    assert places[7][0] not in user.run("scene.selected()[1]")


def test_a_click_beside_a_centre_of_mass_is_blenders(user):
    user.run("scene.tag()")
    user.picture()
    user.run("scene.select()")
    user.keys()
    x, y = user.on_screen(0, 0, 0)
    user.window.click(x, y - 200)
    assert user.run("scene.selected()[1]") == []
    user.window.click(x, y)
    assert user.run("scene.selected()") == ("Cube", ["Cube"])


def test_the_centre_below_the_pointer_is_marked(user):
    (_name, point), *_others = user.run("scene.links(4)")
    user.keys()
    before = user.picture()
    x, y = user.on_screen(*point)
    user.window.move(x, y)
    near, marked = (x - 16, y - 16, x + 16, y + 16), user.picture("marked")
    assert marked.changed(before, near) > 20
    user.keys()
    assert user.picture().changed(before, near) == 0


def test_the_manual_centre_of_mass_is_dragged_with_the_mouse(user):
    manual(user)
    start, end = user.on_screen(*CENTER), user.on_screen(1.5, 0, 1.25)
    way = end[0] - start[0], end[1] - start[1]
    hold(user, start, *((share * way[0], share * way[1]) for share in (0.3, 0.7, 1.0)))
    pixel = 1.0 / abs(way[0])
    assert settings(user)["manual_com"] == pytest.approx((1.5, 0.0, 1.25), abs=1.1 * pixel)
    user.picture("dragging")
    ball = user.ball()
    assert ball == pytest.approx(end, abs=2.0)
    let_go(user)
    moved = settings(user)["manual_com"]
    assert user.run("extension.number()") == pytest.approx((1000.0, *moved))

    hold(user, end, (0, 30), (0, 60))
    let_go(user)
    twice = settings(user)["manual_com"]
    assert twice[2] < moved[2] - 50 * pixel
    user.keys("ctrl+z")  # one step for each drag
    assert settings(user)["manual_com"] == moved
    user.keys("ctrl+z")
    assert settings(user)["manual_com"] == CENTER
    user.keys("ctrl+shift+z", "ctrl+shift+z")
    assert settings(user)["manual_com"] == twice


def test_escape_puts_the_manual_centre_back_without_an_undo_step(user):
    manual(user)
    user.run("scene.tag('Cube', 'is_visual')")
    hold(user, user.on_screen(*CENTER), (40, 0), (80, 0))
    assert settings(user)["manual_com"][0] > 0.6
    user.window.key("Escape")
    let_go(user)
    assert settings(user)["manual_com"] == CENTER
    user.keys("ctrl+z")
    assert not user.run("bpy.data.objects['Cube'].sdf_inertia.is_visual")


def test_a_letter_keeps_the_centre_on_an_axis_of_the_turned_link(user):
    user.run("setattr(bpy.data.objects['Cube'], 'rotation_euler', (0.0, 0.5235987755982988, 0.0))")
    manual(user, manual_com=(0.0, 0.0, 0.0))
    hold(user, user.on_screen(0, 0, 0), (50, 0))
    user.window.key("x")
    user.window.move(*(a + b for a, b in zip(user.on_screen(0, 0, 0), (100, 0), strict=True)))
    x, y, z = settings(user)["manual_com"]
    user.picture("axis")
    let_go(user)
    # Along a line that falls by 30 degrees, seen from the front: nearest to the mouse, cos 30° of its way.
    pixel = abs(user.on_screen(1, 0, 0)[0] - user.on_screen(0, 0, 0)[0])
    assert (y, z) == (0.0, 0.0)
    assert x * pixel == pytest.approx(100 * 0.75**0.5, abs=1.5)


def test_ctrl_goes_in_round_steps_and_shift_a_tenth_of_the_way(user):
    manual(user)
    start = user.on_screen(*CENTER)
    user.window.move(*start)
    hold(user, start, (7, 0))
    user.window.program("xdotool", "keydown", "ctrl")
    user.window.move(start[0] + 75, start[1])
    com = settings(user)["manual_com"]
    user.window.program("xdotool", "keyup", "ctrl")
    assert com[0] > 1.0 and com == pytest.approx(tuple(round(value, 0) for value in com), abs=1e-6)
    user.window.move(start[0], start[1])
    user.window.program("xdotool", "keydown", "shift")
    user.window.move(start[0] + 100, start[1])
    com = settings(user)["manual_com"]
    user.window.program("xdotool", "keyup", "shift")
    let_go(user)
    pixel = abs(user.on_screen(1, 0, 0)[0] - user.on_screen(0, 0, 0)[0])
    assert (com[0] - 0.5) * pixel == pytest.approx(10.0, abs=1.5)


def test_twice_the_radius_is_eight_times_the_target_mass(user):
    user.run("scene.tag('Cube', use_mass=True, mass=2.0)")
    user.run("setattr(bpy.context.scene.sdf_inertia, 'labels', 'NONE')")
    user.keys()
    user.picture("ring")
    x, y = user.on_screen(0, 0, 0)
    hold(user, (x + RING, y), (RING / 2, 0), (RING, 0))
    user.picture("dragging")
    let_go(user)
    pixel = 3.0 / RING  # of a cube of the radius
    assert settings(user)["mass"] == pytest.approx(16.0, rel=2 * pixel)
    assert user.run("extension.number()[0]") == pytest.approx(settings(user)["mass"])
    user.keys("ctrl+z")
    assert settings(user)["mass"] == 2.0
    user.keys("ctrl+shift+z")
    assert settings(user)["mass"] > 12.0


def test_the_manual_tensor_goes_with_the_mass_and_escape_puts_both_back(user):
    manual(user)
    before = settings(user)
    x, y = user.on_screen(*CENTER)
    hold(user, (x, y - RING), (0, -20), (0, -40))
    after = settings(user)
    factor = after["manual_mass"] / before["manual_mass"]
    assert factor > 5.0
    expected = tuple(factor * value for value in before["manual_inertia"])
    assert after["manual_inertia"] == pytest.approx(expected, rel=1e-6)
    assert after["manual_com"] == before["manual_com"]
    user.window.key("Escape")
    let_go(user)
    assert settings(user) == before


@pytest.mark.parametrize(
    "off",
    [
        "setattr(bpy.context.scene.sdf_inertia, 'show', False)",
        "setattr(bpy.context.scene.sdf_inertia, 'center', 'NONE')",
        "screen.set_overlays(False)",
        "setattr(bpy.data.objects['Cube'].sdf_inertia, 'inertia', 'FILLED')",
    ],
    ids=["overlay", "centres", "all-overlays", "not-manual"],
)
def test_what_is_not_shown_cannot_be_dragged(user, off):
    manual(user)
    user.run(off)
    user.keys()
    user.picture()
    hold(user, user.on_screen(*CENTER), (40, 0), (80, 0))
    let_go(user)
    assert settings(user)["manual_com"] == CENTER
