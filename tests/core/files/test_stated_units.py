# SPDX-License-Identifier: GPL-3.0-or-later
"""The unit that a COLLADA file states counts for every command, by one reader; a name that differs is reported."""

import json

import numpy as np
import pytest

from core import mesh_moments
from core.cli import main
from core.files.mesh_file import UnreadableFileError, load_surface
from core.files.mesh_store import load_mesh

from ..solids import box

SIDES = (100.0, 200.0, 300.0)


def dae(tmp_path, unit, node="", times=1):
    """A box of 100 x 200 x 300 units."""
    vertices, triangles = box(SIDES)
    numbers, corners = (" ".join(map(str, array.ravel().tolist())) for array in (vertices, triangles))
    params = "".join(f"<param name='{axis}' type='float'/>" for axis in "XYZ")
    instances = "<instance_geometry url='#g'/>" * times
    path = tmp_path / "box.dae"
    path.write_text(
        f"<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset>{unit}</asset>"
        f"<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='24'>{numbers}"
        f"</float_array><technique_common><accessor source='#a' count='8' stride='3'>{params}</accessor>"
        "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
        f"<triangles count='12'><input semantic='VERTEX' source='#v' offset='0'/><p>{corners}</p></triangles>"
        "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'>"
        f"<node>{node}{instances}</node></visual_scene></library_visual_scenes>"
        "<scene><instance_visual_scene url='#s'/></scene></COLLADA>"
    )
    return path


def volume(surface):
    return mesh_moments(surface.vertices, surface.triangles).volume


@pytest.fixture(autouse=True)
def needs_pycollada():
    pytest.importorskip("collada")


@pytest.mark.fault(100)
@pytest.mark.parametrize(
    "name, meter", [("centimeter", 0.01), ("inch", 0.0254), ("inches", 0.02539999969303608), ("millimetre", 0.001)]
)
def test_a_stated_unit_is_applied_and_noted(tmp_path, name, meter):
    path = dae(tmp_path, f"<unit name='{name}' meter='{meter}'/>")
    surface, (note,) = load_surface(path)
    assert volume(surface) == pytest.approx(6e6 * meter**3, rel=1e-12)
    assert (note.severity, note.code) == ("info", "stated_unit") and name in note.message
    np.testing.assert_array_equal(surface.vertices, load_mesh(path, ()).surface.vertices)


@pytest.mark.fault(100)
def test_a_scale_replaces_the_stated_unit(tmp_path):
    path = dae(tmp_path, "<unit name='centimeter' meter='0.01'/>")
    for scale in (0.001, 1.0):
        surface, notes = load_surface(path, scale)
        assert volume(surface) == pytest.approx(6e6 * scale**3, rel=1e-12) and notes == ()


@pytest.mark.fault(100)
@pytest.mark.parametrize("unit, meter", [("centimetre", 1.0), ("meter", 0.01), ("mm", 0.0254)])
def test_a_unit_by_the_name_of_another_is_reported(tmp_path, unit, meter):
    path = dae(tmp_path, f"<unit name='{unit}' meter='{meter}'/>")
    surface, notes = load_surface(path)
    assert volume(surface) == pytest.approx(6e6 * meter**3, rel=1e-12)
    assert [note.severity for note in notes if note.code == "unit_name"] == ["warning"]
    assert [note.code for note in load_mesh(path, ()).findings] == ["unit_name"]


@pytest.mark.fault(100)
@pytest.mark.parametrize("unit", ["", "<unit/>", "<unit name='meter' meter='1'/>", "<unit name='smoot' meter='1.7'/>"])
def test_metres_and_units_of_unknown_name_are_not_doubted(tmp_path, unit):
    _, notes = load_surface(dae(tmp_path, unit))
    assert {note.code for note in notes} <= {"stated_unit"}


@pytest.mark.fault(100)
@pytest.mark.parametrize("meter", ["0.01", "1"])
def test_mass_names_one_remedy_for_the_unit(tmp_path, capsys, meter):
    main.main(["mass", "--json", str(dae(tmp_path, f"<unit name='centimeter' meter='{meter}'/>"))])
    body = json.loads(capsys.readouterr().out)
    assert body["mass"] == pytest.approx(6e9 * float(meter) ** 3, rel=1e-12)
    doubts = [finding["remedy"] for finding in body["findings"] if finding["code"] in ("unit_name", "unit_suspicion")]
    assert len(doubts) == (0 if meter == "0.01" else 2) and len(set(doubts)) <= 1


@pytest.mark.fault(100)
def test_a_bare_mesh_that_is_too_large_may_be_in_mm_cm_or_inches(tmp_path, capsys):
    path = tmp_path / "box.obj"
    vertices, triangles = box(SIDES)
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a} {b} {c}" for a, b, c in triangles + 1]
    path.write_text("\n".join(lines))
    assert main.main(["check", str(path)]) == 0
    text = capsys.readouterr().out
    assert "0.3, 3 or 7.62 m" in text and "0.001, 0.01 or 0.0254" in text


@pytest.mark.parametrize("meter", ["-1", "nan", "inf"])
def test_a_unit_that_is_not_a_length_is_refused(tmp_path, meter):
    with pytest.raises(UnreadableFileError):
        load_surface(dae(tmp_path, f"<unit name='m' meter='{meter}'/>"))


def test_a_mirrored_node_keeps_its_outside(tmp_path):
    surface, _ = load_surface(dae(tmp_path, "", "<scale>-1 1 1</scale>"))
    assert volume(surface) == pytest.approx(6e6, rel=1e-12)


@pytest.mark.fault(165)
def test_a_convex_mesh_that_is_not_read_is_named(tmp_path):
    path = dae(tmp_path, "<unit name='meter' meter='1'/>")
    mesh = path.read_text()
    path.write_text(mesh.replace("<mesh>", "<convex_mesh>").replace("</mesh>", "</convex_mesh>"))
    with pytest.raises(UnreadableFileError, match="only convex meshes of COLLADA, which are not supported"):
        load_surface(path)
    hull = "<geometry id='h'><convex_mesh convex_hull_of='#g'/></geometry></library_geometries>"
    path.write_text(mesh.replace("</library_geometries>", hull))
    surface, (finding,) = load_surface(path)
    assert volume(surface) == pytest.approx(np.prod(SIDES))
    assert "convex meshes: 1" in finding.message
