# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds a scene's robot in the pose that is shown: torques of gravity at its joints, and its feet; z is up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.errors import InertiaError
from ...core.robot.joints import leaders_of
from ...core.robot.model import Link, Model
from ...core.statics.mechanism import GRAVITY, Mechanism
from ...core.statics.support import Support, foot_points, lowest, standing, support
from ..translations.words import iface_
from .model import LiveModel

NOISE, QUIET = 1e-6, 1e-4
"""Shares of the weight at a metre. Torques below the first are 0, since Blender's matrices have single precision. Marks
are as long as a torque's share of the largest, or of the second: those of well balanced wheels stay short.
"""


@dataclass(frozen=True, eq=False)
class LiveStatics:
    """A robot at rest in a pose, its root held.

    Parameters
    ----------
    torques : mapping of str to float
        What the motor of each joint gives, followers included, by name [N·m, of a slider N].
    com : ndarray, shape (3,), or None
        In the world [m]; None if nothing has mass.
    support : Support or None
        What it stands on; None if it is fixed to the world, or if no link has a geometry.
    quiet : float
        A torque that hardly matters to this robot [N·m].
    problem : str
        Why there are no numbers.
    """

    torques: Mapping[str, float] = field(default_factory=dict)
    com: FloatArray | None = None
    support: Support | None = None
    quiet: float = 0.0
    problem: str = ""


_mechanisms: WeakKeyDictionary[LiveModel, Mechanism | str] = WeakKeyDictionary()
_statics: WeakKeyDictionary[LiveModel, tuple[Mapping[str, float], LiveStatics]] = WeakKeyDictionary()
_points: WeakKeyDictionary[Link, tuple[bytes, FloatArray]] = WeakKeyDictionary()
"""The points of each link's geometry in the world, where it was last."""


def statics_of(model: LiveModel, positions: Mapping[str, float]) -> LiveStatics:
    """Return the statics of a model with its joints at `positions` [rad, m], 0 for all others; once for each pose."""
    if model not in _statics or _statics[model][0] != positions:
        _statics[model] = (positions, _computed(model, positions))
    return _statics[model][1]


def _computed(model: LiveModel, positions: Mapping[str, float]) -> LiveStatics:
    if model not in _mechanisms:
        _mechanisms[model] = _mechanism(model)
    mechanism = _mechanisms[model]
    if isinstance(mechanism, str):
        return LiveStatics(problem=mechanism)
    # Followers are shown where their own sliders are, so each joint is free here, and its leader holds it too.
    q = np.array([positions.get(name, 0.0) for name in mechanism.free])
    held = mechanism.gravity_torques(q[None])[0]
    torques = dict(zip(mechanism.free, held.tolist(), strict=True))
    for name, (leader, multiplier, _offset) in leaders_of(model.joints).items():
        torques[leader] += multiplier * torques.pop(name)
    least = NOISE * GRAVITY * mechanism.mass
    torques = {name: torque if abs(torque) > least else 0.0 for name, torque in torques.items()}
    poses = mechanism.poses(q)
    total = model.total(poses)
    quiet = QUIET * GRAVITY * mechanism.mass
    if total is None or not total.mass:
        return LiveStatics(torques, quiet=quiet)
    return LiveStatics(torques, total.com, None if mechanism.fixed else _support(model, poses, total.com), quiet)


def _mechanism(model: LiveModel) -> Mechanism | str:
    """Return the mechanism of a model, or why there is none."""
    bodies = [link.body for link in model.links if not link.left_out]
    wrong = next((body.name for body in bodies if body.refused), None)
    if wrong is not None:
        return iface_("Statics: '{name}' has no right inertia yet", name=wrong)
    links = tuple(replace(link.body.link or Link(link.body.name), pose=link.body.pose) for link in model.links)
    joints = tuple(replace(joint, mimic=None) for joint in model.joints)
    try:
        return Mechanism.of(Model("", links, joints), {body.name: body.inertial for body in bodies})
    except InertiaError as error:
        return iface_("Statics: joint '{name}' is wrong", name=error.subject)


def _support(model: LiveModel, poses: Mapping[str, Pose], com: FloatArray) -> Support | None:
    points = {link.name: _placed(link, poses[link.name]) for each in model.links if (link := each.body.link)}
    feet = [*standing(points)]
    return support(np.concatenate([lowest(points[name]) for name in feet]), com) if feet else None


def _placed(link: Link, pose: Pose) -> FloatArray:
    key = pose.R.tobytes() + pose.p.tobytes()
    if link not in _points or _points[link][0] != key:
        _points[link] = (key, foot_points(link, pose))
    return _points[link][1]
