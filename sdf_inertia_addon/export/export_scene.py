# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the scene, resolve it, write the model: what the operator and the command line both do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import bpy

from ...core.errors import Finding, has_error
from ...core.files.mesh_writers import MeshFormat
from ...core.formats.package import Target, UriStyle, write_model
from ...core.formats.robot_file import with_unique_names
from ...core.formats.simulators.drake import drake_findings
from ...core.judge.geometry.resolve_model import resolve_model
from ...core.robot.joints import with_fixed_base
from ...core.robot.massless import with_skipped
from ...core.robot.model import Model
from ...core.robot.resolve import LinkBody
from ..scene import scene_read


@dataclass(frozen=True)
class Export:
    """What came of an export; `sdf` is None where nothing was written."""

    model: Model
    bodies: tuple[LinkBody, ...]
    sdf: Path | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings: of the model, its links and their parts."""
        return self.model.findings + tuple(finding for body in self.bodies for finding in body.all_findings())

    @property
    def refused(self) -> bool:
        """Return True if something was refused, whether or not the rest was written."""
        return has_error(self.findings)


def thumbnail_of(sdf: Path) -> Path:
    """Return where Gazebo looks for a picture of a model."""
    return sdf.parent / "thumbnails" / "0.png"


def export_scene(
    depsgraph: bpy.types.Depsgraph,
    path: Path,
    inertia: str = "AS_SET",
    skip_invalid: bool = False,
    strict_auto: bool = False,
    uri_style: UriStyle = "relative",
    mesh_format: MeshFormat = "obj",
    collection: bpy.types.Collection | None = None,
    file_format: str = "sdf",
    draw_collisions: bool = True,
    dummy_root: bool = False,
    fixed_base: bool = False,
) -> Export:
    """Export the scene's model to `path`: a file, whose suffix gives its format, or the folder to make its folder in.

    With a `collection`, only the links in it are exported. All formats but SDF have the numbers of all links, whatever
    `inertia` says. With `draw_collisions`, a link without a visual is drawn by its collisions. With `dummy_root`, a
    URDF has a link without mass above the root; with `fixed_base`, the root is fixed to the world. With a finding of
    severity error nothing is written, unless `skip_invalid` leaves out what is refused.

    Raises
    ------
    OSError
        If the target cannot be written.
    """
    name = scene_read.model_name()
    target = Target.of(path, name, file_format)
    of_gazebo = target.writer.of_gazebo
    model = scene_read.read_model(depsgraph, inertia if of_gazebo else "FILLED", collection)
    model = with_fixed_base(model) if fixed_base else model
    model = with_unique_names(model) if of_gazebo else model
    bodies = resolve_model(model, strict_auto)
    findings = drake_findings(model.name, bodies, uri_style, model.joints)
    sifted = with_skipped(model, bodies)
    good = tuple(body for body in sifted if not body.refused)
    bodies = sifted if skip_invalid else bodies
    # If nothing is skipped, a joint to a refused link is not wrong, too.
    findings += target.writer.findings(model, good if skip_invalid else bodies)
    model = replace(model, findings=(*model.findings, *findings), dummy_root=dummy_root)
    result = Export(model, bodies, None)
    if not good or (result.refused and not skip_invalid) or has_error(findings):
        return result
    written = write_model(model, good, target, uri_style, mesh_format, draw_collisions)
    return Export(replace(model, findings=(*model.findings, *written.findings)), bodies, written.file)
