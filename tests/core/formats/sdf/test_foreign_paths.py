# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes whose URIs lead nowhere: the only one with the end of the URI is read, and one finding reports it."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from core import InertiaError
from core.document import packages
from core.document.locate import Locator
from core.files.input_file import noting_reads
from core.formats.table import read_robot_file, robots_of

from .test_locate import URDF, home, mark, mesh, posix
from .test_workspace import run

__all__ = ["home"]  # the fixture

MANY = """<robot name="r"><link name="l"><inertial><mass value="1000"/>
<inertia ixx="166" ixy="0" ixz="0" iyy="166" iyz="0" izz="166"/></inertial>
<visual><geometry><mesh filename="{0}/visual/part.obj"/></geometry></visual>
<collision><geometry><mesh filename="{0}/collision/part.obj"/></geometry></collision></link></robot>"""
IN_SDF = """<sdf version="1.11"><model name="m"><link name="l"><inertial{0}><mass>1000</mass>
<inertia><ixx>166</ixx><iyy>166</iyy><izz>166</izz></inertia></inertial>
<collision name="c"><geometry><mesh><uri>{1}/collision/part.obj</uri></mesh></geometry></collision></link></model></sdf>
"""

NOWHERE = (
    "/home/somebody/ws/meshes",
    "file:///x/meshes",
    "package://bot_v2/meshes",
    r"C:\ws\meshes",
    "../../meshes",
)


def foreign(path):
    return [finding for finding in read_robot_file(path).findings if finding.code == "foreign_path"]


def in_bot(home, name):
    """Return the path of a file in a package, which is not there yet."""
    mark(home / "ws/bot", name="bot")
    path = home / "ws/bot" / name
    path.parent.mkdir(exist_ok=True)
    return path


@pytest.mark.fault(223)
@pytest.mark.parametrize("folder", NOWHERE)
def test_the_only_mesh_with_the_end_of_a_uri_is_read_and_said_once(folder, home, capfd):
    path = in_bot(home, "urdf/r.urdf")
    folder_there = "old/bot_v2/meshes" if "bot_v2" in folder else "meshes"  # a folder that is not a package
    for kind in ("visual", "collision"):
        mesh(home / "ws/bot" / folder_there / kind / "part.obj")
    path.write_text(MANY.format(folder))
    ((finding,), (robot,)) = foreign(path), robots_of(path)
    assert finding.message.startswith("2 paths of meshes lead to no file")
    assert f"../{folder_there}/visual/part.obj" in finding.message
    assert {use.path.parent.name for use in robot.meshes.values()} == {"collision", "visual"} and not robot.lost
    for words in (["check", path], ["report", path], ["repair", "--dry-run", path]):
        _, printed = run(capfd, *words)
        assert "geometry_not_read" not in printed and "lead to no file" in printed, words


@pytest.mark.fault(223)
@pytest.mark.parametrize("folder", NOWHERE)
def test_a_simulator_that_would_compute_from_such_a_mesh_gets_no_number(folder, home, capfd):
    path = in_bot(home, "sdf/m.sdf")
    mesh(home / "ws/bot" / ("old/bot_v2/meshes" if "bot_v2" in folder else "meshes") / "collision/part.obj")
    path.write_text(IN_SDF.format("", folder))
    assert len(foreign(path)) == 1 and run(capfd, "check", path)[0] == 0
    path.write_text(IN_SDF.format(" auto='true'", folder))
    status, printed = run(capfd, "check", path)
    assert not foreign(path) and (status, printed.count("[uri_")) == (1, 1)


@pytest.mark.fault(223)
@pytest.mark.parametrize(
    "files, uri",
    [
        (["a/visual/part.obj", "b/visual/part.obj"], "/x/visual/part.obj"),  # either
        (["visual/part.obj"], "/x/collision/part.obj"),  # its name alone
        (["visual/Part.obj"], "/x/visual/part.obj"),  # other letters
        ([".hidden/visual/part.obj"], "/x/visual/part.obj"),
        (["meshes/visual/part.obj"], 'package://gripper/meshes/visual/part.obj"/><mesh filename="package://arm/a.obj'),
    ],
)
def test_no_mesh_is_guessed(files, uri, home):
    path = in_bot(home, "r.urdf")
    for file in files:
        mesh(home / "ws/bot" / file)
    path.write_text(URDF.format(uri))
    assert len(robots_of(path)[0].lost) == 1 and not foreign(path)


@posix
@pytest.mark.fault(62, 223)
def test_the_end_of_a_uri_leads_to_no_pipe_and_out_of_no_folder(home):
    path = in_bot(home, "r.urdf")
    secret = mesh(home / "secret/visual/part.obj")
    path.write_text(URDF.format("/x/visual/part.obj"))
    there = home / "ws/bot/visual/part.obj"
    there.parent.mkdir()
    there.symlink_to(secret)
    assert robots_of(path)[0].lost and not foreign(path)
    there.unlink()
    os.mkfifo(there)
    assert robots_of(path)[0].lost and not foreign(path)
    there.unlink()
    (home / "ws/bot/linked").symlink_to(secret.parent.parent)
    assert robots_of(path)[0].lost and not foreign(path)
    mesh(there)
    assert not robots_of(path)[0].lost


@posix
@pytest.mark.fault(62, 223)
def test_below_a_folder_to_which_anybody_writes_no_mesh_is_searched(home):
    if Path(tempfile.gettempdir()).parent != Path("/"):
        pytest.skip("the folder of temporary files is not in the root")
    with tempfile.TemporaryDirectory() as folder:
        mesh(Path(folder) / "visual/part.obj")
        for place, by_end in ((Path(folder), True), (Path(folder).parent, False)):
            locator = replace(Locator.of(place), by_end=True)
            if by_end:
                assert locator.find_mesh("/x/visual/part.obj", "") == Path(folder).resolve() / "visual/part.obj"
            else:
                with pytest.raises(InertiaError):
                    locator.find_mesh("/x/visual/part.obj", "")


@pytest.mark.fault(223)
def test_a_second_mesh_that_may_be_meant_is_noticed(home, monkeypatch):
    path = in_bot(home, "r.urdf")
    mesh(home / "ws/bot/a/visual/part.obj")
    mesh(home / "ws/bot/b/visual/other.obj")
    path.write_text(URDF.format("meshes/visual/part.obj"))
    with noting_reads() as read:
        assert not robots_of(path)[0].lost
    missing = {name for name, digest in read.items() if digest is None}
    assert {str(home / "ws/bot" / name) for name in ("meshes/visual/part.obj", "b/visual/part.obj")} <= missing
    monkeypatch.setattr(packages, "MOST_FILES", 2)  # what is beyond the limit may be meant, too
    assert robots_of(path)[0].lost


@pytest.mark.fault(223)
def test_no_mesh_of_another_robot_of_the_checkout_is_read(home):
    (home / "ws/.git").mkdir(parents=True)
    mesh(home / "ws/robot_b/meshes/visual/part.obj")
    mesh(home / "ws/robot_b/meshes/collision/part.obj")
    path = home / "ws/robot_a/urdf/r.urdf"
    path.parent.mkdir(parents=True)
    path.write_text(MANY.format("../meshes"))
    assert not foreign(path) and not robots_of(path)[0].meshes


@pytest.mark.fault(223)
def test_a_package_uri_with_the_name_of_the_robots_folder_is_read(home):
    for kind in ("visual", "collision"):
        mesh(home / f"downloads/bot_description/meshes/{kind}/part.obj")
    path = home / "downloads/bot_description/urdf/r.urdf"
    path.parent.mkdir(parents=True)
    path.write_text(MANY.format("package://all_robots/robots/bot_description/meshes"))
    assert len(foreign(path)) == 1 and len(robots_of(path)[0].meshes) == 2
    path.write_text(MANY.format("package://all_robots/robots/other_description/meshes"))
    assert not foreign(path)
