# SPDX-License-Identifier: GPL-3.0-or-later
"""Several components: apart, touching, nested, overlapping. Boxes of whole corners, whose cells tell the union."""

import numpy as np

from ..solids import box, cells, inverted, joined, shuffled, subdivided, unwelded
from ..solids.awkward import welded
from ..solids.overlapping import wound
from . import faulty
from .case import RIGHT, STATED, UNION, WARNED, Generated, placed, refused, turn, warned
from .convex import faces_of, union
from .raw import fractions, of_cells, of_mesh
from .sound import solid, star, stone


def built(boxes, rng=None):
    """Return a mesh for each box (low, high, sign); with `rng` some have their faces cut in four."""
    meshes = []
    for low, high, sign in boxes:
        mesh = box(np.subtract(high, low), low)
        for _ in range(0 if rng is None else int(rng.integers(0, 3))):
            mesh = subdivided(mesh)
        meshes.append(mesh if sign > 0 else inverted(mesh))
    return meshes


def enclosed(boxes):
    """Return the exact moments of where boxes wind at least once around space, and how often they do at most."""
    low, high, winding = wound([(np.asarray(a), np.asarray(b), sign) for a, b, sign in boxes])
    return of_cells(low[winding > 0], high[winding > 0]), winding.min(), winding.max()


def random_box(rng):
    low = rng.integers(0, 24, 3)
    return low, low + rng.integers(3, 17, 3), 1


def _shared(one, other):
    """Return the volume that two boxes share."""
    sides = np.minimum(one[1], other[1]) - np.maximum(one[0], other[0])
    return int(sides.clip(0).prod())


def nested(rng):
    """Two or three boxes in each other, each looking outwards or inwards: cavities, parts in them, and what is none."""
    low, high, boxes = np.zeros(3, dtype=int), rng.integers(12, 25, 3), []
    for _ in range(int(rng.integers(2, 4))):
        boxes.append((low, high, 1 if rng.random() < 0.5 else -1))
        low, high = low + rng.integers(1, 3, 3), high - rng.integers(1, 3, 3)
    meshes = built(boxes, rng)
    outer = boxes[0][2]  # looks it inwards, all of it is turned
    seen = [(low, high, sign * outer) for low, high, sign in boxes]
    raw, least, most = enclosed(seen)
    mesh, truth = placed(rng, shuffled(joined(*meshes), rng), raw)
    if least < 0:
        return refused(mesh, "negative_winding")
    warnings = {"inside_out"} if outer < 0 else set()
    warnings |= {"overlapping_shells"} if most > 1 else {"cavity"} if outer > 0 else set()
    may = {WARNED} if outer < 0 or most > 1 else {RIGHT}
    return Generated(mesh, truth, frozenset(may), frozenset(warnings), tolerance=UNION)


def apart(rng):
    """Two to six solids whose bounding boxes are apart or interlock; one may be a hundred times smaller."""
    if rng.random() < 0.2:  # a ring of cells through another, apart everywhere
        ring = {(i, j, 0) for i in range(5) for j in range(5) if i in (0, 4) or j in (0, 4)}
        other = {(k + 2, 2, i) for k in range(5) for i in range(-2, 3) if k in (0, 4) or i in (-2, 2)}
        meshes = [cells(ring, (4, 4, 2)), cells(other, (4, 2, 4), (0, 1, -1))]
    else:
        meshes, x = [], 0.0
        for _ in range(int(rng.integers(2, 7))):
            vertices, triangles = solid(rng)
            vertices = np.rint(vertices * (1024 if rng.random() < 0.7 else 16) / np.ptp(vertices, axis=0).max())
            if np.ptp(vertices, axis=0).min() < 4:
                vertices, triangles = box((16, 8, 4))
            vertices = vertices + [x - vertices[:, 0].min(), 0, 0]
            x = vertices[:, 0].max() + float(rng.integers(1, 64))
            meshes.append((vertices, triangles))
    raw = [of_mesh(mesh) for mesh in meshes]
    mesh, truth = placed(rng, joined(*meshes), sum(raw[1:], raw[0]))
    return Generated(shuffled(mesh, rng), truth, frozenset({RIGHT, WARNED}))


def touching(rng):
    """Two to four boxes that touch in a row at a face, an edge or a corner, each with its own vertices."""
    boxes = [random_box(rng)]
    for _ in range(int(rng.integers(1, 4))):
        _, high, _ = boxes[-1]
        low = high - rng.integers(1, 3, 3)
        along = rng.permutation(3)[: int(rng.integers(1, 4))]
        low[along] = high[along]
        boxes.append((low, low + rng.integers(3, 17, 3), 1))
    raw, _, most = enclosed(boxes)
    assert most == 1
    mesh, truth = placed(rng, joined(*built(boxes, rng)), raw)
    return Generated(shuffled(mesh, rng), truth, frozenset({RIGHT, WARNED}))


def shared_edges(rng):
    """Cells that meet at faces, edges and corners share their vertices, so that four faces and more meet at edges."""
    count = int(rng.integers(2, 5))
    if rng.random() < 0.5:
        filled = rng.random((count, count, count)) < rng.uniform(0.2, 0.6)
        filled[0, 0, 0] = filled[-1, -1, -1] = True
        mesh = cells(set(map(tuple, np.argwhere(filled).tolist())), tuple(rng.integers(2, 9, 3)))
        raw = of_mesh(mesh)
    else:  # whole walls between two of them are doubled, back to back
        size = rng.integers(2, 9, 3)
        places = np.unique(np.cumsum(np.eye(3, dtype=int)[rng.integers(0, 3, count)], axis=0), axis=0)
        boxes = [(place * size, (place + 1) * size, 1) for place in places]
        raw, _, _ = enclosed(boxes)
        mesh = welded(joined(*built(boxes)))
    mesh, truth = placed(rng, mesh, raw)
    return Generated(shuffled(mesh, rng), truth, frozenset({RIGHT, WARNED}))


def overlapping(rng):
    """Two to eight boxes that overlap, some of their walls in one plane; the soup of them in one of three."""
    boxes = [random_box(rng) for _ in range(int(rng.integers(2, 9)))]
    corners = {(tuple(low), tuple(high)) for low, high, _ in boxes}
    boxes = [(np.array(low), np.array(high), 1) for low, high in sorted(corners)]
    raw, _, most = enclosed(boxes)
    if most == 1:
        low, high, _ = boxes[0]
        boxes.append((low + 1, high + 2, 1))
        raw, _, _ = enclosed(boxes)
    mesh = joined(*built(boxes, rng))
    mesh, truth = placed(rng, unwelded(mesh) if rng.random() < 0.3 else mesh, raw)
    return warned(shuffled(mesh, rng), truth, "overlapping_shells", tolerance=UNION, or_stated=True)


def overlapping_far(rng):
    """Two or three boxes that overlap, of whole corners far from the origin, in float64 or float32."""
    single = bool(rng.random() < 0.5)
    boxes = [random_box(rng) for _ in range(2)]
    boxes[1] = (boxes[0][0] + rng.integers(1, 3, 3), boxes[0][1] + rng.integers(1, 9, 3), 1)
    t = rng.integers(-(2**14), 2**14, 3) if single else rng.integers(-(2**26), 2**26, 3)
    raw, _, _ = enclosed(boxes)
    vertices, triangles = joined(*built(boxes, rng))
    vertices = (vertices + t) / 16
    raw = raw.transformed(fractions(np.eye(3, dtype=int)) / 16, t / 16)
    kept = vertices.astype(np.float32) if single else vertices
    assert (kept == vertices).all()
    mesh = shuffled((kept, triangles), rng)
    return warned(mesh, raw.exact(vertices), "overlapping_shells", tolerance=UNION, or_stated=True)


def overlapping_tilted(rng):
    """Two or three boxes that are each turned another way and share their middle."""
    meshes, solids = [], []
    for _ in range(int(rng.integers(2, 4))):
        A, half = turn(rng), rng.integers(2, 9, 3)
        A = A * max(1, round(64 / float(np.abs(A).sum(axis=1).max() * half.max())))
        centre = rng.integers(-16, 17, 3)
        vertices, triangles = box(2 * half, -half)
        meshes.append((vertices @ A.T + centre, triangles))
        signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij"), axis=-1)
        solids.append(faces_of((signs * half) @ A.T + centre))
    raw = union(solids)
    alone = sum(of_mesh(mesh).volume for mesh in meshes)
    meshes = [subdivided(mesh) if rng.random() < 0.3 else mesh for mesh in meshes]
    mesh, truth = placed(rng, joined(*meshes), raw)
    if raw.volume == alone:
        return Generated(mesh, truth, frozenset({RIGHT, WARNED}))
    if alone - raw.volume < raw.volume / 10**5:  # a corner in a face: less may count as touching
        return Generated(mesh, truth, frozenset({RIGHT, WARNED, STATED}), tolerance=UNION)
    return warned(mesh, truth, "overlapping_shells", tolerance=UNION, or_stated=True)


def combined(rng):
    """Several components, apart or overlapping, each with faults of several kinds."""
    boxes = [random_box(rng) for _ in range(int(rng.integers(1, 4)))]
    # None lies in another: what looks inwards there would be a cavity.
    outer = [
        a for k, a in enumerate(boxes) if all(_shared(a, b) < _shared(a, a) / 2 for b in boxes[:k] + boxes[k + 1 :])
    ]
    boxes = outer or boxes[:1]
    raw, _, most = enclosed(boxes)
    warnings = {"overlapping_shells"} if most > 1 else set()
    meshes = built(boxes, rng)
    aside = star(rng) if rng.random() < 0.5 else stone(rng, 2)  # beside them, so it may look inwards
    vertices = np.rint(aside[0] * (20 / np.ptp(aside[0], axis=0).max()) * 64) / 64
    vertices = vertices + [-8 - vertices[:, 0].max(), 0, 0]
    raw += of_mesh((vertices, aside[1]))
    beside = vertices, aside[1]
    if rng.random() < 0.5:
        beside = inverted(beside)
        warnings.add("inside_out")
    meshes.append(beside)
    mesh = joined(*(_faulty(rng, mesh) for mesh in meshes))
    mesh, truth = placed(rng, unwelded(mesh) if rng.random() < 0.4 else mesh, raw)
    may = frozenset({RIGHT, WARNED} | ({STATED} if most > 1 else set()))
    return Generated(shuffled(mesh, rng), truth, may, frozenset(warnings), tolerance=UNION)


def _faulty(rng, mesh):
    """Return a component with some faults, cut faces first: a face that is there whole and cut is no duplicate."""
    chosen = rng.random(4) < 0.4
    if chosen[0]:
        mesh = faulty.with_t_junctions(rng, mesh, int(rng.integers(1, 4)))
    if chosen[1] and len(mesh[1]) > 40:  # so few that nobody takes them for what is meant
        mesh = faulty.with_flipped(rng, mesh, 0.1)
    if chosen[2]:
        mesh = faulty.with_repeated(rng, mesh, int(rng.integers(1, 5)))
    if chosen[3]:
        mesh = faulty.with_points_for_faces(rng, mesh, int(rng.integers(1, 5)))
    return mesh
