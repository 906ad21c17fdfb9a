# SPDX-License-Identifier: GPL-3.0-or-later
"""A finding explained by clicking the question mark beside it."""

import pytest

EXPLAIN = 'sdf_inertia.explain_finding(code="open_mesh")'


@pytest.mark.parametrize("large", [False, True])
def test_a_click_beside_a_finding_opens_what_it_means_and_changes_nothing(user, large):
    user.run("inside.large_and_light(on)", on=large)
    try:
        user.run("inside.tag()")
        user.run("inside.remove_face()")
        user.look()
        place = user.find(EXPLAIN)
        user.picture("panel-large" if large else "panel")
        user.appears(lambda: user.window.click(*place))
        user.picture("popup-large" if large else "popup")
        user.keys("Escape")
        assert user.run("inside.shape()") == (8, 5)
    finally:
        user.run("inside.large_and_light(False)")
