# SPDX-License-Identifier: GPL-3.0-or-later
"""The engines compared by clicks: a format, an engine more, the button, and what a change makes of the result."""

import pytest

from .test_posing import ARM


@pytest.mark.parametrize("language", ["en_US", "de_DE"])
def test_engines_are_compared_by_a_click_and_old_after_a_change(user, language):
    user.run("screen.large_and_light(True)")
    user.run("screen.speak(language)", language=language)
    try:
        compare(user, language)
    finally:
        user.run("screen.large_and_light(False)")
        user.run("screen.speak('en_US')")


def compare(user, language):
    user.run("exec(ARM)", ARM=ARM)
    user.look()
    user.content_height()
    left, _, _, bottom = user.sidebar()
    user.window.click(left + 40, bottom - 24)  # the header of the last panel, which is closed at first
    user.choose("sdf_inertia_model.compared_format", 2)
    assert user.until("bpy.context.scene.sdf_inertia_model.compared_format == 'urdf'")
    user.press("sdf_inertia_model.for_pybullet")
    assert user.until("bpy.context.scene.sdf_inertia_model.for_pybullet")
    before = user.content_height()
    user.press("sdf_inertia.compare_engines(")
    assert user.content_height() > before + 400  # what the engines differ on, and why
    user.picture(f"{language}-large")
    user.run("screen.large_and_light(False)")
    user.look()
    user.content_height()
    user.picture(language)
    user.run("scene.tag('Cube', use_density=True, density=700.0)")
    user.content_height()
    user.picture(f"{language}-old")
