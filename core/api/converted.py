# SPDX-License-Identifier: Apache-2.0
"""A robot in another format: any that can be read to any that can be written, with meshes beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import Finding, InertiaError, has_error
from ..files.mesh_writers import MeshFormat
from ..formats.robot_file import ImportedRobot
from ..robot.massless import with_massless_refused
from ..robot.model import Mesh, Model
from ..robot.resolve import LinkBody, resolve_link
from ..sdf.write.package import Target, UriStyle, write_model
from ..sdf.write.writers import BY_SUFFIX
from ..units import listed_text

Source = tuple[Model, Sequence[LinkBody], Sequence[Finding]]
"""A model, its links as resolved, and findings about what was read."""

PAINTED = (".dae", ".glb", ".gltf", ".obj")
"""Suffixes of meshes that may have colours and textures of their own."""


@dataclass(frozen=True, eq=False)
class Converted:
    """A robot that was converted.

    Parameters
    ----------
    file : Path or None
        The new file; None if nothing is written, because of an error.
    model : Model
    bodies : tuple of LinkBody
        Its links.
    findings : tuple of Finding
        What is wrong with the robot, and what the new format cannot express.
    """

    file: Path | None
    model: Model
    bodies: tuple[LinkBody, ...]
    findings: tuple[Finding, ...]


def imported(robots: Sequence[ImportedRobot], name: str | None = None) -> Source:
    """Return the model of a robot's file, its links resolved.

    Raises
    ------
    InertiaError
        ``not_converted``, if the file has several models and none is named, or no model of that name.
    """
    names = [robot.model.name for robot in robots]
    chosen = [robot for robot in robots if name in (None, robot.model.name)]
    if len(chosen) != 1:
        form = "several" if chosen else "unknown"
        raise InertiaError.of("not_converted", "", form, name=name, models=listed_text(names, 5))
    robot = chosen[0]
    bodies = with_massless_refused(
        [resolve_link(link) for link in robot.model.links], robot.model.joints, robot.model.static
    )
    return robot.model, bodies, (*robot.findings, *_painted(robot))


def convert(
    source: Source, output: Path, origin: Path, uri_style: UriStyle = "relative", mesh_format: MeshFormat = "obj"
) -> Converted:
    """Write a robot in the format of a path's suffix; nothing with a finding of severity error.

    Parameters
    ----------
    source : Source
    output : Path
        The new file. Its meshes are written into the folder meshes beside it.
    origin : Path
        The file that the robot is from, for its description.
    uri_style : {"relative", "model", "file"}
        How the new file names its meshes.
    mesh_format : {"obj", "stl"}

    Raises
    ------
    InertiaError
        ``not_converted`` for a suffix that is not written.
    OSError
        If the files cannot be written.
    """
    model, bodies, notes = source
    writer = BY_SUFFIX.get(output.suffix.lower())
    if writer is None:
        raise InertiaError.of("not_converted", str(output), "suffix", known=", ".join(BY_SUFFIX))
    if not writer.of_gazebo:
        bodies = [replace(body, mode="filled") if body.mode == "auto" else body for body in bodies]
    findings = (*notes, *model.findings, *writer.findings(model, bodies))
    all_findings = (*findings, *(finding for body in bodies for finding in body.all_findings()))
    described = replace(model, description=model.description or f"{model.name}, converted from {origin.name}")
    if has_error(all_findings):
        return Converted(None, model, tuple(bodies), tuple(dict.fromkeys(all_findings)))
    target = Target(output.parent, output.name, writer.name)
    written = write_model(described, bodies, target, uri_style, mesh_format)
    return Converted(written.file, model, tuple(bodies), tuple(dict.fromkeys([*all_findings, *written.findings])))


def _painted(robot: ImportedRobot) -> Iterator[Finding]:
    """Yield the finding for meshes that may have colours of their own: the new meshes have only those of the file."""
    drawn = [visual.geometry for link in robot.model.links for visual in link.visuals]
    paths = {robot.meshes[mesh].path for mesh in drawn if isinstance(mesh, Mesh) and mesh in robot.meshes}
    painted = sorted(path.name for path in paths if path.suffix.lower() in PAINTED)
    if painted:
        values = {"count": len(painted), "meshes": listed_text(painted, 3)}
        yield Finding.of("info", "not_converted", robot.model.name, "colors", **values)
