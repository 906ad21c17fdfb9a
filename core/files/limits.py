# SPDX-License-Identifier: Apache-2.0
"""What reading a mesh file may cost: the one table of limits, and a counter of what nodes repeat.

docs/security.md has this table for users, with the memory that was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ..errors import InertiaError

MIB = 1024 * 1024

MAX_MESH_BYTES = 512 * MIB
"""Maximum size of a file of any mesh format, and of a picture [bytes]."""


class Limits(NamedTuple):
    """Limits of a mesh format.

    Parameters
    ----------
    bytes : int
        Maximum size of a file, and of all other files that it names together [bytes].
    memory : int
        Maximum memory that reading takes, per byte of the file, for the densest files that we know.
    """

    bytes: int
    memory: int


LIMITS: Mapping[str, Limits] = {
    ".stl": Limits(MAX_MESH_BYTES, 30),
    ".obj": Limits(256 * MIB, 90),
    ".ply": Limits(256 * MIB, 120),
    ".off": Limits(256 * MIB, 100),
    ".glb": Limits(MAX_MESH_BYTES, 140),
    ".gltf": Limits(256 * MIB, 140),
    ".dae": Limits(256 * MIB, 160),
    ".3mf": Limits(256 * MIB, 12),
}
"""By suffix, in the order in which messages list them. For 3MF the unpacked bytes count too."""

FORMATS = tuple(LIMITS)
"""Mesh formats by suffix, in any case. Archives and drawings, which trimesh also opens, are not meshes."""

MAX_UNPACKED, FREE_UNPACKED = 100, 64 * MIB
"""Maximum size of an unpacked part of 3MF per byte of the package, beyond the first bytes. XML shrinks to a tenth."""

MAX_INSTANCES = 100_000
"""Maximum number of nodes, and of the meshes that they place."""

MAX_REPEATED = 10_000_000
"""Maximum number of vertices, and of triangles, after nodes repeat meshes; a larger file may have one for each byte."""

REPEATED_MEMORY = 2 * 1024 * MIB
"""Maximum memory for what nodes repeat, besides that for the file itself [bytes]."""


def max_bytes(path: Path) -> int:
    """Return the maximum size of a mesh file, by its suffix [bytes]."""
    limits = LIMITS.get(path.suffix.lower())
    return MAX_MESH_BYTES if limits is None else limits.bytes


class Repeats:
    """Counts the meshes that a file places, before memory is spent on them.

    Parameters
    ----------
    size : int
        Size of the file [bytes].
    """

    def __init__(self, size: int) -> None:
        self._limit = max(MAX_REPEATED, size)
        self._instances = self._vertices = self._triangles = 0

    def visit(self, count: int = 1) -> None:
        """Count nodes; raises InertiaError ``file_too_large``."""
        self._instances += count
        if self._instances > MAX_INSTANCES:
            raise InertiaError.of("file_too_large", "", "instances", limit=MAX_INSTANCES)

    def place(self, vertices: int, triangles: int) -> None:
        """Count a mesh that a node places; raises InertiaError ``file_too_large``."""
        self._vertices += vertices
        self._triangles += triangles
        if max(self._vertices, self._triangles) > self._limit:
            raise InertiaError.of("file_too_large", "", "repeated", limit=self._limit)
