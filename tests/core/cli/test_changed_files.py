# SPDX-License-Identifier: GPL-3.0-or-later
"""`check --changed-since REF`: the robots of a Git repository of which something changed."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from core.cli.main import main
from tools.house import CHECKOUT

WRIST = CHECKOUT / "examples/desk_arm_description/meshes/wrist.stl"
ROBOT = """<robot name="{0}"><link name="l"><collision><geometry><mesh filename="{0}.stl" scale=".001 .001 .001"/>
</geometry></collision></link></robot>"""


def git(*words):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True)


@pytest.fixture(autouse=True)
def repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    git("init", "-q", "-b", "main")
    for name in ("a", "b", "c"):
        Path(f"{name}.urdf").write_text(ROBOT.format(name))
        shutil.copy(WRIST, f"{name}.stl")
    git("add", ".")
    git("commit", "-qm", "first")
    git("checkout", "-qb", "work")


def checked(capsys, ref="main"):
    assert main(["check", "--json", ".", "--changed-since", ref]) == 0
    output = capsys.readouterr()
    return [file["file"] for file in json.loads(output.out)["files"]], output.err


def test_robots_count_whose_file_mesh_or_include_changed_or_is_new(capsys):
    assert checked(capsys) == ([], "3 files not checked: unchanged since main\n")
    Path("a.urdf").write_text(ROBOT.format("a") + "\n")
    Path("b.stl").unlink()
    Path("ü d.urdf").write_text(ROBOT.format("c"))
    assert checked(capsys)[0] == ["a.urdf", "b.urdf", "ü d.urdf"]
    git("add", ".")
    git("commit", "-qm", "second")
    assert checked(capsys)[0] == ["a.urdf", "b.urdf", "ü d.urdf"] and checked(capsys, "HEAD")[0] == []


def test_changes_of_the_other_branch_do_not_count(capsys):
    git("checkout", "-q", "main")
    Path("c.urdf").write_text(ROBOT.format("c") + "\n")
    git("commit", "-qam", "theirs")
    git("checkout", "-q", "work")
    Path("a.urdf").write_text(ROBOT.format("a") + "\n")
    assert checked(capsys)[0] == ["a.urdf"]


@pytest.mark.parametrize("ref", ["gone", "--output=x", "--upload-pack=touch x", "", "a b", "HEAD:a.urdf", "\x01"])
def test_a_wrong_revision_is_refused_and_never_an_option(ref, capsys):
    assert main(["check", ".", f"--changed-since={ref}"]) == 2
    assert "git cannot list what changed since" in capsys.readouterr().err and not Path("x").exists()


def test_a_repository_runs_no_program_of_its_configuration(capsys):
    for key in ("core.fsmonitor", "diff.external", "core.pager", "diff.stl.textconv"):
        git("config", key, "touch ran; true")
    Path(".gitattributes").write_text("*.stl diff=stl\n")
    Path("a.stl").write_bytes(WRIST.read_bytes() + b" ")
    assert checked(capsys)[0] == ["a.urdf"] and not Path("ran").exists()


def test_a_folder_outside_of_a_repository_is_an_error(tmp_path_factory, monkeypatch, capsys):
    outside = tmp_path_factory.mktemp("outside")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(outside.parent))
    shutil.copy("a.urdf", outside)
    assert main(["check", str(outside), "--changed-since", "main"]) == 2
    assert "not a git repository" in capsys.readouterr().err


def test_a_hook_of_a_worktree_names_the_files_of_its_own(capsys, monkeypatch):
    Path("deep").mkdir()
    Path("a.urdf").rename("deep/a.urdf")
    git("add", ".")
    git("commit", "-qm", "moved")
    monkeypatch.setenv("GIT_DIR", str(Path(".git").resolve()))
    monkeypatch.setenv("GIT_INDEX_FILE", str(Path(".git/index").resolve()))
    assert checked(capsys, "HEAD")[0] == []


def test_a_mesh_of_a_submodule_counts(capsys, tmp_path_factory):
    other = tmp_path_factory.mktemp("meshes")
    shutil.copy(WRIST, other / "x.stl")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        git("-C", str(other), *words)
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub")
    Path("d.urdf").write_text(ROBOT.format("d").replace("d.stl", "sub/x.stl"))
    git("add", ".")
    git("commit", "-qm", "second")
    assert checked(capsys, "HEAD")[0] == []
    Path("sub/x.stl").write_bytes(Path("sub/x.stl").read_bytes() + b" ")
    assert checked(capsys, "HEAD")[0] == ["d.urdf"]
    git("-C", "sub", "commit", "-qam", "changed")
    git("commit", "-qam", "third")
    assert checked(capsys, "HEAD~")[0] == ["d.urdf"] and checked(capsys, "HEAD")[0] == []
