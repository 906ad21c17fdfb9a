# SPDX-License-Identifier: GPL-3.0-or-later
"""Tagging by clicking; undo and redo."""

import pytest

CUBE = 2.0**3 * 1000.0  # m³, of water


def tags(user):
    return user.run("[getattr(bpy.data.objects['Cube'].sdf_inertia, n) for n in ('is_link', 'is_collision')]")


@pytest.mark.parametrize("library", ["lxml", "manifold3d"])
def test_the_extension_brings_its_own_libraries(user, library):
    assert user.run("extension.enabled()")
    where = user.run(f"__import__('{library}').__file__")
    assert where.startswith(str(user.window.inside)), where


def test_clicking_link_gives_a_lone_cube_its_mass(user):
    assert tags(user) == [False, False]
    user.press("sdf_inertia.tag_link(")
    assert user.until("bpy.data.objects['Cube'].sdf_inertia.is_link")
    assert tags(user) == [True, True]
    assert user.until("extension.number()") == pytest.approx((CUBE, 0.0, 0.0, 0.0))


def test_undo_takes_the_tags_back_one_by_one_and_redo_gives_them_again(user):
    untagged = user.picture()
    user.press("sdf_inertia.tag_visual()")
    user.press("sdf_inertia.tag_link(")
    user.keys()
    tagged = user.picture("tagged")
    assert tags(user) == [True, True]
    assert tagged.changed(untagged, user.sidebar()) > 500

    user.keys("ctrl+z")
    assert tags(user) == [False, False]
    assert user.run("bpy.data.objects['Cube'].sdf_inertia.is_visual")
    user.keys("ctrl+z")
    assert tags(user) == [False, False]
    assert user.run("extension.number()") is None
    assert user.picture().changed(untagged, user.sidebar()) == 0
    user.keys("ctrl+shift+z", "ctrl+shift+z")
    assert tags(user) == [True, True]
    assert user.run("extension.number()")[0] == pytest.approx(CUBE)
    assert user.picture().changed(tagged, user.sidebar()) == 0
