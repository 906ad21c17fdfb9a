# SPDX-License-Identifier: GPL-3.0-or-later
"""How other repositories run `check` for every change: the action's script, and pre-commit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.cli.test_check_formats import BAD_TENSOR, GOOD, robot
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


def test_the_action_takes_a_baseline_options_and_an_output(repository):
    robot(repository, BAD_TENSOR, name="bad.sdf")
    git(repository, "add", ".")
    assert run_action(repository, FORMAT="json", OUTPUT="known.json").returncode == 1
    (repository / "models").mkdir()
    done = run_action(repository, FORMAT="text", BASELINE="known.json", OPTIONS="--strict --path models")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_action_says_where_it_had_nothing_to_check(repository):
    done = run_action(repository, FILES="*.urdf")
    assert done.returncode == 0
    assert done.stdout.startswith("::warning::")
    assert run_action(repository, FILES=" \n").returncode == 2


def test_the_action_runs_nothing_that_a_name_or_an_input_holds(repository):
    name = robot(repository, GOOD, name="$(touch ran).sdf")
    git(repository, "add", ".")
    done = run_action(repository, OPTIONS="$(touch ran) ; touch ran")
    assert not (repository / "ran").exists()
    assert done.returncode != 0  # the options are none
    assert run_action(repository).stdout.startswith(name)


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
