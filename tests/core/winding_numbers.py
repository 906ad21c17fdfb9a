# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference for what is inside: winding numbers, summed triangle by triangle."""

import numpy as np


def winding_numbers(vertices, triangles, points):
    """Return the generalised winding number (Van Oosterom & Strackee 1983, eq. 8) around points (n, 3)."""
    a, b, c = (vertices[triangles[:, k]][None] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(side, axis=2) for side in (a, b, c))
    volume = np.einsum("nij,nij->ni", a, np.cross(b, c))
    below = la * lb * lc
    for u, v, length in ((a, b, lc), (b, c, la), (c, a, lb)):
        below += np.einsum("nij,nij->ni", u, v) * length
    return np.arctan2(volume, below).sum(axis=1) / (2 * np.pi)
