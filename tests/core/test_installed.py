# SPDX-License-Identifier: GPL-3.0-or-later
"""The package as users get it: sdist and wheel, the wheel installed, and every command run from elsewhere."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from core import __all__ as sdf_inertia_names
from core.findings.listed import REPOSITORY
from core.version import version
from tools.house import CHECKOUT, modules

pytest.importorskip("build", reason="there is no build (requirements/test.txt)")
pytest.importorskip("setuptools", reason="there is no setuptools (requirements/test.txt)")

pytestmark = pytest.mark.thorough

MYPY = CHECKOUT / ".venvs/lint/bin/mypy"

CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""
AUTO = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>100</density></inertial>
<collision name="c"><geometry><mesh><uri>cube.obj</uri></mesh></geometry></collision></link></model></sdf>"""
IMPOSSIBLE = AUTO.replace(
    '<inertial auto="true"><density>100</density></inertial>',
    "<inertial><mass>6</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia></inertial>",
)


TYPED = """
from collections.abc import Mapping
from pathlib import Path
from typing import Any
import numpy as np
import numpy.typing as npt
from sdf_inertia import Finding, Inertial, InertiaError, Measurement, Moments, Pose, check_mesh, many_mesh_moments
from sdf_inertia import LinkChange, PrintedInertial, Report, Robot, RobotLink, inertial_of_text, read_robot
from sdf_inertia import StepRobot, find_robots, read_step
from sdf_inertia import measure_mesh, mesh_moments, register_calculator, unregister_calculator, voxel_moments

Floats = npt.NDArray[np.floating[Any]]
Integers = npt.NDArray[np.integer[Any]]

vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float64)
triangles = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.int32)
measured: Measurement = measure_mesh(vertices, triangles)
moments: Moments = mesh_moments(vertices, triangles) + voxel_moments(vertices, triangles, 0.1)
many: list[Moments] = many_mesh_moments([(vertices, triangles)])
findings: tuple[Finding, ...] = check_mesh(vertices, triangles)
body: Inertial = measured.moments.inertial(density=1000.0)
printed: PrintedInertial = inertial_of_text("Mass = 2 kg", products="positive")
of_file: Measurement = measure_mesh("wheel.stl", scale=0.001)
pose: Pose = Pose.from_sdf((0, 0, 1, 0, 0, 0)).inverse()


def solid(vertices: Floats, triangles: Integers, params: Mapping[str, str]) -> Measurement:
    try:
        return measure_mesh(vertices, triangles)
    except InertiaError as error:
        code: str = error.code
        raise


paths: list[Path] = find_robots("robots")
robot: Robot = read_robot("robot.urdf", ["models"]).repair("impossible", density=1000.0)
links: Mapping[str, RobotLink] = robot.links
changes: tuple[LinkChange, ...] = robot.changes
report: Report = robot.report("gazebo")
assembly: StepRobot = read_step("arm.step", bom="bom.csv", links="first", weighed={"hand": 0.3})
robot.repair(mass="keeep")  # type: ignore[arg-type]
from sdf_inertia import raed_robot  # type: ignore[attr-defined]
register_calculator("solid", solid)
unregister_calculator("solid")
mesh_moments(1)  # type: ignore[call-arg]
body.mass = 2.0  # type: ignore[misc]
"""
"""A program that uses each public name; mypy would report an ignored error that is not there."""


def run(*command, folder, status=0):
    """Run a program in a folder; return its standard output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that is built from the sdist of a copy of this checkout; neither reaches a network."""
    folder = tmp_path_factory.mktemp("package")
    source = folder / "source"
    for name in ("core", "LICENSES"):
        shutil.copytree(CHECKOUT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    (source / "docs").mkdir()
    names = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "NOTICE", "blender_manifest.toml")
    for name in (*names, "docs/findings.md"):
        shutil.copy(CHECKOUT / name, source / name)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source, folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def command(wheel, tmp_path_factory):
    """The installed command: in an environment that has nothing else, but finds the libraries of this one."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, symlinks=os.name == "posix")
    where = {name: Path(sysconfig.get_path(name, "venv", {"base": home})) for name in ("purelib", "scripts")}
    python = where["scripts"] / Path(sys.executable).name
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-compile", "--no-deps", "--no-index", wheel, folder=home)
    libraries = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (where["purelib"] / "libraries.pth").write_text("".join(f"{folder}\n" for folder in libraries), encoding="utf-8")
    there = run(python, "-c", "import sdf_inertia; print(sdf_inertia.__file__)", folder=home)
    assert Path(there.strip()).is_relative_to(where["purelib"])
    return where["scripts"] / "sdf-inertia"


@pytest.fixture
def robots(tmp_path):
    for name, text in {"cube.obj": CUBE, "auto.sdf": AUTO, "impossible.sdf": IMPOSSIBLE}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_wheel_has_every_module_finding_and_part_of_pages(wheel):
    named = {name.partition("/")[2] for name in zipfile.ZipFile(wheel).namelist() if name.startswith("sdf_inertia/")}
    data = [
        CHECKOUT / "core" / "py.typed",
        CHECKOUT / "core" / "body" / "materials.csv",
        *(CHECKOUT / "core" / "findings").glob("*.md"),
        *(CHECKOUT / "core" / "cmake").iterdir(),
    ]
    paths = {*modules("core").values(), *data}
    paths |= {path for path in (CHECKOUT / "core" / "view").iterdir() if path.suffix in (".html", ".css", ".js")}
    assert named == {path.relative_to(CHECKOUT / "core").as_posix() for path in paths}


def test_the_wheel_has_about_a_megabyte(wheel):
    assert 100_000 < wheel.stat().st_size < 1_250_000


def test_an_index_shows_the_readme_with_links_that_work_there(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        text = archive.read(name).decode("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert f"{REPOSITORY}/raw/main/docs/preview-rover.png" in links and len(links) > 10
    assert [link for link in links if not link.startswith("https://")] == []


@pytest.mark.skipif(not MYPY.exists(), reason="there is no mypy (make lint)")
def test_a_program_with_every_public_name_passes_mypy_strict(command, tmp_path):
    assert [name for name in sdf_inertia_names if not re.search(rf"\b{name}\b", TYPED)] == []
    (tmp_path / "program.py").write_text(TYPED, encoding="utf-8")
    python = command.with_name(Path(sys.executable).name)
    run(
        MYPY,
        "--strict",
        "--cache-dir",
        tmp_path / "cache",
        "--python-executable",
        python,
        "program.py",
        folder=tmp_path,
    )


def test_the_installed_command_has_the_version_of_the_checkout(command, tmp_path):
    assert run(command, "--version", folder=tmp_path) == f"sdf-inertia {version()}\n"


def test_the_installed_command_names_the_folder_that_cmake_looks_in(command, tmp_path):
    folder = Path(run(command, "--cmake-dir", folder=tmp_path).strip())
    assert "function(sdf_inertia_check)" in (folder / "sdf_inertiaConfig.cmake").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_every_installed_command_works_from_another_folder(command, robots):
    body = json.loads(run(command, "mass", "cube.obj", "--density", "6", "--json", folder=robots))
    assert body["mass"] == pytest.approx(6.0, rel=1e-14)
    assert body["inertia"]["ixx"] == pytest.approx(1.0, rel=1e-14)
    assert "cube.obj: good\n" in run(command, "check", "cube.obj", "auto.sdf", folder=robots)
    sarif = json.loads(run(command, "check", "impossible.sdf", "--format", "sarif", folder=robots, status=1))
    rules = {rule["id"]: rule for rule in sarif["runs"][0]["tool"]["driver"]["rules"]}
    assert rules["triangle_inequality"]["help"]["text"].endswith(" (docs/findings.md#triangle_inequality)")
    run(command, "repair", "impossible.sdf", "-o", "repaired.sdf", folder=robots)
    run(command, "fill", "auto.sdf", "-o", "filled.sdf", folder=robots)
    (link,) = json.loads(run(command, "report", "filled.sdf", "--format", "json", folder=robots))["models"][0]["links"]
    assert link["mass"] == pytest.approx(100.0, rel=1e-14)
    run(command, "batch", "check", "cube.obj", "filled.sdf", "--report", "report.jsonl", folder=robots)
    lines = (robots / "report.jsonl").read_text().splitlines()
    assert [json.loads(line)["outcome"] for line in lines] == ["done", "done"]
    same = "0 of 1 links differ"
    assert run(command, "diff", "auto.sdf", "filled.sdf", folder=robots).startswith(same)
    table = run(command, "diff", "filled.sdf", "repaired.sdf", folder=robots, status=1)
    assert re.search(r"^l +mass \[kg\] +100 +6 ", table, re.MULTILINE)
