# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept All is the plan of `repair`, link by link, and Write Back writes it from the numbers in the file."""

from pathlib import Path
from shutil import copytree

import bpy
import pytest

from tests.core.judge.generated_robots import Robot
from tests.reference_data import DATA
from tests.versions import CHECKOUT

from ..scenes import module

pytestmark = pytest.mark.usefixtures("scene")

ROBOTS = DATA / "robot_faults"
EXAMPLES = CHECKOUT / "examples"


def table():
    return module("core.formats.table")


def names_in(folder, ends=(".sdf", ".world", ".urdf", ".mjcf", ".xml")):
    """Return the robots' files in a folder, as paths in it."""
    paths = (path for path in sorted(folder.rglob("*")) if path.name.endswith(ends))
    return [path.relative_to(folder).as_posix() for path in paths]


def contents(folder):
    """Return the bytes of all files in a folder but backups."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".bak")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def repaired(path):
    """Repair a file in its place, as the command does; return False if it cannot be read."""
    error = module("core.errors").InertiaError
    whole_files = module("core.files.whole_files")
    try:
        file = table().read_robot_file(path)
        result = module("core.judge.repair").repair_file(file, module("core.judge.measured").RepairOptions())
    except error:
        return False
    whole_files.write_several_atomic({path: result.data, **result.included})
    return True


def is_imported(path):
    """Import a file; return False if it cannot be imported."""
    try:
        bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
    except RuntimeError:
        return False
    bpy.context.view_layer.update()
    return True


def accept_all_and_write():
    if bpy.ops.sdf_inertia.accept_computed.poll():
        bpy.ops.sdf_inertia.accept_computed()
    if bpy.ops.sdf_inertia.write_back.poll():
        assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}


def assert_writes_as_repair(folder, name, tmp_path):
    """Compare all files of a folder after Accept All and Write Back with those after `repair --in-place`."""
    here, there = tmp_path / "blender", tmp_path / "command"
    copytree(folder, here)
    copytree(folder, there)
    if not is_imported(here / name):
        pytest.skip("not imported")
    assert repaired(there / name)
    accept_all_and_write()
    written, expected = contents(here), contents(there)
    different = [file for file in expected if written[file] != expected[file]]
    assert not different and written.keys() == expected.keys()


FAULTY = [f"{part}/{name}" for part in ("verdict", "urdf", "scene", "mjcf") for name in names_in(ROBOTS / part)]


@pytest.mark.parametrize("name", FAULTY)
def test_accept_all_writes_the_bytes_of_repair_for_faulty_robots(name, tmp_path):
    part, _, path = name.partition("/")
    assert_writes_as_repair(ROBOTS / part, path, tmp_path)


@pytest.mark.parametrize("seed", [seed for seed in range(600) if seed % 4 != 2])
def test_accept_all_writes_the_bytes_of_repair_for_generated_robots(seed, tmp_path):
    robot = Robot(seed)
    if robot.format == "xacro":
        pytest.skip("xacro is not imported")
    folder = tmp_path / "robot"
    folder.mkdir()
    path = robot.write(folder)
    assert_writes_as_repair(folder, path.relative_to(folder).as_posix(), tmp_path)
