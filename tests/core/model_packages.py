# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages in which published models name their meshes, laid out as their authors have them."""

import shutil

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
