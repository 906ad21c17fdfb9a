# SPDX-License-Identifier: GPL-3.0-or-later
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory):
    """A Python with this environment's bpy and what bpy stands on, without what the zip brings."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    for here in Path(sysconfig.get_path("purelib")).iterdir():
        if here.name.split(".")[0] in ("bpy", "numpy", "requests", "certifi", "idna", "urllib3", "zstandard"):
            (site / here.name).symlink_to(here)
    return folder / "bin" / "python"
