# SPDX-License-Identifier: GPL-3.0-or-later
"""Binary STL and PLY: faults are of counts, types, single fields, and of where the file ends."""

from __future__ import annotations

import struct
from random import Random

from .octets import damaged
from .solids import solid
from .values import ODD_FLOATS, ODD_INTEGERS


def stl(random: Random) -> bytes:
    """Return a binary STL file, two thirds of them with faults."""
    made, kind = solid(random), random.random()
    head = random.choice((bytes(80), b"solid made".ljust(80), b"\xff" * 80))
    triangles = made.triangles()
    records = [
        [0.0, 0.0, 1.0, *(value for corner in triangle for value in made.vertices[corner])] for triangle in triangles
    ]
    count = len(records)
    if kind > 0.33:
        for _ in range(random.choice((1, 1, 2))):
            if random.random() < 0.3:
                count = random.choice((0, count + 1, count - 1, 2**31, 2**32 - 1, 85899345))
            elif records:
                random.choice(records)[random.randrange(12)] = random.choice(ODD_FLOATS)
    data = head + struct.pack("<I", count % 2**32)
    data += b"".join(struct.pack("<12fH", *map(_single, record), random.choice((0, 0, 65535))) for record in records)
    return damaged(data, random) if kind > 0.8 else data


SIZES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"}


def ply(random: Random) -> bytes:
    """Return a binary PLY file of either byte order, two thirds of them with faults."""
    made, kind = solid(random), random.random()
    order, word = random.choice((("<", "binary_little_endian"), (">", "binary_big_endian")))
    position, corner = random.choice(("float", "float", "double")), random.choice(("int", "uint", "ushort", "short"))
    length = random.choice(("uchar", "uchar", "int", "ushort"))
    odd = kind > 0.33
    counts = {"vertex": len(made.vertices), "face": len(made.faces)}
    faces = [list(face) for face in made.faces]
    vertices = [list(vertex) for vertex in made.vertices]
    strips = random.random() < 0.15
    if odd and random.random() < 0.4:
        counts[random.choice(("vertex", "face"))] = random.choice((0, 1, *ODD_INTEGERS))
    if odd and faces and random.random() < 0.5:
        face = random.choice(faces)
        face[random.randrange(len(face))] = random.choice((*ODD_INTEGERS, -1, len(vertices)))
    if odd and vertices and random.random() < 0.4:
        random.choice(vertices)[random.randrange(3)] = random.choice(ODD_FLOATS)
    names = ["x", "y", "z"] if not odd or random.random() < 0.9 else random.sample(["x", "y", "z", "w", "x"], 3)
    head = ["ply", f"format {word} 1.0", f"element vertex {counts['vertex']}"]
    head += [f"property {position} {name}" for name in names]
    head += [f"element {'tristrips' if strips else 'face'} {counts['face']}"]
    head += [f"property list {length} {corner} {random.choice(('vertex_indices', 'vertex_index'))}"]
    if odd and random.random() < 0.2:
        place = random.randrange(len(head))
        head.insert(
            place, random.choice(("comment x", "element edge 0", "property float s", "property list uchar float t"))
        )
    data = "\n".join([*head, "end_header", ""]).encode()
    data += b"".join(_packed(order, SIZES[position], value) for vertex in vertices for value in vertex)
    for face in faces:
        stated = len(face) if not odd or random.random() < 0.95 else random.choice((0, 1, 2, 255, 2**31 - 1))
        data += _packed(order, SIZES[length], stated)
        data += b"".join(_packed(order, SIZES[corner], value) for value in face)
    return damaged(data, random) if kind > 0.8 else data


def _packed(order: str, kind: str, value: float) -> bytes:
    """Return a number as bytes; of an integer too large for them its lowest ones."""
    if kind in "fd":
        return struct.pack(order + kind, _single(value) if kind == "f" else float(value))
    size = struct.calcsize(kind)
    return int(int(value) % 256**size).to_bytes(size, "little" if order == "<" else "big")


def _single(value: float) -> float:
    """Return what float32 makes of a number."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("inf")
