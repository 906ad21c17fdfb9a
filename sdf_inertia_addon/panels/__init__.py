# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDF tab of the 3D view's sidebar, and our section of its Overlays popover."""

from . import engines, joints, link, model, overlay, published, tags

CLASSES = (
    *model.CLASSES,
    *tags.CLASSES,
    *published.CLASSES,
    *link.CLASSES,
    *joints.CLASSES,
    *engines.CLASSES,
    *overlay.CLASSES,
)
