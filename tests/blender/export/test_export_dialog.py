# SPDX-License-Identifier: GPL-3.0-or-later
"""The export dialog chooses a folder, writes DIR/MODEL/ as the command line does, and says beforehand what will be."""

from pathlib import Path

import bpy
import pytest

from ..scenes import add, box_link, export, live_model, mesh_data, module, tag

pytestmark = pytest.mark.usefixtures("scene")


def robot(**settings):
    box_link("base", use_density=True, **settings)


def said(folder="/robots/model", inertia="AS_SET", strict_auto=False, uri_style="relative"):
    planned = module("sdf_inertia_addon.operators.files.export_model").planned
    return [remark.text for remark in planned(live_model(), Path(folder), inertia, strict_auto, uri_style)]


def drake(result):
    return [finding for finding in result.findings if finding.code == "drake_needs_file_uris"]


def test_it_writes_into_a_folder_of_the_models_name(tmp_path):
    robot()
    assert bpy.ops.sdf_inertia.export_model(directory=str(tmp_path)) == {"FINISHED"}
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert {path.name for path in (tmp_path / "model").iterdir()} == {"model.sdf", "model.config", "meshes"}


def test_it_writes_what_a_script_writes_to_the_same_folder(tmp_path):
    robot()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "my robot.blend"))
    bpy.ops.sdf_inertia.export_model(directory=str(tmp_path / "a"))
    bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "b"))
    trees = [
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*.*")
            if path.is_file()
        }
        for name in "ab"
    ]
    assert trees[0] == trees[1] and len(trees[0]) == 3


def test_the_name_of_a_chosen_folder_may_end_in_sdf(tmp_path):
    robot()
    (tmp_path / "all.sdf").mkdir()
    bpy.ops.sdf_inertia.export_model(directory=str(tmp_path / "all.sdf"))
    assert (tmp_path / "all.sdf" / "model" / "model.sdf").is_file()


def test_a_folder_beside_the_blend_can_be_meant(tmp_path):
    robot()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "arm.blend"))
    bpy.ops.sdf_inertia.export_model(directory="//out/")
    assert (tmp_path / "out" / "arm" / "model.sdf").is_file()


def test_without_a_folder_nothing_is_written():
    robot()
    with pytest.raises(RuntimeError, match="No path"):
        bpy.ops.sdf_inertia.export_model()


def test_both_operators_have_the_same_options():
    def options(name):
        properties = getattr(bpy.ops.sdf_inertia, name).get_rna_type().properties
        return {(item.identifier, getattr(item, "default", None)) for item in properties}

    ours, paths = options("export_model"), {"filepath", "filter_glob", "check_existing", "collection"}
    assert {one for one in options("export_sdf") if one[0] not in paths} <= ours
    assert not {name for name, _ in ours} & paths  # with one of them the dialog would ask for a file


def test_it_says_the_model_the_folder_and_the_links():
    robot()
    box_link("arm", inertia="FILLED")
    assert said()[:3] == ["model", "/robots/model/", "2 links: 1 auto, 1 filled"] or "1 Auto, 1 Filled" in said()[2]


@pytest.mark.parametrize(("inertia", "wanted"), [("AUTO", ": auto"), ("FILLED", ": filled"), ("AS_SET", ": 1 auto")])
def test_it_follows_its_own_options(inertia, wanted):
    robot()
    box_link("arm", inertia="FILLED")
    assert wanted in said(inertia=inertia)[2].lower()


def test_it_says_which_links_are_refused_and_left_out():
    robot()
    tag(add(mesh_data([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]), "bad"), "link", "collision")
    assert any("bad" in text and "errors" in text for text in said())


def test_it_says_that_it_replaces_a_model(tmp_path):
    robot()
    assert "(replaces" not in said(tmp_path / "model")[1]
    bpy.ops.sdf_inertia.export_model(directory=str(tmp_path))
    assert "(replaces" in said(tmp_path / "model")[1]


@pytest.mark.parametrize("uri_style", ["relative", "model", "file"])
@pytest.mark.parametrize("inertia", ["AUTO", "FILLED"])
@pytest.mark.parametrize("geometry", ["MESH", "BOX"])
def test_what_drake_needs_is_reported_where_it_would_crash(tmp_path, uri_style, inertia, geometry):
    robot(geometry=geometry)
    found = drake(export(tmp_path, inertia=inertia, uri_style=uri_style))
    crashes = (uri_style, inertia, geometry) == ("relative", "AUTO", "MESH")
    assert [finding.severity for finding in found] == ["info"] * crashes
    assert any("Drake" in text for text in said(inertia=inertia, uri_style=uri_style)) == crashes


def test_a_link_written_filled_after_all_gives_no_warning_about_drake(tmp_path):
    robot(method="SHELL", thickness=0.01)
    assert drake(export(tmp_path)) == []


def test_a_file_that_a_script_names_is_the_file_itself(tmp_path):
    robot()
    bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "arm.sdf"))
    assert {path.name for path in tmp_path.iterdir()} == {"arm.sdf", "model.config", "meshes"}
