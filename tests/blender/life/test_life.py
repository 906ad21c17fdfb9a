# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever is done in Blender, in whatever order: what is shown equals what is read again, and nothing stays behind.

The steps are in steps/, and what a life is in run.py; each is a process of its own, which has seen nothing before.
"""

import json
import os
import subprocess

import pytest

from ...thorough import many
from ..scenes import ROOT, python
from . import run as life

STEPS = many(1000, 100)
SEEDS = (1,)

BLOCKS = 20_000
"""By which Python's own memory may grow in the second half. It has some 300,000, 60,000 of them the add-on's modules:
one leak of these at a switching off is too much."""

MEGABYTES = 150
"""By which the process may grow meanwhile. In the first half it grows by what is kept for undo, which Blender bounds,
and for another look, which `evaluated_mesh.CACHE_BYTES` does."""


@pytest.fixture(scope="module", params=SEEDS)
def lived(request, tmp_path_factory):
    """The process of a life, and its figures."""
    folder = tmp_path_factory.mktemp("life")
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(folder)}
    command = python("-X", "faulthandler", "-m", life.__name__, request.param, STEPS)
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1500)
    assert run.returncode == 0, run.stderr
    (line,) = [line for line in run.stdout.splitlines() if line.startswith(life.MARK)]
    return run, json.loads(line.removeprefix(life.MARK))


@pytest.mark.fault(56, 69)
def test_after_each_of_many_steps_the_numbers_are_those_of_a_fresh_reading(lived):
    _run, figures = lived
    # The comparisons are made as it goes, here and by other processes, and end it where one fails.
    assert sum(figures["counts"].values()) >= STEPS
    assert len(figures["counts"]) == figures["kinds"] > 70
    assert figures["working"] > STEPS / 50  # steps while another thread was at work


@pytest.mark.fault(69)
def test_no_error_is_reported_meanwhile(lived):
    run, _figures = lived
    said = [line for line in run.stderr.splitlines() if "Traceback" in line or "Error" in line or "xception" in line]
    assert not said, run.stderr


@pytest.mark.fault(70, 71)
def test_nothing_of_the_addon_is_left_when_it_is_switched_off(lived):
    _run, figures = lived
    assert figures["after"] == figures["before"]  # it was on and off once before, and left a list with Blender's menu
    assert figures["registrations"] > 1


@pytest.mark.fault(71)
def test_memory_is_flat(lived):
    _run, figures = lived
    _beginning, _quarter, half, _three, end = figures["memory"]
    assert end["blocks"] - half["blocks"] < BLOCKS
    assert end["megabytes"] - half["megabytes"] < MEGABYTES
