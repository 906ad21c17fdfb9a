# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per user action: gather, one call, report."""

from . import export_sdf, remedy, tag

CLASSES = (*tag.CLASSES, *export_sdf.CLASSES, *remedy.CLASSES)
