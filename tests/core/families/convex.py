# SPDX-License-Identifier: GPL-3.0-or-later
"""What convex solids have in common, in rational arithmetic: the faces of each, clipped by the planes of the others."""

from itertools import combinations

import numpy as np

from .raw import NOTHING, fractions, of_triangles


def faces_of(corners):
    """Return the six faces of a (sheared) box as polygons (4, 3) of fractions, wound counter-clockwise from outside.

    Parameters
    ----------
    corners : array_like, shape (2, 2, 2, 3)
        By whether they are high in u, v and w, three directions that are right-handed.
    """
    p = fractions(corners)
    quads = [(p[1, 0, 0], p[1, 1, 0], p[1, 1, 1], p[1, 0, 1]), (p[0, 0, 0], p[0, 0, 1], p[0, 1, 1], p[0, 1, 0])]
    quads += [(p[0, 1, 0], p[0, 1, 1], p[1, 1, 1], p[1, 1, 0]), (p[0, 0, 0], p[1, 0, 0], p[1, 0, 1], p[0, 0, 1])]
    quads += [(p[0, 0, 1], p[1, 0, 1], p[1, 1, 1], p[0, 1, 1]), (p[0, 0, 0], p[0, 1, 0], p[1, 1, 0], p[1, 0, 0])]
    return [list(quad) for quad in quads]


def plane_of(face):
    """Return a face's outward normal, of any length, and its height along it."""
    normal = np.cross(face[1] - face[0], face[2] - face[0])
    return normal, normal @ face[0]


def clipped(polygon, normal, height):
    """Return the part of a polygon on the inner side of a plane (Sutherland and Hodgman 1974)."""
    over = [normal @ point - height for point in polygon]
    kept = []
    for k, point in enumerate(polygon):
        before = over[k - 1]
        if (before > 0) != (over[k] > 0) and before != 0 and over[k] != 0:
            share = before / (before - over[k])
            kept.append(polygon[k - 1] + share * (point - polygon[k - 1]))
        if over[k] <= 0:
            kept.append(point)
    return kept


def common(solids):
    """Return the moments of what convex solids, each a list of faces, have in common."""
    triangles = []
    planes = [[plane_of(face) for face in solid] for solid in solids]
    for own, solid in enumerate(solids):
        for face, (outward, _) in zip(solid, planes[own], strict=True):
            polygon = face
            for other, cutting in enumerate(planes):
                if other == own:
                    continue
                for normal, height in cutting:
                    if not polygon:
                        break
                    if all(normal @ point == height for point in polygon):
                        # Two faces in one plane count once where they look the same way, else enclose nothing there.
                        if normal @ outward < 0 or other < own:
                            polygon = []
                    else:
                        polygon = clipped(polygon, normal, height)
            triangles += [(polygon[0], b, c) for b, c in zip(polygon[1:], polygon[2:], strict=False)]
    return of_triangles(triangles)


def union(solids):
    """Return the moments of the union of convex solids, by inclusion and exclusion."""
    total = NOTHING
    for count in range(1, len(solids) + 1):
        for some in combinations(solids, count):
            shared = common(some)
            total = total + shared if count % 2 else total - shared
    return total
