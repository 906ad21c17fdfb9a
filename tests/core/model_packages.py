# SPDX-License-Identifier: GPL-3.0-or-later
"""The published models of the reference data, and the packages in which they name their meshes."""

import shutil

TAKEN = (
    "auto_inertia_pendulum/auto_inertia_pendulum.sdf",
    "double_pendulum/double_pendulum.urdf",
    "iiwa_description/iiwa14_polytope_collision.sdf",
    "inertial_complete/inertial_complete.sdf",
    "inertial_stats/inertial_stats.sdf",
    "inertial_stats_auto/inertial_stats_auto.sdf",
    "inertial_stats_auto_mass/inertial_stats_auto_mass.sdf",
    "wsg_50_description/schunk_wsg_50_with_tip.sdf",
)

REFUSED = {
    "inertial_invalid/inertial_invalid.sdf": "bad_mass",
    "mesh_inertia_calculation/mesh_inertia_calculation.sdf": "include_not_read",
}

MESHES = {
    "iiwa_description/meshes/link_7_polytope.obj": "drake_models/iiwa_description/meshes/iiwa14/collision",
    "iiwa_description/meshes/*.gltf": "drake_models/iiwa_description/meshes/iiwa14/visual",
    "iiwa_description/meshes/*.bin": "drake_models/iiwa_description/meshes/iiwa14/visual",
    "wsg_50_description/meshes/*": "drake_models/wsg_50_description/meshes",
    "double_pendulum/meshes/*": "example-robot-data/robots/double_pendulum_description/meshes",
}


def lay_out(models, root):
    """Copy the meshes of the folder `models` to where its files look for them below `root`."""
    for pattern, folder in MESHES.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        for path in models.glob(pattern):
            shutil.copyfile(path, root / folder / path.name)
