# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Blender with the extension installed from its zip; pictures and console output are kept in build/gui/.

`SDF_INERTIA_GUI_BLENDER` names the Blender, 4.3 (the default) or 5.2: what tools/real_blender.sh makes. One window
serves all tests, each in a new file; after a failure, or when a test ends it, the next test gets a new one.
"""

import os
import shutil
from pathlib import Path

import pytest

from ..packages import built_package, python_of
from .user import User
from .window import Window

ROOT = Path(__file__).resolve().parents[2]
BLENDER = os.environ.get("SDF_INERTIA_GUI_BLENDER", "4.3")
KEPT = ROOT / "build" / "gui" / BLENDER

COMPLAINTS = ("Traceback (most recent call last)", "property not found", "unknown operator", "Error: Python")
"""What Blender prints where an add-on is wrong."""


@pytest.fixture(scope="session")
def chroot():
    suite = {"4.3": "trixie", "5.2": "sid"}[BLENDER]
    home = os.environ.get("HOME")
    cache = Path(os.environ.get("SDF_INERTIA_CACHE") or (Path(home) if home else ROOT / "build") / ".cache/sdf-inertia")
    folder = cache / f"blender-{suite}"
    if not (folder / "usr/bin/blender").exists():
        pytest.skip(f"there is no Blender in {folder}: tools/real_blender.sh {BLENDER} makes it")
    if os.geteuid() != 0:
        pytest.skip("only root can go into the chroot")
    missing = [name for name in ("Xvfb", "xdotool", "import") if not os.path.lexists(folder / "usr/bin" / name)]
    if missing:
        pytest.skip(f"{folder} lacks {', '.join(missing)}: remove it, then tools/real_blender.sh {BLENDER} makes it")
    return folder


@pytest.fixture(scope="session")
def package(chroot, tmp_path_factory):
    """The zip of the checkout as it is now, for the Blender in the window."""
    return built_package(tmp_path_factory.mktemp("dist"), python_of(chroot))


class Windows:
    """The window of the session: started when asked for, and again where it is gone."""

    def __init__(self, chroot, package):
        self.chroot, self.package, self.window = chroot, package, None

    def get(self):
        if self.window is not None and not self.window.alive:
            self.close()
        if self.window is None:
            self.window = Window(self.chroot)
            shutil.copy(self.package, self.window.folder / "sdf_inertia.zip")
            assert self.window.run("extension.install(path)", path=str(self.window.inside / "sdf_inertia.zip"))
        return self.window

    def close(self):
        if self.window is not None:
            self.window.close()
            self.window = None


@pytest.fixture(scope="session")
def windows(chroot, package):
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    windows = Windows(chroot, package)
    try:
        yield windows
    finally:
        windows.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.failed = report.failed
    return report


@pytest.fixture
def user(windows, request):
    """A user before a new file: Blender's cube, seen from the front, our tab open."""
    window = windows.get()
    before = len(window.console())
    user = User(window, KEPT, request.node.name)
    kept = KEPT / request.node.name
    try:
        window.run("scene.new_file()")
        user.look()
        yield user
        if window.alive:
            window.save(kept.with_name(f"{kept.name}.png"))
        said = window.console()[before:]
        complaints = [line for line in said.splitlines() if any(complaint in line for complaint in COMPLAINTS)]
        assert not complaints, said
    except BaseException:
        _fail(windows, kept)
        raise
    if getattr(request.node, "failed", True):
        _fail(windows, kept)


@pytest.fixture
def held(user):
    """The other thread measures nothing until it is let go, as if the machine were slow."""
    user.run("extension.hold(True)")
    yield
    if user.window.alive:
        user.run("extension.hold(False)")


def _fail(windows, kept):
    """Keep what there is to see, and let nobody inherit this window."""
    window = windows.window
    kept.with_name(f"{kept.name}.txt").write_text(window.console())
    if window.alive:
        try:
            window.save(kept.with_name(f"{kept.name}-failed.png"))
        finally:
            windows.close()
