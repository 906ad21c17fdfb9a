# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of bytes, for files of any kind: of single ones, of numbers written in them, of length."""

from __future__ import annotations

import re
from random import Random

from .values import ODD_NUMBERS

CORNERS = (bytes(4), b"\xff" * 4, b"\x00\x00\x80\x7f", b"\x00\x00\xc0\x7f", b"\x01\x00\x00\x00", b"\xff\xff\x7f\x7f")
"""Four bytes each: zeros, the largest integer, infinity, no number, the smallest number, the largest."""

_NUMBER = re.compile(rb"-?\d[\d.e+-]*")


def damaged(data: bytes, random: Random) -> bytes:
    """Return a file with one to four faults of bytes in it."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 4)):
        if changed:
            _FAULTS[random.randrange(len(_FAULTS))](changed, random)
    return bytes(changed)


def _number(data: bytearray, random: Random) -> None:
    match = _NUMBER.search(data, random.randrange(len(data)))
    if match is not None:
        data[match.start() : match.end()] = random.choice(ODD_NUMBERS).encode()


def _corner(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data))
    data[place : place + 4] = random.choice(CORNERS)


def _byte(data: bytearray, random: Random) -> None:
    data[random.randrange(len(data))] = random.randrange(256)


def _cut(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data))
    del data[place : place + random.choice((1, 4, 12, 50, len(data)))]


def _repeated(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data))
    data[place:place] = data[place : place + random.randint(1, 60)] * random.choice((1, 2, 40, 300))


_FAULTS = (_number, _number, _corner, _byte, _cut, _repeated)
