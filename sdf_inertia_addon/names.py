# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids that Blender, users' scripts and saved files rely on."""

from typing import Literal

PROPERTIES = "sdf_inertia"
"""The attribute of an object that holds its tags and settings."""

MODEL = "sdf_inertia_model"
"""The attribute of a scene that holds the settings of its robot as a whole."""

SELECTED = "sdf_inertia_selected"
"""The attribute of a scene by which the panel edits the selected objects together."""

BEGUN = "sdf_inertia_begun"
"""The attribute of an object that holds what our buttons began on it."""

OVERRIDE: set[Literal["LIBRARY_OVERRIDABLE"]] = {"LIBRARY_OVERRIDABLE"}
"""Whoever overrides a library's object may tag it, and find that again in the saved file."""

COMMAND = "sdf_inertia"
"""``blender --command sdf_inertia``."""

TAG_LINK = "sdf_inertia.tag_link"
TAG_COLLISION = "sdf_inertia.tag_collision"
TAG_MASS = "sdf_inertia.tag_mass"
TAG_VISUAL = "sdf_inertia.tag_visual"
UNTAG = "sdf_inertia.untag"
TAG_BY_RULES = "sdf_inertia.tag_by_rules"
SET_DENSITY = "sdf_inertia.set_density"
SET_MATERIAL = "sdf_inertia.set_material"
SET_MASS = "sdf_inertia.set_mass"
SET_MODEL_MASS = "sdf_inertia.set_model_mass"
SET_INERTIA = "sdf_inertia.set_inertia"
ADD_MATERIAL = "sdf_inertia.add_material"
REMOVE_MATERIAL = "sdf_inertia.remove_material"
JOINTS_FROM_HIERARCHY = "sdf_inertia.joints_from_hierarchy"
JOINTS_FROM_CONSTRAINTS = "sdf_inertia.joints_from_constraints"
SET_JOINT = "sdf_inertia.set_joint"
SET_JOINT_LIMITS = "sdf_inertia.set_joint_limits"
RESET_POSE = "sdf_inertia.reset_pose"
IMPORT_SDF = "sdf_inertia.import_sdf"
FIND_MESHES = "sdf_inertia.find_meshes"
ACCEPT_COMPUTED = "sdf_inertia.accept_computed"
WRITE_BACK = "sdf_inertia.write_back"
EXPORT_SDF = "sdf_inertia.export_sdf"
EXPORT_MODEL = "sdf_inertia.export_model"
USE_VOXELS = "sdf_inertia.use_voxels"
USE_HULL = "sdf_inertia.use_hull"
USE_SHELL = "sdf_inertia.use_shell"
FIT_PRIMITIVE = "sdf_inertia.fit_primitive"
CLOSE_HOLES = "sdf_inertia.close_holes"
DELETE_LOOSE_FACES = "sdf_inertia.delete_loose_faces"
RECALCULATE_OUTSIDE = "sdf_inertia.recalculate_outside"
MERGE_BY_DISTANCE = "sdf_inertia.merge_by_distance"
CUT_QUADS = "sdf_inertia.cut_quads"
CHECK_MESH = "sdf_inertia.check_mesh"
COMPUTE = "sdf_inertia.compute"
SHOW_PROGRESS = "sdf_inertia.show_progress"
COPY_INERTIAL = "sdf_inertia.copy_inertial"
SELECT_FAULTY = "sdf_inertia.select_faulty"
SELECT_OBJECT = "sdf_inertia.select_object"
EXPLAIN_FINDING = "sdf_inertia.explain_finding"
WRITE_FILLED = "sdf_inertia.write_filled"
USE_EXACT = "sdf_inertia.use_exact"
USE_MEANT_INERTIAL = "sdf_inertia.use_meant_inertial"

FILE_HANDLER = "SDF_INERTIA_FH_sdf"
"""By which a collection's exporter is added."""

IMPORT_HANDLER = "SDF_INERTIA_FH_robot"
"""By which a robot's file is dropped on a 3D view."""

PANEL_CATEGORY = "SDF"
