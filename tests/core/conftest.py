# SPDX-License-Identifier: GPL-3.0-or-later
import gc
import os
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import settings

from ..thorough import THOROUGH

# `make test-all` asks for more examples. They are the same on every machine and on every run; a slow machine is no
# failure.
EXAMPLES = 24 if THOROUGH else 4
settings.register_profile("sdf_inertia", derandomize=True, deadline=None, max_examples=EXAMPLES, database=None)
settings.load_profile("sdf_inertia")

CHECKOUT = Path(__file__).parents[2]


IN_MEMORY = Path("/dev/shm")
NUMBERS = count()


def pytest_collection_finish(session):
    """Begin the processes that modules judge, so that they run beside the other tests; and spare the tests searches.

    The garbage collector would look through thousands of tests again and again.
    """
    gc.collect()
    gc.freeze()
    if not session.config.option.collectonly:
        for module in {item.module: None for item in session.items}:
            getattr(module, "begin", lambda: None)()


@pytest.fixture(scope="session")
def folder_of_all():
    """A folder in memory where there is one: a file that is written whole waits for the disk, a few milliseconds."""
    with TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as folder:
        yield Path(folder)


@pytest.fixture
def tmp_path(folder_of_all):
    """A folder of the test's own, in memory."""
    folder = folder_of_all / str(next(NUMBERS))
    folder.mkdir()
    return folder


@pytest.fixture
def rng():
    """Random numbers of the test's own, which are the same whichever tests run before it."""
    return np.random.default_rng(23)


@pytest.fixture(scope="session")
def data():
    """The folder of real meshes and reference answers, which are not part of the project."""
    folder = Path(os.environ.get("SDF_INERTIA_DATA") or CHECKOUT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"the reference data is not at {folder}; name its folder in SDF_INERTIA_DATA")
    return folder
