# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh that takes seconds: the window goes on, the status bar says so, Esc ends it, and a click begins again."""

from math import pi

import pytest

from .window import HEIGHT, WIDTH

STATUS_BAR = (0, HEIGHT - 20, WIDTH, HEIGHT)
"""Blender does not tell: its areas are those of the screen above it."""


@pytest.fixture
def idle(user):
    """A picture of the status bar while nothing is computed."""
    user.keys()
    return user.picture()


def test_the_window_stays_usable_while_a_number_is_computed(user, idle, held):
    assert user.run("scene.heavy(0.001)") > 300_000
    title, share, _waiting = user.until("(s := extension.computing()) and s[0] and s")
    assert title == "Cube"
    assert 0 <= share < 1
    assert user.changes(idle, STATUS_BAR)
    user.window.save(user.kept / f"{user.name}.png")
    user.keys("Home")  # the view turns to all there is
    assert user.run("extension.number()") is None
    user.run("extension.hold(False)")
    assert user.until("extension.number()")[0] == pytest.approx(1000 * 4 * pi * 0.001, rel=1e-3)
    user.keys()
    assert user.picture().changed(idle, STATUS_BAR) == 0  # and it says so no more


def test_escape_ends_it_and_a_click_begins_again(user, idle, held):
    user.run("scene.heavy(0.002)")  # what was measured once is known, also in another file
    assert user.changes(idle, STATUS_BAR)
    user.keys("Escape")
    assert user.until("extension.computing() is None")
    assert user.run("extension.codes()") == ["computing_cancelled"]
    assert user.run("extension.number()") is None
    user.keys()
    assert user.picture("cancelled").changed(idle, STATUS_BAR) == 0
    user.run("extension.hold(False)")
    user.press("sdf_inertia.compute")
    assert user.until("extension.number()")[0] == pytest.approx(1000 * 4 * pi * 0.002, rel=1e-3)
