# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the missing system packages of the wheels of bpy and Drake, and the one command that installs them.

Plain Python 3.8, for it runs before any environment exists. What counts is what the loader finds, so every
library is opened rather than looked up in a package list; the names printed are Debian's.

    check_system.py              exit status 1 if something is missing that the tests cannot do without
    check_system.py --packages   print the names of all missing packages, those that some tests want too, and no more
"""

import ctypes
import glob
import shutil
import sys

NEEDED = {
    "libGL.so.1": "libgl1",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libXi.so.6": "libxi6",
    "libXfixes.so.3": "libxfixes3",
    "libXrender.so.1": "libxrender1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libX11.so.6": "libx11-6",
    "libglib-2.0.so.0": "libglib2.0-0",  # for Drake, the reference in the tests
}
FOR_DISKS = {"libfuse3.so.3": "libfuse3-3"}  # of other systems, as a few tests make them
FOR_PICTURES = {"libEGL.so.1": "libegl1", "libEGL_mesa.so.0": "libegl-mesa0"}
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")  # for pages
# Mesa's drivers are opened by path, not by name.
MESA_DRIVERS = ("/usr/lib/*/dri/swrast_dri.so", "/usr/lib/dri/swrast_dri.so", "/usr/lib64/dri/swrast_dri.so")


def loads(library):
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def imports(module):
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def missing_packages():
    """Two lists of Debian packages: those needed, and those without which some tests skip."""
    if not sys.platform.startswith("linux"):
        return [], []
    needed = [] if imports("venv") and imports("ensurepip") else ["python3-venv"]
    needed += [package for library, package in NEEDED.items() if not loads(library)]
    wanted = [package for library, package in {**FOR_PICTURES, **FOR_DISKS}.items() if not loads(library)]
    if not any(glob.glob(pattern) for pattern in MESA_DRIVERS):
        wanted.append("libgl1-mesa-dri")
    if not any(shutil.which(name) for name in CHROMIUMS):
        wanted.append("chromium")
    if not shutil.which("strace"):  # it shows which files a process opens
        wanted.append("strace")
    return needed, wanted


def main():
    needed, wanted = missing_packages()
    if "--packages" in sys.argv[1:]:
        print(" ".join(needed + wanted))
        return 0
    if needed or wanted:
        print("System packages are missing: " + " ".join(needed + wanted), file=sys.stderr)
        if not needed:
            print("Only pictures and some tests need them; everything else works without them.", file=sys.stderr)
        print("Install them, on Debian or Ubuntu:", file=sys.stderr)
        print("    apt-get install --no-install-recommends " + " ".join(needed + wanted), file=sys.stderr)
    return 1 if needed else 0


sys.exit(main())
