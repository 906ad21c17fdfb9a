# SPDX-License-Identifier: GPL-3.0-or-later
"""An object moved by the mouse: the numbers follow, also back through undo."""

import pytest


def grab(user, dx, dz):
    """Move the cube with G and the mouse by (dx, dz) metres, and confirm by a click."""
    start, end = user.on_screen(0, 0, 0), user.on_screen(dx, 0, dz)
    user.window.move(*start)
    user.window.key("g")
    for share in (0.25, 0.5, 0.75, 1.0):
        user.window.move(*(a + share * (b - a) for a, b in zip(start, end, strict=True)))


def test_the_centre_of_mass_follows_the_mouse_while_it_moves_the_cube(user):
    user.run("setattr(bpy.context.scene.sdf_inertia, 'labels', 'NONE')")  # which have yellow signs
    user.run("scene.tag()")
    assert user.ball() == pytest.approx(user.on_screen(0, 0, 0), abs=2.0)
    grab(user, 2.0, 1.0)
    mass, *com = user.until("(n := extension.number())[1] > 1.9 and n")  # before the click that ends it
    assert mass == pytest.approx(8000.0)
    assert com == pytest.approx((2.0, 0.0, 1.0), abs=0.03)  # whole pixels
    assert user.ball(user.picture("moving")) == pytest.approx(user.on_screen(2, 0, 1), abs=2.0)
    user.window.program("xdotool", "click", "1")
    user.window.breathe()
    moved = user.run("list(bpy.data.objects['Cube'].location)")
    assert user.run("extension.number()")[1:] == pytest.approx(moved, abs=1e-6)

    user.keys("ctrl+z")
    assert user.until("extension.number()[1] == 0.0")
    assert user.ball() == pytest.approx(user.on_screen(0, 0, 0), abs=2.0)
    user.keys("ctrl+shift+z")
    assert user.ball() == pytest.approx(user.on_screen(*moved), abs=2.0)
    assert user.run("extension.number()")[1:] == pytest.approx(moved, abs=1e-6)


def test_escape_puts_the_cube_and_its_numbers_back(user):
    user.run("scene.tag()")
    grab(user, 2.0, 1.0)
    assert user.until("extension.number()[1] > 1.9")
    user.window.key("Escape")
    assert user.until("extension.number()[1] == 0.0")


def test_the_panel_shows_the_scaled_cubes_number_and_the_first_after_undo(user):
    user.run("scene.tag()")
    user.keys()
    first = user.picture()
    user.keys("s", "2", "Return", at=user.on_screen(0, 0, 0))
    assert user.until("extension.number()[0] > 63000") and user.run("extension.number()[0]") == pytest.approx(64000.0)
    user.keys()
    assert user.picture("scaled").changed(first, user.sidebar()) > 50
    user.keys("ctrl+z")
    assert user.until("extension.number()[0] < 9000")
    assert user.picture().changed(first, user.sidebar()) == 0
