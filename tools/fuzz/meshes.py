# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files of every format: through `check` and `mass`, and as the collision of an SDF file through `report`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from zlib import crc32

from core.mesh.winding import solid

from . import dae, gltf, mesh_binaries, mesh_texts, threemf
from .oracle import FaultError, command

SDF = (
    "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='1'><density>1</density></inertial>"
    "<collision name='c'><geometry><mesh><uri>{}</uri></mesh></geometry></collision></link></model></sdf>"
)

Bytes = Callable[[Random], bytes]


def _text(form: str) -> Bytes:
    return lambda random: mesh_texts.text_file(form, random)


def _either(*forms: Bytes) -> Bytes:
    return lambda random: random.choice(forms)(random)


FORMATS: dict[str, Bytes] = {
    "obj": _text("obj"),
    "stl": _either(_text("stl"), mesh_binaries.stl),
    "ply": _either(_text("ply"), mesh_binaries.ply),
    "off": _text("off"),
    "gltf": gltf.gltf,
    "glb": gltf.glb,
    "dae": dae.dae,
    "3mf": threemf.threemf,
}
"""Functions that make a file, by suffix."""


def maker(suffix: str) -> Callable[[Random, Path], Path]:
    """Return a function that writes a file of a format."""

    def make(random: Random, folder: Path) -> Path:
        path = folder / f"mesh.{suffix}"
        path.write_bytes(FORMATS[suffix](random))
        return path

    return make


COARSE = {"CELLS": (12.0, 9.0), "GLANCE": 8.0, "GRAIN": 32.0, "FINEST": 48.0}
"""Of `core.mesh.winding.solid`: the grids that show if voxels would help an open mesh, which takes half
a second of however few faces. On coarser ones the same code runs in a fiftieth of that."""

FINE_IN = 50
"""One input in this many uses the full grids."""


def run(path: Path) -> str:
    """Run `check` on a mesh file, and alternately `mass` and `report`; return the outcome."""
    check, mass, report = _commands(path)
    turn = crc32(path.read_bytes())
    with _grids(turn % FINE_IN == 0):
        status = check()
        # A sound mesh may have a mass that is not a number; an unreadable one has no mass either way.
        if turn % 4 == 0 and ((weighed := mass()) < status or (weighed == 2) != (status == 2)):
            raise FaultError(f"check ends in {status}, mass in {weighed}")
        if turn % 4 == 1:
            path.with_suffix(".sdf").write_text(SDF.format(path.name))
            report()
    return ("measured", "refused", "not read")[status]


@contextmanager
def _grids(fine: bool) -> Iterator[None]:
    before = {name: getattr(solid, name) for name in COARSE}
    try:
        for name, value in ({} if fine else COARSE).items():
            setattr(solid, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(solid, name, value)


@cache
def _commands(path: Path) -> tuple[Callable[[], int], Callable[[], int], Callable[[], int]]:
    sdf = path.with_suffix(".sdf")
    return command(["check", str(path)]), command(["mass", str(path)]), command(["report", str(sdf)])
