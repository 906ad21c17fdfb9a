# SPDX-License-Identifier: Apache-2.0
"""Reads how the faces of a mesh file look: materials, texture coordinates, and smooth shading."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from ..arrays import Bools, FloatArray
from .input_file import holds_too_much

SAME_NORMAL = 1e-3
"""Maximum difference of the unit normals of a flat face's corners: files give few digits."""

TEXTURE_FOLDERS = (".", "../materials/textures", "../textures", "../materials")
"""Folders, relative to that of the mesh file, that are searched for a texture if it is not where its URI says."""

PICTURES = (".png", ".jpg", ".jpeg", ".tga", ".bmp", ".tif", ".tiff", ".gif", ".webp", ".dds", ".hdr", ".exr")


class Material(NamedTuple):
    """A material of a file.

    Parameters
    ----------
    name : str
    color : tuple of float or None
        Diffuse colour, RGBA; None if it has only a texture.
    image : str
        URI of its texture, as in the file; empty if there is none.
    """

    name: str
    color: tuple[float, float, float, float] | None
    image: str


class SubmeshLook(NamedTuple):
    """The look of a submesh's triangles.

    Parameters
    ----------
    material : Material or None
    uv : ndarray, shape (m, 3, 2), or None
        Texture coordinates of the corners; the origin is the bottom left of the image.
    smooth : ndarray, shape (m,), dtype bool
        True for a triangle whose corners have different normals.
    """

    material: Material | None
    uv: FloatArray | None
    smooth: Bools


def collada_look(node: Any, symbol: str | None, triangles: Any) -> SubmeshLook:
    """Return how a set of pycollada's triangles looks, with the material that `node` binds to its symbol."""
    bound = next((material.target for material in node.materials if material.symbol == symbol), None)
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
    red, green, blue = (float(value) for value in diffuse[:3])  # opaque, since loaders disagree about transparency
    return Material(name, (red, green, blue, 1.0), "")


def find_texture(uri: str, folder: Path) -> Path | None:
    """Find the image file of a texture for a mesh file in `folder`.

    Only files in that folder or its parent are returned, and neither is used if it contains too many files.
    """
    mesh_folder = Path(os.path.realpath(folder))
    allowed = [near_folder for near_folder in (mesh_folder, mesh_folder.parent) if not holds_too_much(near_folder)]
    named = Path(unquote(uri.removeprefix("file://")).replace("\\", "/"))
    for path in (folder / named, *(folder / subfolder / named.name for subfolder in TEXTURE_FOLDERS)):
        try:
            real = Path(os.path.realpath(path))
        except (OSError, ValueError):  # such as a name with a null byte
            continue
        if real.suffix.lower() in PICTURES and os.path.isfile(real) and any(map(real.is_relative_to, allowed)):
            return real
    return None
