# SPDX-License-Identifier: GPL-3.0-or-later
"""New inertials of a USD file are a layer over it: OpenUSD reads them, and the file keeps its bytes."""

import json
import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from core import read_robot
from core.cli.main import main
from core.errors import InertiaError
from core.formats.usd.override import Override, merged

pytest.importorskip("pxr", reason="OpenUSD has no wheel for this Python")
from pxr import Gf, Sdf, Usd, UsdPhysics, UsdUtils  # noqa: E402

BOX = """
        def Cube "box" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {{
            double size = 1
            float3 xformOp:scale = ({size}, {size}, {size})
            uniform token[] xformOpOrder = ["xformOp:scale"]
        }}"""
BODY = """
    def Xform "{name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {{
        float physics:mass = {mass}
        point3f physics:centerOfMass = (0, 0, 0)
        float3 physics:diagonalInertia = {moments}
        quatf physics:principalAxes = (1, 0, 0, 0){box}
    }}"""
STAGE = """#usda 1.0
(
    defaultPrim = "bot"
    kilogramsPerUnit = {kilograms}
    metersPerUnit = {meters}
    upAxis = "{up}"
)
def Xform "bot"
{{{bodies}
}}
"""
WRONG = (1, 1, 5)
"""Moments that no body can have."""


def stage_text(meters=1.0, kilograms=1.0, up="Z", names=("arm", "hand"), moments=WRONG):
    """Return cubes of 0.2 m and 3 kg in the units of a stage."""
    box = BOX.format(size=0.2 / meters)
    bodies = (BODY.format(name=name, mass=3.0 / kilograms, moments=moments, box=box) for name in names)
    return STAGE.format(meters=meters, kilograms=kilograms, up=up, bodies="".join(bodies))


def written(folder, suffix, text):
    """Write a text as a file of USD of this suffix."""
    path = folder / f"robot.{suffix}"
    (folder / "layer.usda").write_text(text)
    if suffix == "usdz":
        assert UsdUtils.CreateNewUsdzPackage(str(folder / "layer.usda"), str(path))
    else:
        assert Sdf.Layer.OpenAsAnonymous(str(folder / "layer.usda")).Export(str(path))
    (folder / "layer.usda").unlink()
    return path


def body_of(path, prim="/bot/arm"):
    """Return the mass, centre and tensor [SI, in the prim's axes] that OpenUSD reads, and Newton's tensor."""
    stage = Usd.Stage.Open(str(path))
    stage.Reload()
    kilograms, meters = UsdPhysics.GetStageKilogramsPerUnit(stage), stage.GetMetadata("metersPerUnit")
    api = UsdPhysics.MassAPI(stage.GetPrimAtPath(prim))
    R = np.array(Gf.Matrix3d(Gf.Quatd(api.GetPrincipalAxesAttr().Get()))).T
    tensor = R @ np.diag(api.GetDiagonalInertiaAttr().Get()) @ R.T
    six = api.GetPrim().GetAttribute("newton:inertia").Get()
    unit = kilograms * meters**2
    newton = None if six is None else np.array(six) * unit
    return (
        api.GetMassAttr().Get() * kilograms,
        np.array(api.GetCenterOfMassAttr().Get()) * meters,
        tensor * unit,
        newton,
    )


CUBE = 3.0 * 0.2**2 / 6.0
"""Each moment of the cubes [kg·m²]."""


@pytest.mark.parametrize("suffix", ["usda", "usdc", "usd", "usdz"])
@pytest.mark.parametrize(("meters", "kilograms", "up"), [(1.0, 1.0, "Z"), (0.01, 0.001, "Y")])
def test_a_repair_is_read_by_openusd_and_the_file_keeps_its_bytes(tmp_path, capsys, suffix, meters, kilograms, up):
    path = written(tmp_path, suffix, stage_text(meters, kilograms, up))
    before = sha256(path.read_bytes()).digest()
    assert main(["repair", "--in-place", str(path)]) == 0
    assert sha256(path.read_bytes()).digest() == before
    layer = tmp_path / "robot.inertia.usda"
    for prim in ("/bot/arm", "/bot/hand"):
        mass, com, tensor, newton = body_of(layer, prim)
        assert mass == pytest.approx(3.0, rel=1e-7)
        np.testing.assert_allclose(com, 0.0, atol=0.0)
        np.testing.assert_allclose(tensor, CUBE * np.eye(3), rtol=1e-7, atol=0.0)
        np.testing.assert_allclose(newton, [CUBE] * 3 + [0.0] * 3, rtol=1e-9)
    assert "load " in capsys.readouterr().err
    content = layer.read_bytes()
    for name in (path, layer):  # the file again, and the layer over it
        assert main(["repair", "--in-place", str(name)]) == 0
    assert layer.read_bytes() == content and sorted(os.listdir(tmp_path)) == sorted([path.name, layer.name])
    assert main(["check", str(tmp_path)]) == 0  # the layer, and no more the file alone


def test_a_layer_in_another_folder_finds_the_file(tmp_path):
    (tmp_path / "a@b").mkdir()
    path = written(tmp_path / "a@b", "usda", stage_text(names=("arm", "机械臂")))
    (tmp_path / "out").mkdir()
    assert main(["repair", str(path), "-o", str(tmp_path / "out/x.usda")]) == 0
    assert body_of(tmp_path / "out/x.usda", "/bot/机械臂")[2][0, 0] == pytest.approx(CUBE)
    assert main(["batch", "repair", str(path), "--output", str(tmp_path / "batch"), "--jobs", "1"]) == 0
    (new,) = (tmp_path / "batch").rglob("robot.inertia.usda")  # beside the file it would not replace that
    assert body_of(new)[2][0, 0] == pytest.approx(CUBE)


def test_a_layer_is_changed_itself_and_keeps_what_it_has(tmp_path, capsys):
    path = written(tmp_path, "usda", stage_text())
    assert main(["repair", "--in-place", str(path), "--links", "arm"]) == 1  # the hand is still impossible
    layer = tmp_path / "robot.inertia.usda"
    capsys.readouterr()
    assert main(["repair", "--in-place", str(path)]) == 1
    assert f"sdf-inertia repair --in-place {layer}" in capsys.readouterr().err
    assert main(["repair", "--in-place", str(layer), "--weighed", "hand=1.5"]) == 0
    assert sorted(Override.read(layer.read_bytes()).masses) == ["/bot/arm", "/bot/hand"]
    assert body_of(layer, "/bot/hand")[0] == 1.5 and body_of(layer)[0] == pytest.approx(3.0)


def test_a_layer_that_somebody_has_edited_is_not_replaced(tmp_path, capsys):
    path = written(tmp_path, "usda", stage_text())
    assert main(["repair", "--in-place", str(path)]) == 0
    layer = tmp_path / "robot.inertia.usda"
    edited = layer.read_text() + '\ndef Xform "mine"\n{\n}\n'
    layer.write_text(edited)
    assert Override.read(edited.encode()) is None
    assert main(["repair", "--in-place", str(path)]) == 1
    assert layer.read_text() == edited and "usd_override" in capsys.readouterr().err


def test_a_layer_over_a_file_of_another_suffix_stays(tmp_path, capsys):
    paths = [written(tmp_path, suffix, stage_text()) for suffix in ("usda", "usdc")]
    assert [main(["repair", "--in-place", str(path)]) for path in paths] == [0, 1]
    layer = tmp_path / "robot.inertia.usda"
    assert f"over another file, {paths[0].name}" in capsys.readouterr().err
    other = replace(Override.read(layer.read_bytes()), base=f"./{paths[1].name}").data
    assert merged(layer.read_bytes(), layer) == layer.read_bytes()
    with pytest.raises(InertiaError, match="robot.usda"):
        merged(other, layer)


@pytest.mark.parametrize("name", ["robot.usda", "new.usdz", "new.usdc"])
def test_a_layer_is_not_written_where_it_would_not_be_read(tmp_path, name, capsys):
    path = written(tmp_path, "usda", stage_text())
    before = path.read_bytes()
    assert main(["repair", str(path), "-o", str(tmp_path / name)]) != 0
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["robot.usda"]


def test_a_body_in_an_instance_of_another_gets_its_numbers(tmp_path):
    bodies = BODY.format(name="arm", mass=3, moments=WRONG, box=BOX.format(size=0.2))
    outer, inner = (
        f'\ndef Xform "{name}" (\ninstanceable = true\nprepend references = <{of}>\n)\n{{\n}}\n'
        for name, of in (("one", "/Outer"), ("nested", "/Inner"))
    )
    text = STAGE.format(meters=1, kilograms=1, up="Z", bodies=outer)
    text += f'class Xform "Outer"\n{{{inner}}}\nclass Xform "Inner"\n{{{bodies}\n}}\n'
    path = written(tmp_path, "usda", text)
    assert main(["repair", "--in-place", str(path)]) == 0
    assert body_of(tmp_path / "robot.inertia.usda", "/bot/one/nested/arm")[2][0, 0] == pytest.approx(CUBE)


def test_fill_writes_what_engines_compute(tmp_path, capsys):
    text = (
        stage_text().replace("float3 physics:diagonalInertia = (1, 1, 5)", "").replace("float physics:mass = 3.0", "")
    )
    path = written(tmp_path, "usdc", text)
    assert main(["fill", str(path), "--in-place", "--json"]) == 0
    assert [link["done"] for link in json.loads(capsys.readouterr().out)["links"]] == [True, True]
    mass, com, tensor, _ = body_of(tmp_path / "robot.inertia.usda")
    assert mass == pytest.approx(8.0) and tensor[0, 0] == pytest.approx(8.0 * 0.2**2 / 6.0)


def test_python_writes_the_layer_beside_the_file_or_to_a_path(tmp_path):
    path = written(tmp_path, "usdc", stage_text())
    repaired = read_robot(path).repair()
    repaired.write()
    repaired.write(tmp_path / "other.usda")
    assert Path(tmp_path / "robot.inertia.usda").read_bytes() == Path(tmp_path / "other.usda").read_bytes()
    assert not read_robot(tmp_path / "other.usda").repair().changes


def test_sound_robots_get_no_layer(tmp_path, capsys):
    path = written(tmp_path, "usda", stage_text(moments=(CUBE,) * 3))
    assert main(["repair", "--in-place", str(path)]) == 0
    assert os.listdir(tmp_path) == ["robot.usda"] and "nothing to repair" in capsys.readouterr().err
    (tmp_path / "out").mkdir()
    for verb in ("repair", "fill"):  # a copy would not find the layers that the file names
        assert main([verb, str(path), "-o", str(tmp_path / f"out/{verb}.usda")]) == 0
        assert Override.read((tmp_path / f"out/{verb}.usda").read_bytes()).base == "../robot.usda"
