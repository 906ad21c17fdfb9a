# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on in a real bpy: imported once from the checkout, registered for the session, unregistered in the end."""

import bpy
import pytest

from . import scenes


@pytest.fixture(scope="session")
def addon():
    """The checkout, registered. Blender 4.2 and 4.5 crash at exit if a callback stays registered."""
    checkout = scenes.checkout()
    checkout.register()
    try:
        yield checkout
    finally:
        checkout.unregister()


@pytest.fixture
def scene(addon):
    """An empty scene, factory settings, in metres; one for each test."""
    bpy.ops.wm.read_homefile(use_empty=True)
    return bpy.context.scene
