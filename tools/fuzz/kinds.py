# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of kinds of inputs: how each is made from random numbers, and what it is taken through."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import Random

from . import blends, cad, meshes, robots


@dataclass(frozen=True)
class Kind:
    """A kind of input.

    Parameters
    ----------
    name : str
    make : function
        Writes an input into a folder by random numbers alone, and returns its file.
    run : function
        Runs the product on it; returns the outcome in a word. Any exception is a fault.
    around : function
        What a process holds open from before its first input to after its last.
    libraries : tuple of str
        Modules without which there is nothing to run.
    """

    name: str
    make: Callable[[Random, Path], Path]
    run: Callable[[Path], str]
    around: Callable[[], AbstractContextManager[None]] = nullcontext
    libraries: tuple[str, ...] = ()

    def input(self, seed: int, number: int, folder: Path) -> Path:
        """Write the input of this number, which depends on nothing else, and return its file."""
        return self.make(Random(f"{self.name}:{seed}:{number}"), folder)


KINDS = {
    kind.name: kind
    for kind in (
        Kind("sdf", robots.make_sdf, robots.run_sdf),
        Kind("urdf", robots.make_urdf, robots.run_urdf),
        Kind("mjcf", robots.make_mjcf, robots.run_robot, libraries=("mujoco",)),
        Kind("xacro", robots.make_xacro, robots.run_robot, libraries=("xacro",)),
        Kind("step", cad.make_step, cad.run_step, libraries=("OCP",)),
        Kind("bom", cad.make_bom, cad.run_bom),
        Kind("text", cad.make_text, cad.run_text),
        Kind("blend", blends.make, blends.run, blends.addon, ("bpy",)),
        *(
            Kind(suffix, meshes.maker(suffix), meshes.run, libraries=() if suffix == "3mf" else ("trimesh", "collada"))
            for suffix in meshes.FORMATS
        ),
    )
}
