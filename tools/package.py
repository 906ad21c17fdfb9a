# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the extension: one validated zip per platform and Python (docs/adr/0014), with the wheels of
requirements/wheels.txt.

    package.py OUTPUT                  sdf_inertia-<version>-<platform>-python<version>.zip, each with its bill of
                                       materials, <the same>.cdx.json
    package.py OUTPUT --python 3.13    the one for this machine and that Python
    package.py --wheels-only           the wheels for this machine into build/wheels/, where headless.py looks

Run with .venv/bin/python: building and validating is Blender's own work, done by the tool in its wheel. The same
commit gives the same bytes, wherever and whenever it is built.
"""

import argparse
import importlib.util
import platform
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from bill_of_materials import bill, licences

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
MANIFEST = "blender_manifest.toml"

# Blender 4.2 to 5.0 run Python 3.11, 5.1 and 5.2 run 3.13; Debian builds 4.3 with 3.13, and 5.2 with 3.14.
PYTHONS = ("3.11", "3.13", "3.14")
BLENDER_MAX = {"3.11": "5.1.0"}  # the first Blender that runs a newer Python
# Each platform by Blender's name, and the wheels that fit it, by pip's.
UNIVERSAL = ("macosx_10_9_universal2", "macosx_10_13_universal2", "macosx_10_15_universal2")
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_26_x86_64", "manylinux_2_17_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_26_aarch64", "manylinux_2_17_aarch64"),
    "macos-x64": (*UNIVERSAL, "macosx_10_14_x86_64", "macosx_10_15_x86_64"),
    "macos-arm64": (*UNIVERSAL, "macosx_11_0_arm64"),
    "windows-x64": ("win_amd64",),
    "windows-arm64": ("win_arm64",),
}
DATE = (1980, 1, 1, 0, 0, 0)
"""Date of every file in a zip: the earliest possible. Any other would depend on a clock or on git."""


def targets() -> list[tuple[str, str]]:
    """Return the platform and Python of each zip."""
    return [(name, python) for name in PLATFORMS for python in PYTHONS if python != "3.14" or name.startswith("linux")]


def this_platform() -> str:
    system = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    return f"{system}-{machine.get(platform.machine().lower(), platform.machine().lower())}"


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], check=True)


def fetch_wheels(name: str, python: str) -> list[Path]:
    """Return the wheels of one platform and Python, from the last build if they are there."""
    requirement = ROOT / "requirements" / "wheels.txt"
    folder = BUILD / "fetched" / f"{name}-python{python}"
    complete = folder / requirement.name
    if not complete.exists() or complete.read_bytes() != requirement.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        tags = [f"--platform={tag}" for tag in PLATFORMS[name]]
        pip = (sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary=:all:", "--require-hashes")
        wanted = ("--implementation=cp", f"--python-version={python}", *tags)
        run(*pip, *wanted, "--dest", folder, "-r", requirement)
        shutil.copy(requirement, complete)  # last: it marks that all of them are there
    return sorted(folder.glob("*.whl"))


def offer_wheels() -> None:
    """Copy the wheels of this machine, for each Python, to where headless.py looks for them."""
    folder = BUILD / "wheels"
    folder.mkdir(parents=True, exist_ok=True)
    here = [(name, python) for name, python in targets() if name == this_platform()]
    wheels = [wheel for name, python in here for wheel in fetch_wheels(name, python)]
    for old in {*folder.glob("*.whl")} - {folder / wheel.name for wheel in wheels}:
        old.unlink()
    for wheel in wheels:
        shutil.copy2(wheel, folder)


def build(output: Path, chosen: list[tuple[str, str]]) -> list[Path]:
    (scripts,) = Path(find_bpy()).glob("*/scripts")
    tool = scripts / "addons_core/bl_pkg/cli/blender_ext.py"
    tags = scripts / "modules/_bpy_internal/extensions/tags.py"
    output.mkdir(parents=True, exist_ok=True)
    BUILD.mkdir(exist_ok=True)
    packages = []
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="extension-") as temporary:
        plain = Path(temporary, "plain.zip")
        run(sys.executable, tool, "build", "--source-dir", ROOT, "--output-filepath", plain)
        for name, python in chosen:
            wheels = {wheel.name: wheel.read_bytes() for wheel in fetch_wheels(name, python)}
            files = contents(plain) | licences(wheels) | {f"wheels/{wheel}": data for wheel, data in wheels.items()}
            metadata = tomllib.loads(files[MANIFEST].decode())
            stem = f"{metadata['id']}-{metadata['version']}-{name.replace('-', '_')}-python{python}"
            files[MANIFEST] = with_wheels(files[MANIFEST].decode(), name, python, sorted(files)).encode()
            package = Path(temporary, f"{stem}.zip")
            write_zip(package, files)
            run(sys.executable, tool, "validate", "--valid-tags", tags, package)
            materials = output / f"{stem}.cdx.json"
            materials.write_text(bill(package), encoding="utf-8", newline="\n")
            packages += [package.replace(output / package.name), materials]
    return packages


def contents(archive: Path) -> dict[str, bytes]:
    """Return the files in a zip by their paths."""
    with zipfile.ZipFile(archive) as opened:
        return {info.filename: opened.read(info) for info in opened.infolist() if not info.is_dir()}


def with_wheels(manifest: str, name: str, python: str, paths: list[str]) -> str:
    """Return the manifest with platform, Python and wheels.

    The checkout's names none: Blender refuses a manifest whose wheels are not there. The version names the Python as
    SemVer's build metadata, so that a Blender with another Python offers the other zip as an update.
    """
    version = tomllib.loads(manifest)["version"]
    manifest = manifest.replace(f'version = "{version}"', f'version = "{version}+python{python}"', 1)
    head, table, rest = manifest.partition("[permissions]")  # the keys belong before the first table
    lines = [f"platforms = {[name]}", f"wheels = {[f'./{path}' for path in paths if path.startswith('wheels/')]}"]
    if python in BLENDER_MAX:
        lines.append(f'blender_version_max = "{BLENDER_MAX[python]}"')
    return head + "\n".join(lines) + f"\n\n{table}{rest}"


def write_zip(path: Path, files: dict[str, bytes]) -> None:
    """Write files in the order of their paths, all with the same date and permissions."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, DATE)
            info.create_system = 3  # Unix, on every system
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith((".whl", ".png")) else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)


def find_bpy() -> str:
    """Return the folder of the wheel's files, without loading Blender."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("tools/package.py needs the bpy wheel: run `make package`, or .venv/bin/python tools/package.py.")
    return spec.submodule_search_locations[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the extension's zips.")
    parser.add_argument("output", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument("--python", choices=PYTHONS, help="build only the one for this machine and this Python")
    parser.add_argument("--wheels-only", action="store_true", help="only put wheels into build/wheels/")
    options = parser.parse_args()
    offer_wheels()
    if options.wheels_only:
        return
    for package in build(options.output, [(this_platform(), options.python)] if options.python else targets()):
        print(package)


if __name__ == "__main__":
    main()
