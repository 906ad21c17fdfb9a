# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a robot: one file, the same each time, that names no machine and runs no text of a robot."""

import json
import re
import shlex
from base64 import b64decode, b64encode
from hashlib import sha256
from html import unescape
from shutil import copytree

import numpy as np
import pytest

from core import read_robot
from core.cli.main import main
from core.robot.model import Mesh
from core.view.columns import MASS, Unit
from core.view.page import asset

from ...versions import CHECKOUT

ARM = CHECKOUT / "examples" / "arm.urdf"
BIPED = CHECKOUT / "examples" / "biped_description" / "urdf" / "biped.urdf"

BOX = '<geometry><box size="0.1 0.12 0.08"/></geometry>'

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


DOUBT = f"""<robot name="doubt"><link name="box"><inertial><mass value="1"/>
<inertia ixx="1.6e-5" iyy="1.7e-5" izz="1.8e-5" ixy="0" ixz="0" iyz="0"/></inertial>
<collision>{BOX}</collision></link></robot>"""


@pytest.mark.parametrize("name", ["arm", "biped", "doubt"])
def test_the_command_of_a_page_writes_what_the_page_shows(name, tmp_path, monkeypatch):
    copytree(BIPED.parents[1], tmp_path / "biped_description")
    robot = tmp_path / "biped_description" / "urdf" / f"the {name}.urdf"
    sources = {"arm": ARM.read_text("utf-8"), "biped": BIPED.read_text("utf-8"), "doubt": DOUBT}
    robot.write_text(sources[name], encoding="utf-8")
    monkeypatch.chdir(robot.parent)
    text = page(robot)
    command = unescape(re.search(r'id="repair".*?<code class="command">(.*?)</code>', text, re.DOTALL)[1])
    assert "by this command in the folder of the file:" in text  # a page names no folder
    assert command.startswith("sdf-inertia repair --in-place ") and command.endswith(f"'the {name}.urdf'")
    links = data(text)["links"]
    assert sum(link["planned"] is not None for link in links) == {"arm": 4, "biped": 4, "doubt": 1}[name]
    assert main(shlex.split(command)[1:]) == 0
    assert 'id="repair"' not in page(robot)
    for link, after in zip(links, data(page(robot))["links"], strict=True):
        for key in ("mass", "com", "moments"):
            expected = (link["planned"] or link["published"])[key]
            np.testing.assert_allclose(after["published"][key], expected, rtol=1e-8, atol=1e-12)


def test_a_density_that_the_user_must_give_is_no_plan(tmp_path):
    path = tmp_path / "massless.urdf"
    path.write_text(f'<robot name="r"><link name="l"><collision>{BOX}</collision></link></robot>', encoding="utf-8")
    assert "KG_M3" in page(path) and 'id="repair"' not in page(path)


def test_a_column_has_one_unit_in_which_its_numbers_need_no_power_of_ten():
    text = re.search(r'<section id="links".*?</section>', page(BIPED), re.DOTALL)[0]
    assert re.findall(r"<small>(.*?)</small>", text) == ["kg", "mm", "g·m²"]
    assert "<span>0.061</span> <span>0.178</span> <span>0.195</span>" in text and "10⁻" not in text
    kilograms, grams = MASS
    assert Unit.for_all([0.1, 0.0, 850.0], MASS) == Unit.for_all([], MASS) == kilograms
    assert Unit.for_all([0.02, 0.03, 1.0], MASS) == grams
    numbers = [0.0, 2.0, 12.3456, 850000.0, 0.01234, 0.000123456, 3.4e-9, -1e12]
    assert " ".join(map(kilograms.text, numbers)) == "0 2.000 12.35 850000 0.012 0.00012 3.400·10⁻⁹ -1.000·10¹²"


def test_backticks_become_code_and_only_commands_of_remedies_are_copied(tmp_path):
    path = tmp_path / "evil.urdf"
    path.write_text(ARM.read_text("utf-8").replace('"forearm"', '"`pip install x; y`"'), encoding="utf-8")
    text = re.search(r'<section id="findings".*?</section>', page(path), re.DOTALL)[0]
    commands = re.findall(r'<code class="command">(.*?)</code>', text)
    assert set(commands) == {"sdf-inertia repair --in-place evil.urdf"} and len(commands) == 4
    assert "`sdf-inertia" not in text


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


def test_a_link_whose_mesh_is_not_read_is_marked_and_its_finding_selects_it(tmp_path):
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    mesh = '<visual><geometry><mesh filename="gone.stl"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{inertial}{mesh}</link></robot>')
    text = page(tmp_path / "r.urdf")
    assert '<span class="sign warning"' in text and re.search('<li data-link="0">.*geometry_not_read', text)


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
