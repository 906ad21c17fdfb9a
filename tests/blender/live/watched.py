# SPDX-License-Identifier: GPL-3.0-or-later
"""The live model as a test sees it, and links that take long."""

import time

import bpy
import numpy as np

from ..scenes import add, live_model, mesh_data, tag


def depsgraph():
    return bpy.context.evaluated_depsgraph_get()


def only():
    (link,) = live_model().links
    return link


def codes(link):
    return [finding.code for finding in link.body.all_findings()]


def collected(jobs, seconds=60.0):
    """Collect until nothing is wanted any more."""
    end = time.monotonic() + seconds
    while jobs.status() is not None:
        assert time.monotonic() < end, "it never came"
        jobs.collect()
        time.sleep(0.005)


def ball(rings=150, name="ball"):
    """Return a ball of radius 1 as a mesh of about rings² triangles."""
    theta = np.pi * np.arange(1, rings) / rings
    phi = 2.0 * np.pi * np.arange(rings) / rings
    x, y, z = (np.outer(np.sin(theta), np.cos(phi)), np.outer(np.sin(theta), np.sin(phi)), np.cos(theta))
    points = np.stack([x, y, np.broadcast_to(z[:, None], x.shape)], axis=-1)
    vertices = [*points.reshape(-1, 3), (0, 0, 1), (0, 0, -1)]
    faces, top = [], len(vertices) - 2
    for j in range(rings):
        k = (j + 1) % rings
        faces += [(top, j, k), (top + 1, (rings - 2) * rings + k, (rings - 2) * rings + j)]
        for i in range(rings - 2):
            a, b = i * rings, (i + 1) * rings
            faces.append((a + j, b + j, b + k, a + k))
    return mesh_data(vertices, faces, name)


def heavy(**settings):
    """Return a link whose shell takes a third of a second or so."""
    return tag(add(ball(), "ball"), "link", "collision", method="SHELL", thickness=0.001, use_density=True, **settings)
