# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDF tab of the 3D view's sidebar."""

from . import density, export, findings, inertia, link, method, model, tags

CLASSES = (
    *model.CLASSES,
    *tags.CLASSES,
    *link.CLASSES,
    *inertia.CLASSES,
    *density.CLASSES,
    *method.CLASSES,
    *findings.CLASSES,
    *export.CLASSES,
)
