# SPDX-License-Identifier: GPL-3.0-or-later
"""How the faces of a mesh file look: materials, texture coordinates, and smooth shading."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from ..arrays import Bools, FloatArray
from .input_file import holds_too_much

SAME_NORMAL = 1e-3
"""Difference of unit normals below which a face counts as flat: files give few digits."""

TEXTURE_FOLDERS = (".", "../materials/textures", "../textures", "../materials")
"""Where a texture may be, from the folder of its mesh file, besides the place that its URI names."""

PICTURES = (".png", ".jpg", ".jpeg", ".tga", ".bmp", ".tif", ".tiff", ".gif", ".webp", ".dds", ".hdr", ".exr")


class Material(NamedTuple):
    """A material of a file.

    Parameters
    ----------
    name : str
    color : tuple of float or None
        RGBA, of its diffuse light; None if it has only a texture.
    image : str
        The file of its texture, as its URI in the file; empty if there is none.
    """

    name: str
    color: tuple[float, float, float, float] | None
    image: str


class SubmeshLook(NamedTuple):
    """How the triangles of a submesh look.

    Parameters
    ----------
    material : Material or None
    uv : ndarray, shape (m, 3, 2), or None
        Texture coordinates of their corners, from the bottom left.
    smooth : ndarray, shape (m,), dtype bool
        True for a triangle whose corners have different normals.
    """

    material: Material | None
    uv: FloatArray | None
    smooth: Bools


def collada_look(node: Any, symbol: str | None, triangles: Any) -> SubmeshLook:
    """Return how a set of triangles looks, with the material that `node` binds to its symbol, as pycollada has them."""
    bound = next((one.target for one in node.materials if one.symbol == symbol), None)
    uv = None
    if triangles.texcoordset:
        uv = np.asarray(triangles.texcoordset[0], dtype=np.float64)[triangles.texcoord_indexset[0]][:, :, :2]
    smooth = np.zeros(len(triangles.index), dtype=bool)
    if triangles.normal is not None:
        normals = triangles.normal[triangles.normal_index]
        smooth = (np.abs(normals - normals[:, :1]) > SAME_NORMAL).any(axis=(1, 2))
    return SubmeshLook(None if bound is None else _collada_material(bound), uv, smooth)


def _collada_material(given: Any) -> Material:
    diffuse: Any = getattr(given.effect, "diffuse", None)
    name = given.name or given.id or ""
    if hasattr(diffuse, "sampler"):
        image = getattr(getattr(diffuse.sampler, "surface", None), "image", None)
        return Material(name, None, getattr(image, "path", None) or "")
    if diffuse is None or len(diffuse) < 3:
        return Material(name, None, "")
    red, green, blue = (float(value) for value in diffuse[:3])  # loaders disagree about what makes one transparent
    return Material(name, (red, green, blue, 1.0), "")


def find_texture(uri: str, folder: Path) -> Path | None:
    """Return the picture of a texture, for a mesh file in `folder`; None unless it is in that folder or the one above.

    Neither is searched if it holds too much.
    """
    own = Path(os.path.realpath(folder))
    allowed = [one for one in (own, own.parent) if not holds_too_much(one)]
    named = Path(unquote(uri.removeprefix("file://")).replace("\\", "/"))
    for path in (folder / named, *(folder / one / named.name for one in TEXTURE_FOLDERS)):
        try:
            real = Path(os.path.realpath(path))
        except (OSError, ValueError):  # such as a name with a null byte
            continue
        if real.suffix.lower() in PICTURES and os.path.isfile(real) and any(map(real.is_relative_to, allowed)):
            return real
    return None
