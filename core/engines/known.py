# SPDX-License-Identifier: Apache-2.0
"""The engines whose rules are known, by their names in ``--for``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from weakref import WeakKeyDictionary

from ..formats.robot_file import RobotFile
from .drake import DRAKE
from .engine import Engine, EngineView
from .gazebo import GAZEBO
from .mujoco import MUJOCO
from .newton import NEWTON
from .pinocchio import PINOCCHIO
from .pybullet import PYBULLET, PYBULLET_FILE

ENGINES: Mapping[str, Engine] = MappingProxyType(
    {engine.name: engine for engine in (GAZEBO, DRAKE, MUJOCO, PINOCCHIO, PYBULLET, PYBULLET_FILE, NEWTON)}
)

_known: WeakKeyDictionary[RobotFile, dict[str, EngineView]] = WeakKeyDictionary()


def view_of(name: str, file: RobotFile) -> EngineView:
    """Return a file as an engine reads it, computed once."""
    views = _known.setdefault(file, {})
    if name not in views:
        views[name] = ENGINES[name].view(file)
    return views[name]
