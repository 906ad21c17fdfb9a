# SPDX-License-Identifier: Apache-2.0
"""MuJoCo in its child process: it gets an MJCF and the files that it names as bytes, and returns plain data."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ...body.inertial import Inertial
from ...body.pose import Pose
from ...child.child import Child, UnfulfilledError
from ...document.packages import ASSETS
from ...errors import InertiaError
from ...files.input_file import note_missing, read_bytes
from ...files.limits import max_bytes
from .expanded import Expanded

OLDEST = (3, 14)
"""Oldest version of mujoco whose parser and compiler give the numbers that the tests expect."""

_child = Child(Path(__file__).with_name("mujoco_program.py"), "MuJoCo")


@dataclass(frozen=True, eq=False)
class NamedFiles:
    """The files that an MJCF names, from the folders that it may use; each has the name that `Expanded` gives it.

    Parameters
    ----------
    expanded : Expanded
    roots : sequence of Path
        Folders in which they are looked up besides the MJCF's own.
    """

    expanded: Expanded
    roots: Sequence[Path]

    @property
    def folder(self) -> Path:
        """The folder of the MJCF."""
        return Path(os.path.abspath(self.expanded.document.path or self.expanded.document.name)).parent

    @cached_property
    def needed(self) -> Sequence[str]:
        """The files without which MuJoCo cannot parse the text."""
        return [name for name, file in self.expanded.files.items() if file.place.tag == "flexcomp"]

    def path(self, name: str) -> Path:
        """Return the path of a file.

        Raises
        ------
        InertiaError
            ``uri_lookup`` for a file that is missing, ``uri_refused`` for one outside of the folders.
        """
        (written, place), settings = self.expanded.files[name], self.expanded.settings
        written = written.replace("\\", "/")  # as MuJoCo reads it
        folder = settings.get("texturedir" if place.tag == "texture" else "meshdir", "")
        below = os.path.basename(written) if settings.get("strippath") == "true" else written
        below = os.path.join(folder.replace("\\", "/"), below)
        allowed = False
        beside = [root / os.path.basename(written) for root in self.roots]  # the folder of the meshes itself
        for candidate in (self.folder / below, *(root / below for root in self.roots), *beside):
            path = Path(os.path.normpath(candidate))
            if self.expanded.folders.allow(path):
                allowed = True
                if os.path.isfile(path):
                    return path
                note_missing(path)
        if allowed:
            raise InertiaError.of("uri_lookup", str(place), "beside", uri=below, other=self._elsewhere(below))
        raise InertiaError.of("uri_refused", str(place), "outside", name=ascii(below[:200]))

    def _elsewhere(self, name: str) -> str | None:
        """Return where a missing file is by its name, from the folder of the MJCF, if it is in a folder of assets."""
        base = os.path.basename(name)
        places = (os.path.join(folder, base) for folder in ("", *ASSETS))
        return next((place for place in places if os.path.isfile(self.folder / place)), None)

    def request(self, function: str, names: Sequence[str], **values: Any) -> Any:
        """Return what a function of the program makes of the text and files.

        Raises
        ------
        InertiaError
            ``bad_mjcf`` if MuJoCo refuses it, ``mujoco`` without a package that can be imported, or for a file what
            `path` and `read_bytes` raise.
        """
        data = [self.expanded.text]
        for name in names:
            path = self.path(name)
            try:
                data.append(read_bytes(path, max_bytes(path)))
            except InertiaError as error:
                raise self.expanded.files[name].place.led_to(error) from None
        try:
            return _request(function, {"names": [*names], **values}, data)
        except UnfulfilledError as error:
            kind, reason, *where = error.reason
            if kind == "orientation":
                place = str(self.expanded.place(where[0]))
                raise InertiaError.of("bad_mjcf", place, "orientation", reason=reason) from None
            raise self.refusal(reason) from None
        except InertiaError as error:
            raise error.about(self.expanded.document.name) from None

    def refusal(self, message: str) -> InertiaError:
        """Return the error for what MuJoCo says that it refuses."""
        text = self.expanded.in_own_words(message)
        reason, _, where = text.removeprefix("XML Error: ").removeprefix("Error: ").partition("\n")
        is_whole = any(place.tag == "worldbody" for place in self.expanded.places)
        if reason.startswith("Schema violation") and not is_whole:
            return InertiaError.of("bad_mjcf", self.expanded.document.name, "fragment")
        return InertiaError.of("bad_mjcf", str(self.expanded.place(where)), "mujoco", reason=reason)


def _request(function: str, values: Mapping[str, Any], data: Sequence[bytes]) -> Any:
    python = f'"{sys.executable}"'
    if find_spec("mujoco") is None:
        raise InertiaError.of("mujoco", "", "", python=python)
    with suppress(metadata.PackageNotFoundError):  # what it is then shows when it is imported
        version = metadata.version("mujoco")
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            raise InertiaError.of("mujoco", "", "old", version=version, python=python)
    try:
        return _child.request(function, values, data)
    except ImportError as error:
        reason = " ".join(str(error).split()).partition(". ")[0]  # what follows is another command
        raise InertiaError.of("mujoco", "", "broken", reason=reason, python=python, packages=_packages()) from None


def _packages() -> str:
    """Return what pip installs again to repair mujoco: it and all that it needs but numpy, which Blender has."""
    try:
        version, needed = metadata.version("mujoco"), metadata.requires("mujoco") or ()
    except metadata.PackageNotFoundError:
        return "mujoco"
    others = sorted(name for name in needed if ";" not in name and not name.startswith("numpy"))
    return " ".join(["--no-deps", f"mujoco=={version}", *others])


@np.errstate(all="ignore")  # a file may give numbers that are not finite
def posed(pose: Sequence[Sequence[Sequence[float]]]) -> Pose:
    """Return the pose that positions and quaternions (w, x, y, z) make, the outermost first.

    Raises
    ------
    InertiaError
        ``bad_mjcf`` for a quaternion of length 0, or one that is not a number.
    """
    total = Pose.identity
    for position, (w, x, y, z) in pose:
        try:
            total = total @ Pose.from_quaternion(position, (x, y, z, w))
        except ValueError as error:
            raise InertiaError.of("bad_mjcf", "", "orientation", reason=error) from None
    return total


def inertial_of(data: Mapping[str, Any]) -> Inertial:
    """Return an inertial that is given by mass, axes in a frame, and the moments about them, in that frame."""
    axes = posed(data["axes"])
    with np.errstate(invalid="ignore"):  # a file may give numbers that are not finite
        return Inertial(data["mass"], axes.p, axes.R @ np.diag(data["inertia"]) @ axes.R.T)
