# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as people export them: walls, fins and decals, both sides of each face, strips, bars, threads and drills."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from ..solids import box, cells, grid, inverted, joined, prism, shuffled, subdivided, unwelded
from ..solids.awkward import welded
from .case import REFUSED, RIGHT, STATED, UNION, WARNED, Generated, placed, warned
from .faulty import with_walls
from .raw import fractions, of_mesh
from .sound import block, frame, solid, star, stone
from .together import built, enclosed

LEFT_OUT = "inner_walls", "open_sheets", "small_holes"
"""Of a sheet so small that it does not matter, the rim may count as a hole."""


def rectangle(axis, place, low, high):
    """Return two triangles across an axis, between two corners (2,) on the other axes in their order."""
    corners = np.array([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])], dtype=float)
    return np.insert(corners, axis, place, axis=1), np.array([(0, 1, 2), (0, 2, 3)])


def _sheets(rng, body, *sheets, codes=LEFT_OUT, may=frozenset({WARNED}), share=None):
    """Return a body with sheets beside it or in it, each turned at random, which are not part of its truth."""
    either_way = [inverted(sheet) if rng.random() < 0.5 else sheet for sheet in sheets]
    mesh, truth = placed(rng, joined(body, *either_way), of_mesh(body))
    size = np.ptp(mesh[0][: len(body[0])], axis=0).max()
    truth = replace(truth, size=Fraction(float(size)))
    share = rng.random() < 0.7 if share is None else share
    mesh = welded(mesh) if share else mesh if rng.random() < 0.5 else unwelded(mesh)
    return Generated(shuffled(mesh, rng), truth, may, frozenset(codes), frozenset({"open_mesh"}))


def inner_walls(rng):
    """Single walls across a solid: between its vertices, finer than its faces, inside a face, or with a hole."""
    kind = rng.integers(4)
    if kind == 0:  # of the grid that the solid's vertices lie on, in one, two or three directions
        shape = rng.integers(2, 5, 3)
        filled = grid(*shape.tolist())
        if rng.random() < 0.5:
            filled -= {(i, 1, k) for i in range(1, shape[0], 2) for k in range(shape[2])} if shape.min() > 2 else set()
        size = rng.integers(2, 9, 3)
        finer = int(rng.integers(0, 2))
        walls = [
            _across(filled, size, axis, int(rng.integers(1, shape[axis])), finer)
            for axis in rng.permutation(3)[: int(rng.integers(1, 4))].tolist()
        ]
        return _sheets(rng, cells(filled, size), *walls, share=True)
    size = rng.integers(2, 9, 3) * 4
    body = box(size)
    for _ in range(int(rng.integers(0, 2))):
        body = subdivided(body)
    axis = int(rng.integers(3))
    others = np.delete(size, axis)
    if kind == 1:  # its rim lies in the faces, and on the edges that it crosses
        places = rng.choice(np.arange(1, size[axis]), int(rng.integers(1, 4)), replace=False)
        return _sheets(rng, body, *(rectangle(axis, place, (0, 0), others) for place in places.tolist()))
    if kind == 2:  # with a hole in it
        count = int(rng.integers(3, 6))
        plane = cells({(i, j, 0) for i in range(count) for j in range(count)})
        flat = (plane[0][plane[1]][:, :, 2] == 0).all(axis=1)
        middle = plane[0][plane[1]].mean(axis=1)[:, :2]
        gone = (np.abs(middle - (rng.integers(1, count - 1, 2) + 0.5)) < 0.5).all(axis=1)
        corners = plane[0][:, :2] * others * 2  # whole after all is scaled below
        wall = np.insert(corners, axis, int(rng.integers(1, size[axis])) * 2 * count, axis=1), plane[1][flat & ~gone]
        return _sheets(rng, (body[0] * 2 * count, body[1]), wall)
    vertices, triangles = block(rng, 1)
    while True:  # one triangle between three vertices that no face's plane holds
        wall = with_walls(rng, (vertices, triangles), 1)[1][-2]
        if (np.ptp(vertices[wall], axis=0) > 0).all():
            return _sheets(rng, (vertices, triangles), (vertices[wall], np.array([(0, 1, 2)])))


def _across(filled, size, axis, place, finer):
    """Return the faces between the cells on both sides of a plane of the grid, or each of them cut in four."""
    walls = []
    for cell in sorted(filled):
        before = tuple(c - (k == axis) for k, c in enumerate(cell))
        if cell[axis] == place and before in filled:
            low = np.delete(np.array(cell), axis)
            walls.append(rectangle(axis, place, low, low + 1))
    vertices, triangles = welded(joined(*walls)) if walls else rectangle(axis, place, (0, 0), (1, 1))
    mesh = vertices * size, triangles
    return subdivided(mesh) if finer else mesh


def fins(rng):
    """Flat sheets that stand on an edge of the body, along all of it or a part, or are sunk into it."""
    kind = rng.integers(3)
    if kind == 0:  # outwards from edges of a convex body, between its vertices
        vertices, triangles = stone(rng, int(rng.integers(1, 3)))
        made = []
        for face in rng.choice(len(triangles), int(rng.integers(1, 4)), replace=False).tolist():
            a, b = vertices[triangles[face, :2]]
            made.append((np.array([a, b, 2 * b, 2 * a]), np.array([(0, 1, 2), (0, 2, 3)])))
        # two fins at one corner may enclose a wedge
        return _sheets(rng, (vertices, triangles), *made, may=frozenset({WARNED, REFUSED}))
    if kind == 1:  # up from the rim of a plate with openings, along some cells of it
        vertices, triangles = frame(rng)
        high = vertices.max(axis=0)
        along = np.unique(vertices[:, 0])
        start = int(rng.integers(0, len(along) - 1))
        line = along[start : int(rng.integers(start + 1, len(along))) + 1]
        top = high[2] + int(rng.integers(1, 20))
        made = [
            (
                np.array([(x0, 0, high[2]), (x1, 0, high[2]), (x1, 0, top), (x0, 0, top)]),
                np.array([(0, 1, 2), (0, 2, 3)]),
            )
            for x0, x1 in zip(line[:-1], line[1:], strict=True)
        ]
        return _sheets(rng, (vertices, triangles), welded(joined(*made)))
    size = rng.integers(2, 9, 3) * 4  # upright in the body, from its inside or from its floor
    axis = int(rng.integers(2))
    low, deep = rng.integers(1, size[1 - axis]), rng.integers(-2, size[2])
    sheet = rectangle(axis, int(rng.integers(1, size[axis])), (low, deep), (low + rng.integers(1, 20), size[2] + 4))
    body = subdivided(box(size)) if rng.random() < 0.5 else box(size)
    return _sheets(rng, body, sheet, codes=(*LEFT_OUT, "crossing_faces"))


def decals(rng):
    """Sheets beside a body or just above it, on it, a copy of some of its faces, or a ground far larger than it."""
    kind = rng.integers(4)
    vertices, triangles = solid(rng)
    vertices = np.rint(vertices * (2**14 / np.ptp(vertices, axis=0).max()))
    if np.ptp(vertices, axis=0).min() < 2**8:
        vertices, triangles = box((2**13, 2**14, 2**12))
    body = vertices, triangles
    low, high = vertices.min(axis=0).astype(int), vertices.max(axis=0).astype(int)
    middle = (low + high) // 2
    if kind == 0:  # beside, one to four
        made = []
        for k in range(int(rng.integers(1, 5))):
            axis = int(rng.integers(3))
            start = np.delete(rng.integers(low, high), axis)
            place = high[axis] + 2 ** int(rng.integers(0, 13)) + 7 * k
            made.append(rectangle(axis, place, start, start + rng.integers(2**8, 2**13, 2)))
        return _sheets(rng, body, *made)
    if kind == 1:  # just above the highest point, or at its level
        gap = 0 if rng.random() < 0.3 else 2 ** int(rng.integers(0, 8))
        sheet = rectangle(2, high[2] + gap, middle[:2] - 2**10, middle[:2] + 2**10)
        return _sheets(rng, body, sheet, codes=(*LEFT_OUT, "duplicate_faces"))
    if kind == 2:  # some faces again, farther out from a convex body
        vertices, triangles = block(rng, 2)
        vertices = 64 * (vertices - (vertices.min(axis=0) + vertices.max(axis=0)) / 2)
        corners = vertices[triangles].mean(axis=1)
        near = np.linalg.norm(corners - corners[rng.integers(len(corners))], axis=1)
        some = np.argsort(near)[: int(rng.integers(1, len(triangles) // 8))]
        copy = vertices * (1 + 2.0 ** -int(rng.integers(3, 7))), triangles[some]
        return _sheets(rng, (vertices, triangles), copy, may=frozenset({WARNED, STATED, REFUSED}))
    far = 2**14 * 2 ** int(rng.integers(1, 8))
    ground = rectangle(2, low[2] - int(rng.integers(0, 2)) * 2**6, middle[:2] - far, middle[:2] + far)
    return _sheets(rng, body, ground)


def double_sided(rng):
    """Every face of a body is there both ways, as triangles, or as rectangles cut along other diagonals."""
    mesh = frame(rng) if rng.random() < 0.6 else (stone, star, block)[rng.integers(3)](rng)
    if rng.random() < 0.3:
        mesh = cells(grid(*rng.integers(1, 4, 3).tolist()), tuple(rng.integers(2, 9, 3)))
    vertices, triangles = mesh
    raw = of_mesh(mesh)
    back = triangles[:, ::-1]
    quads = triangles.reshape(-1, 6)
    if (quads[:, [0, 2]] == quads[:, [3, 4]]).all() and rng.random() < 0.6:  # (a, b, c), (a, c, d)
        a, b, c, d = quads[:, 0], quads[:, 1], quads[:, 2], quads[:, 5]
        back = np.column_stack([d, b, a, d, c, b]).reshape(-1, 3)
    meshes = [(vertices, np.vstack([triangles, back] if rng.random() < 0.5 else [back, triangles]))]
    if rng.random() < 0.4:  # another body beside it, there once
        other = solid(rng)
        moved = other[0] + [np.ceil(vertices[:, 0].max() - other[0][:, 0].min()) + int(rng.integers(1, 9)), 0, 0]
        meshes.append((moved, other[1]))
        raw += of_mesh(meshes[-1])
    mesh, truth = placed(rng, joined(*meshes), raw)
    return warned(shuffled(unwelded(mesh) if rng.random() < 0.5 else mesh, rng), truth, "duplicate_faces")


def split_vertices(rng):
    """Each face has its own corners, off by up to some millionths of the size; from three apart some stay open."""
    mesh = solid(rng)
    mesh, truth = placed(rng, mesh, of_mesh(mesh))
    vertices, triangles = unwelded(mesh)
    off = 10.0 ** rng.uniform(np.log10(3e-7), np.log10(4e-6))
    vertices = vertices + off * float(truth.size) * rng.uniform(-1, 1, vertices.shape)
    may = frozenset({RIGHT, WARNED, STATED} | ({REFUSED} if off > 1.5e-6 else set()))
    return Generated((vertices, triangles), truth, may, frozenset(), frozenset({"open_mesh"}), Fraction(10.0 * off))


def lattices(rng):
    """Bars along two or three axes, united by their vertices or each a body that passes through the others."""
    thick, gap = rng.integers(1, 4, 3), rng.integers(1, 6, 3)
    counts = rng.integers(1, 4, 3)
    axes = rng.permutation(3)[: int(rng.integers(2, 4))]
    step = thick + gap
    whole = counts * step + gap
    boxes = []
    level = rng.integers(0, 2)  # bars of each direction in one plane, or half a bar higher than the last
    for order, axis in enumerate(axes.tolist()):
        others = [k for k in range(3) if k != axis]
        for places in np.ndindex(*counts[others].tolist()):
            low, high = np.zeros(3, dtype=int), whole.copy()
            for k, place in zip(others, places, strict=True):
                low[k] = gap[k] + place * step[k]
                high[k] = low[k] + thick[k]
            shift = 0 if level else order * np.eye(3, dtype=int)[others[0]]
            boxes.append((low + shift, high + shift, 1))
    raw, _, most = enclosed(boxes)
    kind = rng.integers(3)
    if kind == 0:  # as one body of cells of one step
        filled = {
            cell
            for low, high, _ in boxes
            for cell in np.ndindex(*(high - low).tolist())
            for cell in [tuple((low + cell).tolist())]
        }
        mesh, truth = placed(rng, cells(filled), raw)
        return Generated(
            shuffled(unwelded(mesh) if rng.random() < 0.5 else mesh, rng), truth, frozenset({RIGHT, WARNED})
        )
    mesh, truth = placed(rng, joined(*built(boxes, rng if kind == 1 else None)), raw)
    if most == 1:
        return Generated(shuffled(mesh, rng), truth, frozenset({RIGHT, WARNED}))
    mesh = unwelded(mesh) if rng.random() < 0.3 else mesh
    return warned(shuffled(mesh, rng), truth, "overlapping_shells", tolerance=UNION, or_stated=True)


def _rings(radii, z):
    """Return vertices on rings of radii (m, n) at heights (m, n), whole numbers, and the faces between them."""
    m, n = radii.shape
    angle = 2 * np.pi * np.arange(n) / n
    points = np.stack([np.rint(radii * np.cos(angle)), np.rint(radii * np.sin(angle)), z], axis=-1).reshape(-1, 3)
    i, j = (one.ravel() for one in np.meshgrid(np.arange(n), np.arange(m - 1)))
    a, b = j * n + i, j * n + (i + 1) % n
    faces = np.vstack([np.column_stack([a, b, b + n]), np.column_stack([a, b + n, a + n])])
    return points, faces


def threads(rng):
    """A screw whose ridge runs around it, a nut with such a bore, or a screw whose rows of faces climb with it."""
    n, pitch, turns = int(rng.integers(8, 25)), int(rng.integers(4, 9)), int(rng.integers(1, 6))
    core, deep, step = int(rng.integers(300, 900)), int(rng.integers(20, 200)), int(rng.integers(5, 60))
    profile = np.rint(
        core + deep * (rng.random(pitch) if rng.random() < 0.3 else np.sin(np.pi * np.arange(pitch) / pitch))
    )
    kind = rng.integers(3)
    if kind < 2:
        rows = np.arange(pitch * turns + 1)
        phase = (rows[:, None] - np.arange(n) * pitch // n) % pitch
        z = np.repeat(rows[:, None] * step, n, axis=1)
        vertices, faces = _rings(profile[phase].astype(float), z)
        last = len(vertices) - n
        i, k = np.arange(n), (np.arange(n) + 1) % n
        if kind == 0:
            vertices = np.vstack([vertices, [(0, 0, 0), (0, 0, z[-1, 0])]])
            ends = [(k, i, np.full(n, last + n)), (last + i, last + k, np.full(n, last + n + 1))]
        else:
            outer, walls = _rings(np.full((2, n), 2.0 * (core + deep)), z[[0, -1]])
            first = len(vertices)
            vertices, faces = np.vstack([vertices, outer]), np.vstack([faces[:, ::-1], walls + first])
            ends = [(i, k, first + k), (i, first + k, first + i)]
            ends += [(last + k, last + i, first + n + i), (last + k, first + n + i, first + n + k)]
        mesh = vertices, np.vstack([faces, *(np.column_stack(end) for end in ends)])
    else:
        mesh = _climbing(n, profile, pitch, turns, step)
    raw = of_mesh(mesh)
    assert raw.volume > 0
    mesh, truth = placed(rng, mesh, raw)
    mesh = unwelded(mesh) if rng.random() < 0.5 else mesh
    return Generated(shuffled(mesh, rng), truth, frozenset({RIGHT, WARNED}))


def _climbing(n, profile, pitch, turns, step):
    """Return a screw whose vertices climb by one pitch per turn; a step at each end closes it."""
    rows = pitch * (turns + 1) + 1
    angle = 2 * np.pi * np.arange(n) / n
    height = n * step * np.arange(rows)[:, None] + pitch * step * np.arange(n)
    radius = profile[np.arange(rows) % pitch][:, None]
    points = np.stack([np.rint(radius * np.cos(angle)), np.rint(radius * np.sin(angle)), height], axis=-1).reshape(
        -1, 3
    )
    faces = []
    for j in range(rows - 1):
        for i in range(n - 1):
            a, b = j * n + i, j * n + i + 1
            faces += [(a, b, b + n), (a, b + n, a + n)]
        if j + pitch < rows - 1:
            a, b = j * n + n - 1, (j + pitch) * n
            faces += [(a, b, b + n), (a, b + n, a + n)]
    bottom = [*range(n), *(j * n for j in range(pitch, 0, -1))]
    top = [(rows - 1) * n + i for i in range(n)]
    top = [*((rows - 1 - pitch + k) * n + n - 1 for k in range(pitch)), *reversed(top)]
    count = len(points)
    points = np.vstack([points, [(0, 0, -n * step * pitch), (0, 0, 2 * n * step * rows)]])
    faces += [(b, a, count) for a, b in zip(bottom, bottom[1:] + bottom[:1], strict=True)]
    faces += [(b, a, count + 1) for a, b in zip(top, top[1:] + top[:1], strict=True)]
    used, number = np.unique(np.array(faces), return_inverse=True)
    return points[used], number.reshape(-1, 3)


def foils(rng):
    """Plates thin against the digits of float32: right for what was meant, or a warning whose error covers it."""
    vertices, triangles = frame(rng) if rng.random() < 0.5 else star(rng)
    size = 2.0 ** round(np.log2(np.ptp(vertices[:, :2], axis=0).max()))
    levels = (vertices[:, 2] - vertices[:, 2].min()) / np.ptp(vertices[:, 2])
    meant = np.column_stack([vertices[:, :2] / size, levels * 10.0 ** -rng.uniform(3, 6)])
    axes = rng.permutation(3)
    axes = axes if np.linalg.det(np.eye(3)[axes]) > 0 else axes[[1, 0, 2]]
    meant = meant[:, axes] + rng.uniform(-1, 1, 3) * (rng.random() < 0.8)
    may = frozenset({RIGHT, WARNED, STATED})
    held = meant.astype(np.float32)
    held = held if rng.random() < 0.5 else held.astype(np.float64)
    return Generated((held, triangles), of_mesh((meant, triangles)).exact(meant), may, tolerance=Fraction(1, 10**3))


def t_chains(rng):
    """A box of strips of rectangles, each cut at its own places, so that T-junctions follow each other on its seams."""
    size = rng.integers(6, 40, 3) * 2
    rectangles = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, 1):
            seams = _cuts(rng, size[v], 4)
            for v0, v1 in zip(seams, seams[1:], strict=False):
                places = _cuts(rng, size[u], 6)
                for u0, u1 in zip(places, places[1:], strict=False):
                    corners = np.empty((4, 3))
                    corners[:, axis], corners[:, u], corners[:, v] = (
                        side * size[axis],
                        (u0, u1, u1, u0),
                        (v0, v0, v1, v1),
                    )
                    faces = np.array([(0, 1, 2), (0, 2, 3)] if rng.random() < 0.5 else [(0, 1, 3), (1, 2, 3)])
                    rectangles.append((corners, faces if side else faces[:, ::-1]))
    vertices, triangles = joined(*rectangles)
    raw = of_mesh(box(size))
    shear = np.eye(3, dtype=int)
    shear[0, 1], shear[1, 2] = rng.integers(-1, 2, 2)
    raw, vertices = raw.transformed(fractions(shear), np.zeros(3)), vertices @ shear.T
    mesh, truth = placed(rng, (vertices, triangles), raw)
    mesh = welded(mesh) if rng.random() < 0.6 else mesh
    return warned(shuffled(mesh, rng), truth, "t_junction")


def _cuts(rng, length, most):
    """Return 0, a few whole numbers below a length, and the length."""
    inner = rng.choice(np.arange(1, length), int(rng.integers(1, most)), replace=False)
    return [0, *sorted(inner.tolist()), int(length)]


def drills(rng):
    """A plate with holes whose walls share the vertices of its faces, or drilled by bodies that look inwards."""
    return _drilled(rng) if rng.random() < 0.5 else _pierced(rng)


def _outline(rng, radius, count):
    """Return a convex outline of 4 `count` whole points, with one on each half axis."""
    angle = np.pi / 2 * np.arange(4 * count) / count
    return np.rint(radius * np.column_stack([np.cos(angle), np.sin(angle)]))


def _drilled(rng):
    """A grid of squares, of which some have a hole through all of the plate or a pocket."""
    half, deep = 64, int(rng.integers(8, 200))
    nx, ny = rng.integers(1, 4, 2).tolist()
    parts = []
    chosen = rng.random((nx, ny)) < 0.7
    chosen[0, 0] = True
    for i, j in np.ndindex(nx, ny):
        centre = np.array([(2 * i + 1) * half, (2 * j + 1) * half, 0.0])
        corners = np.array([(half, half), (-half, half), (-half, -half), (half, -half)], dtype=float)
        if chosen[i, j]:
            count = int(rng.integers(2, 6))
            outline = _outline(rng, int(rng.integers(20, 61)), count)
            k = np.arange(4 * count)
            nearest = 4 * count + k // count
            ring = [np.column_stack([k, nearest, (k + 1) % (4 * count)])]
            q = np.arange(4)
            ring.append(np.column_stack([q * count, 4 * count + (q - 1) % 4, 4 * count + q]))
            cap = np.vstack([outline, corners]), np.vstack(ring)
            pocket = rng.random() < 0.3
            floor = int(rng.integers(1, deep)) if pocket else 0
            vertices, faces = prism(outline, floor, deep)
            sides = faces[: 8 * count] if not pocket else faces[: 12 * count]
            parts.append((vertices + centre, sides[:, ::-1]))
        if not chosen[i, j] or pocket:
            whole = corners, np.array([(0, 1, 2), (0, 2, 3)])
        for z, up in ((0, False), (deep, True)):
            points, faces = cap if chosen[i, j] and (up or not pocket) else whole
            faces = faces if up else faces[:, ::-1]
            parts.append((np.column_stack([points, np.full(len(points), z)]) + centre, faces))
    rim = cells(grid(nx, ny, 1), (2 * half, 2 * half, deep))
    flat = np.ptp(rim[0][rim[1]][:, :, 2], axis=1) == 0
    mesh = welded(joined(*parts, (rim[0], rim[1][~flat])))
    mesh, truth = placed(rng, mesh, of_mesh(mesh))
    return Generated(shuffled(unwelded(mesh) if rng.random() < 0.5 else mesh, rng), truth, frozenset({RIGHT, WARNED}))


def _pierced(rng):
    """Drills that look inwards: up to the plate's faces, or less far, or out of it.

    One that is mostly outside becomes a pin, with a warning; otherwise what sticks out is refused.
    """
    deep, kind = int(rng.integers(16, 129)), rng.integers(3)
    whole = box((512, 256, deep))
    raw, meshes = of_mesh(whole), [subdivided(whole) if rng.random() < 0.5 else whole]
    for k in range(int(rng.integers(1, 4))):
        outline = _outline(rng, int(rng.integers(20, 61)), int(rng.integers(2, 6)))
        centre = np.array([64.0 + 128 * k, 128, 0])
        low, high = int(rng.choice([0, 2])), deep - int(rng.choice([0, 2]))
        if kind == 1:
            low, high = -int(2 ** rng.integers(3, 7)), deep + int(2 ** rng.integers(3, 7))
        elif kind == 2 and k == 0:
            high = deep + 64
        drill, inside = (
            (vertices + centre, faces)
            for vertices, faces in (prism(outline, low, high), prism(outline, max(low, 0), min(high, deep)))
        )
        meshes.append(inverted(drill))
        raw += -of_mesh(inside) if high <= deep else of_mesh(drill) - of_mesh(inside)
    mesh, truth = placed(rng, joined(*meshes), raw)
    mesh = shuffled(mesh, rng)
    if kind == 0:
        return Generated(mesh, truth, frozenset({RIGHT, WARNED, STATED}), tolerance=UNION)
    may = frozenset({WARNED, STATED, REFUSED})
    return Generated(mesh, truth, may, frozenset({"inside_out"}), frozenset({"negative_winding"}), tolerance=UNION)
