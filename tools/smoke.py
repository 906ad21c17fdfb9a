# SPDX-License-Identifier: GPL-3.0-or-later
"""Install a zip of the extension into the bpy of this Python as a user does, export an example, compare its numbers.

    smoke.py dist            the one zip in this folder; exit status 1 if a number differs
    smoke.py dist --write    write examples/rover.json again

For systems without make: .github/workflows/platforms.yml runs it on Linux, macOS and Windows.
"""

import argparse
import json
import math
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE, NUMBERS = ROOT / "examples" / "rover.blend", ROOT / "examples" / "rover.json"
MODULE = "bl_ext.user_default.sdf_inertia"

TOLERANCE = 1e-6
"""Tolerance of each number, relative to the largest of its kind in a link: Blender's modifiers compute in float32,
which another compiler may round differently. On Linux, Blender 4.2 to 5.2 agree to 1e-9."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Install a zip, export an example, compare its numbers.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    (package,) = options.folder.resolve().glob("*.zip")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # Not the user's own folder; Blender reads the variable when it is loaded.
        profile = Path(folder, "profile")
        profile.mkdir()
        os.environ["BLENDER_USER_RESOURCES"] = str(profile)
        found = numbers(package, Path(folder))
    if options.write:
        NUMBERS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
        return 0
    wrong = differences(json.loads(NUMBERS.read_text(encoding="utf-8")), found)
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(found)} links, {len(wrong)} differences, Python {sys.version.split()[0]}, {sys.platform}")
    return 1 if wrong or not found else 0


def numbers(package: Path, folder: Path) -> dict[str, dict[str, list[float]]]:
    """Return mass, centre of mass and tensor of each link, exported by the installed extension."""
    bpy = import_module("bpy")
    bpy.ops.extensions.package_install_files(filepath=str(package), repo="user_default", enable_on_install=True)
    try:
        bpy.ops.wm.open_mainfile(filepath=str(EXAMPLE))
        run = import_module(f"{MODULE}.sdf_inertia_addon.export.command").run
        report = folder / "report.json"
        status = run(["--output", str(folder / "out"), "--inertia", "filled", "--report", str(report)])
        if status != 0 or not (folder / "out" / "rover" / "model.sdf").is_file():
            sys.exit(f"the export ended with status {status}")
        (model,) = json.loads(report.read_text(encoding="utf-8"))["models"]
    finally:
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.preferences.addon_disable(module=MODULE)
    return {
        link["name"]: {"mass": [link["mass"]], "com": link["com"], "inertia": list(link["inertia"].values())}
        for link in model["links"]
    }


def differences(expected: dict[str, dict[str, list[float]]], found: dict[str, dict[str, list[float]]]) -> list[str]:
    """Return a line for each number that differs."""
    wrong = [f"{name}: only in one of both" for name in expected.keys() ^ found.keys()]
    for name in expected.keys() & found.keys():
        for kind, own in expected[name].items():
            scale = max(map(abs, own))
            for one, other in zip(own, found[name][kind], strict=True):
                if not math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE * scale):
                    wrong.append(f"{name}: {kind} {other!r}, expected {one!r}")
    return sorted(wrong)


if __name__ == "__main__":
    sys.exit(main())
