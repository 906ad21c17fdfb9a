# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks in rational arithmetic if two triangles of whole coordinates meet, or pass through each other."""

from fractions import Fraction

HAIR = 1e-9
"""Far below what integers up to four leave between triangles that do not meet, far above rounding."""


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def minus(u, v):
    return [u[0] - v[0], u[1] - v[1], u[2] - v[2]]


def heights(triangle, plane):
    normal = cross(minus(plane[1], plane[0]), minus(plane[2], plane[0]))
    return normal, [dot(normal, minus(point, plane[0])) for point in triangle]


def stretch(triangle, height, along):
    """Return where a triangle meets the other's plane, as an interval along their common line; or None."""
    reach = [dot(along, point) for point in triangle]
    places = [r for r, h in zip(reach, height, strict=True) if h == 0]
    for i, j in ((0, 1), (1, 2), (2, 0)):
        if height[i] * height[j] < 0:  # a share of height[i] / (height[i] - height[j]) of the way from i to j
            places.append(Fraction(height[i] * reach[j] - height[j] * reach[i], height[i] - height[j]))
    return (min(places), max(places)) if places else None


def judge(one, other):
    """Return if two triangles of whole coordinates meet, and if they pass through each other (Möller 1997)."""
    first, above = heights(other, one)
    if min(above) > 0 or max(above) < 0:
        return False, False
    second, beyond = heights(one, other)
    along = cross(first, second)
    if not any(along):
        return (None if not any(above) else False), False  # in one plane, which shadows decide; or in parallel ones
    a, b = stretch(one, beyond, along), stretch(other, above, along)
    if a is None or b is None:
        return False, False
    meets = min(a[1], b[1]) - max(a[0], b[0])
    straddling = all(min(height) < 0 < max(height) for height in (above, beyond))
    return meets >= 0, meets > 0 and straddling


def triangles(rng, count, size):
    found = []
    while len(found) < count:
        triangle = rng.integers(0, size, (3, 3)).tolist()
        if any(heights(triangle, triangle)[0]):
            found.append(triangle)
    return found
