# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a robot: one file, the same each time, that names no machine and runs no text of a robot."""

import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256

import numpy as np
import pytest

from core import read_robot
from core.robot.model import Mesh
from core.view.page import asset

from ...versions import CHECKOUT

ARM = CHECKOUT / "examples" / "arm.urdf"
BIPED = CHECKOUT / "examples" / "biped_description" / "urdf" / "biped.urdf"

# The bundle that `make three` makes; it changes with the versions in tools/bundle_three.sh.
THREE = "89d3b0735dd80afa79f57ee83dcaca0dfbbffbba33c5680199150ea501c7cc2c"


def page(path):
    return read_robot(path).to_html()


def data(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


def without_data(text):
    """Return a page without the numbers for its script, whose last digits depend on the processor, and its version."""
    plain = re.sub(r'(id="data">).*?</script>', r"\1</script>", text, flags=re.DOTALL)
    return re.sub(r"SDF Inertia \d+\.\d+\.\d+[^<\"]*", "SDF Inertia", plain)


@pytest.mark.parametrize("path", [ARM, BIPED], ids=lambda path: path.stem)
def test_the_same_file_gives_the_same_page(path):
    assert page(path) == page(path)


def test_a_page_names_no_folder_of_the_machine(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM.read_text(encoding="utf-8").replace("<box", "<mesh"), encoding="utf-8")
    text = page(tmp_path / "arm.urdf")
    assert "arm.urdf" in text
    assert str(tmp_path) not in text and str(CHECKOUT) not in text


def test_a_page_refers_to_nothing_elsewhere():
    text = page(ARM)
    script = asset("three.min.js")
    assert script in text
    assert not re.search(r'src="|href="(?!#)|@import|url\(', text.replace(script, ""))


def test_the_policy_of_a_page_allows_its_scripts_and_style_alone():
    text = page(ARM)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    inline = re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", text, re.DOTALL)
    hashes = {f"sha256-{b64encode(sha256(one.encode()).digest()).decode()}" for one in inline}
    assert set(re.findall(r"'(sha256-[^']*)'", policy)) == hashes and len(hashes) == 3
    assert "unsafe" not in policy and policy.startswith("default-src 'none'")


def test_names_in_a_file_are_only_text_in_its_page(tmp_path):
    name = "&lt;/script>&lt;img src=x onerror=&quot;x()&quot;>{{version}}"
    path = tmp_path / "evil.urdf"
    path.write_text(ARM.read_text(encoding="utf-8").replace('"upper_arm"', f'"{name}"'), encoding="utf-8")
    text = page(path)
    assert text.count("<script") == 3 and "<img" not in text
    assert "{{version}}" in text  # a mark in a name is not filled
    assert data(text)["links"][2]["name"] == '</script><img src=x onerror="x()">{{version}}'


def test_a_page_has_the_numbers_and_findings_without_its_script():
    text = page(ARM).partition('<script type="application/json"')[0]
    for shown in ("upper_arm", "850.0 kg", "3 errors, 1 warning", "triangle_inequality", "arm.urdf:8 "):
        assert shown in text


def test_the_data_of_a_page_have_all_digits_and_the_meshes():
    links = data(page(BIPED))["links"]
    file = read_robot(BIPED).file
    for shown, link in zip(links, file.links, strict=True):
        assert shown["published"]["mass"] == link.inertial.mass
        assert shown["published"]["com"] == link.inertial.com.tolist()
    mesh = data(page(BIPED))["meshes"][0]
    points = np.frombuffer(b64decode(mesh["positions"]), "<f4").reshape(-1, 3)
    geometry = file.links[0].visuals[0].geometry
    assert isinstance(geometry, Mesh)
    surface = geometry.surface
    np.testing.assert_array_equal(points.min(axis=0), surface.vertices.min(axis=0).astype(np.float32))


@pytest.mark.parametrize("mass", ["-1", "nan", "1e400"])
def test_a_robot_with_an_impossible_mass_has_a_page(mass, tmp_path):
    path = tmp_path / "bad.sdf"
    path.write_text(
        f'<sdf version="1.11"><model name="m"><link name="l"><inertial><mass>{mass}</mass></inertial>'
        "</link></model></sdf>",
        encoding="utf-8",
    )
    assert "✖ error" in page(path)


def test_a_link_without_an_inertial_shows_the_default_of_sdformat(tmp_path):
    path = tmp_path / "none.sdf"
    path.write_text('<sdf version="1.11"><model name="m"><link name="l"/></model></sdf>', encoding="utf-8")
    assert "This is SDFormat's default." in page(path)


@pytest.mark.parametrize("path", [ARM], ids=lambda path: path.stem)
def test_the_page_in_the_docs_is_up_to_date(path):
    kept = (CHECKOUT / "docs" / "pages" / f"{path.stem}.html").read_text(encoding="utf-8")
    assert without_data(kept) == without_data(page(path)), "run `make pages`"


def test_three_js_is_the_pinned_bundle_with_its_licence():
    bundle = asset("three.min.js")
    assert sha256(bundle.encode()).hexdigest() == THREE
    assert "The MIT License" in bundle and "three.js authors" in bundle


def test_a_page_shows_the_engines_that_were_asked_for():
    assert '<section id="engines"' not in page(ARM)
    text = read_robot(ARM).to_html(["drake", "mujoco", "newton"])
    table = re.search(r'<section id="engines".*?</section>', text, re.DOTALL)[0]
    assert "By the rules of Drake 1.51.1, MuJoCo 4.0.0, Newton 1.8.0." in table
    assert "mujoco</td>" in table and table.count("refuses the file") == 1
    bodies = re.findall(r"<tbody data-link=.*?</tbody>", table, re.DOTALL)
    differs = {re.search("<button[^>]*>(.*?)<", body)[1]: body.count("<tr>") for body in bodies if "differs" in body}
    assert differs == {"base": 2} and len(bodies) == 5
    assert "1 of 5 moving bodies differ" in table


def test_a_page_says_so_where_the_engines_agree():
    repaired = read_robot(ARM).repair()
    text = repaired.to_html(["drake", "pinocchio"])
    assert "The engines that load it agree on 5 moving bodies." in text and "⚠ differs" not in text


def test_names_of_links_are_only_text_among_the_engines(tmp_path):
    path = tmp_path / "evil.urdf"
    name = "&lt;img src=x>"
    path.write_text(ARM.read_text(encoding="utf-8").replace('"upper_arm"', f'"{name}"'), encoding="utf-8")
    assert "<img" not in read_robot(path).to_html("drake")
