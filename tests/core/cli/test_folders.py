# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder as an input of check, repair, report, view and batch: all robots below it, each once."""

import json
import os
import shutil
import socket
import struct
from argparse import Namespace
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from core import InertiaError, find_robots
from core.cli import view
from core.cli.main import main
from core.cli.options.inputs import inputs_of
from tests.core.command_line import run_json
from tools.house import CHECKOUT

ARM = CHECKOUT / "examples" / "arm.urdf"
BALL = '<mujoco><worldbody><body name="b"><freejoint/><geom size=".1" density="5"/></body></worldbody></mujoco>'
MODEL = '<model name="arm"><link name="l"><inertial><mass>{}</mass></inertial></link></model>'
INCLUDE = "<include><uri>model://{}</uri></include>"
XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{}</robot>'


OPTIONS = Namespace(roots=[], xacro_args=[])
"""Those of a command that reads robots."""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A workspace with a robot, a world of two models, an MJCF scene, two xacro files, and copies that tools made."""
    monkeypatch.chdir(tmp_path)
    files = {
        "src/world.sdf": f'<sdf version="1.11"><world name="w">{INCLUDE.format("arm")}</world></sdf>',
        "src/arm/model.sdf": f'<sdf version="1.11">{MODEL.format(-1)}</sdf>',
        "src/arm/model.config": '<model><sdf version="1.11">model.sdf</sdf></model>',
        "src/lone/model.sdf": f'<sdf version="1.11">{MODEL.format(1)}</sdf>',
        "src/mjcf/scene.xml": '<mujoco><include file="ball.xml"/></mujoco>',
        "src/mjcf/ball.xml": BALL,
        "src/mjcf/package.xml": "<package/>",
        "src/x/main.urdf.xacro": XACRO.format('<xacro:include filename="part.urdf.xacro"/><link name="a"/>'),
        "src/x/part.urdf.xacro": XACRO.format('<link name="b"/>'),
        "src/skipped/COLCON_IGNORE": "",
        "src/env/pyvenv.cfg": "",
    }
    for name in ("build", "install/a", ".hidden", "node_modules", "src/skipped", "src/env/deep"):
        files[f"{name}/copy.urdf"] = ARM.read_text()
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    shutil.copy(ARM, "src/arm.urdf")
    os.symlink("arm.urdf", "src/same.urdf")
    os.symlink("..", "src/arm/circle")
    os.mkfifo("src/pipe.xml")
    return tmp_path


ROBOTS = ["src/arm.urdf", "src/lone/model.sdf", "src/mjcf/scene.xml", "src/world.sdf", "src/x/main.urdf.xacro"]


def test_a_folder_has_each_robot_once_and_no_copy_that_tools_made(capsys):
    status, value = run_json(capsys, "check", "--json", ".")
    assert status == 1 and sorted(file["file"] for file in value["files"]) == ROBOTS
    world = next(file for file in value["files"] if file["file"] == "src/world.sdf")
    assert [Path(finding["subject"].partition(":")[0]).name for finding in world["findings"]] == ["model.sdf"]
    assert sorted(map(str, find_robots("src"))) == ROBOTS
    assert inputs_of("check", ["build"], None, options=OPTIONS).files == ["build/copy.urdf"]  # which is named


@pytest.mark.parametrize(("name", "reason"), [("absent", "No such file"), ("src/arm.urdf", "Not a directory")])
def test_a_folder_that_is_not_there_is_not_one_without_robots(name, reason):
    with pytest.raises(InertiaError, match=rf"{name}: it cannot be read: {reason}.*\[file_read\]"):
        find_robots(name)


def test_files_that_include_each_other_keep_the_first():
    for name, other in (("one", "two"), ("two", "one")):
        Path(f"ring/{name}").mkdir(parents=True)
        nested = f'<model name="{name}"><link name="l"/>{INCLUDE.format(other)}</model>'
        Path(f"ring/{name}/model.sdf").write_text(f'<sdf version="1.11">{nested}</sdf>')
    assert find_robots("ring", ["ring"]) == [Path("ring/one/model.sdf")]


def test_a_batch_takes_what_check_takes_but_repairs_each_file():
    assert sorted(inputs_of("check", ["src"], None, options=OPTIONS).files) == ROBOTS
    repaired = inputs_of("repair", ["src"], None, Path("out"), OPTIONS).files
    assert {"src/arm/model.sdf", "src/mjcf/ball.xml"} <= {*repaired}


def test_meshes_are_inputs_of_check_only_without_a_robot(capsys):
    for folder in ("src", "meshes"):
        Path(folder).mkdir(exist_ok=True)
        shutil.copy(CHECKOUT / "examples/desk_arm_description/meshes/wrist.stl", f"{folder}/a.stl")
    assert not [file for file in inputs_of("check", ["src"], None).files if file.endswith(".stl")]
    assert inputs_of("check", ["meshes"], None).files == ["meshes/a.stl"]


@pytest.mark.parametrize("verb", ["check", "report", "view", "repair"])
def test_a_folder_without_a_robot_is_an_error_that_says_so(verb, capsys):
    Path("empty/.git").mkdir(parents=True)
    assert main([verb, "empty", *["--dry-run"] * (verb == "repair")]) == 2
    output = capsys.readouterr()
    assert "this folder has no file" in output.out + output.err


def test_repair_of_a_folder_repairs_each_robot_and_then_none(capsys):
    before = Path("build/copy.urdf").read_bytes()
    with pytest.raises(SystemExit):
        main(["repair", "src"])
    assert "a folder needs --in-place or --dry-run" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["repair", "src", "--dry-run", "--total-mass", "3"])
    capsys.readouterr()
    assert main(["repair", "src", "--dry-run"]) == 1 and Path("src/arm.urdf").read_bytes() == before
    assert "src: 1 of 6 robots to be repaired" in capsys.readouterr().err
    assert main(["repair", "src", "--in-place", "--json"]) == 1  # arm/model.sdf has no geometry
    files = {file["file"]: file for file in json.loads(capsys.readouterr().out)["files"]}
    assert (
        sorted(files) == sorted([*ROBOTS, "src/arm/model.sdf"])
        and sum(link["done"] for link in files["src/arm.urdf"]["links"]) == 4
    )
    assert Path("src/arm.urdf.bak").read_bytes() == before == Path("build/copy.urdf").read_bytes()
    assert main(["repair", "src", "--dry-run", "--json"]) == 1
    again = json.loads(capsys.readouterr().out)["files"]
    assert not any(link["done"] for file in again for link in file["links"])


def test_report_of_a_folder_lists_its_robots_also_a_single_one(capsys):
    _, value = run_json(capsys, "report", "src", "--format", "json")
    assert len(value["files"]) == 5
    _, value = run_json(capsys, "report", "src/lone", "--format", "json")
    assert [file["file"] for file in value["files"]] == ["src/lone/model.sdf"]


def test_view_of_a_folder_serves_an_index_and_its_pages(monkeypatch):
    """Nothing else below its address is served."""
    answers: dict[str, Any] = {}

    def serve(server):
        Thread(target=ThreadingHTTPServer.serve_forever, args=(server,), daemon=True).start()
        for path in ("/", "/1", "/2.png", "/6", "/0", "/arm.urdf", "/1/../2"):
            try:
                with urlopen(f"http://127.0.0.1:{server.server_port}{path}") as answer:
                    answers[path] = answer.headers["Content-Type"], answer.read()
            except HTTPError as error:
                answers[path] = error.code
        server.shutdown()

    monkeypatch.setattr(view, "ThreadingHTTPServer", type("Server", (ThreadingHTTPServer,), {"serve_forever": serve}))
    assert main(["view", "src", "--no-browser"]) == 0
    assert b"5 robots" in answers["/"][1] and b'href="3"' in answers["/"][1] and b"src/arm.urdf" in answers["/"][1]
    assert b"upper_arm" in answers["/1"][1] and answers["/2.png"][1].startswith(b"\x89PNG")
    assert [answers[path] for path in ("/6", "/0", "/arm.urdf", "/1/../2")] == [404] * 4


def test_a_browser_that_leaves_while_a_page_is_sent_prints_nothing(monkeypatch, capsys):
    """As on a click in the index while its pictures still load."""
    served = []

    def serve(server):
        Thread(target=ThreadingHTTPServer.serve_forever, args=(server,), daemon=True).start()
        for path in ("/1", "/2.png"):
            with socket.create_connection(server.server_address) as leaving:
                leaving.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
                leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closes at once
        with urlopen(f"http://127.0.0.1:{server.server_port}/") as answer:
            served.append(answer.status)
        server.shutdown()

    waiting = {"serve_forever": serve, "daemon_threads": False}  # its end waits for those that still answer
    monkeypatch.setattr(view, "ThreadingHTTPServer", type("Server", (ThreadingHTTPServer,), waiting))
    assert main(["view", "src", "--no-browser"]) == 0
    assert served == [200] and "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "include",
    [
        INCLUDE.format("arm").replace("</include>", "<static>true</static></include>"),
        INCLUDE.format("arm").replace("</include>", "<placement_frame>l</placement_frame></include>"),
        "<include><uri>arm.urdf</uri></include>",
    ],
)
def test_what_a_world_refuses_or_holds_still_is_judged_alone(include):
    Path("src/world.sdf").write_text(f'<sdf version="1.11"><world name="w">{include}</world></sdf>')
    assert {Path("src/arm/model.sdf"), Path("src/arm.urdf")} <= {*find_robots("src")}


def test_a_dry_run_of_a_folder_is_that_of_in_place(capsys):
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia=".001 .001 .01"/>'
    body = f'<body name="b"><freejoint/>{inertial}<geom size=".1"/></body>'
    Path("src/mjcf/ball.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    before = Path("src/mjcf/ball.xml").read_bytes()
    dry, value = run_json(capsys, "repair", "src/mjcf", "--dry-run", "--json")
    assert dry == 0 and [link["done"] for file in value["files"] for link in file["links"]] == [True]
    assert Path("src/mjcf/ball.xml").read_bytes() == before
    assert main(["repair", "src/mjcf", "--in-place"]) == dry and Path("src/mjcf/ball.xml").read_bytes() != before


def test_repair_of_a_folder_repairs_a_model_before_the_worlds_of_it(capsys):
    """A dry run ends as the real one does: the world is then read with the model that would have been written."""
    box = "<collision name='c'><geometry><box><size>.1 .2 .3</size></box></geometry></collision></link></model>"
    inertia = "<inertia><ixx>1</ixx><iyy>1</iyy><izz>9</izz></inertia></inertial>"
    Path("w/m").mkdir(parents=True)
    model = MODEL.format(1).replace("</inertial></link></model>", f"{inertia}{box}")
    Path("w/m/model.sdf").write_text(f'<sdf version="1.11">{model}</sdf>')
    for name in ("a", "b"):
        Path(f"w/{name}.sdf").write_text(f'<sdf version="1.11"><world name="w">{INCLUDE.format("m")}</world></sdf>')
    assert main(["check", "w"]) == 1
    capsys.readouterr()
    assert main(["repair", "w", "--dry-run"]) == 0 and "1 of 3 robots to be repaired" in capsys.readouterr().err
    assert main(["repair", "w", "--in-place"]) == 0 == main(["check", "w"])
