# SPDX-License-Identifier: GPL-3.0-or-later
import gc
import os

import numpy as np
import pytest
from hypothesis import settings

from core import errors
from core.findings import listed

from ..made_findings import Watch
from ..reference_data import DATA
from ..thorough import SAMPLED, THOROUGH

# `make test-all` asks for more examples. They are the same on every machine and on every run; a slow machine is no
# failure.
EXAMPLES = 24 if THOROUGH else 3
settings.register_profile("sdf_inertia", derandomize=True, deadline=None, max_examples=EXAMPLES, database=None)
settings.load_profile("sdf_inertia")

# The fuzzer's bounds on time and memory are those of POSIX.
collect_ignore = [] if os.name == "posix" else ["test_fuzz.py"]

WATCH = Watch(errors, listed)


def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: runs in a thorough run, and where `-m` or its file is named")
    config.addinivalue_line("markers", "every: all its parameters run, for each costs next to nothing")


def pytest_collection_modifyitems(config, items):
    """Keep of each test the first and the last of its parameters, and none that is for a thorough run.

    Unless `-m` names that mark; all of a file run that is named, unless a sample is asked for.
    """
    if THOROUGH or (not SAMPLED and any(".py" in word for word in config.args)):
        return
    wanted = "thorough" in config.option.markexpr
    tests = {}
    for item in items:
        tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    dropped = set()
    for name, cases in tests.items():
        if name.startswith("tests/core/") and not cases[0].get_closest_marker("every"):
            dropped.update(cases if cases[0].get_closest_marker("thorough") and not wanted else cases[1:-1])
    config.hook.pytest_deselected(items=[item for item in items if item in dropped])
    items[:] = [item for item in items if item not in dropped]


def pytest_collection_finish():
    """Keep the garbage collector from looking through thousands of tests again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def all_that_is_found_is_listed():
    yield
    WATCH.check()


@pytest.fixture
def rng():
    """Random numbers of the test's own, which are the same whichever tests run before it."""
    return np.random.default_rng(23)


@pytest.fixture(scope="session")
def data():
    """The folder of real meshes and reference answers, which are not part of the project."""
    if not DATA.is_dir():
        pytest.skip(f"the reference data is not at {DATA}; name its folder in SDF_INERTIA_DATA")
    return DATA


@pytest.fixture(scope="session")
def ready():
    """A process that stands ready to run commands and exports whose writing ends badly."""
    from .starved import commands
    from .starved.ready import standing_ready

    with standing_ready(commands.__name__) as process:
        yield process
