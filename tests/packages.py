# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension's zip of the checkout as it is now, for this machine."""

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[1] / "tools" / "package.py"
THIS_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def built_package(folder, python=THIS_PYTHON):
    """Build the zip for a Python in a folder, and return its path."""
    command = [sys.executable, TOOL, folder, "--python", python]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (package,) = Path(folder).glob("*.zip")
    return package


def python_of(chroot):
    """Return the Python of the Blender in a chroot: Debian's Blender uses the system's."""
    show = "import sys; print(*sys.version_info[:2], sep='.')"
    return subprocess.run(
        ["chroot", chroot, "python3", "-c", show], capture_output=True, text=True, check=True
    ).stdout.strip()
