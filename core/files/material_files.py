# SPDX-License-Identifier: GPL-3.0-or-later
"""Which materials an OBJ file really has: those that its material files define, where they are found.

Gazebo's loader (gz-common, with tinyobjloader) makes a submesh of each; faces whose material it does not know are of
one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ..errors import InertiaError
from .input_file import on_a_drive_of, read_bytes

MAX_MATERIAL_BYTES = 64 * 1024 * 1024
"""A material file above this is not read."""


def materials_beside(path: Path, roots: tuple[Path, ...]) -> Callable[[str], frozenset[str]]:
    """Return what an OBJ file's ``mtllib`` lines mean: a function of the rest of such a line.

    Parameters
    ----------
    path : Path
        The OBJ file.
    roots : tuple of Path
        Nothing outside of these is opened; it counts as missing.
    """

    def materials(names: str) -> frozenset[str]:
        for name in names.split(" "):  # the first that is found counts
            if not name:  # the folder itself, which opens and holds nothing
                break
            text = _text(path.parent, name, roots)
            if text is not None:
                return frozenset(_defined(text))
        return frozenset()

    return materials


def _text(folder: Path, name: str, roots: tuple[Path, ...]) -> str | None:
    try:
        if not on_a_drive_of(folder / name, roots):
            return None
        path = Path(os.path.realpath(folder / name))
        if not any(path.is_relative_to(root) for root in roots):
            return None
        return read_bytes(path, MAX_MATERIAL_BYTES).decode("utf-8", "replace")
    except (InertiaError, ValueError):  # ValueError: a NUL in the name
        return None


def _defined(text: str) -> list[str]:
    lines = (line.strip("\r").rstrip(" \t").lstrip(" \t") for line in text.split("\n"))
    return [line[7:] for line in lines if line[:6] == "newmtl" and line[6:7] in (" ", "\t") and line[7:]]
