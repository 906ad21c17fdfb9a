# SPDX-License-Identifier: GPL-3.0-or-later
"""What a forge fetches for us and for users is named by its bytes: actions by commit, packages by hash."""

import re
import tomllib

import pytest
import yaml  # type: ignore[import-untyped]

from core.errors import InertiaError
from core.findings.listed import REPOSITORY
from tools.house import CHECKOUT

OURS = f"{REPOSITORY.removeprefix('https://github.com/')}@"
"""Our own action, which pages name by its branch."""

PAGES = sorted([CHECKOUT / "README.md", *CHECKOUT.glob("docs/*.md")])
FORGE = sorted(
    file
    for file in [CHECKOUT / "action.yml", *CHECKOUT.rglob(".github/workflows/*.yml")]
    if not file.relative_to(CHECKOUT).parts[0].startswith(".v")  # environments have files of others
)
USES = re.compile(r"^[ -]*uses: *(.*)$", re.MULTILINE)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")

ACTION = (CHECKOUT / "requirements/action.txt").read_text(encoding="utf-8")
VERSIONS = re.findall(r"^([\w-]+)==([\w.]+)", ACTION, re.MULTILINE)
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def steps_of(file):
    """Return what each step of a workflow, an action or the YAML on a page uses, as written."""
    return [name for name in USES.findall(file.read_text(encoding="utf-8")) if not name.startswith(OURS)]


def unpinned(names):
    return [name for name in names if not PINNED.match(name)]


@pytest.mark.fault(214)
def test_every_action_is_named_by_its_commit_and_version():
    used = {file: steps_of(file) for file in (*FORGE, *PAGES)}
    assert len([file for file in FORGE if used[file]]) == len(FORGE) >= 5
    assert used[CHECKOUT / "docs/ci.md"]
    assert {str(file): unpinned(names) for file, names in used.items() if unpinned(names)} == {}
    assert unpinned(["actions/checkout@v4", "actions/cache@5a3ec84 # v4.2.3"])  # as it was, and half of a commit


@pytest.mark.fault(214)
def test_an_action_has_one_commit_in_all_files():
    used = {name for file in (*FORGE, *PAGES) for name in steps_of(file)}
    assert len(used) == len({name.split("@")[0] for name in used}), sorted(used)


@pytest.mark.fault(214)
def test_yaml_finds_no_action_that_the_lines_do_not():
    for file in FORGE:
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
        jobs = document["jobs"].values() if "jobs" in document else [document["runs"]]
        used = [step["uses"] for job in jobs for step in job["steps"] if "uses" in step]
        assert [name for name in used if not name.startswith(OURS)] == [name.split()[0] for name in steps_of(file)]
        assert not any("uses" in job for job in jobs)  # a workflow of others, called as a job


@pytest.mark.fault(214)
def test_what_the_action_installs_has_hashes_and_the_versions_of_the_tests():
    pins = re.split(r"^(?=\w)", ACTION, flags=re.MULTILINE)[1:]
    assert len(pins) == len(VERSIONS) > 15
    assert [pin for pin in pins if not re.search(r"--hash=sha256:[0-9a-f]{64}$", pin, re.MULTILINE)] == []
    assert "://" not in ACTION
    tested = dict(re.findall(r"^([\w-]+)==(\S+)$", (CHECKOUT / "requirements/test.txt").read_text(), re.MULTILINE))
    assert [(name, version) for name, version in VERSIONS if tested.get(name, version) != version] == []


@pytest.mark.fault(214)
def test_the_action_installs_what_reads_every_format_of_robots():
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *extras["mesh"], *extras["xacro"], *extras["mujoco"], "setuptools"]
    assert {re.match(r"[\w-]+", name)[0] for name in wanted} <= {name for name, _ in VERSIONS}


@pytest.mark.fault(215)
def test_the_package_asks_for_manifold3d_only_where_it_has_wheels():
    (wanted,) = [name for name in PROJECT["dependencies"] if name.startswith("manifold3d")]
    newest = max(int(name.rpartition(".")[2]) for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name))
    assert wanted.endswith(f"; python_version < '3.{newest + 1}'")
    remedy = InertiaError.of("missing_library", error="").remedy
    assert remedy == f"run `pip install manifold3d`, in Python 3.{newest} or older"
