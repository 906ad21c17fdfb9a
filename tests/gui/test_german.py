# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in German: what is found and pressed by its German name, and what changes with the language."""

import pytest


@pytest.fixture
def german(user):
    """A user whose Blender speaks German."""
    user.run("screen.speak('de_DE')")
    try:
        yield user
    finally:
        user.run("screen.speak('en_US')")


def test_an_operator_is_found_by_its_german_name_and_tags_the_cube(german):
    german.keys()
    german.appears(lambda: german.run("screen.search()"))
    german.window.type("Als Glied markieren")  # which finds nothing in English
    german.picture("found")
    german.window.key("Return")
    assert german.until("bpy.data.objects['Cube'].sdf_inertia.is_link")


def test_panels_and_labels_follow_the_language(user):
    user.run("scene.tag()")
    user.run("scene.remove_face()")
    user.picture()
    assert user.until("extension.computing() is None")  # what other methods give
    english = user.picture("english")
    try:
        user.run("screen.speak('de_DE')")
        german = user.picture("german")
    finally:
        user.run("screen.speak('en_US')")
    for box in (user.sidebar(), user.view()):
        assert german.changed(english, box) > 100
    again = user.picture()
    assert [again.changed(english, box) for box in (user.sidebar(), user.view())] == [0, 0]
