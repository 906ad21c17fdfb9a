# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of packages beside the robot's own, of another computer's paths, and in other letters; and what stays shut."""

import json
import os
import re
import shlex
from pathlib import Path

import pytest

from core import InertiaError
from core.cli.main import main
from core.document import packages
from core.files.input_file import noting_reads
from core.formats.sdf.read import read_sdf
from core.formats.table import read_robot_file, robots_of
from core.robot.model import Unusable

from .test_locate import URDF, home, locator, mark, mesh, posix, refusal

__all__ = ["home"]  # the fixture

XACRO = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
FOREIGN = "/home/somebody/catkin_ws/src/thing_description/meshes/visual/part.obj"
HUGE = 300


def message(folder, uri, find="find_mesh", *roots):
    with pytest.raises(InertiaError) as error:
        getattr(locator(folder, *roots), find)(uri, "")
    return f"{error.value.message} -> {error.value.remedy}"


def workspace(folder, *above):
    """Write the packages arm and resources, whose folder is res; return the folder of the robot, and a mesh."""
    mark(folder / "arm", name="arm")
    mark(folder / "res", name="resources")
    for path in above:
        mark(path, "git")
    return folder / "arm/urdf", mesh(folder / "res/meshes/box.obj")


def run(capfd, *words):
    """Run a command; return its status and all that it prints, on one line."""
    status = main([str(word) for word in words])
    return status, " ".join("".join(capfd.readouterr()).split())


# --- packages beside the robot's own ----------------------------------------------------------------------------------


@pytest.mark.fault(194)
@pytest.mark.parametrize("scheme", ["package", "model"])
@pytest.mark.parametrize("name", ["resources", "res"])
@pytest.mark.parametrize("git", ["ws", "ws/arm", None])
def test_a_package_beside_its_own_is_found_by_either_name(git, name, scheme, home):
    place, found = workspace(home / "ws", *([home / git] if git else []))
    assert locator(place).find_mesh(f"{scheme}://{name}/meshes/box.obj", "") == found


@pytest.mark.fault(194)
def test_a_package_elsewhere_in_the_checkout_is_found_and_not_outside(home):
    place, _ = workspace(home / "ws/robots", home / "ws")
    mark(home / "ws/common/deep/parts", name="parts")
    mark(home / "outside", name="outside")
    mesh(home / "outside/box.obj")
    found = mesh(home / "ws/common/deep/parts/box.obj")
    assert locator(place).find_mesh("package://parts/box.obj", "") == found
    assert refusal(place, "package://outside/box.obj") == "uri_lookup"
    (home / "ws/.git").rmdir()
    assert refusal(place, "package://parts/box.obj") == "uri_lookup"


@pytest.mark.fault(194)
def test_every_command_finds_the_meshes_of_the_package_beside(home, capfd):
    place, found = workspace(home / "ws", home / "ws")
    place.mkdir()
    path = place / "r.urdf"
    path.write_text(URDF.format("package://resources/meshes/box.obj"))
    for words in (
        ["check", path],
        ["repair", path, "--dry-run"],
        ["report", path, "--format", "json"],
        ["report", path, "--format", "html", "--output", home / "page.html"],  # as view shows it
        ["diff", path, path],
        ["fill", path, "-o", home / "filled.urdf", "--for", "mujoco"],
        ["batch", "check", path, "--report", home / "report.jsonl", "--jobs", "1"],
    ):
        status, printed = run(capfd, *words)
        assert status < 2 and "uri_" not in printed and "geometry_not_read" not in printed, words
    assert "uri_" not in json.dumps((home / "report.jsonl").read_text())
    assert not robots_of(path)[0].lost
    geometry = "<geometry><mesh><uri>model://res/meshes/box.obj</uri></mesh></geometry>"
    text = f"<link name='l'><collision name='c'>{geometry}</collision></link>"
    (place / "m.sdf").write_text(f"<sdf version='1.11'><model name='m'>{text}</model></sdf>")
    (link,) = read_sdf(place / "m.sdf").links
    assert link.meshes.file(found)


@pytest.mark.fault(194)
def test_a_xacro_file_includes_macros_of_the_package_beside(home):
    place, _ = workspace(home / "ws", home / "ws")
    place.mkdir()
    part = URDF.partition(">")[2].format("package://resources/meshes/box.obj").removesuffix("</robot>")
    (home / "ws/res/macros.xacro").write_text(f'<robot {XACRO}><xacro:macro name="m">{part}</xacro:macro></robot>')
    include = '<xacro:include filename="$(find {})/macros.xacro"/><xacro:m/>'
    path = place / "r.urdf.xacro"
    path.write_text(f'<robot name="r" {XACRO}>{include.format("resources")}</robot>')
    assert [link.name for link in read_robot_file(path).links] == ["r::l"]
    mesh(home / "ws/secret/macros.xacro")
    for name, code in (("secret", "uri_lookup"), ("resources)/../secret/../secret$(optenv NONE", "uri_refused")):
        path.write_text(f'<robot name="r" {XACRO}>{include.format(name)}</robot>')
        with pytest.raises(InertiaError) as error:
            read_robot_file(path)
        assert error.value.code == code


@pytest.mark.fault(62, 194)
def test_only_meshes_of_packages_beside_are_read(home):
    place, _ = workspace(home / "ws", home / "ws")
    for name in ("res/meshes/key.pem", "res/model.sdf", "secret/box.obj"):
        mesh(home / "ws" / name)
    for uri in ("package://../arm/../secret/box.obj", "package://./../secret/box.obj", "model://../secret/box.obj"):
        assert refusal(place, uri) == "uri_refused", uri
    for uri in ("meshes/key.pem", "model.sdf", "../secret/box.obj", "../arm/../secret/box.obj", ""):
        assert refusal(place, f"package://resources/{uri}") == "uri_refused", uri
    assert refusal(place, "../../res/meshes/box.obj") == "uri_refused"
    assert refusal(place, "package://secret/box.obj") == "uri_lookup"
    for uri in ("model://resources", "model://res/model.sdf", "package://resources/meshes/box.obj"):
        assert refusal(place, uri, "find") == "uri_lookup"


@posix
@pytest.mark.fault(62, 194)
def test_no_link_leads_to_or_out_of_a_package_beside(home):
    place, _ = workspace(home / "ws", home / "ws")
    mark(home / "outside", name="outside")
    secret = mesh(home / "outside/box.obj")
    (home / "ws/res/out.obj").symlink_to(secret)
    (home / "ws/outside").symlink_to(secret.parent)
    (home / "ws/loop").symlink_to(home / "ws")
    assert refusal(place, "package://resources/out.obj") == "uri_refused"
    assert refusal(place, "package://outside/box.obj") == "uri_lookup"
    (home / "ws/pipe").mkdir()
    os.mkfifo(home / "ws/pipe/package.xml")
    os.mkfifo(home / "ws/res/pipe.obj")
    assert refusal(place, "package://pipe/box.obj") == "uri_lookup"
    place.mkdir(exist_ok=True)
    (place / "r.urdf").write_text(URDF.format("package://resources/pipe.obj"))
    geometry = read_robot_file(place / "r.urdf").links[0].link.collisions[0].geometry
    assert isinstance(geometry, Unusable) and geometry.error.code == "file_read"


@pytest.mark.fault(194)
@pytest.mark.parametrize("kind", ["git", "package"])
def test_packages_in_the_home_folder_are_not_beside(kind, home):
    mark(home, "git")
    place, _ = workspace(home)
    if kind == "package":
        (home / ".git").rmdir()
    assert refusal(place, "package://resources/meshes/box.obj") == "uri_lookup"


@pytest.mark.fault(194)
def test_the_search_for_packages_ends_and_is_done_once(home, monkeypatch):
    place, found = workspace(home / "ws", home / "ws")
    for number in range(HUGE):
        (home / f"ws/zz{number}/sub").mkdir(parents=True)
    listed = []
    scandir = os.scandir

    def listing(path):
        listed.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listing)
    there = locator(place)
    for _ in range(3):
        with pytest.raises(InertiaError):
            there.find("package://none", "")
        with pytest.raises(InertiaError):
            there.find_mesh("package://none/a.obj", "")
    assert HUGE < len([path for path in listed if "zz" in str(path)]) <= 2 * HUGE
    listed.clear()
    monkeypatch.setattr(packages, "MOST_ENTRIES", 50)
    assert locator(place).find_mesh("package://res/meshes/box.obj", "") == found
    with pytest.raises(InertiaError):
        locator(place).find_mesh("package://none/a.obj", "")
    assert len(listed) < 50


@pytest.mark.fault(194)
def test_a_package_that_appears_beside_is_noticed(home):
    mark(home / "ws/arm", name="arm")
    with noting_reads() as read:
        assert refusal(home / "ws/arm/urdf", "package://res/meshes/box.obj") == "uri_lookup"
    assert read[str(home / "ws/res/package.xml")] is None


@pytest.mark.fault(194)
def test_a_given_folder_is_searched_for_packages_by_their_own_names(home):
    found = mesh(home / "there/ws/src/res-1.0/meshes/box.obj")
    mark(home / "there/ws/src/res-1.0", name="resources")
    for root in ("there", "there/ws", "there/ws/src", "there/ws/src/res-1.0", "there/ws/src/res-1.0/meshes"):
        uri = "package://resources/meshes/box.obj"
        assert locator(home / "bot", home / root).find_mesh(uri, "") == found, root


# --- another computer's paths -----------------------------------------------------------------------------------------


@pytest.mark.fault(194)
@pytest.mark.parametrize("uri", [f"file://{FOREIGN}", FOREIGN, f"C:{FOREIGN}", f"C:{FOREIGN}".replace("/", "\\")])
def test_what_the_warning_says_is_found_by_the_option_that_it_prints(uri, home, capfd):
    there = "part.obj"  # its name alone could be that of another mesh
    mesh(home / "bot" / there)
    path = home / "bot/r.urdf"
    path.write_text(URDF.format(uri))
    _, printed = run(capfd, "check", path)
    assert f"is not found in bot, but is at {there}" in printed and "geometry_not_read" in printed
    option = shlex.split(re.search("add `(--path .*?)`", printed)[1])
    for words in (["check", path], ["report", path], ["repair", "--dry-run", path]):
        _, printed = run(capfd, *words, *option)
        assert "geometry_not_read" not in printed and "[foreign_path]" in printed, words
    assert f"read from {there}" in printed and not robots_of(path, [Path(option[1])])[0].lost
    path.write_text(URDF.format(there))  # as foreign_path says
    _, printed = run(capfd, "check", path)
    assert "geometry_not_read" not in printed and "foreign_path" not in printed


@pytest.mark.fault(194)
def test_the_option_that_is_printed_opens_no_more_than_the_package(home):
    mark(home / "ws/thing")
    mesh(home / "ws/thing/meshes/box.obj")
    text = message(home / "ws/thing/urdf", "/home/somebody/ws/thing/meshes/box.obj")
    assert f"--path {home}/ws/thing`" in text


@pytest.mark.fault(194)
def test_a_foreign_path_is_not_read_without_being_asked_for(home):
    mesh(home / "bot/meshes/visual/part.obj")
    assert refusal(home / "bot", FOREIGN) == "uri_lookup"


@posix
@pytest.mark.fault(62, 194)
def test_the_end_of_a_foreign_path_leads_out_of_no_folder(home):
    secret = mesh(home / "secret/box.obj")
    mesh(home / "there/meshes/box.obj")
    (home / "there/linked").symlink_to(secret.parent)
    given = locator(home / "bot", home / "there")
    assert given.find_mesh("/x/meshes/box.obj", "") == home / "there/meshes/box.obj"
    for uri in ("/x/linked/box.obj", "/x/../secret/box.obj", "/x/meshes/../../secret/box.obj"):
        with pytest.raises(InertiaError):
            given.find_mesh(uri, "")
    (home / "bot/part.obj").symlink_to(secret)  # which --path would not read
    assert "but is at" not in message(home / "bot", "/x/part.obj")


@pytest.mark.fault(194)
def test_a_folder_named_as_said_holds_the_mesh(home):
    """Whichever folder on the way to the mesh a user takes for the folder that holds it."""
    found = mesh(home / "there/x/meshes/box.obj")
    for uri in ("x/meshes/box.obj", "package://x/meshes/box.obj", "/y/x/meshes/box.obj"):
        assert message(home / "bot", uri).count("give the folder that holds it with --path")
        for root in ("there", "there/x", "there/x/meshes"):
            assert locator(home / "bot", home / root).find_mesh(uri, "") == found, (uri, root)


# --- other letters, and folders without the file ----------------------------------------------------------------------


def tells_case(folder):
    return not (mesh(folder / "probe.obj").parent / "PROBE.OBJ").exists()


@pytest.mark.fault(193)
@pytest.mark.parametrize(
    "uri",
    ["Meshes/Visual/Part.OBJ", "meshes/visual/part.OBJ", "package://bot/meshes/Visual/part.obj", "/x/visual/Part.obj"],
)
def test_a_file_in_other_letters_is_named_and_not_read(uri, home):
    if not tells_case(home):
        pytest.skip("the disk takes letters of both cases for the same")
    mesh(home / "ws/bot/meshes/visual/part.obj")
    text = message(home / "ws/bot", uri)
    assert text.endswith("but is at meshes/visual/part.obj, with other capital letters -> correct the URI")


@pytest.mark.fault(193)
def test_other_letters_in_a_package_beside_are_named(home):
    place, _ = workspace(home / "ws", home / "ws")
    if tells_case(home):
        text = message(place, "package://resources/Meshes/box.OBJ")
        assert "is at ../../res/meshes/box.obj, with other capital letters" in text
        assert message(place, "package://resources/../RES/meshes/box.obj").count("letters") == 0


@pytest.mark.fault(194)
@pytest.mark.parametrize("scheme", ["package", "model"])
def test_a_package_without_the_file_is_named_with_what_it_lacks(scheme, home):
    place, _ = workspace(home / "ws", home / "ws")
    mesh(home / "given/thing/box.obj")
    for name, folder in (("resources", "res"), ("arm", "arm"), ("thing", "thing")):
        text = message(place, f"{scheme}://{name}/meshes/gone.obj", "find_mesh", home / "given")
        missing = f"'{scheme}://{name}/meshes/gone.obj' is not found: the folder {folder} has no 'meshes/gone.obj'"
        assert text == f"{missing} -> add the file, or correct the URI"


@pytest.mark.fault(194)
@pytest.mark.parametrize("config", [None, "gone.sdf"])
def test_an_included_model_without_its_file_is_not_that_of_another_folder(config, home):
    """The file model.sdf of another folder would be taken for it, even the including one."""
    include = (
        "<sdf version='1.9'><model name='m'><link name='l'/><include><uri>model://box</uri></include></model></sdf>"
    )
    for name in ("world", "there"):
        (home / name).mkdir()
        (home / name / "model.sdf").write_text(include)
    (home / "there/box").mkdir()
    if config is not None:
        text = f"<model><name>box</name><sdf version='1.9'>{config}</sdf></model>"
        (home / "there/box/model.config").write_text(text)
    (finding,) = [
        one for one in read_sdf(home / "world/model.sdf", [home / "there"]).findings if "model" in one.message
    ]
    assert finding.code == "include_not_read"
    assert f"the folder box has no '{config or 'model.sdf'}'" in finding.message
    (home / "there/box" / (config or "model.sdf")).write_text(
        include.replace("<include><uri>model://box</uri></include>", "")
    )
    assert not [one for one in read_sdf(home / "world/model.sdf", [home / "there"]).findings if "box" in one.message]
