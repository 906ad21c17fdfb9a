# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed solids of needle-shaped faces, as lathes and CAD tessellations make them."""

import numpy as np


def ring(count, radius=1.0, height=0.0):
    """Return points (count, 3) on a circle about z."""
    angle = 2 * np.pi * np.arange(count) / count
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.full(count, float(height))])


def fan(rim, apex):
    """Return faces (k, 3) from an apex to a closed rim of vertex numbers."""
    return np.column_stack([rim, np.roll(rim, -1), np.full(len(rim), apex)])


def strip(lower, upper):
    """Return faces (2 k, 3) between two closed rims of as many vertex numbers."""
    a, b = np.roll(lower, -1), np.roll(upper, -1)
    return np.vstack([np.column_stack([lower, a, b]), np.column_stack([lower, b, upper])])


def cone(count, height=1.0):
    """A cone, its base a fan from the centre."""
    rim = np.arange(count)
    return np.vstack([ring(count), [(0, 0, height), (0, 0, 0)]]), np.vstack(
        [fan(rim, count), fan(rim[::-1], count + 1)]
    )


def cylinder(count):
    """A cylinder, one cap a fan from its centre and one from a point of its rim."""
    rim = np.arange(count)
    ear = np.column_stack([np.zeros(count - 2, dtype=int), rim[2:], rim[1:-1]])
    vertices = np.vstack([ring(count), ring(count, height=1.0), [(0, 0, 1)]])
    return vertices, np.vstack([ear, strip(rim, count + rim), fan(count + rim, 2 * count)])


def washer(count):
    """A thin plate with a hole."""
    below, above, inner_below, inner_above = np.arange(4 * count).reshape(4, count)
    vertices = np.vstack([ring(count, radius, height) for radius in (1.0, 0.3) for height in (0.0, 0.02)])
    turns = (below, above), (inner_above, inner_below), (above, inner_above), (inner_below, below)
    return vertices, np.vstack([strip(lower, upper) for lower, upper in turns])


FANS = {"cone": cone, "flat cone": lambda count: cone(count, 1e-3), "cylinder": cylinder, "washer": washer}
