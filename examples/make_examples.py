# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the examples and save them beside this file, the scenes by the oldest supported Blender, so that all open them:

.venvs/bpy-4.2/bin/python examples/make_examples.py [FOLDER]
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
EXAMPLES = ("rover", "gripper")


def main(folder: Path = HERE) -> None:
    """Build and save every example, with the checkout's own add-on registered."""
    checkout = _checkout()
    checkout.register()
    try:
        make(folder)
    finally:
        checkout.unregister()


def make(folder: Path) -> list[Path]:
    """Build and save every example, where the add-on is registered already."""
    import_module("bpy")  # makes mathutils importable
    sys.path.insert(0, str(HERE))
    try:
        save = import_module("scene").save
        made = []
        for name in EXAMPLES:
            import_module(name).build()
            made.append(folder / f"{name}.blend")
            save(made[-1])
        import_module("biped").write(folder)
        import_module("desk_arm").write(folder)
        return made
    finally:
        sys.path.remove(str(HERE))


def _checkout() -> ModuleType:
    spec = spec_from_file_location("headless", HERE.parent / "sdf_inertia_addon" / "headless.py")
    assert spec is not None and spec.loader is not None
    headless = module_from_spec(spec)
    spec.loader.exec_module(headless)
    checkout: ModuleType = headless.import_checkout()
    return checkout


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
