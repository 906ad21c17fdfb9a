# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's entry to SDF Inertia. Nothing of Blender is imported until it asks to register."""

import sys
from importlib import import_module


def register() -> None:
    import_module(".sdf_inertia_addon", __package__).register()


def unregister() -> None:
    import_module(".sdf_inertia_addon", __package__).unregister()
    # Blender reloads an extension by registering it again: forget the modules, so that it gets the code on disk.
    for name in [name for name in sys.modules if name.startswith(f"{__package__}.")]:
        del sys.modules[name]
