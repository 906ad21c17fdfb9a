# SPDX-License-Identifier: GPL-3.0-or-later
"""Print a Python of the given version, e.g. `find_python.py 3.13`: one that runs and can make a venv."""

import glob
import os
import shutil
import subprocess
import sys


def candidates(version):
    yield os.environ.get("PYTHON_" + version.replace(".", "_"))  # make exports the variables of its command line
    yield shutil.which("python" + version)
    yield shutil.which("python3")
    homes = ["~/.pyenv/versions", os.path.join(os.environ.get("PYENV_ROOT", "~/.pyenv"), "versions")]
    homes.append("~/.local/share/uv/python")
    for home in homes:
        for pattern in (version + "*", "cpython-" + version + ".*"):
            yield from sorted(glob.glob(os.path.join(os.path.expanduser(home), pattern, "bin", "python3")))
    yield from ("/usr/local/bin/python" + version, "/opt/homebrew/bin/python" + version)


def fits(python, version):
    """Return True if it runs and has this version: a pyenv shim may be on PATH for one that is not installed."""
    code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.decode().strip() == version


def main():
    version = sys.argv[1]
    for python in candidates(version):
        if python and fits(python, version):
            print(python)
            return 0
    name = "PYTHON_" + version.replace(".", "_")
    print(
        f"Python {version} with venv and ensurepip is missing. Install it:\n"
        f"    apt-get install python{version} python{version}-venv    where the distribution has it, or\n"
        f"    pyenv install {version}    or    uv python install {version}\n"
        f"or name one: make {name}=/path/to/python{version} ...",
        file=sys.stderr,
    )
    return 1


sys.exit(main())
