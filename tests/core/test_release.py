# SPDX-License-Identifier: GPL-3.0-or-later
"""`make release` on a clone of its own: what it writes, commits and tags, and when it does nothing."""

import subprocess
import sys

import pytest

from tools.house import CHECKOUT

UNTIL_NOW = """# Changelog

## [Unreleased]

### Added

- A new thing.

## [0.1.0] - 2026-01-01

- All of it.
"""


@pytest.fixture
def clone(tmp_path):
    (tmp_path / "CHANGELOG.md").write_text(UNTIL_NOW)
    (tmp_path / "blender_manifest.toml").write_text('schema_version = "1.0.0"\nversion = "0.1.0"\n')
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "A tester")
    git(tmp_path, "config", "user.email", "tester@localhost")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "feat: a new thing")
    return tmp_path


def git(clone, *arguments):
    return subprocess.run(["git", *arguments], cwd=clone, check=True, capture_output=True, text=True).stdout.strip()


def release(clone, *arguments):
    command = [sys.executable, CHECKOUT / "tools" / "release.py", *arguments]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True)


def test_what_was_unreleased_is_the_versions_and_its_commit_is_tagged(clone):
    done = release(clone, "0.2.0")
    assert done.returncode == 0, done.stderr
    assert (clone / "blender_manifest.toml").read_text() == 'schema_version = "1.0.0"\nversion = "0.2.0"\n'
    headings = [line[:11] for line in (clone / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert headings == ["## [Unrelea", "## [0.2.0] ", "## [0.1.0] "]
    assert git(clone, "status", "--porcelain") == ""
    assert git(clone, "rev-parse", "v0.2.0^{commit}") == git(clone, "rev-parse", "HEAD")
    assert release(clone, "--notes").stdout == "### Added\n\n- A new thing.\n"


@pytest.mark.parametrize("version", ["", "v0.2.0", "0.2", "0.1.0"])
def test_a_version_that_is_none_or_has_been_changes_nothing(clone, version):
    git(clone, "tag", "v0.1.0")
    assert_refused(clone, version)


def test_nothing_is_released_with_changes_that_are_not_committed(clone):
    (clone / "CHANGELOG.md").write_text(UNTIL_NOW.replace("thing", "cube"))
    assert_refused(clone, "0.2.0")


def test_nothing_is_released_without_news(clone):
    (clone / "CHANGELOG.md").write_text(UNTIL_NOW.replace("### Added\n\n- A new thing.\n", ""))
    git(clone, "commit", "--quiet", "--all", "--message", "docs: no news")
    assert_refused(clone, "0.2.0")


def assert_refused(clone, version):
    before = git(clone, "rev-parse", "HEAD"), git(clone, "tag"), git(clone, "status", "--porcelain")
    done = release(clone, version)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr
    assert (git(clone, "rev-parse", "HEAD"), git(clone, "tag"), git(clone, "status", "--porcelain")) == before
