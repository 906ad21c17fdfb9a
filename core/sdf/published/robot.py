# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot's file as a model: links, joints, frames, collisions, visuals, and the inertials that it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...body.inertial import Inertial
from ...errors import Finding, InertiaError
from ...robot.model import Geometry, Model
from ..read.collision import MeshUse
from ..read.mesh_source import Loaders
from ..urdf.as_sdf import is_urdf
from ..xml.document import Document
from .sdf_robot import sdf_robots
from .urdf_robot import urdf_robot


@dataclass(frozen=True, eq=False)
class PublishedRobot:
    """A robot as its file has it.

    Parameters
    ----------
    path : Path
    model : Model
        Poses of links in the model's frame. A link's `manual` is the inertial of the file; where it says none,
        SDFormat's own default, or none in URDF. An auto link has density and params instead.
    published : mapping of str to Inertial or None
        By link, in its frame; None where the file says none, or auto.
    meshes : mapping of Mesh to MeshUse
        Where each mesh comes from, and at what scale.
    findings : tuple of Finding
        What is not brought over (``not_imported``), and what the reader noticed.
    """

    path: Path
    model: Model
    published: Mapping[str, Inertial | None]
    meshes: Mapping[Geometry, MeshUse]
    findings: tuple[Finding, ...] = ()


def robots_of(path: Path | str, roots: Sequence[Path] = (), loaders: Loaders | None = None) -> list[PublishedRobot]:
    """Read all models of an SDF file, or the robot of a URDF.

    An impossible inertial is no reason to refuse a robot: to mend those is what it is read for.

    Parameters
    ----------
    path : path
    roots : sequence of Path
        Where URIs are looked up besides; see `Locator`.
    loaders : mapping of str to callable, optional
        What reads mesh files of an ending, such as ``.glb``, where not this package: from a path to a `Surface`.

    Raises
    ------
    InertiaError
        What libsdformat refuses the file for, or ``nested_model`` where a model holds others.
    """
    path = Path(path)
    document = Document.read(path)
    found = [urdf_robot(document, roots, loaders)] if is_urdf(document) else sdf_robots(document, roots, loaders)
    if not found:
        raise InertiaError("no_link", str(path), "the file has no model with a link", "choose the file of a robot")
    return [PublishedRobot(path, *one) for one in found]
