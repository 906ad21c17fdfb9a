# SPDX-License-Identifier: Apache-2.0
"""Writes meshes as OBJ and binary STL, with every digit.

Blender's own OBJ exporter writes six decimals: a 1.2 mm cube loses 0.05 % of each length.
"""

from __future__ import annotations

import re
import struct
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Literal

import numpy as np

from ..arrays import FloatArray
from ..mesh.surface import Surface
from .stl_file import FACET
from .whole_files import shortened

MeshFormat = Literal["obj", "stl"]


NO_NAME = re.compile(r'[/\\:*?"<>|\x00-\x1f]')
"""Characters that some system does not allow in a file's name. A slash would lead out of the folder."""


def mesh_bytes(surface: Surface, mesh_format: MeshFormat) -> bytes:
    """Write a surface [m] in a format."""
    return obj_bytes(surface) if mesh_format == "obj" else stl_bytes(surface)


def file_name(stem: str, data: bytes, suffix: str) -> str:
    """Return ``<stem>-<8 hex digits of the content's hash><suffix>``: the name identifies the content.

    Robots' files name parts as they like, ``/arm/link`` too: `NO_NAME` becomes an underscore.
    """
    return f"{shortened(NO_NAME.sub('_', stem))}-{sha256(data).hexdigest()[:8]}{suffix}"


def is_ours(path: Path) -> bool:
    """Return True if a file is named after its content, as all files that we write are; False for a link to one."""
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, "rb") as file:
        return path.stem.endswith(f"-{file_digest(file, sha256).hexdigest()[:8]}")


def obj_bytes(surface: Surface, uv: FloatArray | None = None) -> bytes:
    """Write one material-free object; coordinates are the shortest text that reads back the same float64.

    With `uv` (m, 3, 2), each corner of its triangles has texture coordinates.
    """
    used, corners = np.unique(surface.triangles, return_inverse=True)
    x, y, z = (column.tolist() for column in surface.vertices[used].astype(np.float64).T + 0.0)
    a, b, c = (column.tolist() for column in (corners.reshape(-1, 3) + 1).T)
    vertices = "".join([f"v {vx!r} {vy!r} {vz!r}\n" for vx, vy, vz in zip(x, y, z, strict=True)])
    if uv is None:
        faces = "".join([f"f {i} {j} {k}\n" for i, j, k in zip(a, b, c, strict=True)])
        return (vertices + faces).encode("ascii")
    places, place = np.unique(uv.reshape(-1, 2) + 0.0, axis=0, return_inverse=True)
    textures = "".join([f"vt {u!r} {v!r}\n" for u, v in places.tolist()])
    s, t, r = (column.tolist() for column in (place.reshape(-1, 3) + 1).T)
    faces = "".join([f"f {i}/{p} {j}/{q} {k}/{o}\n" for i, j, k, p, q, o in zip(a, b, c, s, t, r, strict=True)])
    return (vertices + textures + faces).encode("ascii")


def stl_bytes(surface: Surface) -> bytes:
    """Write binary STL, whose coordinates are float32."""
    corners = surface.vertices[surface.triangles].astype("<f4")
    faces = np.zeros(len(corners), dtype=FACET)
    faces["corners"] = corners
    edges = corners.astype(np.float64)
    normals = np.cross(edges[:, 1] - edges[:, 0], edges[:, 2] - edges[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    faces["normal"] = normals / np.where(lengths > 0.0, lengths, 1.0)
    return b"SDF Inertia".ljust(80) + struct.pack("<I", len(faces)) + bytes(faces.tobytes())
