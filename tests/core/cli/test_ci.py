# SPDX-License-Identifier: GPL-3.0-or-later
"""How other repositories run `check` for every change: the action's script, and pre-commit."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from lxml import etree

from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface
from tests.core.cli.test_check_formats import BAD_TENSOR, GOOD, robot
from tests.core.solids import box
from tests.thorough import THOROUGH
from tools.house import CHECKOUT

SCRIPT = CHECKOUT / "tools/check_action.sh"
PRE_COMMIT = CHECKOUT / ".venvs/lint/bin/pre-commit"


def git(folder, *words):
    name = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    """A Git repository with a good robot, and the command `sdf-inertia` on the path beside it."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet")
    robot(folder, GOOD, name="good robot.sdf")
    commands = tmp_path / "bin"
    commands.mkdir()
    command = commands / "sdf-inertia"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{CHECKOUT}" exec "{sys.executable}" -m core "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return folder


def run_action(folder, **inputs):
    path = os.pathsep.join([str(folder.parent / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "FILES": "*.sdf\n *.urdf\n", "FORMAT": "github", **inputs}
    return subprocess.run(["bash", SCRIPT], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_action_passes_a_repository_of_good_robots(repository):
    git(repository, "add", ".")
    done = run_action(repository)
    assert (done.returncode, done.stdout) == (0, "good robot.sdf: good\n"), done.stderr


def test_the_action_fails_on_a_bad_robot_in_any_folder_and_annotates_it(repository):
    (repository / "models").mkdir()
    robot(repository / "models", BAD_TENSOR, name="bad.sdf")
    git(repository, "add", ".")
    done = run_action(repository)
    assert done.returncode == 1
    assert "::error file=models/bad.sdf,line=2," in done.stdout


def test_the_action_uses_a_configuration_only_if_the_workflow_names_it(repository):
    robot(repository, BAD_TENSOR, name="bad.sdf")
    (repository / "sdf-inertia.toml").write_text('ignore = { triangle_inequality = "accepted by the change itself" }')
    git(repository, "add", ".")
    assert run_action(repository).returncode == 1
    done = run_action(repository, CONFIG="sdf-inertia.toml")
    assert (done.returncode, done.stderr) == (0, "configuration: sdf-inertia.toml\n")


def test_the_action_takes_a_baseline_options_and_an_output(repository):
    robot(repository, BAD_TENSOR, name="bad.sdf")
    git(repository, "add", ".")
    assert run_action(repository, FORMAT="json", OUTPUT="known.json").returncode == 1
    (repository / "models").mkdir()
    done = run_action(repository, FORMAT="text", BASELINE="known.json", OPTIONS="--strict --path models")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.fault(132)
@pytest.mark.skipif(sys.platform != "linux", reason="has the limits of Linux for names and arguments")
def test_the_action_takes_more_names_than_a_command_line_can_hold(repository):
    deep = Path(*["folder" * 40] * 12)
    (repository / deep).mkdir(parents=True)
    for number in range(800):
        (repository / deep / f"{number}.sdf").symlink_to(repository / "good robot.sdf")
    assert 800 * len(str(deep)) > os.sysconf("SC_ARG_MAX")
    git(repository, "add", ".")
    done = run_action(repository)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": good\n") == 801


def test_the_action_takes_file_names_that_look_like_something_else(repository):
    names = ["-q.sdf", os.fsdecode(b"\xff\xfe.sdf"), "a\nb.sdf", " .sdf"]
    for name in names:
        robot(repository, BAD_TENSOR, name=name)
    git(repository, "add", ".")
    (repository / "deleted.sdf").touch()
    git(repository, "add", ".")
    (repository / "deleted.sdf").unlink()
    assert run_action(repository, FORMAT="json", OUTPUT="found.json").returncode == 1
    found = {one["file"] for one in json.loads((repository / "found.json").read_text())["files"]}
    assert found == {*names, "good robot.sdf"}


def test_the_action_says_where_it_had_nothing_to_check(repository):
    done = run_action(repository, FILES="*.urdf")
    assert done.returncode == 0
    assert done.stdout.startswith("::warning::")
    assert run_action(repository, FILES=" \n").returncode == 2


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "text", "github"])
def test_the_action_writes_an_empty_document_where_it_had_nothing_to_check(repository, form):
    done = run_action(repository, FILES="*.urdf", FORMAT=form, OUTPUT="told")
    assert done.returncode == 0, done.stderr
    if form == "junit":
        assert etree.parse(repository / "told").getroot().get("tests") == "0"
    elif form == "sarif":
        assert json.loads((repository / "told").read_text())["runs"][0]["results"] == []
    elif form == "json":
        assert json.loads((repository / "told").read_text()) == {"schema": 1, "files": []}


def test_the_page_has_every_input_of_the_action():
    page, action = (CHECKOUT / name for name in ("docs/ci.md", "action.yml"))
    inputs = re.search(r"^inputs:\n((?:  .*\n)+)", action.read_text(encoding="utf-8"), re.MULTILINE)[1]
    named = re.findall(r"^  ([\w-]+):", inputs, re.MULTILINE)
    assert "files" in named
    assert re.findall(r"^\| `([\w-]+)` \|.*\|.*\|$", page.read_text(encoding="utf-8"), re.MULTILINE) == named


def test_the_action_finds_the_meshes_of_another_package_of_ros(repository):
    for name, text in {
        "my_robot/package.xml": "<package/>",
        "my_robot/urdf/r.urdf": '<robot name="r"><link name="l"><inertial><mass value="6000"/><inertia ixx="2500"'
        ' ixy="0" ixz="0" iyy="2500" iyz="0" izz="2500"/></inertial><collision><geometry>'
        '<mesh filename="package://parts/meshes/x.obj"/></geometry></collision></link></robot>',
    }.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text, encoding="utf-8")
    git(repository, "add", ".")
    lost = run_action(repository, FILES="*.urdf", OPTIONS="--path .")
    assert "x.obj" in lost.stdout
    (repository / "parts/meshes").mkdir(parents=True)
    (repository / "parts/meshes/x.obj").write_bytes(obj_bytes(Surface(*box((1.0, 2.0, 3.0)))))
    assert "x.obj" in run_action(repository, FILES="*.urdf").stdout  # where other packages are is not known
    found = run_action(repository, FILES="*.urdf", OPTIONS="--path .")
    assert "x.obj" not in found.stdout, found.stdout


def test_the_action_runs_nothing_that_a_name_or_an_input_holds(repository):
    name = robot(repository, GOOD, name="$(touch ran).sdf")
    git(repository, "add", ".")
    done = run_action(repository, OPTIONS="$(touch ran) ; touch ran")
    assert not (repository / "ran").exists()
    assert done.returncode != 0  # the options are none
    assert run_action(repository).stdout.startswith(name)


HOSTILE = (
    *("pip.py", "setuptools.py", "sdf_inertia/__init__.py", "sdf_inertia/__main__.py", "core/__init__.py", "setup.py"),
    *("sitecustomize.py", "usercustomize.py", "numpy.py", "lxml/__init__.py", "trimesh.py", "json.py", "site.py"),
)


def steps_of_the_action():
    """Yield the command and the folder of each step that runs one."""
    text = (CHECKOUT / "action.yml").read_text(encoding="utf-8")
    for step in text.partition("steps:")[2].split("\n    - ")[1:]:
        command = re.match(r"run: (.*)", step)
        folder = re.search(r"working-directory: (.*)", step)
        if command:
            yield command[1].removeprefix("'").removesuffix("'"), folder and folder[1]


def wheel_of_nothing(folder):
    """Write an empty package as a wheel into a folder; return its pin, the line of a requirements file."""
    path = folder / "sdf_inertia_pinned-1.0-py3-none-any.whl"
    about = "sdf_inertia_pinned-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: sdf-inertia-pinned\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return f"sdf-inertia-pinned==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def action(tmp_path, repository):
    """A copy of the action, which installs one pinned wheel of ours without a network; a function that runs its steps.

    The libraries are those of this environment.
    """
    pytest.importorskip("setuptools", reason="there is no setuptools (requirements/test.txt)")
    action, temp, there = tmp_path / "action", tmp_path / "temp", tmp_path / "installed"
    temp.mkdir()
    for name in ("core", "docs", "tools", "LICENSES"):
        shutil.copytree(CHECKOUT / name, action / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "NOTICE", "blender_manifest.toml"):
        shutil.copy(CHECKOUT / name, action / name)
    (action / "requirements").mkdir()
    (action / "requirements/action.txt").write_text(wheel_of_nothing(temp), encoding="utf-8")
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(temp), "PIP_TARGET": str(there)}
    path = os.pathsep.join([str(there / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, **pip, "PATH": path, "ACTION": str(action), "FILES": "*.sdf", "PYTHONPATH": str(there)}

    def run():
        steps = list(steps_of_the_action())
        assert len(steps) == 3
        for command, folder in steps:
            assert folder in (None, "${{ runner.temp }}")
            cwd = repository if folder is None else temp
            done = subprocess.run(["bash", "-c", command], cwd=cwd, env=environment, capture_output=True, text=True)
            if done.returncode:
                break
        return done

    return run


@pytest.mark.fault(129)
@pytest.mark.skipif(os.name != "posix", reason="runs the action's steps in bash")
def test_the_action_runs_nothing_of_the_files_that_it_checks(tmp_path, repository, action):
    ran = tmp_path / "ran"
    for name in HOSTILE:
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(f"open({str(ran)!r}, 'a').write({name!r})\n", encoding="utf-8")
    git(repository, "add", ".")
    subprocess.run([sys.executable, "-m", "pip", "--version"], cwd=repository, capture_output=True)
    assert "pip.py" in ran.read_text()  # as it is without precautions
    ran.unlink()
    done = action()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "good robot.sdf: good\n"
    assert list(tmp_path.glob("installed/sdf_inertia_pinned-1.0.dist-info"))
    assert not ran.exists(), ran.read_text()


@pytest.mark.fault(214)
@pytest.mark.skipif(os.name != "posix", reason="runs the action's steps in bash")
@pytest.mark.parametrize(
    "change", [lambda pin: pin[:-2] + "10"[pin[-2] == "1"] + "\n", lambda pin: pin.split()[0] + "\n"]
)
def test_the_action_installs_nothing_of_another_hash_or_without_one(tmp_path, action, change):
    pins = tmp_path / "action/requirements/action.txt"
    pins.write_text(change(pins.read_text(encoding="utf-8")), encoding="utf-8")
    done = action()
    assert done.returncode != 0
    assert "hash" in done.stderr.lower()
    assert not (tmp_path / "installed").exists()


@pytest.mark.skipif(not THOROUGH, reason="installs this checkout into an environment of pre-commit's own")
@pytest.mark.skipif(not PRE_COMMIT.exists(), reason="there is no pre-commit (make lint)")
def test_pre_commit_runs_the_hook_of_this_checkout(tmp_path, repository):
    robot(repository, BAD_TENSOR, name="bad.sdf")
    git(repository, "add", ".")
    hooks = tmp_path / "hooks"  # as it is, whether committed or not
    kept = shutil.ignore_patterns(".git", ".venv*", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(CHECKOUT, hooks, ignore=kept)
    git(hooks, "init", "--quiet")
    git(hooks, "add", ".")
    git(hooks, "commit", "--quiet", "--message", "as it is")
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "pre-commit")}

    def hook(*words):
        command = [PRE_COMMIT, "try-repo", hooks, "sdf-inertia-check", *words]
        return subprocess.run(command, cwd=repository, env=environment, capture_output=True, text=True)

    refused = hook("--all-files")
    assert refused.returncode == 1, refused.stdout + refused.stderr
    assert "triangle_inequality" in refused.stdout
    passed = hook("--files", "good robot.sdf")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert Path(environment["PRE_COMMIT_HOME"]).is_dir()
