# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines refuse a file for a mesh that they do not find in their own way, and only then."""

import os
import sys

import pytest

from core import read_robot
from tests.engines.paths import MUJOCO, PYBULLET, write_robot

# Other systems take a backslash for a folder, or do not tell letters' case.
pytestmark = [pytest.mark.fault(193), pytest.mark.skipif(sys.platform != "linux", reason="paths of Linux")]


def reasons(path, engine):
    view = read_robot(path).compare_engines([engine]).views[engine]
    return [finding.message for finding in view.findings if view.refused]


@pytest.mark.parametrize("tag", ["visual", "collision"])
@pytest.mark.parametrize("engine", ["pybullet", "pybullet-file"])
def test_pybullet_refuses_a_file_whose_mesh_it_does_not_find(engine, tag, tmp_path):
    for uri, is_found in PYBULLET.items():
        messages = reasons(write_robot(tmp_path, uri, tag), engine)
        assert len(messages) == (not is_found), uri
        assert is_found or uri in messages[0]


def test_mujoco_reads_a_backslash_as_a_slash(tmp_path):
    for uri, is_found in MUJOCO.items():
        assert len(reasons(write_robot(tmp_path, uri), "mujoco")) == (not is_found), uri


def test_a_folder_or_a_fifo_is_not_a_mesh_for_pybullet(tmp_path):
    for name, make in (("fifo.obj", os.mkfifo), ("folder.obj", os.mkdir)):
        path = write_robot(tmp_path, f"../meshes/{name}")
        make(tmp_path / "pkg/meshes" / name)
        assert reasons(path, "pybullet"), name


def test_what_pybullet_needs_by_the_finding_lets_it_load_the_file(tmp_path):
    path = write_robot(tmp_path, "package://lost/meshes/part.obj", "visual")
    (finding,) = read_robot(path).compare_engines(["pybullet"]).views["pybullet"].findings
    assert finding.code == "engine_refuses" and "from the folder of the file" in finding.remedy
    assert not reasons(write_robot(tmp_path, "../meshes/part.obj", "visual"), "pybullet")
