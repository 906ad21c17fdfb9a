# SPDX-License-Identifier: GPL-3.0-or-later
"""3MF packages: what they build is measured, where it stands; what is no package is refused."""

import io
import zipfile

import numpy as np
import pytest

from core.cli.main import main
from core.errors import InertiaError
from core.files.mesh_file import UnreadableFileError, load_surface
from core.files.mesh_store import load_mesh
from core.mesh.measure import measure_surface

from ...thorough import sample

NAMES = (
    'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"'
    ' xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r"'
    ' Target="/3D/{}" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)
TETRAHEDRON = (
    "<mesh><vertices>"
    + "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    + "</vertices><triangles>"
    + "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
    + "</triangles></mesh>"
)
"""Its volume is 1/6, its centroid (1/4, 1/4, 1/4)."""


def tetrahedron(number):
    return f'<object id="{number}">{TETRAHEDRON}</object>'


def model(resources, build, unit="meter", more=""):
    return f'<model unit="{unit}" {NAMES} {more}><resources>{resources}</resources><build>{build}</build></model>'


@pytest.fixture
def packed(tmp_path):
    def pack(root, method=zipfile.ZIP_DEFLATED, **parts):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", method) as file:
            file.writestr("_rels/.rels", RELATIONS.format("a.model"))
            file.writestr("3D/a.model", root)
            for name, text in parts.items():
                file.writestr(f"3D/{name}.model", text)
        path = tmp_path / "mesh.3mf"
        path.write_bytes(archive.getvalue())
        return path

    return pack


def moments(path):
    return measure_surface(load_surface(path)[0]).moments


def test_an_item_stands_where_its_transform_puts_it(packed):
    # For rows: (x, y, z) becomes (-y, x, 2 z) + (10, 20, 30).
    found = moments(packed(model(tetrahedron(1), '<item objectid="1" transform="0 1 0 -1 0 0 0 0 2 10 20 30"/>')))
    assert found.volume == pytest.approx(2 / 6, rel=1e-12)
    assert found.centroid == pytest.approx(np.array([10 - 0.25, 20 + 0.25, 30 + 0.5]), rel=1e-12)


def test_components_are_moved_by_all_that_they_stand_in(packed):
    arm = '<component objectid="1" transform="2 0 0 0 1 0 0 0 1 1 0 0"/><component objectid="1"/>'
    resources = tetrahedron(1) + f'<object id="2"><components>{arm}</components></object>'
    found = moments(packed(model(resources, '<item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 5 0"/>')))
    assert found.volume == pytest.approx(3 / 6, rel=1e-3)  # the two touch
    alone = moments(packed(model(resources.replace('<component objectid="1"/>', ""), '<item objectid="2"/>')))
    assert alone.centroid == pytest.approx(np.array([1.5, 0.25, 0.25]), rel=1e-12)


def test_a_mirrored_item_keeps_its_outside(packed):
    found = moments(packed(model(tetrahedron(1), '<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 0"/>')))
    assert found.volume == pytest.approx(1 / 6, rel=1e-12)


@pytest.mark.parametrize("stray", ["<object/>", '<object id="9"/>', '<vertices><vertex x="9" y="9" z="9"/></vertices>'])
def test_what_stands_where_it_does_not_belong_is_not_read(packed, stray):
    items = '<item objectid="1"/><item objectid="2" transform="1 0 0 0 1 0 0 0 1 5 0 0"/>'
    path = packed(model(tetrahedron(1) + tetrahedron(2), stray + items))
    assert moments(path).volume == pytest.approx(2 / 6, rel=1e-12)


def test_what_is_not_built_or_has_no_mass_does_not_count(packed):
    resources = tetrahedron(1) + tetrahedron(2) + tetrahedron(3).replace('id="3"', 'id="3" type="support"')
    path = packed(model(resources, '<item objectid="1"/><item objectid="3"/>'))
    assert moments(path).volume == pytest.approx(1 / 6, rel=1e-12)
    (finding,) = load_surface(path)[1]
    assert finding.code == "reader_warning" and "'support'" in finding.message


def test_objects_of_another_part_are_found(packed):
    assembly = '<object id="5"><components><component objectid="1" p:path="/3D/b.model"/></components></object>'
    path = packed(model(assembly, '<item objectid="5"/>'), b=model(tetrahedron(1), ""))
    assert moments(path).volume == pytest.approx(1 / 6, rel=1e-12)


UNITS = {"micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "inch": 0.0254, "foot": 0.3048}
"""The specification's, in metres."""


@pytest.mark.fault(200)
@pytest.mark.parametrize("unit", UNITS)
def test_the_stated_unit_is_applied_after_all_transforms(packed, unit):
    arm = '<component objectid="1" transform="2 0 0 0 1 0 0 0 1 1 0 0"/>'
    resources = tetrahedron(1) + f'<object id="2"><components>{arm}</components></object>'
    path = packed(model(resources, '<item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 5 0"/>', unit=unit))
    surface, (finding,) = load_surface(path)
    solid = measure_surface(surface).moments
    assert solid.volume == pytest.approx(2 / 6 * UNITS[unit] ** 3, rel=1e-12)
    assert solid.centroid == pytest.approx(np.array([1.5, 5.25, 0.25]) * UNITS[unit], rel=1e-12)
    assert (finding.code, finding.severity) == ("stated_unit", "info") and unit in finding.message
    np.testing.assert_array_equal(load_mesh(path, ()).surface.vertices, surface.vertices)


@pytest.mark.fault(200)
def test_a_package_that_states_no_unit_is_in_millimetres(packed):
    path = packed(model(tetrahedron(1), '<item objectid="1"/>').replace(' unit="meter"', ""))
    assert moments(path).volume == pytest.approx(1e-9 / 6, rel=1e-12)
    assert "millimeter" in load_surface(path)[1][0].message


@pytest.mark.fault(200)
def test_a_scale_replaces_the_stated_unit(packed):
    path = packed(model(tetrahedron(1), '<item objectid="1"/>', unit="inch"))
    for scale in (0.01, 1.0):
        surface, findings = load_surface(path, scale)
        assert measure_surface(surface).moments.volume == pytest.approx(scale**3 / 6, rel=1e-12) and findings == ()


@pytest.mark.fault(200)
def test_a_unit_that_is_not_one_of_3mf_is_refused_unless_a_scale_is_given(packed):
    path = packed(model(tetrahedron(1), '<item objectid="1"/>', unit="Millimeter"))
    with pytest.raises(UnreadableFileError, match="'Millimeter' is not one of micron, millimeter, centimeter, inch"):
        load_surface(path)
    assert measure_surface(load_surface(path, 0.001)[0]).moments.volume == pytest.approx(1e-9 / 6, rel=1e-12)


@pytest.mark.fault(200, 204)
def test_a_robot_weighs_what_its_package_and_its_scale_say(packed, tmp_path, capsys):
    resources = tetrahedron(1) + tetrahedron(2).replace('id="2"', 'id="2" type="support"')
    packed(model(resources, '<item objectid="1"/><item objectid="2"/>', unit="inch"))
    side = 0.254  # of a tetrahedron of 1000 kg/m³ with three edges along the axes
    mass, moment, product = 1000 * side**3 / 6, side**5 * 1000 / 80, side**5 * 1000 / 480
    (tmp_path / "robot.urdf").write_text(
        f"<robot name='r'><link name='l'><inertial><origin xyz='{side / 4} {side / 4} {side / 4}'/>"
        f"<mass value='{mass}'/><inertia ixx='{moment}' iyy='{moment}' izz='{moment}' ixy='{product}' ixz='{product}'"
        f" iyz='{product}'/></inertial><collision><geometry><mesh filename='mesh.3mf' scale='10 10 10'/></geometry>"
        "</collision></link></robot>"
    )
    main(["check", str(tmp_path / "robot.urdf")])
    assert "1 agrees with its geometry within 5 %" in capsys.readouterr().out


def test_of_two_root_models_the_first_is_read(tmp_path):
    path = tmp_path / "mesh.3mf"
    first, second = (RELATIONS.format(name) for name in ("a.model", "b.model"))
    with zipfile.ZipFile(path, "w") as file:
        own = second[second.index("<Relationship ") :]
        file.writestr("_rels/.rels", first.replace("</Relationships>", own.replace('"r"', '"s"')))
        file.writestr("3D/a.model", model(tetrahedron(1), '<item objectid="1"/>'))
        file.writestr("3D/b.model", model(tetrahedron(1), '<item objectid="1" transform="2 0 0 0 1 0 0 0 1 0 0 0"/>'))
    assert moments(path).volume == pytest.approx(1 / 6, rel=1e-12)


def test_an_extension_that_may_hold_geometry_is_reported(packed):
    more = 'xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02" requiredextensions="b p"'
    findings = load_surface(packed(model(tetrahedron(1), '<item objectid="1"/>', more=more)))[1]
    assert [finding.code for finding in findings] == ["reader_warning"] and "'b'" in findings[0].message


WRONG = {
    "a DOCTYPE": '<!DOCTYPE model [<!ENTITY x "1">]>' + model(tetrahedron(1), '<item objectid="1"/>'),
    "an object of itself": model(
        '<object id="1"><components><component objectid="1"/></components></object>', '<item objectid="1"/>'
    ),
    "a number that is none": model(tetrahedron(1).replace('x="1"', 'x="1,0"'), '<item objectid="1"/>'),
    "a vertex without z": model(tetrahedron(1).replace(' z="1"', ""), '<item objectid="1"/>'),
    "an index too large": model(tetrahedron(1).replace('v1="1"', f'v1="{10**30}"'), '<item objectid="1"/>'),
    "a transform of eleven": model(tetrahedron(1), '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0"/>'),
    "an item of nothing": model(tetrahedron(1), '<item objectid="7"/>'),
    "no XML": "<model",
    "nothing": "",
    "another root": "<svg/>",
}


@pytest.mark.fault(57, 79)
@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_package_is_refused(packed, what):
    with pytest.raises(UnreadableFileError, match="unreadable_file"):
        load_surface(packed(WRONG[what]))


def test_an_index_past_the_end_is_refused_as_in_every_format(packed):
    with pytest.raises(InertiaError) as error:
        load_surface(packed(model(tetrahedron(1).replace('v1="1"', 'v1="4"'), '<item objectid="1"/>')))
    assert error.value.code == "index_out_of_range"


@pytest.mark.fault(79)
def test_a_part_too_large_to_be_unpacked_is_refused_before_it_is(packed):
    path = packed(model(tetrahedron(1), '<item objectid="1"/>'))
    assert moments(path).volume > 0.0
    data, size = bytearray(path.read_bytes()), (2**31).to_bytes(4, "little")
    at = data.rindex(b"PK\1\2") + 24
    data[at : at + 4] = size
    path.write_bytes(data)
    with pytest.raises(UnreadableFileError, match=f"{2**31} bytes unpacked"):
        load_surface(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_only_deflate_is_unpacked(packed, method):
    with pytest.raises(UnreadableFileError, match="not by Deflate"):
        load_surface(packed(model(tetrahedron(1), '<item objectid="1"/>'), method))


def test_a_damaged_archive_is_refused(packed):
    whole = packed(model(tetrahedron(1), '<item objectid="1"/>')).read_bytes()
    path = packed("")
    for length in sample(range(len(whole)), 20):
        path.write_bytes(whole[:length])
        with pytest.raises(UnreadableFileError):
            load_surface(path)
