# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be clicked and dragged in the 3D view: centres of mass, and the handles of the active link."""

from typing import Any

from . import group

CLASSES: tuple[Any, ...] = group.CLASSES
