# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in German: what is found and pressed by its German name, and how the panels look."""

import pytest

CUBE = 2.0**3 * 1000.0


@pytest.fixture
def german(user):
    """A user whose Blender speaks German."""
    english = user.picture("english")
    user.run("inside.speak('de_DE')")
    try:
        yield user, english
    finally:
        user.run("inside.speak('en_US')")


def test_an_operator_is_found_by_its_german_name_and_tags_the_cube(german):
    user, english = german
    assert user.picture("german").changed(english, user.sidebar()) > 500
    user.keys()
    user.appears(lambda: user.run("inside.search()"))
    user.window.type("Als Glied markieren")  # which finds nothing in English
    user.picture("found")
    user.window.key("Return")
    assert user.until("bpy.data.objects['Cube'].sdf_inertia.is_link")
    user.run("inside.tag()")
    assert user.until("inside.number()[0]") == pytest.approx(CUBE)
    user.picture("link")


def test_the_panels_are_english_again_when_blender_is(german):
    user, english = german
    user.run("inside.speak('en_US')")
    assert user.picture().changed(english, user.sidebar()) == 0
