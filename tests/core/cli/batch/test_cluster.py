# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Dask scheduler and its workers give what one machine does."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from .batches import CHECKOUT, batch, lines, outcomes, robots, say, started, timeless, wait_for


@pytest.mark.thorough
@pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")
def test_a_cluster_gives_the_same_bytes_even_if_a_worker_is_lost(folder):
    robots(8)
    assert batch("repair", "in", "--output", "here", "--report", "here.jsonl") == 0
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "5"}

    def dask(*words):
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env=environment,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    scheduler = dask(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(folder / "s.json")
    )
    workers = []
    try:
        address = wait_for(lambda: address_in(folder / "s.json"))
        workers = [dask("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny") for _ in "ab"]
        say(first="wait go", second="wait go", third="wait go")
        wait_for(lambda: number_of_workers(address) == 2)
        words = ("first.sdf", "second.sdf", "third.sdf", "--scheduler", address, "--report", "r.jsonl")
        process = started("report", *words, verb=True)
        wait_for(lambda: len(list(folder.glob("*.tried"))) == 2)  # both are at work
        workers[0].kill()
        (folder / "go").touch()
        process.communicate(timeout=60)
        assert process.returncode == 0 and set(outcomes().values()) == {"done"} and len(lines()) == 3
        process = started("repair", "in", "--output", "here", "--scheduler", address, "--report", "there.jsonl")
        process.communicate(timeout=60)
        assert process.returncode == 0
        assert timeless("there.jsonl") == timeless("here.jsonl")
    finally:
        for one in (*workers, scheduler):
            one.kill()
            one.wait()


def address_in(file):
    """Return the scheduler's address; None while it is still being written."""
    try:
        return json.loads(file.read_text())["address"]
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def number_of_workers(address):
    from distributed import Client

    with Client(address, timeout=60) as client:
        return len(client.scheduler_info()["workers"])
