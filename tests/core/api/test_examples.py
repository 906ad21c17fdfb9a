# SPDX-License-Identifier: GPL-3.0-or-later
"""Every public name has an example in its docstring, and docs/python.md has more: all run in a clone as they are."""

import doctest
import re
import sys

import pytest

import core
from tools.house import CHECKOUT

EXAMPLES = {name: getattr(core, name).__doc__ for name in core.__all__}
GUIDE = CHECKOUT / "docs" / "python.md"


@pytest.fixture
def installed(monkeypatch):
    """The package under the name that it is installed by, in the folder of a clone."""
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.setitem(sys.modules, "sdf_inertia", core)


def assert_prints_what_it_shows(name, text):
    if "trimesh." in text:
        pytest.importorskip("trimesh")
    if "read_step(" in text:
        pytest.importorskip("OCP", reason="there is no OpenCASCADE (the extra cad)")
    parsed = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert any(example.want for example in parsed.examples), "no example shows a result"
    report: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(parsed, out=report.append)
    assert outcome.failed == 0, "".join(report)


@pytest.mark.every
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_a_public_name_prints_what_it_shows(name, installed):
    assert_prints_what_it_shows(name, EXAMPLES[name])


def test_the_examples_of_the_guide_print_what_they_show(installed):
    assert_prints_what_it_shows("guide", GUIDE.read_text(encoding="utf-8").replace("```", ""))


def test_the_guide_names_every_public_name():
    table = GUIDE.read_text(encoding="utf-8").partition("## ")[0]
    assert {name for name in core.__all__ if not re.search(rf"`{name}\b", table)} == set()
