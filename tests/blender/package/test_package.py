# SPDX-License-Identifier: GPL-3.0-or-later
"""What users get: the extension's zip in a clean Blender that has none of what it bundles, and the core as a wheel."""

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from ...packages import THIS_PYTHON, built_package
from ...ros_package import write_package

CHECKOUT = Path(__file__).parents[3]
MANIFEST = tomllib.loads((CHECKOUT / "blender_manifest.toml").read_text(encoding="utf-8"))

COPIED = ("core", "sdf_inertia_addon", "requirements", "tools", "__init__.py", "blender_manifest.toml")
COPIED += ("LICENSE", "LICENSES", "NOTICE", "README.md", "CHANGELOG.md")  # type: ignore[assignment]

INSTALL = """
import json, sys
from importlib.util import find_spec
import bpy
import addon_utils  # on the path only once bpy is there

seen = {"before": [name for name in ("lxml", "manifold3d", "collada", "trimesh") if find_spec(name)]}
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
    seen["loaded_at_start"] = "manifold3d" in sys.modules
    from bl_ext.user_default.sdf_inertia.core.mesh.measure import measure_surface
    from bl_ext.user_default.sdf_inertia.core.mesh.surface import Surface

    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    surface = Surface(corners, [(0, 1, 2), (3, 4, 5), (5, 6, 7)])
    seen["hull"] = measure_surface(surface, "hull").moments.volume
    seen["manifold3d_after"] = sys.modules["manifold3d"].__file__
    bpy.ops.sdf_inertia.import_sdf(filepath=sys.argv[3])
    seen["collada_after"] = sys.modules["collada"].__file__
    seen["materials"] = [material.name for material in bpy.data.objects["look"].data.materials]
finally:
    bpy.ops.preferences.addon_disable(module="bl_ext.user_default.sdf_inertia")
with open(sys.argv[2], "w") as file:
    json.dump(seen, file)
"""

INSTALL_ANOTHER = """
import sys
import bpy

try:  # Blender 4.5 raises an error where 5.2 prints one
    bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
finally:
    print("registered:", hasattr(bpy.types.Object, "sdf_inertia"))
"""


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def files(package):
    with zipfile.ZipFile(package) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def contents(files):
    return {PurePosixPath(name) for name in files}


def copied(target):
    """Copy what the zip is built from, as another clone has it: other dates, other permissions, another order."""
    for name in sorted((*COPIED, "docs"), reverse=True):
        if (CHECKOUT / name).is_dir():
            shutil.copytree(CHECKOUT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.mkdir(exist_ok=True)
            shutil.copy(CHECKOUT / name, target)
    for number, path in enumerate(sorted(target.rglob("*"), reverse=True)):
        os.utime(path, (1e9 + 4000 * number, 1e9 + 4000 * number))
        if path.is_file():
            path.chmod((0o600, 0o755)[number % 2])
    return target


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The core's wheel, built from a copy so that nothing is left in the checkout."""
    source, dist = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "setup.py", "blender_manifest.toml", "README.md", "NOTICE"):
        shutil.copy(CHECKOUT / name, source)
    for name in ("core", "LICENSES"):
        shutil.copytree(CHECKOUT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    pip = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index")
    run(*pip, "--wheel-dir", dist, source)
    (built,) = dist.glob("*.whl")
    return built


def test_the_zip_installs_into_a_clean_blender_and_brings_its_libraries(package, bare_python, tmp_path):
    script, answer, profile = tmp_path / "install.py", tmp_path / "seen.json", tmp_path / "profile"
    script.write_text(INSTALL)
    profile.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["BLENDER_USER_RESOURCES"] = str(profile)
    robot = write_package(tmp_path)
    run(bare_python, script, package, answer, robot, env=environment, cwd=tmp_path, timeout=300)

    seen = json.loads(answer.read_text())
    assert seen["before"] == []
    assert not seen["tagged_before"]
    assert seen["installed"] == ["FINISHED"]
    assert seen["enabled"]
    assert seen["tagged_after"]
    assert not seen["loaded_at_start"]  # only when a hull or a union is asked for
    assert seen["hull"] == pytest.approx(1.0)
    assert seen["materials"] == ["Label", "Blue Paint"]
    for name in ("package", "lxml_after", "etree_after", "manifold3d_after", "collada_after"):
        assert Path(seen[name]).is_relative_to(profile / "extensions"), name


def test_the_zip_holds_the_extension_and_nothing_else(contents):
    assert {str(path) for path in contents if len(path.parts) == 1} == {
        "__init__.py",
        "blender_manifest.toml",
        "CHANGELOG.md",
        "LICENSE",
        "NOTICE",
        "README.md",
    }
    assert {path.parts[0] for path in contents if len(path.parts) > 1} == {
        "core",
        "docs",
        "licenses",
        "sdf_inertia_addon",
        "wheels",
    }
    kinds = {path.suffix for path in contents if path.parts[0] in ("core", "sdf_inertia_addon")}
    assert kinds == {".py", ".po", ".md", ".csv"}


def test_the_zip_holds_every_catalogue_as_it_is(files):
    catalogues = [*(CHECKOUT / "sdf_inertia_addon").rglob("*.po")]
    assert "de_DE" in {path.stem for path in catalogues}
    held = {name: data for name, data in files.items() if name.endswith(".po")}
    assert held == {path.relative_to(CHECKOUT).as_posix(): path.read_bytes() for path in catalogues}


def imported(name, text):
    """Yield what a module imports of its own package, as paths from the package's root."""
    here = PurePosixPath(name).parent.parts
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = (*here[: len(here) + 1 - node.level], *(node.module or "").split("."))
            module = "/".join(filter(None, above))
            yield module, [alias.name for alias in node.names]


def test_no_module_of_the_zip_imports_one_that_is_not_in_it(files):
    places = {name.removesuffix(".py").removesuffix("/__init__") for name in files if name.endswith(".py")}
    seen = 0
    for name, data in files.items():
        if not name.endswith(".py"):
            continue
        for module, names in imported(name, data):
            seen += 1
            if name == "core/__init__.py":
                continue  # names of the pip package, each imported at its first use
            assert module in places or module == "", f"{name} imports {module}"
            for one in names:  # a module, or a name in one
                where = f"{module}/{one}".lstrip("/")
                absent = any((CHECKOUT / f"{where}{end}").exists() for end in (".py", "/__init__.py"))
                assert where in places or not absent, f"{name} imports {where}"
    assert seen > 500


PROGRAMS = {"core/formats/mjcf/mujoco_program", "core/formats/usd/usd_program"}
"""Run in a process of their own."""

OF_SCRIPTS = {"core/mesh/many"}
"""What users' scripts call in Blender."""


def test_the_zip_holds_what_the_add_on_imports_and_no_other_module(files):
    texts = {name.removesuffix(".py"): data for name, data in files.items() if name.endswith(".py")}
    reached: set[str] = set()
    waiting = ["__init__", *(name for name in texts if name.startswith("sdf_inertia_addon/"))]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        if name == "core/__init__":
            continue
        for module, names in imported(f"{name}.py", texts[name]):
            places = [module, *(f"{module}/{part}".lstrip("/") for part in names)]
            while "/" in places[0]:
                places.insert(0, places[0].rpartition("/")[0])
            waiting += [known for place in places for known in (place, f"{place}/__init__") if known in texts]
    assert texts.keys() - reached == PROGRAMS | OF_SCRIPTS


def test_the_zip_holds_what_blenders_own_builder_takes_from_the_checkout(files, tmp_path):
    (tool,) = Path(sysconfig.get_path("purelib"), "bpy").glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py")
    plain = tmp_path / "plain.zip"
    run(sys.executable, tool, "build", "--source-dir", CHECKOUT, "--output-filepath", plain)
    with zipfile.ZipFile(plain) as archive:
        built = {name: archive.read(name) for name in archive.namelist()}
    added = {name for name in files if name.startswith(("wheels/", "licenses/"))}
    assert built.keys() == files.keys() - added
    assert {name for name in built if built[name] != files[name]} == {"blender_manifest.toml"}


@pytest.mark.fault(85)
def test_another_clone_built_at_another_time_gives_the_same_bytes(package, tmp_path):
    clone = copied(tmp_path / "another clone")
    shutil.copytree(CHECKOUT / "build" / "fetched", clone / "build" / "fetched")  # as fetched, by the same hashes
    tool = clone / "tools" / "package.py"
    run(sys.executable, tool, tmp_path / "dist", "--python", THIS_PYTHON, cwd=tmp_path, umask=0o077)
    again = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "dist").iterdir()}
    built = (package, package.with_suffix(".cdx.json"))  # and its bill of materials
    assert again == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in built}


def test_the_zip_holds_the_texts_of_all_findings(files):
    texts = {path.relative_to(CHECKOUT).as_posix(): path for path in (CHECKOUT / "core" / "findings").glob("*.md")}
    assert len(texts) == 17
    assert {name: files.get(name) for name in texts} == {name: path.read_bytes() for name, path in texts.items()}


def test_of_the_documents_the_zip_has_only_the_readmes_pictures(files):
    shown = set(re.findall(r"\]\((docs/[^)]+\.png)\)", files["README.md"].decode()))
    assert shown
    assert shown == {name for name in files if name.startswith("docs/")}


def pinned():
    return (CHECKOUT / "requirements" / "wheels.txt").read_text()


@pytest.mark.fault(85)
def test_every_wheel_is_pinned_by_its_hash(files):
    hashes = set(re.findall(r"--hash=sha256:([0-9a-f]{64})", pinned()))
    wheels = {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name.endswith(".whl")}
    assert len(wheels) == 5
    assert set(wheels.values()) <= hashes
    assert len(hashes) == 12 + 14 + 3  # 14 zips; lxml's wheels serve both Macs, three serve all


@pytest.mark.parametrize("library", ["lxml", "manifold3d", "pycollada", "python-dateutil", "six"])
def test_what_is_bundled_is_what_is_tested_against(library):
    tested = (CHECKOUT / "requirements" / "test.txt").read_text()
    (bundled,) = re.findall(rf"^{library}==(\S+)", pinned(), re.MULTILINE)
    assert re.findall(rf"^{library}==(\S+)", tested, re.MULTILINE) == [bundled]


@pytest.mark.fault(85)
@pytest.mark.usefixtures("package")  # which fetches the wheels
def test_a_wheel_with_another_hash_is_not_bundled(tmp_path):
    clone = copied(tmp_path / "clone")
    (clone / "requirements" / "wheels.txt").write_text(re.sub(r"[0-9a-f]{64}", "0" * 64, pinned()))
    wheels = next((CHECKOUT / "build" / "fetched").rglob("lxml-*-cp311-*manylinux*x86_64.whl")).parent
    offline = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels.as_uri()}  # pip splits a path at spaces
    command = [sys.executable, clone / "tools" / "package.py", tmp_path / "dist", "--python", THIS_PYTHON]
    done = subprocess.run(command, capture_output=True, text=True, env=offline)
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / "dist").exists()


def test_the_manifest_declares_what_the_add_on_uses():
    code = "".join(path.read_text() for path in (CHECKOUT / "sdf_inertia_addon").rglob("*.py"))
    assert "clipboard" in code
    assert MANIFEST["permissions"].keys() == {"files", "clipboard"}
    assert not any(name in code for name in ("urllib", "socket", "import requests"))  # or `network`, too
    assert all(len(why) <= 64 and why[-1].isalnum() for why in MANIFEST["permissions"].values())


def test_the_zip_is_for_one_python_and_at_most_12_mb(files, package):
    manifest = tomllib.loads(files["blender_manifest.toml"].decode())
    assert manifest["version"] == f"{MANIFEST['version']}+python{THIS_PYTHON}"
    assert manifest.get("blender_version_max") == {"3.11": "5.1.0"}.get(THIS_PYTHON)
    tag = f"cp{THIS_PYTHON.replace('.', '')}"
    wheels = [PurePosixPath(path).name for path in manifest["wheels"]]
    assert [name.split("-")[0] for name in wheels if f"-{tag}-{tag}-" in name] == ["lxml", "manifold3d"]
    pure = [name.split("-")[0] for name in wheels if name.endswith("-none-any.whl")]
    assert pure == ["pycollada", "python_dateutil", "six"] and len(wheels) == 5
    assert package.stat().st_size < 12e6


def test_blender_does_not_enable_the_zip_for_another_python(bare_python, tmp_path):
    other = {"3.11": "3.13", "3.13": "3.11"}[THIS_PYTHON]
    package, profile = built_package(tmp_path, other), tmp_path / "profile"
    profile.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["BLENDER_USER_RESOURCES"] = str(profile)
    command = [bare_python, "-c", INSTALL_ANOTHER, package]
    done = subprocess.run(command, env=environment, cwd=tmp_path, timeout=300, capture_output=True, text=True)
    assert "registered: False" in done.stdout
    refusals = r"This Python version \(3\.11\) isn't compatible|must be less than the maximum version \(5\.1\.0\)"
    assert re.search(refusals, done.stdout + done.stderr)


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
