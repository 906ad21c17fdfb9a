# SPDX-License-Identifier: Apache-2.0
"""What the page of a file shows: a robot, or a mesh of a given density or mass."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..body.materials import WATER
from ..errors import Finding, InertiaError
from ..files.mesh_file import load_surface
from ..formats.table import SUFFIXES
from ..mesh.measure import measure_surface
from ..mesh.surface import Surface
from ..robot.part import Body
from ..view.robot_scene import RobotScene, mesh_scene
from .mass import inertial_of
from .options.configuration import configured
from .options.inputs import refuse_folder, robot_of


def read_scene(path: Path, options: Namespace) -> RobotScene:
    """Return what the page of a robot's file or of a mesh shows; raises InertiaError if nothing of it can be read."""
    refuse_folder(path)
    options, _ = configured(path, options)
    if path.suffix.lower() not in SUFFIXES:
        return measured_scene(path, options)
    return robot_of(path, options).scene(options.engines, options.total_mass)


def measured_scene(path: Path, options: Namespace) -> RobotScene:
    """Return what the page of a mesh shows; options may have ``scale``, ``density`` and ``mass``."""
    surface, notes = load_surface(path, getattr(options, "scale", None))
    return mesh_scene(surface, _measured(path.stem, surface, notes, options), path)


def _measured(name: str, surface: Surface, notes: tuple[Finding, ...], options: Namespace) -> Body:
    """Return the body of a mesh; if it has no number, the reason is among its findings."""
    density, mass = getattr(options, "density", None), getattr(options, "mass", None)
    if density is None and mass is None:
        form = "command" if hasattr(options, "density") else "part"
        notes += (Finding.of("warning", "default_density", "", form, density=WATER),)
    try:
        measured = measure_surface(surface)
    except InertiaError as error:
        return Body(name, None, None, "exact", 0.0, (*notes, error.finding()))
    inertial = inertial_of(measured.moments, density or WATER, mass)
    findings = (*notes, *measured.findings, *inertial.findings())
    return Body(name, inertial, measured.moments.volume, measured.method, measured.error, findings)
