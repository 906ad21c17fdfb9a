# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDF tab of the 3D view's sidebar."""

from . import link, tags

CLASSES = (*tags.CLASSES, *link.CLASSES)
