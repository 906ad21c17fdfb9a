# SPDX-License-Identifier: Apache-2.0
"""Drake: the numbers of the file, except where no body can have them."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

import numpy as np

from ..body.inertial import Inertial
from ..body.materials import WATER
from ..errors import Finding
from ..formats.robot_file import RobotFile
from ..formats.sdf.links import SdfLink
from .engine import Engine, EngineBody, EngineView, differs, refuses
from .gazebo import GAZEBO
from .urdf_links import GivenLink, massless, urdf_view, zeros

NAME = "Drake"

ROUNDING = 16.0 * float(np.finfo(np.float64).eps)
"""What Drake accepts below zero, per unit of the largest possible moment or of 1 kg·m², whichever is larger."""

WARNING = 37
"""libsdformat's code for elements that it ignores."""


def _view(file: RobotFile) -> EngineView:
    return _of_sdf(file) if file.format_name == "SDF" else urdf_view(NAME, file, lambda group: group.body(_rule))


def _rule(link: GivenLink) -> tuple[Inertial, tuple[Finding, ...]]:
    """Drake takes mass, centre and tensor of the file, and zeros for what is missing."""
    given = link.as_written
    if not link.has_inertial:
        return given, massless(NAME, link)
    replaced = possible(given)
    if replaced is not given:
        return replaced, (_ball(link.place, replaced),)
    return given, zeros(NAME, link) if given.mass else ()


def possible(given: Inertial) -> Inertial:
    """Drake replaces numbers that no body can have by a ball of water with this mass, or 1 kg, at this centre."""
    if given.mass > 0.0:
        low, middle, high = np.linalg.eigvalsh(given.inertia).tolist()
        rounding = ROUNDING * max(1.0, (low + middle + high) / 2.0)
        if low >= -rounding and high <= low + middle + rounding:
            return given
    elif given.mass == 0.0 and not given.inertia.any():
        return given
    mass = given.mass if given.mass > 0.0 else 1.0
    radius = (0.75 * mass / (pi * WATER)) ** (1.0 / 3.0)
    return Inertial(mass, given.com, np.eye(3) * (0.4 * mass * radius**2))


def _ball(place: str, ball: Inertial) -> Finding:
    return differs(NAME, place, "ball", mass=ball.mass, moment=float(ball.inertia[0, 0]))


def _of_sdf(file: RobotFile) -> EngineView:
    """Drake reads an SDF by libsdformat. It goes on where that refuses the numbers of an inertial, and it refuses
    elements that libsdformat ignores with a warning."""
    links = {link.name: link for link in file.for_gazebo().links}
    view = GAZEBO.view(file)
    given = {name: link.manual for name, link in links.items() if link.manual is not None}
    replaced = {name: ball for name, inertial in given.items() if (ball := possible(inertial)) is not inertial}
    places = {str(links[name].element) for name in replaced}
    rest = (finding for finding in view.findings if finding.subject not in places)
    fatal = (finding for finding in rest if finding.severity == "error" or WARNING in finding.sdf_codes)
    refused = tuple(map(_refusal, fatal))
    return EngineView((), refused) if refused else EngineView(_bodies(links, replaced))


def _refusal(finding: Finding) -> Finding:
    if finding.severity == "error":
        return finding
    return refuses(NAME, finding.subject, "warning", message=finding.sentence)


def _bodies(links: Mapping[str, SdfLink], replaced: Mapping[str, Inertial]) -> tuple[EngineBody, ...]:
    bodies = []
    for name, link in links.items():
        ball = replaced.get(name)
        reasons = () if ball is None else (_ball(str(link.element), ball),)
        bodies.append(EngineBody(name, (name,), ball or link.manual or link.body.inertial, reasons))
    return tuple(bodies)


DRAKE = Engine("drake", "Drake 1.51.1", _view)
