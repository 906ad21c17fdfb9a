# SPDX-License-Identifier: GPL-3.0-or-later
"""Export without a window, from a checkout:

blender -b robot.blend --python-exit-code 3 --python sdf_inertia_addon/headless.py -- --output DIR
.venv/bin/python sdf_inertia_addon/headless.py robot.blend --output DIR
"""

import atexit
import platform
import shutil
import sys
import tempfile
import zipfile
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy  # isort: skip - the wheel makes Blender's own modules importable
import addon_utils

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "_sdf_inertia_checkout"
WHEELS = ROOT / "build" / "wheels"
TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"
BUNDLED = {"lxml": "lxml.etree", "manifold3d": "manifold3d"}
"""What the extension's zip brings and a checkout does not, and the module that shows that it is there."""


def main() -> int:
    """Register the checkout, export, and unregister whatever happens; return the exit status."""
    checkout = prepare()
    try:
        return int(import_module(f"{PACKAGE}.sdf_inertia_addon.export.command").run(_arguments()))
    finally:
        checkout.unregister()
        if not bpy.app.binary_path:
            # The wheels of 4.2 and 4.5 crash or hang at exit while a compiled driver is still there.
            bpy.ops.wm.read_homefile(use_empty=True)


def prepare() -> ModuleType:
    """Make the checkout's add-on work in this Blender and return it; ends the program where a library is missing."""
    missing = [name for name in BUNDLED if not _provide(name)]
    if missing:
        names = " and no ".join(missing)
        print(
            f"error: this Python has no {names}, and {WHEELS} no wheel for {TAG}: run `make package`", file=sys.stderr
        )
        sys.exit(2)
    _make_way()
    checkout = import_checkout()
    checkout.register()
    return checkout


def import_checkout() -> ModuleType:
    """Import the checkout under a name of its own, without touching sys.path."""
    spec = spec_from_file_location(PACKAGE, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)])
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)
    return module


def _arguments() -> list[str]:
    if "--" in sys.argv:
        return sys.argv[sys.argv.index("--") + 1 :]
    # The bpy wheel has no program of its own; bpy.app.module would say so too, but not in 4.2.
    return [] if bpy.app.binary_path else sys.argv[1:]


def _make_way() -> None:
    # An installed copy registers the same class names. It is disabled for this process; preferences are not saved.
    modules: Any = addon_utils.modules()
    for module in list(modules):
        if module.__name__.rpartition(".")[2] == "sdf_inertia" and addon_utils.check(module.__name__)[1]:
            addon_utils.disable(module.__name__)


def _provide(name: str) -> bool:
    """Make a library importable: from the running Python, else from a wheel that `make package` left here."""
    try:
        import_module(BUNDLED[name])
        return True
    except ImportError:
        pass
    for wheel in sorted(WHEELS.glob(f"{name}-*-{TAG}-*.whl")):
        if not any(machine in wheel.name for machine in (platform.machine().lower(), "universal2")):
            continue
        sys.path.append(str(_unpacked(wheel)))
        return True
    return False


def _unpacked(wheel: Path) -> Path:
    """Return the folder of a wheel's files, beside it: code in C cannot be imported from inside a wheel.

    Where nothing can be written there, the folder is a temporary one.
    """
    unpacked = wheel.with_suffix("")
    if unpacked.is_dir():
        return unpacked
    try:
        folder = Path(tempfile.mkdtemp(prefix="unpacked-", dir=wheel.parent))
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="sdf_inertia-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    if folder.parent != wheel.parent:
        return folder
    folder.chmod(0o755)  # for others too, as the rest of the checkout
    try:
        folder.rename(unpacked)
    except OSError:  # another process was quicker
        shutil.rmtree(folder)
    return unpacked


if __name__ == "__main__":
    sys.exit(main())
