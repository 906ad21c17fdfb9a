# SPDX-License-Identifier: Apache-2.0
"""What makes engines agree without a new number: a link without inertial that is held by others gets one of 0 kg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..body.inertial import Inertial
from ..errors import Finding, InertiaError
from ..formats.robot_file import RobotFile
from ..formats.table import read_changed
from ..formats.urdf.format import UrdfRobotFile
from .known import view_of
from .urdf_links import groups_of

INVENTED = ("density", "kilogram")
"""The forms of `engine_differs` for an inertial that an engine makes up."""


@dataclass(frozen=True, eq=False)
class AgreedFile:
    """A file with its new bytes, the links that were given an inertial, and what the engines still refuse or change."""

    file: RobotFile
    data: bytes
    links: tuple[str, ...]
    findings: tuple[Finding, ...]


def agreed(file: RobotFile, names: Sequence[str]) -> AgreedFile:
    """Give an inertial of 0 kg to each link for which one of these engines makes one up, if its group has mass.

    Then all engines add nothing for it, as those do already that follow the file. What needs a new number is left: a
    link that moves by itself, an incomplete or impossible inertial (`repair` computes these).

    Raises
    ------
    InertiaError
        ``unread_format`` for a file that is not a URDF, ``included_inertial`` or ``macro_inertial`` for a link that
        xacro makes from a text that cannot be changed.
    """
    if not isinstance(file, UrdfRobotFile):
        raise InertiaError.of("unread_format", file.document.name, "no_engines", format=file.format_name)
    findings = {finding.subject for name in names for finding in view_of(name, file).all_findings if _invents(finding)}
    links = [
        link
        for group in groups_of(file)
        if group.in_world or any((link.mass or 0.0) > 0.0 for link in group.links)
        for link in group.links[group.is_root :]  # PyBullet fixes a root of 0 kg to the world
        if link.place in findings and not link.has_inertial
    ]
    by_name = {link.local_name: link for link in file.links}
    for name in (link.name for link in links if link.name in by_name):
        file.check_own(by_name[name], False)
    model = str(file.document.root.get("name", ""))
    changed = file.written({model: {link.name: Inertial.zero for link in links}})
    data, new = changed[file.source], read_changed(file, changed)
    rest = tuple(dict.fromkeys(finding for name in names for finding in view_of(name, new).all_findings))
    return AgreedFile(new, data, tuple(link.name for link in links), rest)


def _invents(finding: Finding) -> bool:
    return finding.code == "engine_differs" and finding.sentence.form in INVENTED
