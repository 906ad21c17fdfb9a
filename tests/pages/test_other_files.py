# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of a mesh and of many robots, and the page that `view` serves."""

import os
import signal
import subprocess
import sys

import pytest

from core.cli.main import main

from ..versions import CHECKOUT
from .robots import ARM, BIPED, DESK_ARM

MESH = CHECKOUT / "examples" / "desk_arm_description" / "meshes" / "upper_arm.stl"


def test_the_page_of_a_mesh_shows_its_inertia(opened, page_of, picture):
    page = opened(page_of(MESH))
    assert page.locator("tbody button").all_inner_texts() == ["upper_arm"]
    assert page.evaluate("Object.keys(sdfInertia.scene.links[0].marks)") == ["computed"]
    picture(page, "mesh")


def test_the_index_of_a_batch_leads_to_the_page_of_each_robot(opened, tmp_path, monkeypatch, picture):
    monkeypatch.chdir(CHECKOUT)
    folder = tmp_path / "html"
    words = [os.path.relpath(path, CHECKOUT) for path in (ARM, BIPED, DESK_ARM)]
    options = ["--html", str(folder), "--report", str(tmp_path / "r.jsonl"), "--summary", str(tmp_path / "s.md")]
    assert main(["batch", "report", *words, *options]) == 1
    page = opened(folder / "index.html")
    assert page.locator(".robots a").all_inner_texts() == words
    page.evaluate("Promise.all([...document.images].map(one => one.decode()))")
    assert page.evaluate("[...document.images].map(one => one.naturalWidth)") == [240] * 3
    picture(page, "index")
    page.locator(".robots a").nth(1).click()
    page.wait_for_url("**/biped.urdf.html")
    assert page.locator("h1").inner_text() == "biped"


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C as a signal")
def test_view_serves_the_page_until_ctrl_c(browser, tmp_path):
    robot = tmp_path / "arm.urdf"
    robot.write_text(ARM.read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, "-m", "core", "view", robot, "--no-browser"]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = server.stdout.readline().split()[0]
            page = browser.new_page()
            page.goto(address)
            assert page.locator("h1").inner_text() == "arm"
            robot.write_text(robot.read_text(encoding="utf-8").replace('name="arm"', 'name="newer"'), encoding="utf-8")
            page.reload()
            assert page.locator("h1").inner_text() == "newer"
            page.close()
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(10) == 0
