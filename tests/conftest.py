# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import sys

import pytest

from .versions import CHECKOUT, depends_on_versions

# Before anything imports numpy: its products here are small, and threads that wait for them only keep the cores warm.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

RESULTS = CHECKOUT / "build" / "faults"
WORST = ("failed", "skipped", "passed")
ENDED = pytest.StashKey[dict[str, str]]()


def pytest_configure(config):
    config.stash[ENDED] = {}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what depends on versions before `-m versions` selects it."""
    for item in items:
        if depends_on_versions(item.path.relative_to(CHECKOUT).as_posix()):
            item.add_marker("versions")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if item.get_closest_marker("fault") and (report.when == "call" or report.outcome != "passed"):
        node, ended = item.nodeid.partition("[")[0], item.config.stash[ENDED]
        ended[node] = min(report.outcome, ended.get(node, report.outcome), key=WORST.index)
    return report


def pytest_sessionfinish(session):
    """Remember how the tests ended that hold a row of `faults`; `make faults` tells it."""
    ended = session.config.stash[ENDED]
    if ended:
        path = RESULTS / f"{_suite()}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        before = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(dict(sorted((before | ended).items())), indent=1))


def _suite():
    if "bpy" in sys.modules:
        return f"Blender {sys.modules['bpy'].app.version_string}"
    if "SDF_INERTIA_GUI_BLENDER" in os.environ:
        return f"window of Blender {os.environ['SDF_INERTIA_GUI_BLENDER']}"
    return f"Python {sys.version_info[0]}.{sys.version_info[1]}"
