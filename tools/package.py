# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the extension: one validated zip per platform, with lxml for every Python that Blender brings.

    package.py OUTPUT [--platform NAME]    sdf_inertia-<version>-<platform>.zip for each, or for one
    package.py --wheels-only               lxml for this machine into build/wheels/, where headless.py looks

Run with .venv/bin/python: building and validating is Blender's own work, done by the tool in its wheel.
"""

import argparse
import importlib.util
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"

# Blender 4.2 to 5.0 run Python 3.11, 5.1 and 5.2 run 3.13; Debian builds 5.2 with 3.14.
PYTHONS = ("3.11", "3.13", "3.14")
# Each platform by Blender's name, and the wheels that fit it, by pip's. Both Macs share the universal wheels.
MACOS = ("macosx_10_9_universal2", "macosx_10_13_universal2", "macosx_10_15_universal2")
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_26_x86_64", "manylinux_2_17_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_26_aarch64", "manylinux_2_17_aarch64"),
    "macos-x64": MACOS,
    "macos-arm64": MACOS,
    "windows-x64": ("win_amd64",),
    "windows-arm64": ("win_arm64",),
}
# What goes into the zip; the manifest's paths_exclude_pattern says the same for a build from the checkout.
FILES = ("__init__.py", "blender_manifest.toml", "LICENSE", "README.md", "CHANGELOG.md")
PACKAGES = ("core", "sdf_inertia_addon")


def this_platform() -> str:
    system = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    return f"{system}-{machine.get(platform.machine().lower(), platform.machine().lower())}"


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True)


def fetch_wheels(name: str) -> list[Path]:
    """The wheels of one platform, from the last build where they are already there."""
    requirement = ROOT / "requirements" / "lxml.txt"
    folder = BUILD / "lxml" / "-".join(PLATFORMS[name])
    complete = folder / requirement.name
    if not complete.exists() or complete.read_bytes() != requirement.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        for python in PYTHONS:
            tags = [f"--platform={tag}" for tag in PLATFORMS[name]]
            pip = (sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:")
            run(
                *pip,
                "--implementation=cp",
                f"--python-version={python}",
                *tags,
                "--dest",
                folder,
                "-r",
                requirement,
            )
        shutil.copy(requirement, complete)  # last: it says that all of them are there
    return sorted(folder.glob("*.whl"))


def offer_wheels() -> None:
    """Lay the wheels of this machine where headless.py looks for them."""
    folder = BUILD / "wheels"
    folder.mkdir(parents=True, exist_ok=True)
    wheels = fetch_wheels(this_platform())
    for old in {*folder.glob("*.whl")} - {folder / wheel.name for wheel in wheels}:
        old.unlink()
    for wheel in wheels:
        shutil.copy2(wheel, folder)


def stage(folder: Path, wheels: dict[str, list[Path]]) -> None:
    """The extension's files in a folder of their own, its manifest naming platforms and wheels.

    The checkout's manifest names neither: Blender refuses a manifest whose wheels are not there.
    """
    for name in FILES:
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, folder)
    for name in PACKAGES:
        ignore = shutil.ignore_patterns("__pycache__", ".*", "ruff.toml")
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    (folder / "wheels").mkdir()
    for wheel in {wheel for each in wheels.values() for wheel in each}:
        shutil.copy2(wheel, folder / "wheels")
    paths = sorted(f"./wheels/{wheel.name}" for wheel in (folder / "wheels").iterdir())
    generated = f"platforms = {list(wheels)}\nwheels = {paths}\n\n"
    manifest = folder / "blender_manifest.toml"
    head, table, rest = manifest.read_text(encoding="utf-8").partition("[permissions]")
    manifest.write_text(head + generated + table + rest, encoding="utf-8")  # before the manifest's first table


def build(output: Path, platforms: list[str]) -> list[Path]:
    tool = next(Path(find_bpy()).glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"))
    wheels = {name: fetch_wheels(name) for name in platforms}
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="extension-") as temporary:
        source, target = Path(temporary, "source"), Path(temporary, "target")
        source.mkdir()
        target.mkdir()
        stage(source, wheels)
        run(sys.executable, tool, "build", "--split-platforms", "--source-dir", source, "--output-dir", target)
        output.mkdir(parents=True, exist_ok=True)
        packages = sorted(target.glob("*.zip"))
        for package in packages:
            run(sys.executable, tool, "validate", package)
        return [package.replace(output / package.name) for package in packages]


def find_bpy() -> str:
    """Where the wheel's files are, without loading Blender."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("tools/package.py needs the bpy wheel: run `make package`, or .venv/bin/python tools/package.py.")
    return spec.submodule_search_locations[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the extension's zips.")
    parser.add_argument("output", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument("--platform", choices=("this", *PLATFORMS), help="build for this one alone")
    parser.add_argument("--wheels-only", action="store_true", help="only put lxml into build/wheels/")
    options = parser.parse_args()
    offer_wheels()
    if options.wheels_only:
        return
    chosen = this_platform() if options.platform == "this" else options.platform
    for package in build(options.output, [chosen] if chosen else list(PLATFORMS)):
        print(package)


if __name__ == "__main__":
    main()
