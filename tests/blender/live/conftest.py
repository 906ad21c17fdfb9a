# SPDX-License-Identifier: GPL-3.0-or-later
"""The other thread, which a run without a window does not use by itself."""

import pytest

from ..scenes import module


@pytest.fixture
def threaded(scene):
    jobs = module("sdf_inertia_addon.live.jobs")
    jobs.use_thread(True)
    yield jobs
    jobs.use_thread(None)
    module("sdf_inertia_addon.live").forget()
    jobs.watch(False)
