# SPDX-License-Identifier: GPL-3.0-or-later
"""What each engine refuses or ignores in a robot's file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from ..errors import PART_REFUSED, Finding, InertiaError
from ..formats.robot_file import RobotFile
from ..sdf.simulators.gazebo_link import gazebo_findings
from ..sdf.simulators.verdicts import link_verdicts

Engine = Literal["gazebo"]


def _of_gazebo(file: RobotFile) -> list[Finding]:
    """Return what libsdformat refuses or ignores in a file, structure included."""
    try:
        sdf = file.for_gazebo()
    except InertiaError as error:
        return [error.about(file.document.name).finding()]
    findings = [*sdf.findings, *sdf.notes]
    findings += [one for body in link_verdicts(sdf) for one in body.all_findings() if one.code != PART_REFUSED]
    findings += [one for link in sdf.links for one in gazebo_findings(link)]
    return list(dict.fromkeys(findings))


ENGINES: Mapping[Engine, Callable[[RobotFile], list[Finding]]] = MappingProxyType({"gazebo": _of_gazebo})
"""By name: what returns an engine's findings about a file, an error if it would not load it."""
