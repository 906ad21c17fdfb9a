# SPDX-License-Identifier: GPL-3.0-or-later
"""A life of many random steps, in a process of its own: python -m tests.blender.life.run SEED STEPS

It ends with a line of figures, or with the steps that led to what went wrong.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import bpy

from .. import traces
from ..scenes import module
from .agreement import assert_live_agrees
from .modes import leave_mode, leave_mode_for
from .reading import assert_read_alike, read_elsewhere
from .robot import Life
from .steps import STEPS

MARK = "LIVED"

REST = 10
"""Steps after which everything that is wanted is waited for."""

ELSEWHERE = 100
"""Steps after which another process reads the file."""

HISTORY = ("undo", "redo", "undo_much")
"""Steps after which no undo step is pushed; after all others one is, as operators do: Blender needs it."""

COMMON = ("move", "turn", "drag", "undo", "look", "begin_long_work", "change_long_work")


def step(life: Life, name: str) -> None:
    leave_mode_for(STEPS[name])
    STEPS[name](life)
    if life.any() is None:
        life.begin()
    if name not in HISTORY:
        bpy.ops.ed.undo_push(message=name)


def rest() -> Any:
    """Wait until nothing is wanted any more, whatever was cancelled, and compare all."""
    jobs = module("sdf_inertia_addon.live.jobs")
    bpy.ops.sdf_inertia.compute()
    deadline = time.monotonic() + 120
    assert_live_agrees()
    while jobs.status() is not None:
        assert time.monotonic() < deadline, f"never done: {jobs.status()}"
        jobs.collect()
        time.sleep(0.01)
    return assert_live_agrees(at_rest=True)


def compare_elsewhere(life: Life) -> None:
    """Compare with what another process reads from the file."""
    leave_mode()
    for mesh in bpy.data.meshes:
        if mesh.library is None:
            mesh.update()  # the file has what a script has written without an update
    scene = bpy.context.scene
    scene.frame_set(scene.frame_current)  # an animated object that was moved goes back to where it is keyed
    path = life.folder / "elsewhere.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))  # not as a copy: the model has the name of the file
    assert_read_alike(rest(), read_elsewhere(path))
    assert life.library.read_bytes() == life.library_bytes


def at_an_empty_file() -> dict[str, float]:
    """Return what is kept in memory once there is nothing to know of: blocks of Python's own, and all in MB.

    Not what tracemalloc would tell: with that, everything takes three times as long.
    """
    bpy.ops.wm.read_homefile(use_empty=True)
    module("sdf_inertia_addon.live").model(bpy.context.evaluated_depsgraph_get())
    gc.collect()
    statm = Path("/proc/self/statm")
    pages = int(statm.read_text().split()[1]) if statm.exists() else 0
    return {"blocks": sys.getallocatedblocks(), "megabytes": pages * os.sysconf("SC_PAGE_SIZE") / 1e6}


def live_on(life: Life, steps: int, done: list[str]) -> dict[str, Any]:
    """Run a number of steps, with a comparison after each."""
    names = list(STEPS)
    first = list(life.random.permutation(names))  # each once, and then at random
    handlers = traces.handlers()
    memory, working = [at_an_empty_file()], 0
    life.begin()
    while len(done) < steps:
        # Mostly the plain things, as in life; one at a time, or two between two looks.
        for _ in range(life.random.integers(1, 3)):
            name = str(life.random.choice(COMMON if life.random.random() < 0.2 else names))
            done.append(str(first.pop()) if first else name)
            working += module("sdf_inertia_addon.live.jobs").status() is not None
            step(life, done[-1])
            if len(done) % REST == 0:
                rest()
            if len(done) % ELSEWHERE == 0 or len(done) == steps:
                compare_elsewhere(life)
            if len(done) % max(steps // 4, 1) == 0:
                memory.append(at_an_empty_file())
                life.begin()
        assert_live_agrees()
        assert traces.handlers() == handlers
    return {"memory": memory, "working": working, "kinds": len(names)}


def main(seed: int, steps: int) -> int:
    begun = time.monotonic()
    done: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        life = Life(seed, Path(folder))
        before = traces.trace()
        life.switch_on()
        try:
            figures = live_on(life, steps, done)
        except BaseException:
            print(f"seed {seed}, after {len(done)} steps: {' '.join(done[-12:])}", file=sys.stderr)
            raise
        finally:
            # The wheels of 4.2 and 4.5 crash or hang at exit while a callback or a compiled driver is still there.
            bpy.ops.wm.read_homefile(use_empty=True)
            life.switch_off()
    deadline = time.monotonic() + 30
    while any(thread.name == "SDF Inertia" for thread in threading.enumerate()):
        assert time.monotonic() < deadline, "a thread stays"
        time.sleep(0.01)
    figures |= {"before": before, "after": traces.trace(), "registrations": life.registrations}
    figures |= {"counts": Counter(done), "seconds": time.monotonic() - begun, "blender": bpy.app.version_string}
    print(MARK + json.dumps(figures), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
