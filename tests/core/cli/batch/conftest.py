# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of batches have."""

import pytest

from core.cli.batch import plan

from .batches import CHECKOUT


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def verb(monkeypatch):
    """The verb of `verbs`, by the name of report."""
    monkeypatch.setattr(plan, "module_of", lambda verb: "tests.core.cli.batch.verbs")
    monkeypatch.syspath_prepend(str(CHECKOUT))
