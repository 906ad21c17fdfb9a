# SPDX-License-Identifier: Apache-2.0
"""An assembly in a STEP file, for Python: its links with their inertials, a report, and the robot that it makes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from ..body.density_map import DensityMap
from ..body.inertial import Inertial
from ..body.materials import checked_density
from ..body.weighed_masses import read_weighed, weighed_masses
from ..bom.bom import read_bom
from ..bom.weights import Weighing
from ..errors import Finding
from ..files.input_file import note_read
from ..files.mesh_writers import MeshFormat
from ..formats.package import UriStyle
from ..formats.step.cad_robot import CadOptions, CadRobot, read_cad_robot
from ..formats.step.links import FIRST
from .converted import Converted, convert
from .report import Report

FilePath = str | os.PathLike[str]


def read_step(
    path: FilePath,
    bom: FilePath | None = None,
    links: FilePath | None = None,
    density: float | None = None,
    densities: FilePath | None = None,
    bom_mass: Literal["part", "row"] = "part",
    weighed: Mapping[str, float] | FilePath | None = None,
    thickness: float | None = None,
    tolerance: float | None = None,
) -> StepRobot:
    """Read an assembly in a STEP file; needs the extra ``[cad]``.

    The parameters are the options of ``sdf-inertia report`` for STEP files.

    Parameters
    ----------
    path : path
    bom : path, optional
        A bill of materials as CSV.
    links : path, optional
        ``"first"`` for a link of each first part or sub-assembly, or a CSV with the columns ``link,match``. By default
        all parts are one link.
    density : float, optional
        Of parts of which nothing else is known [kg/m³].
    densities : path, optional
        CSV or JSON with densities and masses by the names of parts and materials.
    bom_mass : {"part", "row"}
        Whether a mass of the bill of materials is that of one part, or of the row's quantity.
    weighed : mapping of str to float, or path, optional
        Measured masses of links [kg], or a CSV with the columns ``link,mass``.
    thickness : float, optional
        Of parts without a solid that have a mass in the bill of materials [m].
    tolerance : float, optional
        Of the meshes [m]; without it there are none.

    Raises
    ------
    InertiaError
        If the file, the bill of materials or another table cannot be read, or parts and links do not go together.

    Examples
    --------
    >>> from sdf_inertia import read_step
    >>> report = read_step("examples/cad/arm.step", density=2700.0).report()
    >>> print(f"{report.to_dict()['models'][0]['total']['mass']:.4f} kg")
    0.8244 kg
    """
    for table in (links, densities, weighed):
        if isinstance(table, str | os.PathLike) and str(table) != FIRST:
            note_read(Path(table))
    given = weighed if isinstance(weighed, Mapping) else dict(read_weighed(Path(weighed)) if weighed else ())
    weighing = Weighing(
        None if bom is None else read_bom(Path(bom)),
        None if densities is None else DensityMap.read(Path(densities)),
        None if density is None else checked_density(density),
        bom_mass,
    )
    chosen = None if links is None else str(links)
    options = CadOptions(weighing, chosen, weighed_masses(given.items()), thickness, tolerance)
    return StepRobot(Path(path), read_cad_robot(Path(path), options))


@dataclass(frozen=True, eq=False)
class StepRobot:
    """An assembly as a robot; returned by `read_step`.

    Parameters
    ----------
    path : Path
    robot : CadRobot
        Its parts, links and findings.

    Examples
    --------
    >>> from sdf_inertia import read_step
    >>> robot = read_step("examples/cad/arm.step", bom="examples/cad/bom.csv", links="first")
    >>> for name, inertial in robot.links.items():
    ...     print(f"{name}: {inertial.mass:.4f} kg")
    base: 0.4090 kg
    upper_arm: 0.1820 kg
    hand: 0.2411 kg
    """

    path: Path
    robot: CadRobot

    @property
    def links(self) -> Mapping[str, Inertial | None]:
        """The inertial of each link in its frame; None if a part has no number."""
        return MappingProxyType({body.name: body.inertial for body in self.robot.bodies})

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong or doubtful about the file, the bill of materials and the parts."""
        return self.report().all_findings

    def check(self) -> tuple[Finding, ...]:
        """Return what is wrong or doubtful; that nothing says what a part weighs is a warning if there is no bill."""
        if self.robot.options.weighing.bom is not None:
            return self.findings
        return tuple(
            replace(finding, severity="warning") if finding.code == "no_density" else finding
            for finding in self.findings
        )

    def convert(self, path: FilePath, uri_style: UriStyle = "relative", mesh_format: MeshFormat = "obj") -> Converted:
        """Write the robot as SDF, URDF, MJCF or USD, by the suffix of the path; with meshes if read with a tolerance.

        Nothing is written with a finding of severity error. The parameters are those of `Robot.convert`.
        """
        source = self.robot.model, self.robot.bodies, self.robot.findings
        return convert(source, Path(path), self.path, uri_style, mesh_format, [self.path])

    def report(self) -> Report:
        """Return the table of each link's parts, each as it is and as moved to the link's centre of mass."""
        return Report(self.path, self.robot.findings, ((self.robot.model, self.robot.bodies),))
