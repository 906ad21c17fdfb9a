# SPDX-License-Identifier: GPL-3.0-or-later
"""The components of a mesh: faces that hang together, which way round they are, and which lie inside which."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...arrays import Bools, FloatArray, Ints, Numbers, blocks
from ...errors import InertiaError
from ...remedies import Remedy
from ..geometry.boxes import box_pairs
from ..geometry.probe import ON_SURFACE, ROUNDING, SOME, BoxedFaces, Corners, face_corners, winding_at
from ..geometry.vectors import cross, dot
from ..surface import Surface
from .connected import apart, connected, numbered
from .edges import Edges, minority
from .merging import MERGING_STEPS

FLAT = 64 * float(np.finfo(np.float64).eps)
"""A component whose volume is below this share of its bounding box, times √faces, is flat: it has no inside."""

SAMPLES = 7, 49, 343
"""Points of a component that are looked up in another: touching faces leave some undecided, and where fewer than
`ENOUGH` are not, more are taken."""

ENOUGH = 3

ACROSS = np.array([0.4142135623730951, 0.7320508075688772, 1.0])
"""A direction that no two points of a mesh made by people have the same height along: (√2 - 1, √3 - 1, 1)."""


def point_components(points: Ints, count: int) -> Ints | None:
    """Return for each merged triangle (m, 3) the lowest point that it hangs together with: coarser than components.

    None where all hang together.
    """
    root = joined_points(points, count)
    if (root == root[0]).all():
        return None
    label: Ints = root.take(points[:, 0])
    return label if (label != label[0]).any() else None


def one_owner(points: Ints, label: Numbers, count: int) -> bool:
    """Say whether no two faces (m, 3) with different labels (m,) share any of `count` points."""
    owner = np.zeros(count, dtype=label.dtype)
    for corner in points.T:
        owner[corner] = label
    return all((owner.take(corner) == label).all() for corner in points.T)


def with_own_vertices(surface: Surface, label: Ints) -> Surface:
    """Return the same surface, no vertex of which is a corner of faces with different labels (m,)."""
    count, triangles = len(surface.vertices), surface.triangles.astype(np.int64)
    if one_owner(triangles, label, count):
        return surface
    used, number = np.unique(triangles + count * numbered(label).astype(np.int64)[:, None], return_inverse=True)
    return Surface(surface.vertices[used % count], number.reshape(-1, 3))


def joined_points(points: Ints, count: int) -> Ints:
    """Return for each of `count` points the lowest that faces (m, 3) join it with."""
    a, b, c = points.T
    root = connected(a, b, count)  # one side of each face joins nearly all
    return connected(*apart(root, b, c), count, root)


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
    f, g = edges.face[first], edges.face[second]
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


@dataclass(frozen=True, eq=False)
class Components:
    """The components of a mesh, by rising label.

    Parameters
    ----------
    faces : list of ndarray
        The faces of each.
    shapes : list of BoxedFaces
        Where these are, their corners merged to points.
    volume : ndarray, shape (k,)
        Signed, about a corner of each component [m³]; exactly 0 for a flat one.
    low, high : ndarray, shape (k, 3)
        Bounding boxes [m].
    within : list of list of int
        For each component the components around it.
    """

    faces: list[Ints]
    shapes: list[BoxedFaces]
    volume: FloatArray
    low: FloatArray
    high: FloatArray
    within: list[list[int]]

    def flipped(self, which: Bools) -> Components:
        """Return the components with some of them wound the other way."""
        shapes = [shape.flipped() if turned else shape for shape, turned in zip(self.shapes, which, strict=True)]
        return replace(self, shapes=shapes, volume=np.where(which, -self.volume, self.volume))

    def mask(self, which: Bools, count: int) -> Bools:
        """Say for each of the `count` faces of the mesh whether it belongs to one of these components."""
        mask = np.zeros(count, dtype=bool)
        mask[np.concatenate([self.faces[component] for component in np.flatnonzero(which)])] = True
        return mask

    def winding(self) -> Ints:
        """Return the winding inside each component, as far as nesting alone tells."""
        sign = np.sign(self.volume).astype(np.int64)
        return sign + np.array([sum(sign[outer] for outer in around) for around in self.within], dtype=np.int64)

    def inward(self) -> Bools:
        """Return the components to turn: those inside no other that look inwards, and all inside no better ones."""
        outermost = np.array([not around for around in self.within])
        roots = outermost & (self.volume < 0.0)
        inward: Bools = roots.copy()
        for component, around in enumerate(self.within):
            outer = [other for other in around if outermost[other]]
            inward[component] |= bool(outer) and all(roots[other] for other in outer)
        return inward


def components_of(surface: Surface, label: Ints, used: Bools) -> Components:
    """Gather the components of a surface and find which lies inside which.

    Parameters
    ----------
    surface : Surface
    label : ndarray, shape (m,), int64
        Of each face's component.
    used : ndarray, shape (m,), bool
        Faces to be counted: without those that are degenerate.
    """
    kept = np.flatnonzero(used)
    order = kept[np.argsort(label[kept], kind="stable")]
    starts = np.flatnonzero(np.diff(label[order], prepend=-1))
    faces = np.split(order, starts[1:])
    together = BoxedFaces.of(face_corners(surface, order))
    low, high, volume = _measured(together, starts)
    components = Components(faces, together.split(starts[1:]), volume, low.T, high.T, [[] for _ in faces])
    size = np.prod(high - low, axis=0)
    for a, b in zip(*box_pairs(components.low, components.high), strict=True):
        inner, outer = (int(a), int(b)) if size[a] <= size[b] else (int(b), int(a))
        near = max(float((high - low)[:, outer].max()) * ON_SURFACE, MERGING_STEPS * surface.step())
        if volume[outer] and _inside(components.shapes[inner].corners, components.shapes[outer], near):
            components.within[inner].append(outer)
    return components


def _measured(together: BoxedFaces, starts: Ints) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the bounding boxes (3, k), and the signed volumes (k,), of components whose faces begin at `starts`."""
    corners = together.corners
    counts = np.diff(np.append(starts, corners.shape[2]))
    low, high = np.minimum.reduceat(together.low, starts, axis=1), np.maximum.reduceat(together.high, starts, axis=1)
    component = np.repeat(np.arange(len(starts)), counts)
    origin = corners[:, 0, starts]  # near each component, so that nothing is lost by rounding
    six = np.zeros(len(starts))
    for some in blocks(len(component), SOME):
        own = component[some]
        first = np.flatnonzero(np.diff(own, prepend=-1))
        here = corners[:, :, some] - origin.take(own, axis=1)[:, None]
        a, b, c = here.transpose(1, 0, 2)
        six[own[first]] += np.add.reduceat(dot(a, cross(b, c)), first)
    six[np.abs(six) <= 6.0 * FLAT * np.sqrt(counts) * np.prod(high - low, axis=0)] = 0.0
    return low, high, six / 6.0


def _inside(own: Corners, around: BoxedFaces, near: float) -> bool:
    """Say whether most of a component lies inside another, by points spread over its faces.

    Faces and corners are taken by where they are, so that the order in which the mesh lists them decides nothing.
    What is as `near` to the other as that counts as on it [m].
    """
    count = own.shape[2]
    height = ACROSS @ own.sum(axis=1)
    for most in SAMPLES:
        spread = np.linspace(0, count - 1, min(most, count)).astype(np.intp)
        chosen = own[:, :, np.argpartition(height, spread)[spread]]
        rising = np.argsort(np.tensordot(ACROSS, chosen, 1), axis=0)
        sample = np.take_along_axis(chosen, rising[None], axis=1)
        found = winding_at(around, sample, near)
        decided = found[found != 0.5]
        if len(decided) >= ENOUGH or most >= count:
            break
    if len(decided):
        return bool(np.count_nonzero(decided) * 2 > len(decided))
    # All of it is nearer to the other than a merging cell, as behind a thin wall: then it counts by how much it is.
    found = winding_at(around, sample, float(np.abs(around.corners).max()) * ROUNDING)
    decided = found[found != 0.5]
    return len(decided) > 0 and bool(decided.all())
