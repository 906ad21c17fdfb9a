# SPDX-License-Identifier: Apache-2.0
"""Runs inside Blender: exports one .blend after another, each named by a line of standard input.

Blender's own Python runs this file as a script. It imports nothing of this package: the add-on is the installed
extension, or that of a checkout.
"""

import contextlib
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

Export = Callable[[list[str]], int]

MARK = "\x1esdf-inertia "
"""The beginning of lines that are answers; ignore anything else that Blender prints."""


def main() -> None:
    """Print the versions, then answer line by line until the input ends."""
    export = _export(sys.argv[sys.argv.index("--") + 1])
    _answer({"blender": import_module("bpy").app.version_string, "version": _version(export)})
    for line in sys.stdin:
        try:
            answer = _exported(export, json.loads(line))
        except Exception as error:
            answer = {"status": 3, "report": None, "message": f"{type(error).__name__}: {error}"}
            traceback.print_exc()
        _answer(answer)
    os._exit(0)  # the wheels of 4.2 and 4.5 may hang at exit


def _answer(answer: dict[str, Any]) -> None:
    sys.stdout.flush()
    print(MARK + json.dumps(answer), flush=True)


def _version(export: Export) -> str:
    """Return the version of the extension that has this function."""
    return str(sys.modules[export.__module__].version())


def _export(addon: str) -> Export:
    """Return the function that exports: from a checkout, or from the installed extension."""
    if addon:
        spec = spec_from_file_location("sdf_inertia_headless", Path(addon) / "sdf_inertia_addon" / "headless.py")
        assert spec is not None and spec.loader is not None
        headless = module_from_spec(spec)
        spec.loader.exec_module(headless)
        headless.prepare()
        from_checkout: Export = import_module(f"{headless.PACKAGE}.sdf_inertia_addon.export.command").run
        return from_checkout
    import_module("bpy")
    addon_utils = import_module("addon_utils")
    names = [module.__name__ for module in addon_utils.modules() if module.__name__.rpartition(".")[2] == "sdf_inertia"]
    if not names:
        sys.exit("error: this Blender has no extension SDF Inertia; install it, or give a clone with --addon")
    if not addon_utils.check(names[0])[1]:
        addon_utils.enable(names[0])
    installed: Export = import_module(f"{names[0]}.sdf_inertia_addon.export.command").run
    return installed


def _exported(export: Export, job: dict[str, Any]) -> dict[str, Any]:
    bpy = import_module("bpy")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        try:
            bpy.ops.wm.open_mainfile(filepath=job["blend"], load_ui=False, use_scripts=False)
        except RuntimeError as error:
            return {"status": 2, "report": None, "message": " ".join(str(error).split())}
        read = bpy.utils.blend_paths(absolute=True)
        with contextlib.redirect_stdout(sys.stderr):
            status = export(["--output", job["output"], *job["words"], "--report", str(report)])
        content = json.loads(report.read_bytes()) if report.exists() else None
    return {"status": status, "report": content, "message": "", "read": read}


if __name__ == "__main__":
    main()
