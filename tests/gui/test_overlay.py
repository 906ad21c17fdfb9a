# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay, switched by clicking, and where its pixels are."""

import numpy as np
import pytest


def difference(user, before, after):
    """Return left, top, right and bottom of what differs between two pictures of the 3D view."""
    left, top, _right, _bottom = view = user.view()
    rows, columns = np.nonzero(np.abs(after.part(view) - before.part(view)).max(axis=2) > 24)
    assert len(rows)
    return left + columns.min(), top + rows.min(), left + columns.max() + 1, top + rows.max() + 1


def test_the_switch_in_our_tab_hides_it_and_shows_it_again(user):
    user.run("screen.smooth()")
    user.run("scene.tag()")
    user.keys()
    shown = user.picture("shown")
    user.press("sdf_inertia.show")
    user.keys()
    hidden = user.picture("hidden")
    assert user.run("bpy.context.scene.sdf_inertia.show") is False
    assert hidden.changed(shown, user.view()) > 2000
    assert user.ball(hidden) is None
    user.press("sdf_inertia.show")
    user.keys()
    assert user.picture().changed(shown, user.view()) == 0


@pytest.mark.parametrize(("shape", "half"), [("ELLIPSOID", (5 / 3) ** 0.5), ("BOX", 1.0)])
def test_the_solid_of_a_cube_is_as_large_on_the_screen_as_it_should_be(user, shape, half):
    # A cube of 2 m has 1/3 m² of second moment per mass along each axis: a ball of radius (5/3)^½ m has as much.
    user.run("scene.tag()")
    for name, value in (("labels", "NONE"), ("show_axes", False), ("center", "NONE"), ("shape", shape)):
        user.run("setattr(bpy.context.scene.sdf_inertia, name, value)", name=name, value=value)
    user.run("setattr(bpy.context.scene.sdf_inertia, 'in_front', True)")
    user.keys()
    after = user.picture(shape.lower())
    user.run("setattr(bpy.context.scene.sdf_inertia, 'show', False)")
    user.keys()
    left, top, right, bottom = difference(user, user.picture(), after)
    x, y = user.on_screen(0, 0, 0)
    reach = user.on_screen(half, 0, 0)[0] - x
    for edge, expected in ((left, x - reach), (right, x + reach), (top, y - reach), (bottom, y + reach)):
        assert edge == pytest.approx(expected, abs=3.5)  # the outline's width, and the rounding of pixels
