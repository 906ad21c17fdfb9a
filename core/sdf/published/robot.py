# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot's file, SDF or URDF, as a model to work on: links, joints, frames, collisions, visuals, inertials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...body.inertial import Inertial
from ...errors import Finding
from ...robot.model import Geometry, Model


@dataclass(frozen=True, eq=False)
class MeshReference:
    """Which file, or which submesh of it, a mesh of a robot is, as its file says it.

    Parameters
    ----------
    path : Path
        The mesh file, real and absolute.
    scale : tuple of float
        What its vertices are multiplied by along x, y and z, after the unit that the file itself states.
    submesh : str or None
        The submesh's name; None for the whole file.
    center : bool
        Whether the submesh is moved so that the middle of its bounding box is its origin.
    """

    path: Path
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    submesh: str | None = None
    center: bool = False


@dataclass(frozen=True, eq=False)
class PublishedRobot:
    """One model of a file.

    Parameters
    ----------
    path : Path
        The file.
    model : Model
        Its links (pose in the model's frame, all joints at zero), joints, and frames that are fixed to links. Poses of
        parts are in the link's frame, those of joints in the child's, axes in the joint's. A link whose inertial
        the file gives in numbers has it as `manual`.
    published : mapping of str to Inertial or None
        What the file gives, by link, in the link's frame; None where it gives none, or leaves it to the simulator.
    auto : frozenset of str
        The links whose inertial the simulator computes; density, mass and parameters are then in the model.
    meshes : mapping of Mesh to MeshReference
        Where each mesh of a collision or visual stands in files.
    findings : tuple of Finding
        What of the file the model cannot hold, by name, and what is doubtful about it.
    """

    path: Path
    model: Model
    published: Mapping[str, Inertial | None] = field(default_factory=dict)
    auto: frozenset[str] = frozenset()
    meshes: Mapping[Geometry, MeshReference] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def robots_of(path: Path, roots: Sequence[Path] = ()) -> tuple[PublishedRobot, ...]:
    """Read the robots of an SDF or URDF file.

    Models that are nested or included are part of the one they stand in, their links named ``nested::link``; of a
    world, each model is a robot of its own. The links of a URDF are its own: none is lumped into its parent.

    Parameters
    ----------
    path : Path
    roots : sequence of Path
        Where URIs are looked up besides the file's own folder, ``GZ_SIM_RESOURCE_PATH`` and ``SDF_PATH``.

    Raises
    ------
    InertiaError
        What cannot be read, and what libsdformat refuses.
    """
    raise NotImplementedError
