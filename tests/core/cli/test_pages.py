# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages on the command line: `report --format html`, `batch report --html`, `view`."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from core.cli.main import main
from core.cli.scenes import measured_scene
from core.cli.view import is_local

from ...versions import CHECKOUT
from ..solids import box
from .test_cli import write_obj

ARM = CHECKOUT / "examples" / "arm.urdf"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(ARM, tmp_path)
    write_obj("cube.obj", box((1.0, 1.0, 1.0)))
    return tmp_path


def test_report_writes_a_page_and_exits_as_for_json(capsys):
    assert main(["report", "arm.urdf", "--format", "html", "-o", "arm.html"]) == 1
    assert main(["report", "arm.urdf", "--format", "json"]) == 1
    assert Path("arm.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "triangle_inequality" in capsys.readouterr().err


def test_report_writes_the_same_page_to_standard_output(capsys):
    main(["report", "arm.urdf", "--format", "html", "-o", "arm.html"])
    capsys.readouterr()
    main(["report", "arm.urdf", "--format", "html", "--quiet"])
    assert capsys.readouterr().out == Path("arm.html").read_text(encoding="utf-8")


def test_report_writes_the_page_of_a_mesh(capsys):
    assert main(["report", "cube.obj", "--format", "html", "-o", "cube.html"]) == 0
    assert "1000 kg" in Path("cube.html").read_text(encoding="utf-8")
    assert "default_density" in capsys.readouterr().err


def test_report_lists_the_findings_of_an_engine_in_a_page(capsys):
    text = ARM.read_text(encoding="utf-8").replace(
        '<joint name="pan" type="revolute">', '<joint name="pan" type="odd">'
    )
    Path("arm.urdf").write_text(text, encoding="utf-8")
    for options, shown in (([], False), (["--for", "gazebo"], True)):
        main(["report", "arm.urdf", "--format", "html", "-o", "arm.html", *options])
        assert ("odd" in Path("arm.html").read_text(encoding="utf-8")) == shown


@pytest.mark.parametrize("words", [("arm.urdf", "other.urdf", "--format", "html"), ("arm.urdf", "-o", "arm.html")])
def test_report_refuses_two_files_and_an_output_of_text(words, capsys):
    with pytest.raises(SystemExit, match="^2$"):
        main(["report", *words])


def test_report_writes_no_page_of_an_unreadable_file(capsys):
    assert main(["report", "absent.urdf", "--format", "html", "-o", "absent.html"]) == 2
    assert not Path("absent.html").exists()


def test_report_says_why_a_page_cannot_be_written(capsys):
    assert main(["report", "arm.urdf", "--format", "html", "-o", "absent/arm.html", "-q"]) == 2
    assert "cannot write absent/arm.html" in capsys.readouterr().err


def test_a_batch_writes_pages_and_an_index_and_again_what_is_missing(capsys):
    Path("broken.urdf").write_text("<robot", encoding="utf-8")
    words = ["batch", "report", "arm.urdf", "broken.urdf", "--html", "html", "--report", "r.jsonl", "--jobs", "1"]
    assert main(words) == 1
    index = Path("html/index.html").read_text(encoding="utf-8")
    assert '<a href="arm.urdf.html"><img src="arm.urdf.html.png"' in index
    assert "2 robots" in index and "3 errors, 1 warning" in index and "broken.urdf" in index
    lines = [json.loads(line) for line in Path("r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["input"]: line["output"] for line in lines} == {
        "arm.urdf": os.path.join("html", "arm.urdf.html"),
        "broken.urdf": None,
    }
    Path("html/arm.urdf.html").unlink()
    assert main([*words, "--resume"]) == 1
    assert Path("html/arm.urdf.html").exists()
    assert Path("html/index.html").read_text(encoding="utf-8") == index


def test_an_index_has_the_verdicts_of_check(capsys):
    text = ARM.read_text(encoding="utf-8").replace('lower="-2.6"', 'lower="3.6"')
    Path("arm.urdf").write_text(text, encoding="utf-8")
    assert main(["check", "arm.urdf"]) == 1
    assert "invalid, 3 errors, 2 warnings" in capsys.readouterr().out
    main(["batch", "report", "arm.urdf", "--html", "html", "--report", "r.jsonl", "--jobs", "1"])
    assert "3 errors, 2 warnings" in Path("html/index.html").read_text(encoding="utf-8")


def test_a_batch_without_html_writes_no_page(capsys):
    assert main(["batch", "report", "arm.urdf", "--report", "r.jsonl", "--jobs", "1"]) == 1
    assert {path.name for path in Path().iterdir()} == {"arm.urdf", "cube.obj", "r.jsonl", "r.jsonl.state"}


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C as a signal")
def test_view_serves_one_page_to_this_machine_until_ctrl_c(here):
    command = [sys.executable, "-m", "core", "view", here / "arm.urdf", "--no-browser"]
    with subprocess.Popen(
        command,
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    ) as server:
        try:
            host, _, port = server.stdout.readline().split("/")[2].partition(":")
            answers = [answer(host, port, *words) for words in (("/",), ("/etc/passwd",), ("/", "evil.example"))]
            (here / "arm.urdf").write_text("<robot", encoding="utf-8")
            answers.append(answer(host, port, "/"))
            server.send_signal(signal.SIGINT)
            status, printed = server.wait(20), server.stderr.read()
        finally:
            server.kill()
    assert (status, printed) == (0, "")
    assert host == "127.0.0.1"
    assert [status for status, _ in answers] == [200, 404, 404, 500]
    assert "<h1>arm</h1>" in answers[0][1] and "[" in answers[3][1]


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("LocalHost:80", True),
        ("127.0.0.1:8000", True),
        ("evil.example:80", False),
        ("[::1", False),
    ],
)
def test_only_names_of_this_machine_are_local(host, local):
    assert is_local(host) == local


def answer(host, port, path, name=None):
    """Return the status and the text that a server answers, asked by another name for it perhaps."""
    connection = http.client.HTTPConnection(host, int(port), timeout=20)
    connection.request("GET", path, headers={} if name is None else {"Host": f"{name}:{port}"})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


@pytest.mark.parametrize(
    ("given", "mass"), [({}, 1000.0), ({"density": 2700.0}, 2700.0), ({"mass": 5.0}, 5.0)], ids=str
)
def test_view_shows_a_mesh_of_the_given_density_or_mass(given, mass):
    scene = measured_scene(Path("cube.obj"), Namespace(scale=None, **{"density": None, "mass": None} | given))
    (link,) = scene.links
    assert link.computed is not None
    assert link.computed.mass == pytest.approx(mass) and link.computed.inertia[0, 0] == pytest.approx(mass / 6.0)
    assert [one.finding.code for one in scene.findings] == ([] if given else ["default_density"])


def test_view_shows_why_an_open_mesh_has_no_number():
    text = Path("cube.obj").read_text(encoding="utf-8")
    Path("open.obj").write_text(text[: text.rindex("f ")], encoding="utf-8")
    scene = measured_scene(Path("open.obj"), Namespace(scale=None, density=1.0, mass=None))
    assert scene.links[0].computed is None and scene.total is None
    assert [one.finding.severity for one in scene.findings] == ["error"]


def test_view_of_an_unreadable_file_ends_at_once(capsys):
    assert main(["view", "absent.urdf", "--no-browser"]) == 2
    assert "absent.urdf" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_view_refuses_what_is_not_a_port(port, capsys):
    with pytest.raises(SystemExit, match="^2$"):
        main(["view", "arm.urdf", "--no-browser", f"--port={port}"])


def test_a_page_never_replaces_the_file_that_it_shows(here, capsys):
    before = (here / "arm.urdf").read_bytes()
    with pytest.raises(SystemExit):
        main(["report", "arm.urdf", "--format", "html", "-o", os.path.join(".", "arm.urdf")])
    assert "another name" in capsys.readouterr().err and (here / "arm.urdf").read_bytes() == before


def test_a_page_on_standard_output_is_utf_8_in_any_locale(here):
    words = [sys.executable, "-m", "core", "report", here / "arm.urdf", "--format", "html"]
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(words, cwd=CHECKOUT, env=environment, capture_output=True)
    main(["report", str(here / "arm.urdf"), "--format", "html", "-o", str(here / "page.html")])
    assert done.returncode == 1 and done.stdout == (here / "page.html").read_bytes()


def test_a_page_has_no_licence_and_whole_names_of_packages(here):
    folder = here / "description"
    folder.mkdir()
    mesh = '<geometry><mesh filename="package://arm_description/meshes/x.stl"/></geometry>'
    tensor = '<inertia ixx="1" iyy="1" izz="1.5" ixy="0" ixz="0" iyz="0"/>'
    link = f'<link name="l"><inertial><mass value="1"/>{tensor}</inertial><collision>{mesh}</collision></link>'
    (folder / "r.urdf").write_text(f'<robot name="r">{link}</robot>')
    main(["report", "description/r.urdf", "--format", "html", "-o", "page.html"])
    page = (here / "page.html").read_text(encoding="utf-8")
    assert "package://arm_description/meshes/x.stl" in page and str(here) not in page
    assert "SPDX-License" not in page
