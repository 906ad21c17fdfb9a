# SPDX-License-Identifier: GPL-3.0-or-later
"""A crowd of links: a few labels, which stay where they are while others are pointed at and selected."""

LIGHTEST = "segment_000_link"
"""Has no label of its own accord."""

FEW = 30
"""Pixels of edges that two drawings of the same in Blender 5.2 may differ in: of a label it is thousands."""


def changed(user, before, after):
    return after.changed(before, user.view())


def seen(user, name=""):
    user.picture()  # gizmos are one redraw late
    return user.picture(name)


def test_pointing_at_one_of_a_hundred_links_labels_it_and_moves_nothing(user):
    user.look(navigation=True)
    user.run("scene.hundred()")
    centres = user.until("extension.centres()")
    user.keys()
    alone = seen(user, "alone")
    x, y = user.on_screen(*centres[LIGHTEST])
    user.window.move(x - 3, y)
    user.window.move(x, y)
    pointed = seen(user, "pointed")
    assert 1500 < changed(user, alone, pointed) < 15000  # a label and its leader, not all of them
    user.keys()
    assert changed(user, alone, seen(user)) < FEW
    user.run("scene.select(name)", name=LIGHTEST)
    user.keys()
    selected = seen(user, "selected")
    assert 1500 < changed(user, alone, selected) < 15000
    user.run("scene.select()")
    user.keys()
    assert changed(user, alone, seen(user)) < FEW
