# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be clicked and dragged in the 3D view: centres of mass, and the handles of the active link."""

from typing import Any

from . import center_handle, mass_handle, pick, select_link

CLASSES: tuple[Any, ...] = (*select_link.CLASSES, *pick.CLASSES, *center_handle.CLASSES, *mass_handle.CLASSES)
