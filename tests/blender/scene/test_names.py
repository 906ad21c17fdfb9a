# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in SDF are unique, stable and harmless, and each new name is reported."""

import json
import re

import bpy
import pytest
from lxml import etree

from ..scenes import add, box_link, box_mesh, empty, export, findings, module, read, tag

pytestmark = pytest.mark.usefixtures("scene")

AWKWARD = {
    "dots": "wheel.001",
    "reserved": "world",
    "dunder": "__model__",
    "scope": "a::b",
    "markup": "<a & b>",
    "quotes": "\"a' b",
    "newline": "a\nb\tc",
    "control": "a\x01\x7fb",
    "slash": "../../etc/passwd",
    "backslash": "C:\\x",
    "emoji": "robot 🤖 arm",
    "only emoji": "🤖",
    "spaces": "   ",
    "umlauts": "Größe",
    "chinese": "机器人",
    "long": "x" * 63,
    "long umlauts": "ü" * 31,
    "percent": "100% {wheel} %s",
    "nul-like": "con",
    "right to left": "\u202eabc",
}


@pytest.mark.fault(52, 53)
@pytest.mark.parametrize("name", AWKWARD.values(), ids=AWKWARD)
def test_any_name_that_blender_takes_makes_a_file_that_reads_again(name, tmp_path):
    ob = tag(add(box_mesh(), name), "link", "collision", "visual", use_density=True)
    assert ob.name == name
    result = export(tmp_path)
    (link,) = etree.parse(result.sdf).findall(".//link")
    written = [link.get("name"), *(part.get("name") for part in link if part.get("name"))]
    for text in written:
        assert re.fullmatch(r"[\w-]+", text), text
        assert text != "world" and not (text.startswith("__") and text.endswith("__"))
    for uri in link.findall(".//uri"):
        assert (result.sdf.parent / uri.text).is_file()
        assert (result.sdf.parent / uri.text).parent == result.sdf.parent / "meshes"
    # The report speaks of the same names.
    report = json.loads(json.dumps(module("core.robot.report").model_json(result.model, result.bodies)))
    assert [report["links"][0]["name"], report["links"][0]["parts"][0]["name"]] == written[:2]


@pytest.mark.fault(52, 53)
@pytest.mark.parametrize("name", [name for name in AWKWARD.values() if not re.fullmatch(r"[\w-]+", name)])
def test_a_changed_name_is_reported_with_old_and_new(name):
    box_link(name)
    found = findings()["renamed"]
    assert found.severity == ("info" if name == "wheel.001" or not name.strip() else "warning")
    assert read()[0].links[0].name in found.message


def test_a_good_name_stays_without_a_warning():
    for name in ("base", "left-wheel_2", "Größe", "x" * 63):
        tag(add(box_mesh(), name), "link", "collision", "visual")
    model, _bodies = read()
    assert {link.name for link in model.links} == {"base", "left-wheel_2", "Größe", "x" * 63}
    assert "renamed" not in {finding.code for finding in model.findings if finding.severity != "info"}


@pytest.mark.fault(51)
def test_names_that_become_equal_stay_apart_in_any_order_of_making():
    for names in (("a.001", "a_001", "a 001"), ("a 001", "a_001", "a.001")):
        bpy.ops.wm.read_homefile(use_empty=True)
        for name in names:
            tag(add(box_mesh(), name, location=(0, 0, ord(name[1]))), "link", "collision")
        model, _bodies = read()
        by_height = {round(link.pose.p[2]): link.name for link in model.links}
        assert by_height == {ord(" "): "a_001", ord("."): "a_001_2", ord("_"): "a_001_3"}
        renamed = {finding.subject for finding in model.findings if finding.code == "renamed"}
        assert renamed == set(names)


@pytest.mark.fault(51)
def test_names_of_collisions_and_visuals_are_unique_in_their_link_only():
    for place in (0, 5):
        base = tag(empty(f"link{place}"), "link")
        for name in ("a.b", "a_b"):
            tag(add(box_mesh(), f"{name}{place}", base), "collision", "visual")
    # Blender itself keeps object names apart; the visual of one may still be called as the other.
    tag(add(box_mesh(), "a_b0_visual", bpy.data.objects["link0"]), "collision")
    model, _bodies = read()
    for link in model.links:
        names = [part.name for part in (*link.collisions, *link.visuals)]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("stem", ["my robot", "robot.v2", "world", "__x__", "Größe", "a&b"])
def test_the_model_is_named_after_the_file(stem, tmp_path):
    box_link(use_density=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / f"{stem}.blend"))
    result = export(tmp_path)
    name = result.model.name
    assert re.fullmatch(r"[\w-]+", name) and name != "world"
    assert result.sdf == tmp_path / name / "model.sdf"
    assert etree.parse(result.sdf).find("model").get("name") == name
    assert etree.parse(tmp_path / name / "model.config").findtext("name") == name


def test_an_unsaved_model_is_called_model(tmp_path):
    box_link(use_density=True)
    assert export(tmp_path).sdf == tmp_path / "model" / "model.sdf"
