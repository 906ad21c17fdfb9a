# SPDX-License-Identifier: Apache-2.0
"""The rest is in pyproject.toml; the version is in Blender's manifest, and only there."""

import tomllib
from pathlib import Path

from setuptools import setup

manifest = tomllib.loads(Path(__file__).with_name("blender_manifest.toml").read_text(encoding="utf-8"))
setup(version=manifest["version"])
