# SPDX-License-Identifier: GPL-3.0-or-later
"""A .blend as a process reads it that has seen nothing else: python -m tests.blender.life.reading FILE.blend"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..scenes import ROOT, checkout, python
from . import agreement
from .agreement import NOISE, shown, written_down

MARK = "READ"


def read_elsewhere(path: Path) -> dict[str, Any]:
    """Return the model of a file, as another process reads it."""
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(path.parent / "elsewhere")}
    command = python("-m", __name__, path)
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    (line,) = [line for line in run.stdout.splitlines() if line.startswith(MARK)]
    found: dict[str, Any] = json.loads(line.removeprefix(MARK))
    return found


def assert_read_alike(model: Any, other: dict[str, Any]) -> None:
    """Compare a live model with what another process has read of its file."""
    here = json.loads(json.dumps(written_down(model)))
    size = agreement.size_of(model)
    for key in ("findings", "joints"):
        assert here[key] == other[key], (here[key], other[key])
    for link, there in zip(here["links"], other["links"], strict=True):
        for key in ("name", "object", "mode", "method", "findings"):
            assert link[key] == there[key], (link["name"], link[key], there[key])
        # Each process multiplies the matrices of parents and children again.
        assert np.abs(np.subtract(link["R"], there["R"])).max() <= NOISE
        assert np.abs(np.subtract(link["p"], there["p"])).max() <= NOISE * size
        assert (link["inertial"] is None) == (there["inertial"] is None)
        if link["inertial"] is not None:
            assert there["inertial"], link["name"]
            agreement.assert_inertials_agree(_Inertial(*link["inertial"]), _Inertial(*there["inertial"]), size)


class _Inertial:
    def __init__(self, mass: float, com: list[float], inertia: list[list[float]]) -> None:
        self.mass, self.com, self.inertia = mass, np.array(com), np.array(inertia)


def main(path: str) -> None:
    checkout().register()
    try:
        bpy.ops.wm.open_mainfile(filepath=path)
        print(MARK + json.dumps(written_down(shown())), flush=True)
    finally:
        # The wheels of 4.2 and 4.5 crash or hang at exit while a callback or a compiled driver is still there.
        bpy.ops.wm.read_homefile(use_empty=True)
        checkout().unregister()


if __name__ == "__main__":
    main(sys.argv[1])
