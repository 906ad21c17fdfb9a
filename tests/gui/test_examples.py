# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in a window: README's pictures, docs/window-*.png, are those that this keeps in build/gui/."""

import shutil
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NEAR = 6


@pytest.mark.parametrize(("name", "active"), [("rover", "chassis"), ("gripper", "base")])
def test_an_example_shows_a_ball_at_the_centre_of_mass_of_each_link(user, name, active):
    shutil.copy(EXAMPLES / f"{name}.blend", user.window.folder)
    user.run("scene.open(path)", path=f"{user.window.inside}/{name}.blend")
    assert user.until("screen.open_tab()")
    user.run("scene.select(active)", active=active)
    user.run("screen.portrait()")
    centres = user.until("extension.centres()")
    assert len(centres) > 5
    user.keys()
    picture = user.picture()
    for link, centre in centres.items():
        x, y = user.on_screen(*centre)
        red, green, blue = np.moveaxis(picture.part((x - NEAR, y - NEAR, x + NEAR, y + NEAR)), 2, 0)
        assert ((red > 190) & (green > 140) & (blue < 90)).sum() > 10, f"no ball at {link}"
