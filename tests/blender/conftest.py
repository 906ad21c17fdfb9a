# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on in a real bpy: imported once from the checkout, registered for the session, unregistered in the end."""

import bpy
import pytest

from ..made_findings import Watch
from ..packages import built_package
from . import scenes


@pytest.fixture(scope="session")
def watch():
    scenes.checkout()
    return Watch(scenes.module("core.errors"), scenes.module("core.findings.listed"))


@pytest.fixture(autouse=True)
def all_that_is_found_is_listed(watch):
    yield
    watch.check()


@pytest.fixture(scope="session")
def addon(watch):
    """The checkout, registered. Blender 4.2 and 4.5 crash or hang at exit if a callback or driver stays."""
    checkout = scenes.checkout()
    checkout.register()
    try:
        yield checkout
    finally:
        bpy.ops.wm.read_homefile(use_empty=True)
        checkout.unregister()


@pytest.fixture
def scene(addon):
    """An empty scene, factory settings, in metres; one for each test."""
    bpy.ops.wm.read_homefile(use_empty=True)
    return bpy.context.scene


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The zip of the checkout as it is now, for this machine and this Python."""
    return built_package(tmp_path_factory.mktemp("dist"))
