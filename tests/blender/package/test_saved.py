# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that an earlier version of the product saved, by the oldest Blender: every setting and number is still there.

saved/make.py saves them; the JSON beside each says what was in it then.
"""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from lxml import etree

from .. import scenes
from ..saved import make

SAVED = sorted((Path(__file__).parents[1] / "saved").glob("*.blend"))

EXPORTED = 1e-6
"""What differs, relatively, where Blenders round matrices of float32 in other ways."""


def test_there_are_some():
    assert {path.name for path in SAVED} >= {f"0.1.0-{name}.blend" for name in ("parts", "links", "collections")}
    assert all(path.stat().st_size < 100_000 for path in SAVED)


@pytest.fixture(params=SAVED, ids=lambda path: path.stem)
def opened(request, addon, tmp_path):
    """What was written down of a file, and what it holds for the Blender of today; it is open."""
    bpy.ops.wm.open_mainfile(filepath=str(request.param))
    then = json.loads(request.param.with_suffix(".json").read_text("utf-8"))
    yield then, make.contents(tmp_path), tmp_path
    bpy.ops.wm.read_homefile(use_empty=True)


def settings(found):
    """Yield all settings of a file by where they stand."""
    for name, values in found["objects"].items():
        yield from ((("object", name, key), value) for key, value in values.items())
    for name, exporters in found["exporters"].items():
        for number, values in enumerate(exporters):
            yield from ((("exporter", name, number, key), value) for key, value in values.items())
    yield from ((("scene", key), value) for key, value in found["scene"].items())


def written_down(found):
    """Return the settings that were written down of the file that is open, by where they stand."""
    before = dict(settings(found))
    if not bpy.context.scene.sdf_inertia.is_property_set("scope"):  # nobody chose, and the default is another now
        assert before["scene", "scope"] == "ALL"
        before["scene", "scope"] = "AUTO"
    return before


def test_every_setting_is_as_it_was_saved(opened):
    then, now, _folder = opened
    before, after = written_down(then), dict(settings(now))
    assert len(before) > 50
    assert {where: after.get(where) for where in before} == before


@pytest.mark.fault(221)
def test_a_file_that_chose_all_links_shows_all_of_a_crowd(scene, tmp_path):
    scene.sdf_inertia.scope = "ALL"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "robot.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.context.scene.sdf_inertia.scope == "AUTO"
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "robot.blend"))
    assert bpy.context.scene.sdf_inertia.scope == "ALL"
    numbers = {name: number for name, *_, number in scenes.module("sdf_inertia_addon.viewport.view_settings").SCOPES}
    assert numbers == {"ALL": 0, "SELECTED": 1, "ACTIVE": 2, "AUTO": 3}  # files have the numbers


def test_its_export_has_the_numbers_written_down(opened):
    then, now, folder = opened
    assert now["links"].keys() == then["links"].keys()
    for name, link in then["links"].items():
        found = now["links"][name]
        assert found["mode"] == link["mode"]
        scenes.assert_same(
            (found["mass"], np.array(found["com"]), np.array(found["inertia"])),
            (link["mass"], np.array(link["com"]), np.array(link["inertia"])),
            EXPORTED,
        )
    (written,) = folder.rglob("model.sdf")
    links = {link.get("name"): link for link in etree.parse(written).iter("link")}
    assert links.keys() == then["links"].keys()
    for name, link in then["links"].items():
        if link["mode"] != "auto":
            assert float(links[name].findtext("inertial/mass")) == pytest.approx(link["mass"], rel=EXPORTED)


def masses(name):
    found = json.loads((Path(make.HERE) / f"{name}.json").read_text("utf-8"))
    return {link: values["mass"] for link, values in found["links"].items()}


def test_what_was_written_down_is_right():
    # By hand: 0.2 x 0.1 x 0.05 m of PLA (1240 kg/m³); a target; numbers entered.
    assert masses("0.1.0-links") == pytest.approx({"base": 1.24, "arm": 0.75, "hand": 0.25}, rel=1e-6)
    # 1 m³ of steel; two slanted prisms of 2 x 2 x 1 m.
    wheels = {"left_arm": 7850.0, "axle_left": 4400.0, "axle_right": 4400.0}
    assert masses("0.1.0-collections") == pytest.approx(wheels, rel=1e-6)


def test_the_exporter_of_a_saved_collection_exports(addon, tmp_path):
    bpy.ops.wm.open_mainfile(filepath=str(make.HERE / "0.1.0-collections.blend"))
    try:
        left = bpy.data.collections["left"]
        left.exporters[0].export_properties.filepath = str(tmp_path / "left.sdf")
        bpy.context.view_layer.active_layer_collection = bpy.context.view_layer.layer_collection.children["left"]
        with bpy.context.temp_override(collection=left):
            bpy.ops.collection.exporter_export(index=0)
        link = etree.parse(tmp_path / "left.sdf").find("model/link")
        assert link.get("name") == "left_arm" and link.find("inertial").get("auto") is None  # it says FILLED
        assert {uri.text.rpartition(".")[2] for uri in link.iter("uri")} == {"stl"}
        assert all(uri.text.startswith("model://") for uri in link.iter("uri"))
    finally:
        bpy.ops.wm.read_homefile(use_empty=True)
