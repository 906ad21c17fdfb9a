# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the pages and pictures in the window of a Blender: ``python -m tools.tutorials CHROOT [NAME...]``."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.gui.user import User
from tests.gui.window import Window
from tests.packages import built_package, python_of

from .arm import TUTORIAL_ARM
from .cad import CAD
from .imported import IMPORTED
from .rover import ROVER


def make(chroot: Path, names: list[str]) -> None:
    """Make tutorials in a Blender's window."""
    with TemporaryDirectory() as folder:
        package = built_package(folder, python_of(chroot))
        window = Window(chroot)
        try:
            shutil.copy(package, window.folder / "sdf_inertia.zip")
            assert window.run("extension.install(path)", path=str(window.inside / "sdf_inertia.zip"))
            for tutorial in (ROVER, TUTORIAL_ARM, IMPORTED, CAD):
                if not names or tutorial.name in names:
                    window.run("scene.new_file()")
                    tutorial.make(User(window, Path(folder), tutorial.name))
        finally:
            window.close()


if __name__ == "__main__":
    make(Path(sys.argv[1]), sys.argv[2:])
