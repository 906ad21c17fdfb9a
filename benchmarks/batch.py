# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches: what handing the work out costs, what a second process gains, and what a warm Blender adds to a file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import numpy as np

from core.files.mesh_file import load_surface
from core.files.mesh_writers import stl_bytes
from core.mesh.measure import measure_surface
from core.mesh.surface import Surface

from . import timing  # first: it sets the number of threads  # noqa: F401

CHECKOUT = Path(__file__).parents[1]
ROUNDS = 3
SMALL, SMALL_FACES = 10_000, 500
LARGE, LARGE_FACES = 150, 20_000
BLENDS = 20


def table() -> str:
    """Return the part of results.md."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        lines = ["| | measured | goal |", "|---|---|---|", *_small(), *_large(), *_blends()]
    return "\n".join(lines)


def _small() -> list[str]:
    paths = _meshes("small", SMALL, SMALL_FACES)
    loops, ones, twos, memory = [], [], [], []
    for _ in range(ROUNDS):
        start = perf_counter()
        for path in paths:
            measure_surface(load_surface(path)[0])
        loops.append(perf_counter() - start)
        ones.append(_batch("mass", "small", "--density", "1000", "--jobs", "1")[0])
        seconds, most = _batch("mass", "small", "--density", "1000", "--jobs", "2")
        twos.append(seconds)
        memory.append(most)
    each = 1e3 * median(loops) / SMALL
    ratio = median(one / loop for one, loop in zip(ones, loops, strict=True))
    both = median(two / loop for two, loop in zip(twos, loops, strict=True))
    early, late = memory[-1]
    return [
        f"| read and diagnose a mesh of {SMALL_FACES} faces, in a loop | {each:.2f} ms | 2 ms |",
        f"| {SMALL:,} of them as a batch of one process, in units of that loop | {ratio:.2f} | 1.2 |",
        f"| of two processes | {both:.2f} | |",
        f"| memory of all processes after {SMALL // 5:,} and after {SMALL:,} | {early:.0f} and {late:.0f} MB | flat |",
    ]


def _large() -> list[str]:
    _meshes("large", LARGE, LARGE_FACES)
    gains = []
    for _ in range(ROUNDS):
        one = _batch("mass", "large", "--density", "1000", "--jobs", "1")[0]
        two = _batch("mass", "large", "--density", "1000", "--jobs", "2")[0]
        gains.append(one / two)
    text = f"two processes against one, {LARGE} meshes of {LARGE_FACES:,} faces, on two cores"
    return [f"| {text} | {median(gains):.2f} times | 1.8 times |"]


def _blends() -> list[str]:
    Path("blends").mkdir()
    for number in range(BLENDS):
        shutil.copyfile(CHECKOUT / "examples" / "rover.blend", f"blends/rover_{number}.blend")
    added, owns = [], []
    for number in range(ROUNDS):
        said = subprocess.run([sys.executable, "-c", ALONE], stdout=subprocess.PIPE, check=True, text=True).stdout
        alone = json.loads(said.splitlines()[-1])  # Blender says something too
        report = f"blends_{number}.jsonl"
        words = ("--output", f"out_{number}", "--blender", sys.executable, "--addon", str(CHECKOUT), "--jobs", "1")
        _batch("export", "blends", *words, "--report", report)
        lines = [json.loads(line)["seconds"] for line in Path(report).read_text().splitlines()]
        owns.append(1e3 * alone)
        added.append(1e3 * median(lines[1:]) - owns[-1])
    return [
        f"| load and export the example rover.blend in Blender, again and again | {median(owns):.0f} ms | |",
        f"| a warm Blender of a batch beyond that | {median(added):.0f} ms | 50 ms |",
    ]


ALONE = f"""
import contextlib, io, json, os, sys, time
sys.argv = ["bench"]
sys.path.insert(0, {str(CHECKOUT / "sdf_inertia_addon")!r})
import headless, bpy, statistics
from importlib import import_module
headless.prepare()
export = import_module(headless.PACKAGE + ".sdf_inertia_addon.export.command").run
times = []
for number in range({BLENDS}):
    start = time.perf_counter()
    with contextlib.redirect_stdout(sys.stderr), contextlib.redirect_stderr(io.StringIO()):
        bpy.ops.wm.open_mainfile(filepath=os.path.abspath(f"blends/rover_{{number}}.blend"), load_ui=False)
        export(["--output", os.path.abspath(f"alone_{{number}}")])
    times.append(time.perf_counter() - start)
print(json.dumps(statistics.median(times[1:])), file=sys.__stdout__, flush=True)
os._exit(0)
"""


def _meshes(folder: str, count: int, faces: int) -> list[Path]:
    """Write bumpy spheres as binary STL, no two alike."""
    Path(folder).mkdir()
    rings = max(3, round((faces / 4) ** 0.5))
    phi = np.linspace(0.0, np.pi, rings + 1)[1:-1]
    theta = np.linspace(0.0, 2.0 * np.pi, 2 * rings, endpoint=False)
    sphere = np.stack(
        [
            np.outer(np.sin(phi), np.cos(theta)),
            np.outer(np.sin(phi), np.sin(theta)),
            np.outer(np.cos(phi), np.ones_like(theta)),
        ],
        axis=-1,
    ).reshape(-1, 3)
    vertices = np.vstack([[0.0, 0.0, 1.0], sphere, [0.0, 0.0, -1.0]])
    triangles = _triangles(rings - 1, 2 * rings, len(vertices) - 1)
    random = np.random.default_rng(0)
    paths = []
    for number in range(count):
        bumpy = vertices * (0.05 + 0.005 * random.random((len(vertices), 1)))
        path = Path(folder, f"{number}.stl")
        path.write_bytes(stl_bytes(Surface(bumpy, triangles)))
        paths.append(path)
    return paths


def _triangles(rows: int, columns: int, last: int) -> np.ndarray:
    found = []
    for column in range(columns):
        after = (column + 1) % columns
        found.append((0, 1 + column, 1 + after))
        for row in range(rows - 1):
            a, b = 1 + row * columns + column, 1 + row * columns + after
            found += [(a, a + columns, b), (b, a + columns, b + columns)]
        found.append((last, 1 + (rows - 1) * columns + after, 1 + (rows - 1) * columns + column))
    return np.array(found)


def _batch(*words: str) -> tuple[float, tuple[float, float]]:
    """Run a batch; return its seconds, and the memory [MB] of its processes at a fifth of them and at the end."""
    command = [sys.executable, "-m", "core", "batch", *words]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    start = perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    seen: list[tuple[float, float]] = []

    def watch() -> None:
        while process.poll() is None:
            seen.append((perf_counter() - start, _memory(process.pid)))
            sleep(0.25)

    watcher = threading.Thread(target=watch)
    watcher.start()
    if process.wait() != 0:
        raise RuntimeError(f"batch {' '.join(words)} ended with {process.returncode}")
    seconds = perf_counter() - start
    watcher.join()
    early = next((memory for at, memory in seen if at > seconds / 5), 0.0)
    late = max((memory for at, memory in seen if at > 0.8 * seconds), default=0.0)
    return seconds, (early, late)


def _memory(group: int) -> float:
    whole = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[2] == str(group):
            whole += int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return whole
