# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender ends while another thread has a minute's work for us, in each way that a script has to end it."""

import os
import resource
import subprocess

import bpy
import pytest

from ...thorough import sample
from ..scenes import ROOT, python

WORK = """
import sys, threading
sys.path.insert(0, sys.argv[1])
import bpy
from tests.blender.live import watched
from tests.blender.scenes import add, checkout, live_model, module, tag

checkout().register()
jobs = module("sdf_inertia_addon.live.jobs")
jobs.use_thread(True)
module("sdf_inertia_addon.live.resolver").BUDGET = 0.004
mesh = watched.heavy().data
for number in range(300):
    tag(add(mesh, f"ball{number}"), "link", "collision", method="SHELL", thickness=0.001 + 0.0001 * number)
live_model()
assert any(thread.name == "SDF Inertia" for thread in threading.enumerate())
print("waiting", jobs.status().waiting, flush=True)
"""

# The wheels of 4.2 and 4.5 crash at exit while any class of Python's is registered, with or without work for it.
WAYS = {
    "end of the script": "checkout().unregister()",
    "sys.exit": "checkout().unregister(); sys.exit(5)",
    "quit_blender": "checkout().unregister(); bpy.ops.wm.quit_blender()",
    "an exception": "try: raise KeyError('of the script')\nfinally: checkout().unregister()",
    "end of the script, enabled": "",
    "quit_blender, enabled": "bpy.ops.wm.quit_blender()",
}
STATUS = {"sys.exit": 5, "an exception": 1}
ENABLED = [way for way in WAYS if way.endswith("enabled")]


@pytest.mark.fault(71)
@pytest.mark.parametrize("way", sample(WAYS, 3))
def test_a_process_that_quits_while_computing_ends_soon_and_as_it_should(way, tmp_path):
    if way in ENABLED and bpy.app.version < (5, 1):
        pytest.skip("this wheel crashes at exit while a class is registered")
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path)}
    command = python("-c", WORK + WAYS[way], ROOT)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.returncode == STATUS.get(way, 0), run.stderr
    assert "Traceback" not in run.stderr or way == "an exception", run.stderr
    (waiting,) = [int(line.split()[1]) for line in run.stdout.splitlines() if line.startswith("waiting")]
    assert waiting > 250  # a minute's work of the processor
    assert after.ru_utime - before.ru_utime < 30
