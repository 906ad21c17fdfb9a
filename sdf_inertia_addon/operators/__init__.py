# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per user action: gather, one call, report."""

from . import compute, export_sdf, remedy, show_progress, tag

CLASSES = (*tag.CLASSES, *export_sdf.CLASSES, *remedy.CLASSES, *compute.CLASSES, *show_progress.CLASSES)
