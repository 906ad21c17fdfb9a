# SPDX-License-Identifier: GPL-3.0-or-later
"""A Python with bpy and no more; Blenders outside of this process: Debian's 4.3 and 5.2, in the chroots that
tools/real_blender.sh makes (`make real-blender`), skipped if missing."""

import os
import shutil
import subprocess
import sys
import sysconfig
import uuid
from pathlib import Path

import pytest

from ..scenes import ROOT


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


@pytest.fixture(scope="module", params=["trixie", "sid"], ids=["4.3", "5.2"])
def chroot(request):
    home = os.environ.get("HOME")
    cache = Path(os.environ.get("SDF_INERTIA_CACHE") or (Path(home) if home else ROOT / "build") / ".cache/sdf-inertia")
    folder = cache / f"blender-{request.param}"
    if not (folder / "usr/bin/blender").exists() or os.geteuid() != 0:
        pytest.skip(f"there is no Blender in {folder} (make real-blender), or we are not root")
    return folder


@pytest.fixture(scope="module")
def place(chroot):
    """A folder inside the chroot with a copy of the checkout and wheels; its path in there is the fixture's value."""
    inside = Path("/tmp") / f"sdf-inertia-{uuid.uuid4().hex}"
    folder = chroot / inside.relative_to("/")
    ignore = shutil.ignore_patterns("__pycache__")
    (folder / "checkout").mkdir(parents=True)
    try:
        for name in ("core", "sdf_inertia_addon"):
            shutil.copytree(ROOT / name, folder / "checkout" / name, ignore=ignore)
        for name in ("__init__.py", "blender_manifest.toml"):
            shutil.copy(ROOT / name, folder / "checkout")
        yield inside
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def wheels(chroot):
    """The wheels for the Blender in there."""
    version = subprocess.run(
        ["chroot", chroot, "python3", "-c", "import sys; print('cp%d%d' % sys.version_info[:2])"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    wheels = sorted((ROOT / "build" / "wheels").glob(f"*-{version}-*.whl"))
    if len(wheels) != 2:
        pytest.skip(f"there are not two wheels for {version} in build/wheels (make demo)")
    return wheels


@pytest.fixture(scope="module")
def blender(chroot, place):
    """Run that Blender in the place, with settings of its own."""

    def run(*arguments):
        # Blender believes PWD before it asks the system where it stands.
        where = ("/usr/bin/env", "-C", place, f"PWD={place}", f"BLENDER_USER_RESOURCES={place}/user")
        command = ["chroot", chroot, *where, "blender", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    return run


@pytest.fixture(scope="module")
def unpacked(chroot, place, wheels):
    """The wheels where headless.py looks for them."""
    folder = chroot / place.relative_to("/") / "checkout" / "build" / "wheels"
    folder.mkdir(parents=True)
    for wheel in wheels:
        shutil.copy(wheel, folder)
    return folder
