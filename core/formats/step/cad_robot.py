# SPDX-License-Identifier: Apache-2.0
"""An assembly as a robot: its links with exact inertials, joined by fixed joints, since STEP has no others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...bom.weights import Weighing
from ...errors import Finding, InertiaError
from ...robot.model import Joint, Model
from ...robot.resolve import LinkBody
from ...units import listed_text
from ..sdf.spec.names import UniqueNames, valid_name
from .assembly import Assembly, read_assembly
from .bodies import body_of, link_of, with_link
from .links import links_of
from .weighed import weighed_parts


@dataclass(frozen=True)
class CadOptions:
    """How an assembly becomes a robot.

    Parameters
    ----------
    weighing : Weighing
        What its parts weigh.
    links : str or Path, optional
        As in `links_of`.
    weighed : mapping of str to float
        Measured masses of links [kg]: their tensors and parts are scaled.
    thickness : float, optional
        As in `weighed_parts` [m].
    tolerance : float, optional
        Of meshes [m]; without it there are none.
    """

    weighing: Weighing = Weighing()
    links: str | Path | None = None
    weighed: Mapping[str, float] = field(default_factory=dict)
    thickness: float | None = None
    tolerance: float | None = None


@dataclass(frozen=True, eq=False)
class CadRobot:
    """An assembly as a robot.

    Parameters
    ----------
    assembly : Assembly
    options : CadOptions
    model : Model
    bodies : tuple of LinkBody
        The inertials of its links.
    findings : tuple of Finding
        About the file as a whole and the bill of materials; those of links and parts are in `bodies`.
    """

    assembly: Assembly
    options: CadOptions
    model: Model
    bodies: tuple[LinkBody, ...]
    findings: tuple[Finding, ...]


def read_cad_robot(path: Path, options: CadOptions = CadOptions()) -> CadRobot:
    """Read a STEP file as a robot.

    Raises
    ------
    InertiaError
        What `read_assembly`, `links_of` and `weighed_parts` raise; ``unknown_link`` for a weighed link that the
        assembly does not have.
    """
    assembly = read_assembly(path, options.thickness is not None, options.tolerance)
    members, renamed = links_of(assembly, options.links)
    names = [link.name for link in members]
    for name in options.weighed:
        if name not in names:
            raise InertiaError.of("unknown_link", str(path), "cad", name=name, links=listed_text(names, 5))
    parts, notes = weighed_parts(assembly, options.weighing, options.thickness)
    bodies = [body_of(link, parts, options.weighed.get(link.name)) for link in members]
    links = [link_of(link, body) for link, body in zip(members, bodies, strict=True)]
    unique = UniqueNames()
    for name in names:
        unique.take(name)
    joints = tuple(Joint(unique.give(f"{name}_joint"), "fixed", names[0], name) for name in names[1:])
    findings = [*assembly.findings, *renamed, *notes]
    if joints:
        findings.append(Finding.of("info", "no_joints", str(path), count=len(joints), root=names[0]))
    return CadRobot(
        assembly,
        options,
        Model(valid_name(assembly.name), tuple(links), joints),
        tuple(with_link(body, link) for body, link in zip(bodies, links, strict=True)),
        tuple(findings),
    )
