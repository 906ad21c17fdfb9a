# SPDX-License-Identifier: GPL-3.0-or-later
"""A remedy names what works where it is read: every option is one of the command, every element one of the file."""

import argparse
import copy
import json
import pickle
import re
import shlex

import pytest

from core import Finding, InertiaError
from core.cli import mass, repair
from core.cli.main import main
from core.files.mesh_writers import obj_bytes
from core.findings.remedy import ACTIONS, OF_REPAIR, OR, Remedy, remedy_for
from core.mesh.surface import Surface

from .solids import box
from .solids.awkward import without

MIXED = Remedy("{voxel}", "{close_holes}, or {merge}", "{shell:0.002}", "{voxel_size:1e-05} or less", "{fit}")

SDF = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>1000</density>
<auto_inertia_params>PARAMS</auto_inertia_params></inertial>
<collision name="c"><geometry><mesh><uri>open.obj</uri></mesh></geometry></collision></link></model></sdf>"""


@pytest.fixture
def open_box(tmp_path, monkeypatch):
    """A box without one of its triangles: too large a hole to be closed unasked."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "open.obj").write_bytes(obj_bytes(Surface(*without(box((0.2, 0.3, 0.4)), 0))))
    return "open.obj"


def test_a_remedy_is_a_text_that_can_be_said_again():
    assert MIXED.text == (
        "choose the method Voxels; or close the holes, or merge the vertices by distance; or choose the method Shell;"
        " or choose a voxel size of 1e-05 m or less; or fit a primitive"
    )
    assert remedy_for("mass", MIXED) == (
        "use --method voxel; or use --close-holes, or merge the vertices by distance in a mesh editor;"
        " or use --method shell --thickness 0.002; or use --voxel-size 1e-05 or less"
    )
    assert remedy_for("repair", MIXED) == (
        "use --method voxel; or close the holes, or merge the vertices by distance;"
        " or use --method shell --thickness 0.002; or use --voxel-size 1e-05 or less;"
        " or take a primitive instead of the mesh"
    )
    assert "Mesh > Merge > By Distance" in remedy_for("blender", MIXED)
    assert "<gz:voxel_size>1e-05</gz:voxel_size> or less" in remedy_for("sdf", MIXED)
    assert remedy_for("mass", Remedy.plain("a text {of any} kind")) == "a text {of any} kind"


def test_its_actions_are_named_in_their_order_each_once():
    assert MIXED.actions == ("voxel", "close_holes", "merge", "shell", "voxel_size", "fit")
    assert Remedy("{merge}, or {voxel}", "{merge} twice").actions == ("merge", "voxel")
    assert Remedy.plain("choose the method Voxels").actions == ()
    assert Finding("info", "x", "", "m", MIXED).actions == MIXED.actions


def test_it_survives_what_findings_go_through():
    for same in (pickle.loads(pickle.dumps(MIXED)), copy.deepcopy(MIXED)):
        assert same == MIXED and same.alternatives == MIXED.alternatives
    error = InertiaError("x", "", "m", MIXED).about("part")
    assert error.finding("warning").about("other").actions == MIXED.actions


def test_a_reader_gets_what_he_has_and_the_plain_words_if_he_has_nothing():
    assert remedy_for("mass", Remedy("{hull}", "{fit}")) == "use --method hull"
    assert remedy_for("mass", Remedy("{fit}")) == "fit a primitive"


@pytest.mark.parametrize("reader", ["plain", "blender", "mass", "check", "repair", "sdf"])
def test_a_plain_remedy_is_the_same_for_every_reader(reader):
    text = "write <mass>1</mass>; or use {braces}"
    finding = Finding("info", "x", "", "m {not_a_value}", text).for_reader(reader)
    assert (finding.message, finding.remedy, finding.actions) == ("m {not_a_value}", text, ())
    assert finding.for_reader("sdf").for_reader("check") == finding
    worded = Finding("info", "x", "", "m", MIXED).for_reader(reader)
    assert worded.for_reader("sdf") == worded


def test_alternatives_without_actions_are_joined_in_the_users_language():
    remedy = Remedy.of("delete the open sheets; or give them thickness", {})
    german = {OR: "; oder "}
    worded = remedy_for("blender", remedy, lambda text: german.get(text, text))
    assert worded == "delete the open sheets; oder give them thickness"


def test_an_action_that_is_none_is_a_bug():
    with pytest.raises(KeyError):
        Remedy("{no_such_thing}")


@pytest.mark.parametrize("name", [name for name, action in ACTIONS.items() if (action.option or "").startswith("--")])
def test_every_option_is_one_of_the_command(name):
    parser = argparse.ArgumentParser()
    mass.add_parser(parser.add_subparsers())
    use, *options = shlex.split(remedy_for("mass", Remedy(f"{{{name}:0.002}}")))
    assert use == "use" and options and parser.parse_args(["mass", "x.stl", *options]).mesh
    command = f"run `sdf-inertia mass {' '.join(options)} 'a cup.stl'`"
    assert remedy_for("check", Remedy(f"{{{name}:0.002}}"), mesh="a cup.stl") == command


@pytest.mark.parametrize("name", sorted(OF_REPAIR))
def test_a_remedy_of_repair_is_a_command_that_check_prints_whole(name):
    parser = argparse.ArgumentParser()
    repair.add_parser(parser.add_subparsers())
    worded = remedy_for("check", Remedy(f"{{{name}:--what doubtful}}"), robot="my arm.urdf")
    run, program, *words = shlex.split(worded.replace("`", ""))
    assert (run, program) == ("run", "sdf-inertia") and str(parser.parse_args(words).file) == "my arm.urdf"
    assert remedy_for("check", Remedy(f"{{{name}}}")) == "run `sdf-inertia repair --in-place FILE`"
    assert remedy_for("plain", Remedy(f"{{{name}:--what doubtful}}")) == ACTIONS[name].plain


def test_every_option_that_an_open_mesh_is_offered_gives_a_number(open_box, capsys):
    assert main(["mass", open_box, "--json"]) == 1
    (finding,) = [one for one in json.loads(capsys.readouterr().out)["findings"] if one["severity"] == "error"]
    offered = [text for text in finding["remedy"].split(OR) if text.startswith("use --")]
    assert {text.split()[-1] for text in offered} >= {"voxel", "--close-holes", "hull"}
    for text in offered:
        _use, *options = text.replace(" M", " 0.001").split()
        assert main(["mass", open_box, "--density", "1000", *options, "--json"]) == 0, text
        body = json.loads(capsys.readouterr().out)
        assert 0 < body["mass"] <= 24 * (1 + 1e-9) + 24 * body["error"], text


def test_every_element_that_an_open_mesh_is_offered_fills_the_file(open_box, tmp_path, capsys):
    model = tmp_path / "model.sdf"
    model.write_text(SDF.replace("PARAMS", ""))
    assert main(["fill", "model.sdf", "--json"]) == 1
    (finding,) = [one for one in json.loads(capsys.readouterr().out)["findings"] if one["code"] == "open_mesh"]
    offered = re.findall(r"<[^;]*</[^>]*>(?: with <[^>]*>)?", finding["remedy"])
    assert len(offered) >= 3 and "--" not in finding["remedy"]
    for text in offered:
        params = re.sub(r" with <(.*)>", r"<\1>0.001</\1>", text)
        model.write_text(SDF.replace("PARAMS", params))
        assert main(["fill", "model.sdf", "-o", "filled.sdf"]) == 0, text
        assert "<mass>" in (tmp_path / "filled.sdf").read_text()


def test_check_names_the_command_that_has_the_option(open_box, capsys):
    assert main(["check", open_box]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "run `sdf-inertia mass --method voxel open.obj`;" in printed
    assert "run `sdf-inertia mass --close-holes open.obj`;" in printed
