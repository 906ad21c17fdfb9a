# SPDX-License-Identifier: Apache-2.0
"""Pinocchio: the numbers of the file as urdfdom parses them, unchecked."""

from __future__ import annotations

from ..body.inertial import Inertial
from ..errors import Finding
from ..formats.robot_file import RobotFile
from .engine import Engine, EngineView
from .urdf_links import GivenLink, massless, urdf_view, zeros

NAME = "Pinocchio"


def _view(file: RobotFile) -> EngineView:
    return urdf_view(NAME, file, lambda group: group.body(_rule))


def _rule(link: GivenLink) -> tuple[Inertial, tuple[Finding, ...]]:
    """Pinocchio keeps any numbers; an incomplete tensor is zero, and without a mass all is."""
    if link.read.inertial is None:
        return Inertial.zero, massless(NAME, link)
    return link.read.inertial.transformed(link.origin), zeros(NAME, link)


PINOCCHIO = Engine("pinocchio", "Pinocchio 4.1.0", _view)
