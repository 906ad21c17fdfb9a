# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the refusal of a mesh takes, with the trial of the remedies that it names, in one checkout and another.

``python -m benchmarks.refusals BEFORE NOW`` measures each of 23 kinds of meshes of 100,000 faces or fewer by the method
Exact with the core of either folder, by turns, and compares the remedies; the best of three rounds counts.
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
from tests.core.solids.awkward import klein

from .faulty_meshes import Mesh, boxes_nested, copies, soup, stone, turns

CHECKOUT = Path(__file__).parents[1]
ROUNDS = 1


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
    patch = np.concatenate(
        [
            ((some[:, None] - seeds) ** 2).sum(axis=2).argmin(axis=1)
            for some in np.array_split(middles, 1 + len(middles) // 2000)
        ]
    )
    parts = [
        (
            (mesh[0] + rng.normal(scale=off, size=3))[used := np.unique(mesh[1][patch == number])],
            np.searchsorted(used, mesh[1][patch == number]),
        )
        for number in range(count)
    ]
    return joined(*((vertices, triangles) for vertices, triangles in parts if len(triangles)))


def _comb() -> Mesh:
    """Return a plate with a slit of many teeth, which is one loop of thousands of edges, bent to a bowl."""
    u, v = np.meshgrid(np.linspace(-1, 1, 224), np.linspace(-1, 1, 224), indexing="ij")
    vertices = np.stack([u, v, 0.6 * (u**2 + v**2)], axis=-1).reshape(-1, 3)
    i = np.arange(223 * 224).reshape(223, 224)[:, :-1].ravel()
    triangles = np.concatenate([np.column_stack([i, i + 224, i + 225]), np.column_stack([i, i + 225, i + 1])])
    row, column = np.divmod(np.tile(i, 2), 224)
    return vertices, triangles[~((row % 2 == 0) & (column > 5) & (column < 218) & (row > 5) & (row < 218))]


def _bow_tie() -> Mesh:
    """Return a tube round a figure of eight, as one of two whose halves are wound against each other."""
    vertices, triangles = torus(320, 160, 1.0, 0.3)
    x, y, z = vertices.T
    return np.column_stack([x, x * y, z]), triangles


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
    """Return how to make each kind, by its name."""
    rng = np.random.default_rng(57)
    link = torus(320, 156)
    tube = prism(polygon(1000), 0.0, 4.0)
    return {
        "one large hole": lambda: _beyond(link, 0, 1.0),
        "a bowl": lambda: _beyond(stone(rng, 98_304), 2, 0.0),
        "a tube without ends": lambda: _fine((tube[0], tube[1][:2000]), 2),
        "a box without a lid": lambda: _beyond(_fine(box((2, 1, 1)), 6), 2, 0.9999),
        "half of a gear": lambda: _beyond(
            _fine(prism(polygon(96) * (1 + 0.2 * (np.arange(96) % 4 > 1))[:, None]), 3), 0, 0.0
        ),
        "2,000 holes": lambda: _less(link, 0.02),
        "3,900 holes": lambda: _less(link, 0.042),
        "less a third": lambda: _less(link, 0.3),
        "a small one less a tenth": lambda: _less(torus(40, 25), 0.1),
        "unwelded and moved apart": lambda: _jittered(link, 2e-3),
        "444 unwelded and moved apart": lambda: _jittered(torus(18, 12), 5e-3),
        "3,600 unwelded and moved apart": lambda: _jittered(torus(60, 30), 5e-3),
        "300 patches moved apart": lambda: _patches(link, 300, 5e-3),
        "a soup of 100,000": lambda: soup(rng, 1e5),
        "a soup of 1,000": lambda: soup(rng, 1e3),
        "a slit of many teeth": _comb,
        "panels": lambda: _panels(190),
        "walls of two sheets": _walls,
        "one that crosses itself": _bow_tie,
        "crumpled": lambda: stone(rng, 98_304, rough=0.02),
        "solids inside out among others": lambda: joined(
            *(
                ((mesh := stone(rng, 8_000, 0.03))[0] + rng.uniform(-1, 1, 3), (mesh if k % 3 else inverted(mesh))[1])
                for k in range(8)
            )
        ),
        "800 nested boxes": lambda: boxes_nested(np.random.default_rng(2), 9_600),
        "a Klein bottle beside a ball": lambda: joined(
            klein(200), (stone(rng, 24_000)[0] + 9.0, stone(rng, 24_000)[1])
        ),
    }


def _worker() -> None:
    """Measure the kinds whose numbers are read, a line each."""
    from core import InertiaError, measure_mesh
    from core.mesh import enclosed

    made = kinds()
    for line in sys.stdin:
        mesh = made[line.strip()]()
        enclosed._results.clear()
        start = process_time()
        row: dict[str, Any] = {"faces": len(mesh[1])}
        try:
            row["verdict"] = measure_mesh(*mesh).method
        except InertiaError as error:
            row |= {"verdict": error.code, "remedy": error.remedy, "first": error.fix.actions[0]}
        row["seconds"] = process_time() - start
        print(json.dumps(row), flush=True)


def worker(checkout: Path) -> subprocess.Popen[str]:
    """Start a process that measures with the core of a checkout, and makes the meshes of this one."""
    program = (
        f"import sys; sys.path[:0] = [{str(checkout)!r}, {str(CHECKOUT)!r}]\n"
        "import core, tests, benchmarks\n"
        f"tests.__path__, benchmarks.__path__ = [{str(CHECKOUT / 'tests')!r}], [{str(CHECKOUT / 'benchmarks')!r}]\n"
        "from benchmarks.refusals import _worker\n"
        "_worker()"
    )
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-c", program], text=True, env={**os.environ, **threads}, **pipes)


if __name__ == "__main__":
    folders = [Path(folder) for folder in sys.argv[1:3]]
    workers = [worker(folder) for folder in folders]
    for name in kinds():
        best: list[dict[str, Any]] = [{} for _ in workers]
        for _ in range(ROUNDS):
            for number, process in enumerate(workers):
                assert process.stdin and process.stdout
                print(name, file=process.stdin, flush=True)
                row = json.loads(process.stdout.readline())
                if not best[number] or row["seconds"] < best[number]["seconds"]:
                    best[number] = row
        print(
            name,
            *(f"{row['seconds']:.2f}" for row in best),
            best[0]["faces"],
            best[0]["verdict"],
            best[0].get("remedy"),
            "SAME"
            if len({(row["verdict"], row.get("remedy")) for row in best}) == 1
            else f"OTHER: {best[-1].get('remedy')}",
            flush=True,
        )
    for process in workers:
        process.stdin.close()
        process.wait()
