# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the meshes of a ROS package are found, by every command alike, and which files stay out of reach."""

import json
import os

import pytest

from core import InertiaError
from core.cli.main import main
from core.document.locate import SEARCH_VARIABLES, Locator
from core.files.input_file import noting_reads
from core.files.mesh_writers import obj_bytes
from core.formats.sdf.read import read_sdf
from core.formats.table import read_robot_file, robots_of
from core.mesh.surface import Surface

from ...solids import box

BOX = obj_bytes(Surface(*box())).decode()

URDF = """<robot name="r"><link name="l"><inertial><mass value="1000"/>
<inertia ixx="166" ixy="0" ixz="0" iyy="166" iyz="0" izz="166"/></inertial>
<collision><geometry><mesh filename="{}"/></geometry></collision></link></robot>"""
posix = pytest.mark.skipif(os.name != "posix", reason="symbolic links need permission on Windows")
MARKS = {"package": "package.xml", "model": "model.config", "git": ".git"}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return a home folder with no package in it."""
    for variable in SEARCH_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    return tmp_path


def mesh(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(BOX)
    return path


def mark(folder, kind="package", name="other"):
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "git":
        (folder / ".git").mkdir()
    else:
        (folder / MARKS[kind]).write_text(f"<?xml version='1.0'?>\n<package><name> {name} </name></package>")


def locator(folder, *roots):
    folder.mkdir(parents=True, exist_ok=True)
    return Locator.of(folder, roots)


def installed_by_links(home, monkeypatch):
    """Install a package as ``colcon build --symlink-install`` does, and source it; return the folder ``share``."""
    share = home / "install/arm/share"
    mark(home / "src/arm", name="arm")
    mesh(home / "src/arm/meshes/box.obj")
    mesh(home / "src/arm/sdf/model.sdf")
    for name in ("package.xml", "meshes/box.obj", "sdf/model.sdf"):
        (share / "arm" / name).parent.mkdir(parents=True, exist_ok=True)
        (share / "arm" / name).symlink_to(home / "src/arm" / name)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(share.parent))
    return share


def refusal(folder, uri, find="find_mesh"):
    with pytest.raises(InertiaError) as error:
        getattr(locator(folder), find)(uri, "place")
    return error.value.code


# --- found ----------------------------------------------------------------------------------------------------------


@pytest.mark.fault(119, 101)
def test_a_package_that_was_renamed_finds_its_own_meshes(home):
    mesh(home / "ws/arm_description/meshes/arm/box.obj")
    (home / "ws/arm_description/urdf").mkdir()
    robot = URDF.format("package://arm_support/meshes/arm/box.obj")
    (home / "ws/arm_description/urdf/arm.urdf").write_text(robot)
    (home / "arm.urdf").write_text(robot)
    both = URDF.format('package://arm_support/meshes/arm/box.obj"/><mesh filename="package://gripper/meshes/box.obj')
    (home / "ws/arm_description/urdf/both.urdf").write_text(both)
    for name, root, lost in (
        ("ws/arm_description/urdf/arm.urdf", home / "nowhere", 0),
        ("arm.urdf", home / "ws/arm_description", 0),
        ("arm.urdf", home / "ws", 1),
        ("ws/arm_description/urdf/both.urdf", home / "nowhere", 1),  # its own, or the gripper's?
    ):
        (read,) = robots_of(home / name, (root,))
        assert len(read.lost) == lost, (name, root)
        codes = [finding.code for finding in read_robot_file(home / name, (root,)).findings]
        assert codes.count("package_renamed") == 1 - lost


@pytest.mark.fault(119)
def test_a_relative_path_may_begin_with_the_folder_of_its_file(home):
    there = mesh(home / "data/wheel/box.obj")
    assert locator(home / "data/wheel").find_mesh("wheel/box.obj", "") == there


@pytest.mark.fault(101)
@pytest.mark.parametrize("name", ["arm", "renamed"])
@pytest.mark.parametrize("scheme", ["package", "model"])
def test_a_package_is_found_by_the_name_of_its_folder_or_its_own(name, scheme, home):
    found = mesh(home / "ws/arm/meshes/box.obj")
    mark(home / "ws/arm", name="renamed")
    place = locator(home / "ws/arm/robots/x/urdf")
    assert place.find_mesh(f"{scheme}://{name}/meshes/box.obj", "") == found
    assert place.find(f"{scheme}://{name}/meshes", "") == found.parent


@pytest.mark.fault(101)
def test_a_folder_above_is_found_by_its_name_without_package_xml(home):
    found = mesh(home / "ws/arm/meshes/box.obj")
    assert locator(home / "ws/arm/robots/x/urdf").find_mesh("package://arm/meshes/box.obj", "") == found
    assert refusal(home / "ws/arm/urdf", "package://arm/meshes/box.obj", "find") == "uri_lookup"
    assert refusal(home / "ws/arm/urdf", "package://other/meshes/box.obj") == "uri_lookup"


@pytest.mark.fault(101)
def test_a_package_is_found_by_the_variables_of_ros(home, monkeypatch):
    found = mesh(home / "opt/share/arm/meshes/box.obj")
    for variable, folder in (("AMENT_PREFIX_PATH", "opt"), ("ROS_PACKAGE_PATH", "opt/share")):
        assert refusal(home / "bot", "package://arm/meshes/box.obj") == "uri_lookup"
        monkeypatch.setenv(variable, os.pathsep.join(["", "/nowhere", str(home / folder)]))
        assert locator(home / "bot").find_mesh("package://arm/meshes/box.obj", "") == found
        monkeypatch.delenv(variable)


@posix
@pytest.mark.fault(101)
def test_a_package_of_ament_that_was_installed_by_links_is_read(home, monkeypatch):
    share = installed_by_links(home, monkeypatch)
    assert locator(home / "bot").find_mesh("package://arm/meshes/box.obj", "") == home / "src/arm/meshes/box.obj"
    assert locator(home / "bot").find("model://arm/sdf/model.sdf", "") == home / "src/arm/sdf/model.sdf"
    (share / "arm/package.xml").unlink()
    mark(share / "arm")  # a copy: whose link leads out is not known
    assert refusal(home / "bot", "package://arm/meshes/box.obj") == "uri_refused"


@pytest.mark.fault(101)
def test_the_package_that_a_file_lies_in_wins_over_others(home):
    mark(home / "ws/arm", name="arm")
    own, other = mesh(home / "ws/arm/meshes/box.obj"), mesh(home / "else/arm/meshes/box.obj")
    place = locator(home / "ws/arm/urdf", home / "else")
    assert place.find_mesh("package://arm/meshes/box.obj", "") == own
    own.unlink()
    assert place.find_mesh("package://arm/meshes/box.obj", "") == other


@pytest.mark.fault(151)
@pytest.mark.parametrize("kind", MARKS)
def test_meshes_next_to_urdf_are_found_in_a_package_or_checkout(kind, home):
    mark(home / "ws/arm", kind)
    found = mesh(home / "ws/arm/geometry/box.obj")
    assert locator(home / "ws/arm/robots/urdf").find_mesh("../../geometry/box.obj", "") == found
    assert locator(home / "ws/arm/robots/urdf").find_mesh(f"file://{found}", "") == found


@pytest.mark.fault(151)
@pytest.mark.parametrize("folder", ["meshes", "Mesh", "MODELS", "visual", "collision"])
def test_meshes_next_to_urdf_are_found_by_the_name_of_their_folder(folder, home):
    found = mesh(home / "arm" / folder / "a" / "box.obj")
    assert locator(home / "arm/urdf").find_mesh(f"../{folder}/a/box.obj", "") == found


@pytest.mark.fault(101, 151)
@pytest.mark.parametrize("uri", ["../meshes/box.obj", "package://arm/meshes/box.obj"])
@pytest.mark.parametrize("marked", [True, False])
def test_every_command_finds_the_meshes_of_a_package(uri, marked, home, capfd):
    mesh(home / "ws/arm/meshes/box.obj")
    if marked:
        mark(home / "ws/arm")
    path = home / "ws/arm/urdf/r.urdf"
    path.parent.mkdir()
    path.write_text(URDF.format(uri))
    for words in (
        ["check", path],
        ["repair", path, "--dry-run"],
        ["report", path, "--format", "json"],
        ["diff", path, path],
        ["fill", path, "-o", home / "filled.sdf"],
        ["batch", "check", path, "--report", home / "report.jsonl", "--jobs", "1"],
    ):
        main([str(word) for word in words])
        printed = "".join(capfd.readouterr())
        assert "uri_" not in printed and "geometry_not_read" not in printed, words
    assert "uri_" not in json.dumps((home / "report.jsonl").read_text())


@pytest.mark.fault(151)
def test_a_mesh_that_is_found_is_read_with_its_materials(home):
    (home / "arm/sdf").mkdir(parents=True)
    found = mesh(home / "arm/meshes/box.obj")
    found.write_text(f"mtllib box.mtl\nusemtl red\n{BOX}usemtl blue\n{BOX}")
    found.with_suffix(".mtl").write_text("newmtl red\nnewmtl blue\n")
    path = home / "arm/sdf/m.sdf"
    path.write_text(
        "<sdf version='1.11'><model name='m'><link name='l'><collision name='c'><geometry><mesh>"
        "<uri>../meshes/box.obj</uri></mesh></geometry></collision></link></model></sdf>"
    )
    (link,) = read_sdf(path).links
    with noting_reads() as read:
        assert len(link.meshes.file(found).submeshes) == 2
    assert read[str(found.with_suffix(".mtl"))]


# --- missing, and out of reach ----------------------------------------------------------------------------------------


@pytest.mark.fault(151)
@pytest.mark.parametrize("uri", ["../meshes/no.obj", "../no.stl", "../../other/no.dae", "/no/where.stl"])
def test_a_mesh_that_does_not_exist_is_missing_and_not_refused(uri, home):
    assert refusal(home / "ws/arm/urdf", uri) == "uri_lookup"


@pytest.mark.fault(62, 151)
@pytest.mark.parametrize("kind", [None, *MARKS])
def test_other_folders_stay_out_of_reach(kind, home):
    if kind is not None:
        mark(home / "ws/arm", kind)
    mesh(home / "ws/secret/box.obj")
    mesh(home / "ws/meshes/box.obj")
    mesh(home / "box.obj")
    for uri in ("../../secret/box.obj", "../../meshes/box.obj", "../../../box.obj", "../urdf/../../secret/box.obj"):
        assert refusal(home / "ws/arm/urdf", uri) == "uri_refused"
    assert refusal(home / "ws/arm/urdf", "package://arm/../secret/box.obj") == "uri_refused"
    mesh(home / "ws/arm/other/box.obj")
    if kind is None:
        assert refusal(home / "ws/arm/urdf", "../other/box.obj") == "uri_refused"
        assert refusal(home / "ws/arm/urdf", "../meshes/../other/box.obj") == "uri_refused"


@pytest.mark.fault(62, 151)
def test_only_meshes_are_read_next_to_urdf_and_never_includes(home):
    for name in ("key.pem", "model.sdf", "box.obj"):
        mesh(home / "arm/meshes" / name)
    assert locator(home / "arm/sdf").find_mesh("../meshes/box.obj", "")
    for uri in ("../meshes/key.pem", "../meshes/model.sdf", "../meshes"):
        assert refusal(home / "arm/sdf", uri) == "uri_refused"
    for uri in ("../meshes/model.sdf", "../meshes/box.obj", "../meshes/gone.obj"):
        assert refusal(home / "arm/sdf", uri, "find") == "uri_refused"


@pytest.mark.fault(62, 151)
@posix
@pytest.mark.parametrize("marked", [True, False])
def test_links_out_of_the_folder_of_meshes_are_refused(marked, home):
    if marked:
        mark(home / "ws/arm", "git")
    secret = mesh(home / "ws/secret/box.obj")
    mesh(home / "ws/arm/meshes/box.obj").unlink()
    (home / "ws/arm/meshes/box.obj").symlink_to(secret)
    (home / "ws/arm/models").symlink_to(secret.parent)
    for uri in ("../meshes/box.obj", "../models/box.obj", "package://arm/meshes/box.obj"):
        assert refusal(home / "ws/arm/urdf", uri) == "uri_refused"


@posix
@pytest.mark.fault(62, 101)
@pytest.mark.parametrize("find", ["find", "find_mesh"])
def test_a_package_installed_by_links_opens_no_other_folder(home, monkeypatch, find):
    share = installed_by_links(home, monkeypatch)
    secret = mesh(home / "secret/box.obj")
    for link in (share / "arm/out.obj", share / "out.obj", home / "src/arm/out.obj", home / "bot/out.obj"):
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(secret)
    mesh(home / "src/other/box.obj")
    uris = ["package://arm/out.obj", "package://out.obj", str(home / "src/arm/out.obj"), "out.obj", str(secret)]
    uris += ["package://arm/../../../../secret/box.obj", "package://arm/meshes/../../../../../secret/box.obj"]
    uris += [str(home / "src/other/box.obj"), f"file://{home}/src/arm/../other/box.obj", str(home / "src/package.xml")]
    for uri in uris:
        assert refusal(home / "bot", uri, find) == "uri_refused", uri
    # The source folder may be read, but nothing is searched in it.
    assert getattr(locator(home / "bot"), find)("package://arm/meshes/box.obj", "")
    assert refusal(home / "bot", "meshes/box.obj", find) == "uri_lookup"


@posix
@pytest.mark.fault(62, 101)
@pytest.mark.parametrize("target", ["package.xml", "private/key.pem"])
def test_a_link_named_package_xml_opens_neither_the_home_folder_nor_one_of_other_files(home, monkeypatch, target):
    share = installed_by_links(home, monkeypatch)
    (mesh(home / "private/box.obj").parent / "key.pem").touch()
    mark(home)
    (share / "arm/package.xml").unlink()
    (share / "arm/package.xml").symlink_to(home / target)
    for uri in (str(home / "private/box.obj"), "package://arm/meshes/box.obj"):
        assert refusal(home / "bot", uri) == "uri_refused"


@posix
@pytest.mark.fault(62, 101)
def test_links_in_the_source_folders_of_ros_1_are_refused(home, monkeypatch):
    """Nobody installed them: they may come with a clone."""
    share = installed_by_links(home, monkeypatch)
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    for variable in ("ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH"):
        monkeypatch.setenv(variable, str(share))
        assert refusal(home / "bot", "package://arm/meshes/box.obj") == "uri_refused"


@pytest.mark.fault(62, 101, 151)
@pytest.mark.parametrize("kind", MARKS)
def test_the_home_folder_is_never_a_package(kind, home):
    mark(home, kind, "house")
    mesh(home / "private/box.obj")
    mesh(home / "meshes/box.obj")
    for uri in ("../private/box.obj", "../meshes/box.obj", f"package://{home.name}/private/box.obj"):
        assert refusal(home / "downloads", uri) == "uri_refused" if uri.startswith("..") else "uri_lookup"
    assert refusal(home / "downloads", "package://house/private/box.obj") == "uri_lookup"


@pytest.mark.fault(101)
def test_a_robot_in_the_folder_that_holds_the_homes_lacks_its_meshes(home, monkeypatch):
    monkeypatch.setenv("HOME", str(home / "someone"))
    monkeypatch.setenv("USERPROFILE", str(home / "someone"))
    assert refusal(home, "package://arm/meshes/box.obj") == "uri_lookup"


# --- what it costs, and what a batch has to know ----------------------------------------------------------------------


@pytest.mark.fault(101)
def test_a_package_xml_that_appears_is_noticed(home):
    mesh(home / "ws/arm/meshes/box.obj")
    with noting_reads() as read:
        assert refusal(home / "ws/arm/urdf", "package://renamed/meshes/box.obj") == "uri_lookup"
    assert read[str(home / "ws/arm/package.xml")] is None
    mark(home / "ws/arm", name="renamed")
    with noting_reads() as read:
        locator(home / "ws/arm/urdf").find_mesh("package://renamed/meshes/box.obj", "")
    assert read[str(home / "ws/arm/package.xml")]


@pytest.mark.fault(101)
def test_the_folders_above_are_searched_once(home, monkeypatch):
    mark(home / "ws/arm")
    found = mesh(home / "ws/arm/meshes/box.obj")
    place = locator(home / "ws/arm/urdf")
    place.find_mesh("package://other/meshes/box.obj", "")
    looked = []
    monkeypatch.setattr(os.path, "isfile", lambda path: looked.append(path))
    assert [place.find_mesh("package://other/meshes/box.obj", "") for _ in range(20)] == [found] * 20
    assert [place.find_mesh("../meshes/box.obj", "") for _ in range(20)] == [found] * 20
    assert not looked
