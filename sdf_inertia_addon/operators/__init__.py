# SPDX-License-Identifier: GPL-3.0-or-later
"""One file per user action: gather, one call, report."""

from . import (
    check_mesh,
    compare_engines,
    computing,
    copy_inertial,
    explain_finding,
    fit_primitive,
    mirror_link,
    paste_inertial,
    remedy,
    select,
    set_density,
    set_inertia,
    set_mass,
    tag,
    tag_by_rules,
    user_materials,
)
from .files import export_model, export_sdf, find_meshes, import_sdf, published
from .joints import from_scene, set_joint

CLASSES = (
    *tag.CLASSES,
    *tag_by_rules.CLASSES,
    *set_density.CLASSES,
    *set_mass.CLASSES,
    *set_inertia.CLASSES,
    *user_materials.CLASSES,
    *export_sdf.CLASSES,
    *export_model.CLASSES,
    *import_sdf.CLASSES,
    *find_meshes.CLASSES,
    *published.CLASSES,
    *remedy.CLASSES,
    *fit_primitive.CLASSES,
    *from_scene.CLASSES,
    *set_joint.CLASSES,
    *mirror_link.CLASSES,
    *copy_inertial.CLASSES,
    *paste_inertial.CLASSES,
    *check_mesh.CLASSES,
    *compare_engines.CLASSES,
    *select.CLASSES,
    *explain_finding.CLASSES,
    *computing.CLASSES,
)
