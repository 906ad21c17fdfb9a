# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDF tab of the 3D view's sidebar, and our section of its Overlays popover."""

from . import density, export, findings, inertia, link, method, model, overlay, tags, viewport

CLASSES = (
    *model.CLASSES,
    *tags.CLASSES,
    *link.CLASSES,
    *inertia.CLASSES,
    *density.CLASSES,
    *method.CLASSES,
    *findings.CLASSES,
    *viewport.CLASSES,
    *export.CLASSES,
    *overlay.CLASSES,
)
