# SPDX-License-Identifier: GPL-3.0-or-later
"""What a redraw of the overlay costs the interface's thread: 100 links with 500 collisions and all their labels.

Drawn offscreen, by a software renderer where there is no GPU; so our own time is that with the GPU's calls (instances
and text) left out. What is drawn comes from `live.model`, which is measured elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from statistics import median
from time import thread_time
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np

LINKS, PARTS = 100, 5
WIDTH, HEIGHT = 1920, 1080
TARGET = 5.0
ROUNDS = 9


def table() -> str:
    """Return the figures as a Markdown table."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "sdf_inertia_addon"))
    headless = import_module("headless")
    sys.path.pop(0)
    checkout = headless.import_checkout()
    checkout.register()
    try:
        return _measure(checkout.__name__)
    finally:
        checkout.unregister()


def _measure(package: str) -> str:
    def module(name: str) -> Any:
        return import_module(f"{package}.sdf_inertia_addon.{name}")

    content, draw, labels = module("overlay.content"), module("overlay.draw"), module("overlay.labels.draw_labels")
    style, placement = module("overlay.style").OverlayStyle(), module("overlay.labels.placement").Placement()
    Camera = module("overlay.camera").Camera
    picture = module("export.offscreen")
    obs = _scene()
    picture.require_gpu()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    model = module("live").model(depsgraph)
    visible_links = module("viewport.visible_links")
    points = np.array([ob.matrix_world.translation for ob in obs], dtype=np.float64)
    first = Camera.framing(points, 50.0, WIDTH, HEIGHT)
    turned = [_orbited(first, angle) for angle in np.linspace(0.0, 0.3, 13)[1:]]
    colors = list(range(LINKS))
    state: dict[str, Any] = {}
    buffers, gpu_calls = module("overlay.buffers"), module("overlay.labels.draw_labels")
    calls = buffers.issue, gpu_calls.blf
    idle = (lambda *_arguments: None), SimpleNamespace(**{**vars(gpu_calls.blf), "draw": lambda *_arguments: None})

    def seen() -> None:
        state["visible"] = visible_links.links_in_view(bpy.context, model, style)

    def rest() -> None:
        state["drawing"].draw()
        state["labels"].draw()

    def orbit() -> None:
        camera = turned[state["turn"] % len(turned)]
        state["turn"] += 1
        state["drawing"] = draw.Drawing(state["shown"], camera)
        state["labels"] = labels.Labels(state["shown"], camera, placement)
        rest()

    def drag() -> None:
        moved = list(model.links)
        body = moved[7].body
        pose = replace(body.pose, p=body.pose.p + [0.001 * state["turn"], 0.0, 0.0])
        moved[7] = replace(moved[7], body=replace(body, pose=pose))
        now = replace(model, links=tuple(moved), signature=-state["turn"])
        state["shown"] = content.content_of(now, style, state["visible"], colors)
        orbit()

    def still() -> None:
        placement.still = True
        orbit()

    def first_time() -> None:
        seen()
        state["turn"] = 0
        state["shown"] = content.content_of(model, style, state["visible"], colors)
        still()

    rows: list[tuple[str, Callable[[], None]]] = [
        ("who is active, selected and visible", seen),
        ("nothing changed", rest),
        (f"the view turns (target: labels at most {TARGET:g} ms)", orbit),
        ("one link is dragged", drag),
        ("labels find new places, once nothing moves", still),
    ]
    times: dict[str, list[list[float]]] = {name: [[], []] for name, _way in rows}

    def draw_all() -> None:
        first_time()
        for number in range(2 * ROUNDS + 2):
            buffers.issue, gpu_calls.blf = (idle, calls)[number % 2]
            for name, way in rows:
                start = thread_time()
                way()
                if number > 1:
                    times[name][number % 2].append(1e3 * (thread_time() - start))

    picture.picture(WIDTH, HEIGHT, draw_all)
    shown = LINKS - state["labels"].left_out
    text = f"{LINKS} links, {shown} labels in {WIDTH} x {HEIGHT}, Blender {bpy.app.version_string}"
    lines = ""
    for name, (own, both) in times.items():
        lines += f"| {name} | {median(own):.2f} ms | {median(both):.1f} ms |\n"
    return f"| {text} | our time | with the draw calls |\n|---|---:|---:|\n{lines}"


def _orbited(camera: Any, angle: float) -> Any:
    turn = np.eye(4)
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return replace(camera, view=camera.view @ turn)


def _scene() -> list[bpy.types.Object]:
    """Make a field of links with five boxes each, and return the links."""
    bpy.ops.wm.read_homefile(use_empty=True)
    corners = [(x, y, z) for z in (-0.1, 0.1) for x, y in ((-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1))]
    faces = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    links = []
    for i in range(LINKS):
        link = bpy.data.objects.new(f"link {i}", None)
        bpy.context.scene.collection.objects.link(link)
        link.location = (i % 10, i // 10, 0.3 * np.sin(i))
        link.sdf_inertia.is_link = link.sdf_inertia.use_density = True
        links.append(link)
        for k in range(PARTS):
            mesh = bpy.data.meshes.new("box")
            mesh.from_pydata(corners, [], faces)
            part = bpy.data.objects.new(f"part {i} {k}", mesh)
            bpy.context.scene.collection.objects.link(part)
            part.parent = link
            part.location = (0.1 * k, 0.05 * k * k, 0.07 * k)
            part.sdf_inertia.is_collision = True
    bpy.context.view_layer.objects.active = links[3]
    bpy.context.view_layer.update()
    return links
