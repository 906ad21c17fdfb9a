# SPDX-License-Identifier: GPL-3.0-or-later
"""What users get: the extension's zip in a clean Blender without lxml, and the core as a wheel."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

CHECKOUT = Path(__file__).parents[2]
MANIFEST = tomllib.loads((CHECKOUT / "blender_manifest.toml").read_text(encoding="utf-8"))

INSTALL = """
import json, sys
import bpy
import addon_utils  # on the path only once bpy is there

try:
    import lxml
except ModuleNotFoundError:
    seen = {"lxml_before": None}
else:
    seen = {"lxml_before": lxml.__file__}
seen["tagged_before"] = hasattr(bpy.types.Object, "sdf_inertia")

done = bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
try:
    import lxml.etree

    seen["installed"] = sorted(done)
    seen["enabled"] = addon_utils.check("bl_ext.user_default.sdf_inertia")[1]
    seen["tagged_after"] = hasattr(bpy.types.Object, "sdf_inertia")
    seen["package"] = sys.modules["bl_ext.user_default.sdf_inertia"].__file__
    seen["lxml_after"] = lxml.__file__
    seen["etree_after"] = lxml.etree.__file__
finally:
    bpy.ops.preferences.addon_disable(module="bl_ext.user_default.sdf_inertia")
with open(sys.argv[2], "w") as file:
    json.dump(seen, file)
"""


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def contents(package):
    with zipfile.ZipFile(package) as archive:
        return {PurePosixPath(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def python_without_lxml(tmp_path_factory):
    """A Python with this environment's bpy and what bpy stands on, in which lxml was never installed."""
    folder = tmp_path_factory.mktemp("bare")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    for here in Path(sysconfig.get_path("purelib")).iterdir():
        if here.name.split(".")[0] in ("bpy", "numpy", "requests", "certifi", "idna", "urllib3", "zstandard"):
            (site / here.name).symlink_to(here)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The core's wheel, built from a copy so that nothing is left in the checkout."""
    source, dist = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "setup.py", "blender_manifest.toml", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, source)
    shutil.copytree(CHECKOUT / "core", source / "core", ignore=shutil.ignore_patterns("__pycache__"))
    pip = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index")
    run(*pip, "--wheel-dir", dist, source)
    (built,) = dist.glob("*.whl")
    return built


def test_the_zip_installs_into_a_clean_blender_and_brings_lxml(package, python_without_lxml, tmp_path):
    script, answer, profile = tmp_path / "install.py", tmp_path / "seen.json", tmp_path / "profile"
    script.write_text(INSTALL)
    profile.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["BLENDER_USER_RESOURCES"] = str(profile)
    run(python_without_lxml, script, package, answer, env=environment, cwd=tmp_path, timeout=300)

    seen = json.loads(answer.read_text())
    assert seen["lxml_before"] is None
    assert not seen["tagged_before"]
    assert seen["installed"] == ["FINISHED"]
    assert seen["enabled"]
    assert seen["tagged_after"]
    for name in ("package", "lxml_after", "etree_after"):
        assert Path(seen[name]).is_relative_to(profile / "extensions"), name


def test_the_zip_holds_the_extension_and_nothing_else(contents):
    assert {str(path) for path in contents if len(path.parts) == 1} >= {
        "__init__.py",
        "blender_manifest.toml",
        "LICENSE",
        "README.md",
    }
    assert {path.parts[0] for path in contents if len(path.parts) > 1} == {
        "core",
        "sdf_inertia_addon",
        "wheels",
    }
    assert not [path for path in contents if path.suffix == ".pyc" or any(p[0] == "." for p in path.parts)]
    assert not [path for path in contents if {"__pycache__", "tests"} & set(path.parts)]


@pytest.mark.parametrize("folder", ["core", "sdf_inertia_addon"])
def test_the_zip_holds_every_module(contents, folder):
    modules = {PurePosixPath(path.relative_to(CHECKOUT)) for path in (CHECKOUT / folder).rglob("*.py")}
    assert modules
    assert modules <= contents


def test_the_zip_brings_lxml_for_every_python_of_blender(contents):
    wheels = [path.name for path in contents if path.parts[0] == "wheels"]
    assert len(wheels) == 3
    for python in ("cp311", "cp313", "cp314"):
        assert [name for name in wheels if name.startswith("lxml-") and f"-{python}-{python}-" in name], python


def test_the_manifest_keeps_blenders_limits():
    assert MANIFEST["id"] == "sdf_inertia"
    assert len(MANIFEST["tagline"]) <= 64
    assert not MANIFEST["tagline"].endswith(".")
    assert "wheels" not in MANIFEST, "a checkout has no wheels, and Blender refuses a manifest that lacks its own"


def test_the_wheel_holds_every_module_of_core_as_sdf_inertia(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {PurePosixPath(name) for name in archive.namelist()}
    modules = {path.relative_to(CHECKOUT / "core") for path in (CHECKOUT / "core").rglob("*.py")}
    assert {PurePosixPath("sdf_inertia", module) for module in modules} == {
        name for name in names if name.suffix == ".py"
    }


def test_the_wheel_installs_as_sdf_inertia_without_a_package_called_core(wheel, tmp_path):
    site = tmp_path / "site"
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", site, wheel)
    code = (
        "import importlib.util, sys; sys.path.insert(0, sys.argv[1])\n"
        "import sdf_inertia; from importlib.metadata import version\n"
        "print(sdf_inertia.__file__, importlib.util.find_spec('core'), version('sdf-inertia'))"
    )
    answer = run(sys.executable, "-I", "-c", code, site, cwd=tmp_path).split()
    assert answer == [str(site / "sdf_inertia" / "__init__.py"), "None", MANIFEST["version"]]
    assert not (site / "core").exists()
