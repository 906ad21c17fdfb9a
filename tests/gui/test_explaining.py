# SPDX-License-Identifier: GPL-3.0-or-later
"""A finding explained by clicking the question mark beside it."""

import pytest

EXPLAIN = 'sdf_inertia.explain_finding(code="open_mesh")'


@pytest.mark.parametrize("large", [False, True])
def test_a_click_beside_a_finding_opens_what_it_means_and_changes_nothing(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        user.run("scene.tag()")
        user.run("scene.remove_face()")
        user.look()
        place = user.find(EXPLAIN)
        user.picture("panel-large" if large else "panel")
        user.appears(lambda: user.window.click(*place))
        user.picture("popup-large" if large else "popup")
        user.keys("Escape")
        assert user.run("scene.shape()") == (8, 5)
    finally:
        user.run("screen.large_and_light(False)")


@pytest.mark.fault(124)
def test_a_findings_text_is_dark_on_light_in_the_light_theme(user):
    user.run("screen.large_and_light(True)")
    user.run("setattr(bpy.context.preferences.view, 'ui_scale', 1.0)")
    try:
        user.run("scene.tag()")
        user.run("scene.remove_face()")
        user.look()
        _, y = user.find(EXPLAIN)
        left = user.sidebar()[0]
        picture = user.picture("light")
        assert picture.contrast((left + 10, y - 8, left + 200, y + 8)) > 7.0  # the title, red
        assert picture.contrast((left + 10, y + 14, left + 200, y + 40)) > 7.0
    finally:
        user.run("screen.large_and_light(False)")
