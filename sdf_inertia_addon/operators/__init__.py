# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per user action: gather, one call, report."""

from . import choose, copy_inertial, export_sdf, remedy, select_faulty, select_object, tag

CLASSES = (
    *tag.CLASSES,
    *export_sdf.CLASSES,
    *remedy.CLASSES,
    *choose.CLASSES,
    *copy_inertial.CLASSES,
    *select_faulty.CLASSES,
    *select_object.CLASSES,
)
