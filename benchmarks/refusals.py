# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the refusal of a mesh takes, with the trial of the remedies that it names, in one checkout and another.

``python -m benchmarks.refusals BEFORE NOW`` measures each of 23 kinds of meshes of 100,000 faces or fewer by the method
Exact with the core of either folder, by turns, and compares the remedies; the best of three rounds counts. Without
folders it measures this checkout's refusals, and the answers that they name first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from tests.core.solids import box, inverted, joined, polygon, prism, subdivided, torus, unwelded
from tests.core.solids.awkward import klein, moved

from .faulty_meshes import Mesh, boxes_nested, copies, soup, stone

CHECKOUT = Path(__file__).parents[1]
ROUNDS = 3
ANSWERS = ("voxel", "hull", "shell")
"""Remedies that are methods."""


def _less(mesh: Mesh, share: float) -> Mesh:
    kept = np.random.default_rng(57).random(len(mesh[1])) >= share
    return mesh[0], mesh[1][kept]


def _beyond(mesh: Mesh, axis: int, most: float) -> Mesh:
    """Return the faces whose middle is at most so far along an axis."""
    return mesh[0], mesh[1][mesh[0][mesh[1]].mean(axis=1)[:, axis] <= most]


def _fine(mesh: Mesh, times: int) -> Mesh:
    for _ in range(times):
        mesh = subdivided(mesh)
    return mesh


def _jittered(mesh: Mesh, off: float) -> Mesh:
    vertices, triangles = unwelded(mesh)
    return vertices + np.random.default_rng(57).normal(scale=off, size=vertices.shape), triangles


def _patches(mesh: Mesh, count: int, off: float) -> Mesh:
    """Return a mesh that is cut into patches of neighbouring faces, which are moved apart."""
    rng = np.random.default_rng(57)
    middles = mesh[0][mesh[1]].mean(axis=1)
    seeds = middles[rng.choice(len(middles), count, replace=False)]
    some = np.array_split(middles, 1 + len(middles) // 2000)
    patch = np.concatenate([((part[:, None] - seeds) ** 2).sum(axis=2).argmin(axis=1) for part in some])
    parts = []
    for number in range(count):
        used, faces = np.unique(mesh[1][patch == number], return_inverse=True)
        parts.append((mesh[0][used] + rng.normal(scale=off, size=3), faces.reshape(-1, 3)))
    return joined(*parts)


def _comb() -> Mesh:
    """Return a plate with a slit of many teeth, which is one loop of thousands of edges, bent to a bowl."""
    u, v = np.meshgrid(np.linspace(-1, 1, 224), np.linspace(-1, 1, 224), indexing="ij")
    vertices = np.stack([u, v, 0.6 * (u**2 + v**2)], axis=-1).reshape(-1, 3)
    i = np.arange(223 * 224).reshape(223, 224)[:, :-1].ravel()
    triangles = np.concatenate([np.column_stack([i, i + 224, i + 225]), np.column_stack([i, i + 225, i + 1])])
    row, column = np.divmod(np.tile(i, 2), 224)
    return vertices, triangles[~((row % 2 == 0) & (column > 5) & (column < 218) & (row > 5) & (row < 218))]


def _twisted() -> Mesh:
    """Return a ring that is pushed through itself, so that a third of it is inside out."""
    vertices, triangles = torus(320, 156, 1.0, 0.3)
    x, y, z = vertices.T
    return np.column_stack([x, (x + 0.3) * y, z]), triangles


def _stones(inward: int) -> Mesh:
    """Return eight rough stones, every third or so inside out, in each other."""
    rng = np.random.default_rng(57)
    stones = [stone(rng, 8_000, rough=0.03) for _ in range(8)]
    turned = [inverted(mesh) if k % inward == 0 else mesh for k, mesh in enumerate(stones)]
    return joined(*(moved(mesh, *rng.uniform(-1, 1, 3)) for mesh in turned))


def _walls() -> Mesh:
    """Return a finely divided box with single walls that end inside of it and share its vertices."""
    vertices, triangles = _fine(box((2, 2, 2), (-1, -1, -1)), 6)
    step = np.linspace(-1, 1, 65)
    y, z = np.meshgrid(step, step, indexing="ij")
    wall = np.stack([np.zeros_like(y), y, z], axis=-1).reshape(-1, 3)
    i = np.arange(64 * 65).reshape(64, 65)[:, :-1].ravel()
    faces = np.concatenate([np.column_stack([i, i + 65, i + 66]), np.column_stack([i, i + 66, i + 1])])
    cut = _beyond((wall, faces), 2, 0.5)
    return joined((vertices, triangles[: len(triangles) * 9 // 10]), cut, cut)


def _panels(count: int) -> Mesh:
    """Return panels like those of a car's body: they overlap, and go round a room that is open in places."""
    rng = np.random.default_rng(57)
    panel = _fine((np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float), np.array([(0, 1, 2), (0, 2, 3)])), 4)
    ball = rng.normal(size=(count, 3))
    ball /= np.linalg.norm(ball, axis=1)[:, None]
    side = np.cross(ball, rng.normal(size=(count, 3)))
    side /= np.linalg.norm(side, axis=1)[:, None]
    axes = np.stack([side, np.cross(ball, side), ball], axis=2) * 0.35
    return copies(panel, axes, ball * 1.0)


def kinds() -> dict[str, Callable[[], Mesh]]:
    """Return how to make each kind, by its name: the same mesh every time."""
    rng = np.random.default_rng
    link, ball = torus(320, 156), stone(rng(57), 98_304)
    tube = prism(polygon(1000), 0.0, 4.0)
    teeth = 1.0 + 0.2 * (np.arange(96)[:, None] % 4 > 1)
    return {
        "one large hole": lambda: _beyond(link, 0, 1.0),
        "a bowl": lambda: _beyond(ball, 2, 0.0),
        "a tube without ends": lambda: _fine((tube[0], tube[1][:2000]), 2),
        "a box without a lid": lambda: _beyond(_fine(box((2, 1, 1)), 6), 2, 0.9999),
        "half of a gear": lambda: _beyond(_fine(prism(polygon(96) * teeth), 3), 0, 0.0),
        "4,500 holes": lambda: _less(link, 0.05),
        "3,900 holes": lambda: _less(link, 0.042),
        "less a third": lambda: _less(link, 0.3),
        "a small one less a tenth": lambda: _less(torus(40, 25), 0.1),
        "unwelded and moved apart": lambda: _jittered(link, 2e-3),
        "432 unwelded and moved apart": lambda: _jittered(torus(18, 12), 5e-3),
        "3,600 unwelded and moved apart": lambda: _jittered(torus(60, 30), 5e-3),
        "300 patches moved apart": lambda: _patches(link, 300, 5e-3),
        "a soup of 100,000": lambda: soup(rng(57), 1e5),
        "a soup of 1,000": lambda: soup(rng(57), 1e3),
        "a slit of many teeth": _comb,
        "panels": lambda: _panels(190),
        "walls of two sheets": _walls,
        "a ring through itself": _twisted,
        "crumpled": lambda: stone(rng(57), 98_304, rough=0.02),
        "stones inside out among others": lambda: _stones(3),
        "800 nested boxes": lambda: boxes_nested(rng(1), 9_600),
        "a Klein bottle beside a ball": lambda: joined(klein(200), moved(ball, 9.0, 0.0, 0.0)),
    }


def _worker() -> None:
    """Measure the kinds whose names are read, each with a method, a line each."""
    from core import InertiaError, measure_mesh
    from core.mesh import enclosed

    made = kinds()
    for line in sys.stdin:
        name, method = json.loads(line)
        vertices, triangles = made[name]()
        enclosed._results.clear()
        row: dict[str, Any] = {"faces": len(triangles), "remedy": "", "first": ""}
        thickness = float(np.ptp(vertices, axis=0).max()) / 1000.0 if method == "shell" else None
        start = process_time()
        try:
            row["verdict"] = measure_mesh(vertices, triangles, method=method, thickness=thickness).method
        except InertiaError as error:
            row |= {"verdict": error.code, "remedy": error.remedy, "first": error.fix.actions[0]}
        row["seconds"] = process_time() - start
        print(json.dumps(row), flush=True)


class Worker:
    """A process that measures with the core of a checkout, and makes the meshes of this one."""

    def __init__(self, checkout: Path) -> None:
        program = (
            f"import sys; sys.path[:0] = [{str(checkout)!r}, {str(CHECKOUT)!r}]\n"
            "import core, tests, benchmarks\n"
            f"tests.__path__, benchmarks.__path__ = [{str(CHECKOUT / 'tests')!r}], [{str(CHECKOUT / 'benchmarks')!r}]\n"
            "from benchmarks.refusals import _worker\n"
            "_worker()"
        )
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        command, env = [sys.executable, "-c", program], {**os.environ, **threads}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def measured(self, name: str, method: str) -> dict[str, Any]:
        assert self.process.stdin and self.process.stdout
        print(json.dumps([name, method]), file=self.process.stdin, flush=True)
        row: dict[str, Any] = json.loads(self.process.stdout.readline())
        return row

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def best(workers: list[Worker], name: str, method: str = "exact") -> list[dict[str, Any]]:
    """Return what each worker makes of a kind, by turns, in the shortest of its rounds."""
    rows = [[worker.measured(name, method) for worker in workers] for _ in range(ROUNDS)]
    return [min(each, key=lambda row: float(row["seconds"])) for each in zip(*rows, strict=True)]


def table() -> str:
    """Return the time of each refusal, and of the answer that it names first, as a Markdown table."""
    workers = [Worker(CHECKOUT)]
    text = "Refusals, with the trial of the remedies that they name, in seconds of CPU:\n\n"
    text += "| mesh | faces | Exact | s | first remedy | s |\n|---|---:|---|---:|---|---:|\n"
    for name in kinds():
        (refused,) = best(workers, name)
        text += (
            f"| {name} | {refused['faces']:,} | {refused['verdict']} | {refused['seconds']:.2f} | {refused['first']} |"
        )
        if refused["first"] in ANSWERS:
            (answer,) = best(workers, name, refused["first"])
            text += f" {answer['seconds']:.2f}"
        text += " |\n"
    workers[0].end()
    return text


def compared(before: Path, now: Path) -> str:
    """Return the time of each refusal with the core of two checkouts, and whether both name the same remedies."""
    workers = [Worker(before), Worker(now)]
    text = (
        "| mesh | faces | Exact | before, s | now, s | now by before | remedies |\n|---|---:|---|---:|---:|---:|---|\n"
    )
    shares = []
    for name in kinds():
        old, new = best(workers, name)
        shares.append(new["seconds"] / old["seconds"])
        same = (old["verdict"], old["remedy"]) == (new["verdict"], new["remedy"])
        text += f"| {name} | {new['faces']:,} | {new['verdict']} | {old['seconds']:.2f} | {new['seconds']:.2f}"
        text += f" | {shares[-1]:.2f} | {'the same' if same else new['remedy']} |\n"
    for worker in workers:
        worker.end()
    return f"{text}\nOf the time before: {np.median(shares):.2f} in the median, {max(shares):.2f} at most.\n"


if __name__ == "__main__":
    print(compared(*map(Path, sys.argv[1:3])) if sys.argv[2:] else table())
