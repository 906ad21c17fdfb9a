# SPDX-License-Identifier: GPL-3.0-or-later
"""The version: what Blender's manifest says in a checkout or extension, what was installed from it elsewhere."""

from __future__ import annotations

import tomllib
from pathlib import Path


def version() -> str:
    """Return the version of this copy."""
    manifest = Path(__file__).parents[1] / "blender_manifest.toml"
    if manifest.is_file():
        return str(tomllib.loads(manifest.read_text("utf-8"))["version"])
    from importlib import metadata  # it takes 10 ms, and a checkout needs none of it

    return metadata.version("sdf-inertia")
