# SPDX-License-Identifier: GPL-3.0-or-later
"""What may happen to a robot in Blender, one function each: `STEPS` by their names.

A step leaves edit and sculpt mode first, unless it is marked `in_any_mode`. Where Blender itself does not survive
something, the step keeps from it, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from ..robot import Life
from . import files, joints, libraries, meshes, objects, scenes, session, settings

Step = Callable[[Life], None]

ROOMS: tuple[ModuleType, ...] = (objects, meshes, settings, joints, files, libraries, scenes, session)


def _of(room: ModuleType) -> dict[str, Step]:
    own = {name: each for name, each in vars(room).items() if getattr(each, "__module__", "") == room.__name__}
    return {name: each for name, each in own.items() if callable(each) and not name.startswith("_")}


STEPS: dict[str, Step] = {name: step for room in ROOMS for name, step in _of(room).items()}

assert len(STEPS) == sum(len(_of(room)) for room in ROOMS), "two steps of one name"
