# SPDX-License-Identifier: GPL-3.0-or-later
"""The mass properties of a CAD system, copied to the clipboard and pasted into a Manual link by a click."""

import pytest

from ..core.printed.cad_texts import far_body, meshlab, solidworks

BODY = far_body()
PASTE = "sdf_inertia.paste_inertial"
CLIPBOARD = "setattr(bpy.context.window_manager, 'clipboard', text)"
MASS = "bpy.data.objects['Cube'].sdf_inertia.manual_mass"


@pytest.mark.parametrize("large", [False, True])
def test_a_click_pastes_the_clipboard_and_asks_for_what_it_lacks(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        user.run("scene.tag()")
        user.run("bpy.ops.sdf_inertia.set_inertia(mode='MANUAL')")
        user.look()
        place = user.find(PASTE)
        user.picture("panel-large" if large else "panel")
        assert user.run(MASS) == pytest.approx(8000.0)
        user.run(CLIPBOARD, text=solidworks(BODY))
        user.window.click(*place)
        assert user.until(f"{MASS} < 1.0")
        assert user.run(MASS) == pytest.approx(BODY.mass / 1e3, rel=1e-6)
        user.run(CLIPBOARD, text=meshlab(BODY, 151234.5))
        user.appears(lambda: user.window.click(*place))  # `press` would look for it by way of the clipboard
        user.picture("dialog-large" if large else "dialog")
        user.keys("Escape")
        assert user.run(MASS) == pytest.approx(BODY.mass / 1e3, rel=1e-6)
    finally:
        user.run("screen.large_and_light(False)")
