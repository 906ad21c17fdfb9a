# SPDX-License-Identifier: Apache-2.0
"""Reads STL, binary and text: every facet of the file, or an error that names the line or the size that is wrong.

Not read through trimesh (5.2), which silently drops a text whose end is missing or odd. Format: 3D Systems 1989,
StereoLithography Interface Specification; white space may be anywhere between words.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, TriangleArray, VertexArray
from .number_lines import wrong_number

HEADER = 84
"""Bytes before the first facet of a binary file: a comment of eighty bytes, and the number of facets."""

FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

NUMBERS = (b"",) * 3
WORDS = (
    *(b"facet", b"normal", *NUMBERS, b"outer", b"loop"),
    *(b"vertex", *NUMBERS) * 3,
    *(b"endloop", b"endfacet"),
)
"""The words of a facet of text; empty ones are numbers, the first three those of its normal."""

COORDINATES = (8, 9, 10, 12, 13, 14, 16, 17, 18)
"""Places of the corners' coordinates among them."""

NAMES = (b"solid", b"endsolid", b"end solid")
"""How lines with the name of a solid begin."""


def read_stl(data: bytes) -> tuple[VertexArray, TriangleArray]:
    """Return vertices (n, 3), three for each facet, and triangles (m, 3).

    Vertices are float32 if that loses no digit, so that the diagnosis sees how many digits there were.

    Raises
    ------
    ValueError
        For a binary file whose size does not match its count of facets; names the line of a text that is not STL.
    """
    count = int.from_bytes(data[HEADER - 4 : HEADER], "little")
    size = HEADER + count * FACET.itemsize
    # A file is binary if its size matches its own count: its comment may begin with "solid".
    if len(data) >= HEADER and len(data) == size:
        corners: FloatArray = np.frombuffer(data, FACET, offset=HEADER)["corners"]
    elif data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ValueError("it is a text in UTF-16; STL is ASCII")
    elif b"\0" in data:
        facets, rest = divmod(max(len(data) - HEADER, 0), FACET.itemsize)
        more = f" and {rest} bytes more" if rest else ""
        stated = f"it says it has {count} triangles, which take {size} bytes"
        raise ValueError(f"{stated}, but its {len(data)} bytes fit {facets}{more}")
    else:
        corners = _corners_of_text(data)
    with np.errstate(over="ignore"):  # what float32 cannot hold stays float64
        single = np.ascontiguousarray(corners, dtype=np.float32)
    vertices = (single if np.array_equal(single, corners) else corners).reshape(-1, 3)
    return vertices, np.arange(len(vertices)).reshape(-1, 3)


def _corners_of_text(data: bytes) -> FloatArray:
    """Return the corners of all facets (m, 3, 3), of any number of solids."""
    data = data.lower()
    if data.lstrip()[:5] != b"solid" and b"vertex" not in data:
        raise ValueError("it is no STL: a text begins with 'solid'" if data else "the file is empty")
    try:
        return _corners_of_facets(data)
    except ValueError:
        return _corners_by_word(data)  # names the line that is wrong


def _corners_of_facets(data: bytes) -> FloatArray:
    """Return the corners of all facets; raises ValueError for anything but names and facets."""
    facets = []
    for solid in data.split(b"endsolid"):
        name, facet, rest = solid.partition(WORDS[0])
        if b"vertex" in name or (facet and name.rpartition(b"\n")[2].strip()):
            raise ValueError("more than a name before the first facet")
        if facet:
            facets.append(facet + rest)
    words = b" ".join(facets).split()
    count, odd = divmod(len(words), len(WORDS))
    if odd or any({*words[place :: len(WORDS)]} - {word} for place, word in enumerate(WORDS) if word):
        raise ValueError("a word in the place of another")
    columns = [np.fromiter(map(float, words[place :: len(WORDS)]), float, count) for place in COORDINATES]
    corners: FloatArray = np.stack(columns, axis=-1).reshape(-1, 3, 3)
    return corners


def _corners_by_word(data: bytes) -> FloatArray:
    """Read a text word by word. Lines between facets are not read, whatever they say, unless they have corners."""
    numbers: list[float] = []
    place = begun = 0
    for number, line in enumerate(data.splitlines(), start=1):
        for word in (words := line.split()):
            expected = WORDS[place]
            if place in COORDINATES:
                try:
                    numbers.append(float(word.replace(b"d", b"e")))  # Fortran writes 1.5D+00
                except ValueError:
                    before = f"a number is missing before '{_text(word)}'" if word in WORDS else ""
                    raise _bad(number, line, before or wrong_number([word])) from None
            elif expected and word != expected:
                is_name = line.lstrip().startswith(NAMES) and b"outer" not in words
                if place or (b"vertex" in words and not is_name):
                    raise _bad(number, line, f"'{_text(expected)}' has to be where '{_text(word)}' is")
                break
            begun = begun if place else number
            place = (place + 1) % len(WORDS)
    if place:
        raise ValueError(f"the file ends within the facet that begins in line {begun}")
    return np.array(numbers).reshape(-1, 3, 3)


def _bad(number: int, line: bytes, reason: str) -> ValueError:
    return ValueError(f"line {number} ('{_text(line.strip())}'): {reason}")


def _text(word: bytes) -> str:
    return ascii(word[:60].decode("utf-8", "replace"))[1:-1]
