# SPDX-License-Identifier: Apache-2.0
"""The rest is in pyproject.toml; the version is in Blender's manifest, and only there."""

import re
import tomllib
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent


def readme(source: str) -> str:
    """Return README with absolute links: a package index has no other files of the checkout."""
    text = (HERE / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"(!\[[^\]]*\]\()(?!https:)", rf"\1{source}/raw/main/", text)
    return re.sub(r"(?<!!)(\[[^\]]*\]\()(?!https:|#)", rf"\1{source}/blob/main/", text)


manifest = tomllib.loads((HERE / "blender_manifest.toml").read_text(encoding="utf-8"))
project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
setup(
    version=manifest["version"],
    long_description=readme(project["urls"]["Source"]),
    long_description_content_type="text/markdown",
)
