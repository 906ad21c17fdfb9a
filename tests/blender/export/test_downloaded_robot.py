# SPDX-License-Identifier: GPL-3.0-or-later
"""The robot of the third tutorial: imported, its wrong links accepted, and exported, it is the same in simulators."""

import shutil
from pathlib import Path

import bpy
import pytest

from core.formats.table import robots_of
from tools.tutorials.imported_acts import PACKAGE, URDF, WRONG, functions
from tools.tutorials.imported_programs import IN_DRAKE, IN_MUJOCO

FLOAT32 = 1e-6
"""Relative: the numbers of the file and the vertices are float32 in Blender."""


@pytest.fixture
def exported(scene, tmp_path):
    """The folder of the exported files, and the inertials of the file that was written back."""
    path = Path(shutil.copytree(PACKAGE, tmp_path / PACKAGE.name)) / URDF
    bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
    for name in WRONG:
        bpy.ops.sdf_inertia.accept_computed(target=name)
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    for suffix in ("urdf", "sdf"):
        target = tmp_path / f"biped/model.{suffix}"
        assert bpy.ops.sdf_inertia.export_sdf(filepath=str(target), file_format=suffix) == {"FINISHED"}
    (robot,) = robots_of(path)
    return tmp_path / "biped", robot.published


def assert_agree(bodies, file):
    assert set(bodies) == set(file) and len(file) == 7
    for name, (mass, com) in bodies.items():
        assert mass == pytest.approx(file[name].mass, rel=FLOAT32)
        assert list(com) == pytest.approx(list(file[name].com), abs=FLOAT32)


def test_mujoco_has_the_masses_and_centres_of_the_file_and_swings_a_leg(exported):
    pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this Python")
    folder, file = exported
    program = functions(IN_MUJOCO)
    model = program["load"](str(folder / "model.urdf"))
    bodies = [model.body(number) for number in range(1, model.nbody)]
    assert_agree({body.name: (body.mass[0], body.ipos) for body in bodies}, file)
    hip = program["swing"](model).joint("left_hip").qpos[0]
    assert -0.5 < hip < -0.3


def test_drake_has_the_masses_and_centres_of_the_file(exported):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    folder, file = exported
    plant, bodies = functions(IN_DRAKE)["load"](str(folder / "model.sdf"))
    context = plant.CreateDefaultContext()
    found = {body.name(): (body.default_mass(), body.CalcCenterOfMassInBodyFrame(context)) for body in bodies}
    assert_agree(found, file)
    assert plant.num_positions() == 6  # the torso is fixed to the world
