# SPDX-License-Identifier: GPL-3.0-or-later
"""Following a scene that changes: what the add-on adds to what Blender itself does for the same change."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import contextmanager
from importlib import import_module
from statistics import median
from types import SimpleNamespace
from typing import Any

import bpy

from .scene import checkout, mesh_object
from .timing import interleaved

LINKS, PARTS, TRIANGLES = 100, 5, 4_000
LARGE = 1_000_000

DRAG_TARGET = 1.0
"""Times Blender's own evaluation of the same step."""

EDIT_TARGET = 5.0
"""Times the reading of the edited mesh."""

ROUNDS = 41


def table() -> str:
    """Return the figures as Markdown tables."""
    package = checkout()
    package.register()
    name = package.__name__
    try:
        modules = SimpleNamespace(
            live=import_module(f"{name}.sdf_inertia_addon.live"),
            jobs=import_module(f"{name}.sdf_inertia_addon.live.jobs"),
            evaluated_mesh=import_module(f"{name}.sdf_inertia_addon.scene.evaluated.evaluated_mesh"),
        )
        return f"{_drag(modules)}\n{_edit(modules)}"
    finally:
        package.unregister()


def _drag(modules: SimpleNamespace) -> str:
    bpy.ops.wm.read_homefile(use_empty=True)
    frame = _empty("frame")
    for i in range(LINKS):
        link = _empty(f"link {i}", frame, (3.0 * i, 0.0, 0.0))
        link.sdf_inertia.is_link = link.sdf_inertia.use_density = True
        for j in range(PARTS):
            part = mesh_object(f"part {i} {j}", TRIANGLES)
            part.parent, part.location = link, (0.0, 7.0 * j, 0.0)
            part.sdf_inertia.is_collision = True
    layer = bpy.context.view_layer
    layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    link, part = (bpy.data.objects[f"{kind}"] for kind in ("link 50", "part 50 2"))

    def pull() -> None:
        model = modules.live.model(depsgraph)
        assert len(model.links) == LINKS and not model.stale

    def step(ob: Any) -> None:
        ob.location.x += 0.01
        ob.rotation_euler.z += 0.01
        layer.update()

    def weigh() -> None:
        link.sdf_inertia.density += 1.0
        layer.update()

    def select() -> None:
        part.select_set(not part.select_get())
        layer.update()

    pull()
    changes: dict[str, Callable[[], None]] = {
        "dragging the frame of all links": lambda: step(frame),
        "dragging one link": lambda: step(link),
        "dragging one part": lambda: step(part),
        "the density of a link": weigh,
        "selecting": select,
    }
    text = "| change | Blender | the add-on | ratio |\n|---|---:|---:|---:|\n"
    for name, change in changes.items():
        blender, addon = _added(change, pull)
        text += f"| {name} | {blender * 1e3:.2f} ms | {addon * 1e3:.2f} ms | {addon / blender:.2f} x |\n"
    idle = interleaved({"idle": lambda: [pull() for _ in range(1000)]})["idle"] / 1000
    triangles = LINKS * PARTS * TRIANGLES
    return (
        f"{LINKS} links, {LINKS * PARTS} collisions, {triangles:,} triangles in Blender {bpy.app.version_string};"
        f" target of the first: at most {DRAG_TARGET:g} x. Redrawing while nothing changes: {idle * 1e6:.1f} µs."
        f"\n\n{text}"
    )


def _added(change: Callable[[], None], pull: Callable[[], None]) -> tuple[float, float]:
    """Return the median times of a change in Blender without us, and of what we add, handlers counted."""
    without, added = [], []
    for _ in range(ROUNDS):
        with _unhandled():
            start = time.perf_counter()
            change()
            alone = time.perf_counter() - start
        pull()  # it saw nothing of that; the next change makes up for it
        start = time.perf_counter()
        change()
        middle = time.perf_counter()
        pull()
        added.append(time.perf_counter() - middle + max(middle - start - alone, 0.0))
        without.append(alone)
    return median(without), median(added)


@contextmanager
def _unhandled() -> Any:
    handlers = bpy.app.handlers.depsgraph_update_post
    ours = list(handlers)
    handlers.clear()
    try:
        yield
    finally:
        handlers.extend(ours)


def _edit(modules: SimpleNamespace) -> str:
    bpy.ops.wm.read_homefile(use_empty=True)
    ob = mesh_object("torus", LARGE)
    ob.sdf_inertia.is_link = ob.sdf_inertia.is_collision = True
    layer = bpy.context.view_layer
    layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    modules.jobs.use_thread(True)

    def edit() -> None:
        ob.data.vertices[0].co.z += 1e-3
        ob.data.update()
        layer.update()

    def finish() -> None:
        while modules.jobs.status() is not None:
            modules.jobs.collect()
            time.sleep(1e-3)

    times: dict[str, list[float]] = {"reading": [], "following": [], "taking over": []}
    try:
        for _ in range(9):
            modules.evaluated_mesh.forget()
            with _timed(times["reading"]):
                modules.evaluated_mesh.surface_of(ob.evaluated_get(depsgraph))
            edit()
            with _timed(times["following"]):
                assert modules.live.model(depsgraph).stale
            finish()
            with _timed(times["taking over"]):
                assert not modules.live.model(depsgraph).stale
    finally:
        modules.live.forget()
        modules.jobs.use_thread(None)
    read, follow, take = (median(values) for values in times.values())
    return (
        f"| an edit of {LARGE:,} triangles, in the interface's thread | time | ratio |\n|---|---:|---:|\n"
        f"| reading the mesh | {read * 1e3:.1f} ms | 1 x |\n"
        f"| following the edit (target: at most {EDIT_TARGET:g} x) | {follow * 1e3:.1f} ms | {follow / read:.1f} x |\n"
        f"| and taking over the number when it is there | {take * 1e3:.2f} ms | {take / read:.2f} x |\n"
    )


@contextmanager
def _timed(times: list[float]) -> Any:
    start = time.perf_counter()
    yield
    times.append(time.perf_counter() - start)


def _empty(name: str, parent: Any = None, location: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Any:
    ob = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(ob)
    ob.parent, ob.location = parent, location
    return ob
