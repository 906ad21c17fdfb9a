# SPDX-License-Identifier: GPL-3.0-or-later
"""Open meshes with their winding-number truth: closed solids less some faces, with loose sheets, cracks or seams.

The winding number of an open mesh is that of the closed solids, an integer, less that of the faces that differ, and
only where the latter is large can it pass a threshold. So the integral of the solids, by Manifold, is corrected by
samples there.
"""

from dataclasses import dataclass
from functools import cache

import manifold3d
import numpy as np

from ..exact import integrate
from ..solids import ball, box, frustum, inverted, joined, polygon, prism, rotation, subdivided, torus, unwelded
from ..winding_numbers import winding_numbers

THRESHOLDS = 0.25, 0.5, 0.75
NEAR = 0.2
"""Winding number of the faces that differ below which no threshold is passed."""


@dataclass(frozen=True)
class Opened:
    """An open mesh and its truth.

    Parameters
    ----------
    mesh : tuple
        Vertices (n, 3) and triangles (m, 3).
    kind : str
    sums : ndarray, shape (3, 4, 4)
        ∫ (1, p)(1, p)ᵀ dV above each of the thresholds, about the middle of the mesh.
    solids : ndarray, shape (4, 4)
        The same of the closed solids, which counts where loose sheets are left out.
    noise : ndarray, shape (4, 4)
        Three standard deviations of the second of them, and what the samples may have missed.
    middle : ndarray, shape (3,)
    """

    mesh: tuple
    kind: str
    sums: np.ndarray
    solids: np.ndarray
    noise: np.ndarray
    middle: np.ndarray

    def ratio(self):
        """Return v25 / v75."""
        return self.sums[0, 0, 0] / max(self.sums[2, 0, 0], 1e-300)

    def spread(self):
        """Return (v25 - v75) / v50, at most, within the noise of the samples."""
        v25, v50, v75 = self.sums[:, 0, 0]
        return (v25 - v75 + self.noise[0, 0]) / v50

    def off(self, moments, without_sheets=False):
        """Return how far volume, centroid and tensor are off, relative, beyond the noise of the samples."""
        right, noise = (self.solids, 0.0 * self.noise) if without_sheets else (self.sums[1], self.noise)
        volume = right[0, 0]
        centre = right[0, 1:] / volume
        covariance = right[1:, 1:] - volume * np.outer(centre, centre)
        trace = np.trace(covariance)
        apart = np.abs(moments.centroid - self.middle - centre)
        return (
            max(abs(moments.volume - volume) - noise[0, 0], 0.0) / volume,
            float(np.maximum(apart - noise[0, 1:] / volume, 0.0).max() / np.sqrt(trace / volume)),
            float(np.maximum(np.abs(moments.covariance - covariance) - noise[1:, 1:], 0.0).max() / trace),
        )


def solid(rng):
    """Return a closed solid of 192 to 2,048 faces."""
    makers = (
        lambda: ball(),
        lambda: frustum(),
        lambda: torus(24, 16, 1.0, rng.uniform(0.2, 0.6)),
        lambda: subdivided(subdivided(box(rng.uniform(0.5, 2.0, 3), (-0.5, -0.5, -0.5)))),
        lambda: subdivided(prism(polygon(20), -1, 1, rng.uniform(0.3, 1.0))),
        lambda: hollow(rng),
    )
    return makers[rng.integers(len(makers))]()


def small_solid(rng):
    while len((mesh := solid(rng))[1]) > 800:
        pass
    return mesh


def hollow(rng):
    """Return a box with a cavity, whose walls are a tenth to a third of it."""
    size, wall = rng.uniform(1.0, 2.0, 3), rng.uniform(0.1, 0.3)
    inner = inverted(box(size - 2 * wall, np.full(3, wall)))
    return subdivided(subdivided(joined(box(size), inner)))


def kept(mesh, which):
    """Return the mesh of some of the faces, and that of the others."""
    return (mesh[0], mesh[1][which]), (mesh[0], mesh[1][~which])


def less_faces(rng):
    mesh = solid(rng)
    open_mesh, gap = kept(mesh, rng.random(len(mesh[1])) >= 10 ** rng.uniform(-2.5, -0.8))
    return [mesh], open_mesh, gap


def one_large_hole(rng):
    mesh = solid(rng)
    height = mesh[0][mesh[1]].mean(axis=1) @ rotation(rng)[0]
    open_mesh, gap = kept(mesh, height <= np.quantile(height, rng.uniform(0.7, 0.99)))
    return [mesh], open_mesh, gap


def cut_ends(rng):
    sides = int(rng.integers(5, 40))
    mesh = prism(polygon(sides), 0, 10 ** rng.uniform(0.1, 1.2), rng.uniform(0.5, 1.0))
    which = np.arange(len(mesh[1])) < (2 + rng.integers(0, 2)) * sides
    open_mesh, gap = kept(mesh, which)
    return [mesh], open_mesh, gap


def parts_apart(rng):
    parts = [moved(solid(rng), rng, 6.0 * k) for k in range(rng.integers(2, 5))]
    return less_a_few(parts, rng)


def parts_that_overlap(rng):
    parts = [moved(solid(rng), rng, 0.8 * k) for k in range(rng.integers(2, 5))]
    return less_a_few(parts, rng)


def moved(mesh, rng, along):
    return mesh[0] @ rotation(rng).T * rng.uniform(0.4, 1.2) + [along, *rng.uniform(-0.2, 0.2, 2)], mesh[1]


def less_a_few(parts, rng):
    """Return parts, one of which stays closed, less a few faces each."""
    opened, gaps = [], []
    for number, part in enumerate(parts):
        which = np.ones(len(part[1]), dtype=bool)
        if number:
            which[rng.integers(0, len(which), rng.integers(1, 12))] = False
        some, gap = kept(part, which)
        opened.append(some)
        gaps.append(gap)
    return parts, joined(*opened), joined(*gaps)


def parts_inside_out(rng):
    parts, mesh, gap = parts_apart(rng)
    return [parts[0], *map(inverted, parts[1:])], *(
        (points, np.where((points[faces].mean(axis=1)[:, 0] > 3.0)[:, None], faces[:, ::-1], faces))
        for points, faces in (mesh, gap)
    )


def cracks(rng):
    """Return a solid whose halves meet at T-junctions that gape."""
    whole = subdivided(small_solid(rng))
    coarse = whole[1].reshape(-1, 4, 3)
    which = whole[0][coarse[:, 3]].mean(axis=1) @ rotation(rng)[0] > 0
    size = 10 ** rng.uniform(-4, -2)
    vertices = whole[0] + size * rng.uniform(-1, 1, whole[0].shape)
    corners = coarse[:, [0, 1, 2], [0, 1, 2]]  # of the whole face
    mesh = vertices, np.concatenate([coarse[which].reshape(-1, 3), corners[~which]])
    closed = vertices, whole[1]
    gap = vertices, np.concatenate([coarse[~which].reshape(-1, 3), corners[~which][:, ::-1]])
    return [closed], mesh, gap


def seams(rng):
    """Return a solid in patches whose rims are apart."""
    mesh = small_solid(rng)
    patch = np.zeros(len(mesh[1]), dtype=int)
    for _ in range(rng.integers(1, 4)):
        patch = 2 * patch + (mesh[0][mesh[1]].mean(axis=1) @ rotation(rng)[0] > rng.uniform(-0.2, 0.2))
    size = 10 ** rng.uniform(-4, -2)
    pieces = [
        (mesh[0] + size * rng.uniform(-1, 1, mesh[0].shape), mesh[1][patch == number]) for number in np.unique(patch)
    ]
    return [mesh], joined(*pieces), joined(mesh, inverted(joined(*pieces)))


def soup(rng):
    """Return a solid whose faces are all apart."""
    mesh = subdivided(subdivided(box(rng.uniform(0.5, 2.0, 3))))
    vertices, triangles = unwelded(mesh)
    vertices = vertices + 10 ** rng.uniform(-5, -3) * rng.uniform(-1, 1, vertices.shape)
    return [mesh], (vertices, triangles), joined(mesh, (vertices, triangles[:, ::-1]))


def many_small_holes(rng):
    mesh = subdivided(ball()) if rng.random() < 0.5 else subdivided(subdivided(torus(24, 16)))
    which = np.ones(len(mesh[1]), dtype=bool)
    which[rng.choice(len(which), rng.integers(100, 900), replace=False)] = False
    open_mesh, gap = kept(mesh, which)
    return [mesh], open_mesh, gap


def with_sheets(rng):
    """Return a solid less a few faces, and some loose triangles."""
    parts, mesh, gap = less_a_few([solid(rng), moved(solid(rng), rng, 2.5)], rng)
    count = int(rng.integers(1, 4))
    sheet = rng.uniform(-1.2, 1.2, (3 * count, 3)), np.arange(3 * count).reshape(-1, 3)
    return parts, joined(mesh, sheet), joined(gap, inverted(sheet))


KINDS = (
    *(less_faces, one_large_hole, cut_ends, parts_apart, parts_that_overlap, parts_inside_out, cracks, seams, soup),
    *(many_small_holes, with_sheets),
)


@cache
def opened(number, samples=32):
    """Return an open mesh by its number, of a kind that follows from it."""
    make = KINDS[number % len(KINDS)]
    rng = np.random.default_rng([7, number])
    parts, mesh, gap = make(rng)
    A = rotation(rng) @ np.diag(10 ** rng.uniform(-0.3, 0.3, 3)) @ rotation(rng)
    shift = rng.uniform(-3, 3, 3)
    *parts, mesh, gap = [(points @ A.T + shift, faces) for points, faces in (*parts, mesh, gap)]
    used = mesh[0][np.unique(mesh[1])]
    low, high = used.min(axis=0), used.max(axis=0)
    middle = (low + high) / 2.0
    sums, noise = corrections(parts, gap, low, high, middle, samples, rng)
    solids = whole(parts, middle)
    return Opened(mesh, make.__name__, sums + solids, solids, noise, middle)


def whole(parts, middle):
    """Return ∫ (1, p)(1, p)ᵀ dV of the union of closed solids, about a point."""
    parts = [part if volume_of(part) > 0.0 else inverted(part) for part in parts]
    solids = [manifold3d.Manifold(manifold3d.Mesh64(v - middle, t.astype(np.uint64))) for v, t in parts]
    union = solids[0] if len(solids) == 1 else manifold3d.Manifold.batch_boolean(solids, manifold3d.OpType.Add)
    if len(solids) == 1:
        vertices, triangles = parts[0][0] - middle, parts[0][1]
    else:
        mesh = union.to_mesh64()
        vertices, triangles = np.asarray(mesh.vert_properties)[:, :3], np.asarray(mesh.tri_verts).astype(np.int64)
    exact = integrate(vertices, triangles)
    volume, centre = float(exact.volume), np.array([float(one) for one in exact.centroid])
    second = np.array([[float(one) for one in row] for row in exact.covariance]) + volume * np.outer(centre, centre)
    return np.block([[np.array([[volume]]), volume * centre[None]], [volume * centre[:, None], second]])


def volume_of(mesh):
    a, b, c = (mesh[0] - mesh[0][0])[mesh[1]].transpose(1, 0, 2)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


def corrections(parts, gap, low, high, middle, samples, rng):
    """Return what the open mesh has more than the solids, by threshold, and three deviations of the second."""
    ends = np.concatenate([points for points, _ in parts])
    least, most = np.minimum(ends.min(axis=0), low), np.maximum(ends.max(axis=0), high)
    cell = (most - least) / samples
    corner = np.stack(np.meshgrid(*[np.arange(samples)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    found = []
    for _ in range(2):  # two points in each cell, for the noise
        points = least + (corner + rng.random(corner.shape)) * cell
        missing = in_parts(gap, points)
        outside = ((points < low) | (points > high)).any(axis=1)  # of the box of the mesh nothing counts
        near = np.flatnonzero((np.abs(missing) >= NEAR) | outside)
        each = np.rint([in_parts(part, points[near]) for part in parts])
        number = each.sum(axis=0)
        w = np.abs(number - missing[near])
        rows = np.concatenate([np.ones((len(near), 1)), points[near] - middle], axis=1)
        weight = np.array([(w > level) & ~outside[near] for level in THRESHOLDS]) * 1.0 - (number != 0)
        each_cell = np.zeros((len(THRESHOLDS), len(points), 4, 4))
        each_cell[:, near] = weight[:, :, None, None] * (rows[:, :, None] * rows[:, None])
        found.append(each_cell * cell.prod())
    apart = (found[0][1] - found[1][1]) / 2.0
    # None of n samples differs in 95 % of cases if a share of 3 / n does.
    reach = np.append(1.0, (high - low) / 2.0)
    unseen = 3.0 * cell.prod() / 2.0 * np.outer(reach, reach)
    return (found[0] + found[1]).sum(axis=1) / 2.0, unseen + 3.0 * np.sqrt((apart**2).sum(axis=0))


def in_parts(mesh, points):
    """Return winding numbers, a few points at a time."""
    vertices, triangles = mesh
    if not len(triangles) or not len(points):
        return np.zeros(len(points))
    count = max(1, len(points) * len(triangles) // 500_000)
    return np.concatenate([winding_numbers(vertices, triangles, some) for some in np.array_split(points, count)])
