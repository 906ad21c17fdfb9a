# SPDX-License-Identifier: Apache-2.0
"""A robot in another format: any that can be read to any that can be written, with meshes beside it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..body.compare import difference
from ..body.inertial import Inertial
from ..document.document import Document
from ..errors import Finding, InertiaError, has_error
from ..files.mesh_writers import MeshFormat
from ..formats.package import Target, UriStyle, write_model
from ..formats.robot_file import ImportedRobot, RobotFile, with_unique_names
from ..formats.writers import BY_SUFFIX, Writer
from ..robot.joints import with_fixed_base, wrong_numbers
from ..robot.massless import holders_in, with_massless_refused
from ..robot.model import WORLD, Joint, Mesh, Model
from ..robot.resolve import LinkBody, resolve_link
from ..units import listed_text
from .losses import losses

Source = tuple[Model, Sequence[LinkBody], Sequence[Finding]]
"""A model, its links as resolved, and findings about what was read."""

PAINTED = (".dae", ".glb", ".gltf")
"""Suffixes of meshes that may have colours and textures of their own. An OBJ has them if it names a file of them."""

ALIKE = 1e-6
"""Two computations of a mesh in single precision agree to this, relatively."""

BEGINNING = 4096
"""Bytes of an OBJ in which its file of materials is named."""


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
    counts : mapping of str to int
        Of the links and joints of the new file, by the words of its format.
    """

    file: Path | None
    model: Model
    bodies: tuple[LinkBody, ...]
    findings: tuple[Finding, ...]
    counts: Mapping[str, int] = field(default_factory=dict)


def imported(file: RobotFile, name: str | None = None) -> Source:
    """Return the model of a robot's file, its links resolved.

    Raises
    ------
    InertiaError
        ``no_link``, if the file has no model with a link. ``not_converted``, if it has several and none is named, or
        none of that name.
    """
    robots = [robot for robot in file.robots() if robot.model.links]
    if not robots:
        raise InertiaError.of("no_link", file.document.name, "file")
    names = [robot.model.name for robot in robots]
    chosen = [robot for robot in robots if name in (None, robot.model.name)]
    if len(chosen) != 1:
        form = "several" if chosen else "unknown"
        raise InertiaError.of("not_converted", str(robots[0].path), form, name=name, models=listed_text(names, 5))
    robot = chosen[0]
    bodies = with_massless_refused(
        _as_simulated(file, [resolve_link(link) for link in robot.model.links]), robot.model.joints, robot.model.static
    )
    findings = (*robot.findings, *_painted(robot))
    return replace(robot.model, pose=robot.pose), [*_several_joints(robot, bodies)], findings


def _as_simulated(file: RobotFile, bodies: Sequence[LinkBody]) -> list[LinkBody]:
    """Return links; what the file's simulator computes otherwise has its numbers.

    MuJoCo weighs a mesh that is not convex by its older formula, unless the file says ``inertia="exact"``.
    """
    if all(body.mode != "filled" for body in bodies):
        return [*bodies]
    computed = {link.local_name: body.inertial for link, body in zip(file.links, file.bodies, strict=True)}
    return [_with_numbers(body, computed.get(body.name)) for body in bodies]


def _with_numbers(body: LinkBody, inertial: Inertial | None) -> LinkBody:
    """Return a link with an inertial, if it is computed and that is another one."""
    if body.mode != "filled" or body.inertial is None or inertial is None:
        return body
    is_same = difference(inertial, body.inertial).worst <= ALIKE
    return body if is_same else replace(body, inertial=inertial, mode="manual")


def convert(
    source: Source,
    output: Path,
    origin: Path,
    uri_style: UriStyle = "relative",
    mesh_format: MeshFormat = "obj",
    read: Collection[str | Path] = (),
    fixed_base: bool = False,
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
    read : collection of path
        The files that the robot was read from: none of them is overwritten or removed.
    fixed_base : bool
        Fix the root to the world, if no joint does.

    Raises
    ------
    InertiaError
        ``not_converted`` for a suffix that is not written, a file that was read, or a folder whose model.config is that
        of another model.
    OSError
        If the files cannot be written.
    """
    model, bodies, notes = source
    model = with_fixed_base(model) if fixed_base else model
    writer = BY_SUFFIX.get(output.suffix.lower())
    if writer is None:
        raise InertiaError.of("not_converted", str(output), "suffix", known=", ".join(BY_SUFFIX))
    if os.path.realpath(output) in map(os.path.realpath, read):
        raise InertiaError.of("not_converted", str(output), "input")
    findings = [*notes, *_otherwise(model, bodies, writer)]
    if writer.of_gazebo:
        model = with_unique_names(model)
    else:
        model = model.placed()
        bodies = [replace(body, mode="filled") if body.mode == "auto" else body for body in bodies]
    findings += [*model.findings, *writer.findings(model, bodies)]
    all_findings = (
        *losses(model.name, findings, writer.label),
        *(finding for body in bodies for finding in body.all_findings()),
    )
    described = replace(model, description=model.description or f"{model.name}, converted from {origin.name}")
    if has_error(all_findings):
        return Converted(None, model, tuple(bodies), tuple(dict.fromkeys(all_findings)))
    if writer.of_gazebo:
        _check_config(output)
    target = Target(output.parent, output.name, writer.name)
    written = write_model(described, bodies, target, uri_style, mesh_format, needed=[Path(path) for path in read])
    findings = [*dict.fromkeys([*all_findings, *written.findings])]
    return Converted(written.file, model, tuple(bodies), tuple(findings), written.counts)


def _check_config(output: Path) -> None:
    """Raise an error if the model.config beside a new file is that of another model, which would be lost."""
    config = output.parent / "model.config"
    if config.exists():
        names = sorted({(sdf.text or "").strip() for sdf in Document.read(config).root.iterfind("sdf")})
        if names != [output.name]:
            raise InertiaError.of("not_converted", str(config), "config", files=listed_text(names, 3) or "no file")


def _otherwise(model: Model, bodies: Sequence[LinkBody], writer: Writer) -> Iterator[Finding]:
    """Yield findings for links and joints that are written in another way than they were read, or not at all."""
    for joint in model.joints:
        yield from (fault for fault in wrong_numbers(joint) if fault.code == "axis_zero")
    held = [name for name, holder in holders_in(model).items() if holder != WORLD]
    auto = [body.name for body in bodies if body.mode == "auto"]
    balls = [joint.name for joint in model.joints if joint.kind == "ball" and _is_driven(joint)]
    changed = {"frames": held if writer.has_frames else ()}
    changed |= {"balls": balls} if writer.of_gazebo else {"numbers": auto}
    for form, names in changed.items():
        if names:
            values = {"count": len(names), "names": listed_text(names, 5), "format": writer.label}
            yield Finding.of("info", "not_converted", model.name, form, **values)


def _is_driven(joint: Joint) -> bool:
    return bool(joint.effort or joint.damping or joint.friction or joint.spring_stiffness)


def _several_joints(robot: ImportedRobot, bodies: Iterable[LinkBody]) -> Iterator[LinkBody]:
    """Yield the links of a robot, those between several joints of a body with an error about that body.

    All of them have the same error, which is reported once.
    """
    several = [*dict.fromkeys(robot.between.values())]
    values = {"count": len(several), "bodies": listed_text(several, 3)}
    for body in bodies:
        if body.name in robot.between and has_error(body.findings):
            error = Finding.of("error", "zero_mass", robot.model.name, "between", **values)
            body = replace(body, findings=(error,))
        yield body


def _painted(robot: ImportedRobot) -> Iterator[Finding]:
    """Yield the findings for meshes that may have colours of their own, which the new ones lack, and for textures."""
    drawn = [visual.geometry for link in robot.model.links for visual in link.visuals]
    paths = {robot.meshes[mesh].path for mesh in drawn if isinstance(mesh, Mesh) and mesh in robot.meshes}
    painted = sorted(path.name for path in paths if _has_colors(path))
    if painted:
        values = {"count": len(painted), "meshes": listed_text(painted, 3)}
        yield Finding.of("info", "not_converted", robot.model.name, "colors", **values)
    textured = [visual.name for link in robot.model.links for visual in link.visuals if visual.image is not None]
    if textured:
        values = {"count": len(textured), "names": listed_text(textured, 3)}
        yield Finding.of("info", "not_converted", robot.model.name, "textures", **values)


def _has_colors(path: Path) -> bool:
    if path.suffix.lower() != ".obj":
        return path.suffix.lower() in PAINTED
    try:
        with path.open("rb") as file:
            return b"mtllib" in file.read(BEGINNING)
    except OSError:
        return False
