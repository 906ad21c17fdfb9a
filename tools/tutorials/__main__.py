# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the pages and pictures in the window of a Blender: ``python -m tools.tutorials CHROOT [rover] [arm]``."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.gui.user import User
from tests.gui.window import Window

from .arm import TUTORIAL_ARM
from .rover import ROVER

ROOT = Path(__file__).resolve().parents[2]


def make(chroot: Path, names: list[str]) -> None:
    """Make tutorials in a Blender's window."""
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ROOT / "tools/package.py", folder, "--platform", "this"], check=True)
        window = Window(chroot)
        try:
            (built,) = Path(folder).glob("*.zip")
            (window.folder / "sdf_inertia.zip").write_bytes(built.read_bytes())
            assert window.run("inside.install(path)", path=str(window.inside / "sdf_inertia.zip"))
            for tutorial in (ROVER, TUTORIAL_ARM):
                if not names or tutorial.name in names:
                    window.run("inside.new_file()")
                    tutorial.make(User(window, Path(folder), tutorial.name))
        finally:
            window.close()


if __name__ == "__main__":
    make(Path(sys.argv[1]), sys.argv[2:])
