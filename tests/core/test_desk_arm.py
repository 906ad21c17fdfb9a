# SPDX-License-Identifier: GPL-3.0-or-later
"""The example package for ROS 2 and its page: sound, wrong as the page shows it, and run by the real colcon if any."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml  # type: ignore[import-untyped]

from core.cli.main import main
from tools.house import CHECKOUT

EXAMPLES = CHECKOUT / "examples"
NAME = "desk_arm_description"
PACKAGE = EXAMPLES / NAME
PAGE = (CHECKOUT / "docs" / "ros2.md").read_text(encoding="utf-8")
CMAKE = (PACKAGE / "CMakeLists.txt").read_text(encoding="utf-8")
ARGUMENTS = ["--xacro-arg", "gripper:=true", "urdf/desk_arm.urdf.xacro"]

CELL = """<robot name="desk_cell" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="$(find desk_arm_description)/urdf/desk_arm_macro.xacro"/>
  <link name="table">
    <inertial><mass value="12"/><inertia ixx="0.3604" ixy="0" ixz="0" iyy="1.0004" iyz="0" izz="1.36"/></inertial>
    <collision><geometry><box size="1 0.6 0.02"/></geometry></collision>
  </link>
  <xacro:desk_arm prefix="left_" parent="table" gripper="true"><origin xyz="0 0.2 0.01"/></xacro:desk_arm>
  <xacro:desk_arm prefix="right_" parent="table" gripper="true"><origin xyz="0 -0.2 0.01"/></xacro:desk_arm>
</robot>
"""


CALL = f"sdf_inertia_check({ARGUMENTS[2]} OPTIONS {' '.join(ARGUMENTS[:2])})"
"""The line of CMake that runs the check."""


def block(language):
    """Return the page's only block of code in a language."""
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return text


def plant(package):
    """Change a macro as the page's diff shows it."""
    path = package / "urdf" / "desk_arm_macro.xacro"
    right, wrong = (line[1:] for line in block("diff").splitlines())
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package in the source folder of a workspace, which is the working directory."""
    package = tmp_path / "src" / NAME
    shutil.copytree(PACKAGE, package)
    monkeypatch.chdir(package)
    for name in ("AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH"):
        monkeypatch.delenv(name, raising=False)
    return package


@pytest.fixture
def cell(package):
    """A robot of another package, which uses the macro and the meshes of the first one twice."""
    path = package.parent / "desk_cell_description" / "urdf" / "desk_cell.urdf.xacro"
    path.parent.mkdir(parents=True)
    path.write_text(CELL, encoding="utf-8")
    text = (package / "package.xml").read_text(encoding="utf-8")
    text = text.replace(NAME, path.parents[1].name).replace(
        "<exec_depend>", f"<exec_depend>{NAME}</exec_depend><exec_depend>"
    )
    (path.parents[1] / "package.xml").write_text(text, encoding="utf-8")
    text = CMAKE.replace(NAME, path.parents[1].name).replace("meshes urdf", "urdf")
    text = text.replace(CALL, f"sdf_inertia_check(urdf/{path.name})")
    (path.parents[1] / "CMakeLists.txt").write_text(text, encoding="utf-8")
    return path


def test_the_script_makes_the_committed_meshes_and_macro(tmp_path):
    subprocess.run([sys.executable, str(EXAMPLES / "desk_arm.py"), str(tmp_path)], check=True)
    made = [path.relative_to(tmp_path / NAME) for path in (tmp_path / NAME).rglob("*") if path.is_file()]
    assert len(made) == 7
    for name in made:
        assert (tmp_path / NAME / name).read_bytes() == (PACKAGE / name).read_bytes(), name
    assert {path.name for path in PACKAGE.glob("meshes/*")} == {name.name for name in made if name.suffix == ".stl"}


@pytest.mark.parametrize(("gripper", "links"), [("false", 5), ("true", 6)])
def test_each_variant_of_the_arm_is_sound_and_its_meshes_agree(package, capsys, gripper, links):
    words = ["--strict", "--for", "gazebo", "--xacro-arg", f"gripper:={gripper}", "urdf/desk_arm.urdf.xacro"]
    assert main(["check", *words]) == 0
    output = capsys.readouterr().out
    assert output.startswith("urdf/desk_arm.urdf.xacro: good\n")
    assert f"{links} links: no invalid inertial; {links} agree with their geometry within 5 %" in output


def test_cmake_the_workflow_and_pre_commit_run_the_same_check(package):
    assert f"\n  {CALL}\n" in CMAKE
    workflow = yaml.safe_load((package / ".github/workflows/inertia.yml").read_text(encoding="utf-8"))
    inputs = workflow["jobs"]["inertia"]["steps"][-1]["with"]
    assert [path.as_posix() for path in Path().rglob(inputs["files"])] == ARGUMENTS[2:]
    assert inputs["options"].split() == ARGUMENTS[:2]
    (repository,) = yaml.safe_load((package / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    (hook,) = repository["hooks"]
    assert hook["id"] in (CHECKOUT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert (hook["args"], hook["pass_filenames"]) == (ARGUMENTS, False)
    assert all(re.match(hook["files"], name) for name in ("urdf/desk_arm_macro.xacro", "meshes/base.stl"))


def test_the_page_has_the_lines_of_the_package():
    assert block("cmake") in CMAKE
    inputs = set(re.findall(r"^  ([\w-]+):$", (CHECKOUT / "action.yml").read_text(encoding="utf-8"), re.MULTILINE))
    workflow = yaml.safe_load((PACKAGE / ".github/workflows/inertia.yml").read_text(encoding="utf-8"))
    assert set(workflow["jobs"]["inertia"]["steps"][-1]["with"]) <= inputs


def test_the_mistake_of_the_page_gives_the_output_on_the_page(package, capsys):
    plant(package)
    assert main(["check", "--junit", "inertia.xml", *ARGUMENTS]) == 1
    (case,) = ElementTree.parse("inertia.xml").iter("testcase")
    assert case.get("name") == "inertial_unit" in capsys.readouterr().out
    assert f"- {case.get('classname')} inertial_unit\n" in block("console")
    assert f"    {case.find('failure').get('message')}\n" in block("console")


def test_the_repair_of_the_page_restores_the_numbers(package, capsys):
    plant(package)
    (words,) = re.findall(r"^    sdf-inertia (repair .*)$", PAGE, re.MULTILINE)
    assert main(words.split()) == 0
    assert main(["check", *ARGUMENTS]) == 0
    assert re.search(r"^\+ *(.*)$", block("diff"), re.MULTILINE)[1] not in Path("urdf/desk_arm_macro.xacro").read_text()


def test_a_baseline_accepts_the_known_mistake(package, capsys):
    plant(package)
    (words,) = re.findall(r"^    sdf-inertia (check --format json .*) > known.json$", PAGE, re.MULTILINE)
    assert main(words.split()) == 1
    Path("known.json").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["check", "--baseline", "known.json", *ARGUMENTS]) == 0


def test_a_package_elsewhere_is_found_by_a_path_or_the_prefix_of_ament(package, cell, monkeypatch, capsys):
    monkeypatch.chdir(cell.parents[1])
    words = ["check", f"urdf/{cell.name}"]
    assert main(words) == 0  # they are next to each other
    sound = capsys.readouterr().out
    assert "13 links: no invalid inertial; 13 agree" in sound
    elsewhere = package.parents[1] / "elsewhere" / NAME
    elsewhere.parent.mkdir()
    package = package.rename(elsewhere)
    assert main(words) == 1  # where other packages are is not known
    capsys.readouterr()
    assert main([*words, "--path", str(elsewhere.parent)]) == 0
    assert capsys.readouterr().out == sound
    prefix = package.parents[1] / "install" / NAME
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(prefix))
    for install in (shutil.copy, os.symlink) if os.name == "posix" else (shutil.copy,):
        shutil.rmtree(prefix, ignore_errors=True)
        shutil.copytree(package, prefix / "share" / NAME, copy_function=install)
        assert main(words) == 0
        assert capsys.readouterr().out == sound


# --- the real tools --------------------------------------------------------------------------------------------------


def python_of_ament():
    """Return the Python that has ament's modules, or None."""
    prefixes = [*os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep), "/usr"]
    if not any(Path(one, "share/ament_cmake/cmake/ament_cmakeConfig.cmake").exists() for one in prefixes if one):
        return None
    for name in ("/usr/bin/python3", shutil.which("python3")):
        command = [name, "-c", "import ament_package, catkin_pkg"]
        if name and Path(name).exists() and subprocess.run(command, capture_output=True).returncode == 0:
            return name
    return None


def ran(workspace, *words):
    """Run a program in a workspace, with this checkout's command on the path; return its output."""
    commands = workspace / "bin"
    if not commands.exists():
        commands.mkdir()
        command = commands / "sdf-inertia"
        command.write_text(
            f'#!/bin/sh\nPYTHONPATH="{CHECKOUT}" exec "{sys.executable}" -m core "$@"\n', encoding="utf-8"
        )
        command.chmod(0o755)
    path = os.pathsep.join([str(commands), os.environ["PATH"]])
    home = {"PATH": path, "COLCON_HOME": str(workspace / "colcon"), "COLCON_LOG_PATH": str(workspace / "log")}
    done = subprocess.run(
        words, cwd=workspace, env={**os.environ, **home}, capture_output=True, text=True, encoding="utf-8"
    )
    return done.stdout + done.stderr


PLAIN = """cmake_minimum_required(VERSION 3.16)
project(arm NONE)
enable_testing()
execute_process(COMMAND sdf-inertia --cmake-dir OUTPUT_VARIABLE sdf_inertia_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
find_package(sdf_inertia REQUIRED)
sdf_inertia_check(urdf/desk_arm.urdf.xacro STRICT FOR gazebo drake)
sdf_inertia_check(arm.urdf NAME wrong)
"""


@pytest.mark.skipif(shutil.which("ctest") is None, reason="there is no cmake")
def test_the_macro_without_ament_adds_tests_with_junit_results(package):
    (package / "CMakeLists.txt").write_text(PLAIN, encoding="utf-8")
    shutil.copy(EXAMPLES / "arm.urdf", package)
    workspace = package.parents[1]
    made = ran(workspace, "cmake", "-S", f"src/{NAME}", "-B", "build")
    assert "Build files have been written" in made, made
    output = ran(workspace, "ctest", "--test-dir", "build", "--verbose")
    assert re.search(r"inertia \.+ +Passed", output) and re.search(r"wrong \.+\*+Failed", output), output
    assert '"--strict" "--for" "gazebo,drake" "--" "urdf/desk_arm.urdf.xacro"' in output
    results = {
        path.name: ElementTree.parse(path).getroot() for path in (workspace / "build/test_results/arm").iterdir()
    }
    assert {name: root.get("failures") for name, root in results.items()} == {"inertia.xml": "0", "wrong.xml": "2"}
    with (package / "CMakeLists.txt").open("a", encoding="utf-8") as text:
        text.write("sdf_inertia_check(arm.urdf)\n")
    assert "give this one another NAME" in " ".join(ran(workspace, "cmake", "build").split())


@pytest.mark.skipif(shutil.which("colcon") is None, reason="there is no colcon")
@pytest.mark.skipif(python_of_ament() is None, reason="there is no ament_cmake")
@pytest.mark.parametrize("options", [[], ["--symlink-install"]])
def test_colcon_passes_the_packages_and_shows_the_mistake_as_the_page_does(package, cell, options):
    workspace = package.parents[1]
    built = ran(workspace, "colcon", "build", *options, "--cmake-args", f"-DPython3_EXECUTABLE={python_of_ament()}")
    assert "2 packages finished" in built, built
    ran(workspace, "colcon", "test")
    passed = ran(workspace, "colcon", "test-result", "--all")
    assert "Summary: 4 tests, 0 errors, 0 failures, 0 skipped" in passed, passed
    plant(package)
    ran(workspace, "colcon", "test", "--packages-select", NAME)
    output = ran(workspace, "colcon", "test-result", "--verbose", "--test-result-base", f"build/{NAME}/test_results")
    shown = block("console").partition("...\n")[2].partition("\n")[2]
    assert [line.rstrip() for line in output.splitlines()] == shown.splitlines()
