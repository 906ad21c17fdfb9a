# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that depends on the version of Blender, Python or numpy lacks the mark by which it runs in each of them."""

import pytest

from ..versions import (
    BLENDER_FOLDERS,
    CHECKOUT,
    CORE_FOLDERS,
    IN_A_WINDOW,
    ONCE,
    OPERATORS,
    depends_on_versions,
    marked_tests,
)

TESTS = sorted((CHECKOUT / "tests/blender").rglob("test_*.py"))


@pytest.mark.every
@pytest.mark.parametrize("path", [*BLENDER_FOLDERS, *CORE_FOLDERS, *ONCE])
def test_what_is_marked_is_there(path):
    files = [CHECKOUT / path] if path.endswith(".py") else (CHECKOUT / path).rglob("test_*.py")
    assert any(file.is_file() and depends_on_versions(file.relative_to(CHECKOUT).as_posix()) for file in files) != (
        path in ONCE
    )


def test_each_operator_runs_in_every_version():
    called = {operator for path in TESTS for _, operators in marked_tests(path) for operator in operators}
    assert len(OPERATORS) > 40
    lacking = sorted(OPERATORS - called - IN_A_WINDOW.keys())
    assert all(name in (CHECKOUT / path).read_text(encoding="utf-8") for name, path in IN_A_WINDOW.items())
    assert not lacking, f"no test marked `versions` calls {lacking}: mark one of those that do"


def test_a_test_without_the_mark_counts_for_no_version(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.versions.CHECKOUT", tmp_path)
    path = tmp_path / "tests" / "blender" / "operators" / "test_it.py"
    path.parent.mkdir(parents=True)
    body = "def choose():\n    bpy.ops.sdf_inertia.set_mass()\n{}def test_it():\n    choose()\n"
    path.write_text(body.format(""))
    assert list(marked_tests(path)) == []
    path.write_text(body.format("@pytest.mark.versions\n"))
    assert list(marked_tests(path)) == [("test_it", {"set_mass"})]
