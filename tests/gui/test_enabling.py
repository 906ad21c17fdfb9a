# SPDX-License-Identifier: GPL-3.0-or-later
"""Enabling and disabling in a window; quitting with the extension enabled."""


def test_disabling_leaves_nothing_and_enabling_brings_it_back(user):
    user.run("scene.tag()")
    user.keys()
    before = user.picture()
    first = user.run("extension.traces()")
    ours = ("types", "classes", "operators", "modules")
    assert all(first[kind] for kind in ours)
    for time in range(4):
        user.run("extension.disable()")
        gone = user.run("extension.traces()")
        assert not any(gone[kind] for kind in ours), gone
        assert not user.run("hasattr(bpy.types.Object, 'sdf_inertia')")
        if time == 1:
            user.picture()  # drawn once without us
        user.run("extension.enable()")
        assert user.run("extension.traces()") == first
    user.look()
    user.keys()
    assert user.run("extension.number()[0]") == 8000.0
    assert user.picture().changed(before, user.view()) == 0


def test_quitting_with_a_tagged_scene_ends_with_status_0(user):
    user.run("scene.tag()")
    user.picture()
    assert user.window.quit() == 0
    assert "Traceback" not in user.window.console()
