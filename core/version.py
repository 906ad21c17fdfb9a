# SPDX-License-Identifier: Apache-2.0
"""The version: from Blender's manifest in a checkout or extension, else from the installed package."""

from __future__ import annotations

import tomllib
from pathlib import Path


def version() -> str:
    """Return the version of this copy."""
    manifest = Path(__file__).parents[1] / "blender_manifest.toml"
    if manifest.is_file():
        full = str(tomllib.loads(manifest.read_text("utf-8"))["version"])
        return full.partition("+")[0]  # what follows names the Python of this zip (tools/package.py)
    from importlib import metadata  # imported here: it takes 10 ms, and a checkout does not need it

    return metadata.version("sdf-inertia")
