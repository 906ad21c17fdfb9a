# SPDX-License-Identifier: GPL-3.0-or-later
"""Every public name has an example in its docstring, which a reader can run in a clone."""

import doctest
import sys

import pytest

import core
from tools.house import CHECKOUT


@pytest.mark.every
@pytest.mark.parametrize("name", core.__all__)
def test_the_example_of_a_public_name_prints_what_it_shows(name, monkeypatch):
    if "trimesh." in (getattr(core, name).__doc__ or ""):
        pytest.importorskip("trimesh")
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.setitem(sys.modules, "sdf_inertia", core)  # as it is installed
    parsed = doctest.DocTestParser().get_doctest(getattr(core, name).__doc__, {}, name, None, 0)
    assert any(example.want for example in parsed.examples), "no example shows a result"
    report: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(parsed, out=report.append)
    assert outcome.failed == 0, "".join(report)
