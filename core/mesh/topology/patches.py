# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches: faces that hang together across edges of two faces, wound consistently."""

from __future__ import annotations

import numpy as np

from ...arrays import Bools, Ints
from ...errors import InertiaError
from ...remedies import Remedy
from .connected import connected
from .edges import Edges, minority


def patches(edges: Edges, count: int) -> tuple[Ints, Bools]:
    """Split the faces where more than two meet, and wind each patch consistently.

    Parameters
    ----------
    edges : Edges
    count : int
        Number of faces of the mesh.

    Returns
    -------
    patch : ndarray, shape (m,), int64
        A label for each face.
    turned : ndarray, shape (m,), bool
        Faces to turn round: in each patch the fewer.

    Raises
    ------
    InertiaError
        ``not_orientable``.
    """
    first, second = edges.pairs
    f, g = edges.face.take(first), edges.face.take(second)
    if edges.plain:
        return connected(f, g, count), np.zeros(count, dtype=bool)
    alike = edges.sign[first] != edges.sign[second]  # walked both ways
    cluster = connected(f[alike], g[alike], count)
    if alike.all():
        return cluster, np.zeros(count, dtype=bool)
    f, g = cluster[f[~alike]], cluster[g[~alike]]
    clusters, number = np.unique(np.concatenate([f, g]), return_inverse=True)
    one, other = number.reshape(2, -1)
    # Each cluster of faces wound alike is two nodes, as it is and turned round; links say which of them go together.
    nodes = connected(
        np.concatenate([one, one + len(clusters)]), np.concatenate([other + len(clusters), other]), 2 * len(clusters)
    )
    as_is, round_about = nodes.reshape(2, -1)
    impossible = np.flatnonzero(np.isin(cluster, clusters[as_is == round_about]))
    if len(impossible):
        raise InertiaError(
            "not_orientable",
            "",
            f"the surface has one side only, as a Moebius strip or a Klein bottle: {len(impossible)} of its faces,"
            f" such as face {impossible[0]}, would need normals on both sides",
            Remedy("{hull}", "{shell}", "cut and rebuild the surface so that it has an inside", "{fit}"),
        )
    lowest, round_there = np.arange(count), np.zeros(count, dtype=bool)
    lowest[clusters] = clusters[np.minimum(as_is, round_about)]
    round_there[clusters] = as_is > round_about
    patch = lowest[cluster]
    return patch, minority(patch, round_there[cluster])
