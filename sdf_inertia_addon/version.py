# SPDX-License-Identifier: GPL-3.0-or-later
"""The version, which only the manifest names."""

import tomllib
from pathlib import Path

VERSION: str = tomllib.loads(Path(__file__).parents[1].joinpath("blender_manifest.toml").read_text("utf-8"))["version"]
