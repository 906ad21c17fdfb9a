# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of SDF: it agrees with libsdformat's, all that we write fits it, and slips of the pen are found by it."""

import mmap
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from core import Inertial, Pose
from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from core.cli.check import check_path
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh, Model, Visual
from core.robot.resolve_model import resolve_model
from core.sdf.read.schema import structure_findings
from core.sdf.read.sdf_file import read_document
from core.sdf.spec.description import ROOT
from core.sdf.write.fill import fill
from core.sdf.write.model_sdf import sdf_bytes
from core.sdf.xml.document import Document

from ...solids import box


def findings(text):
    data = text if isinstance(text, bytes) else text.encode()
    return list(structure_findings(Document.parse(data, "m.sdf")))


def link(content, version="1.11", geometry="<sphere><radius>1</radius></sphere>"):
    part = f"<collision name='c'><geometry>{geometry}</geometry></collision>"
    return f"<sdf version='{version}'><model name='m'><link name='l'>{content}{part}</link></model></sdf>"


def codes(text):
    return [(finding.severity, finding.code) for finding in findings(text)]


@pytest.mark.parametrize(
    "content, meant",
    [
        ("<inertail/>", "inertial"),
        ("<Inertial/>", "inertial"),
        ("<inertial><mas>1</mas></inertial>", "mass"),
        ("<inertial><intertia/></inertial>", "inertia"),
        ("<inertial auto='true'><densty>1</densty></inertial>", "density"),
        ("<inertial auto='true'><auto_inertial_params/></inertial>", "auto_inertia_params"),
        ("<inertial aut='true'/>", "auto"),
        ("<pose relativeto='x'/>", "relative_to"),
        ("<collison name='d'/>", "collision"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_what_was_meant(content, meant):
    assert codes(link(content)) == [("warning", "misspelled")]
    assert f"did you mean '{meant}'?" in findings(link(content))[0].message


def test_the_place_of_a_slip_is_told():
    (finding,) = findings(link("\n\n<inertial>\n<mas>1</mas></inertial>"))
    assert finding.subject == "m.sdf:4 /sdf/model[@name='m']/link[@name='l']/inertial/mas"


@pytest.mark.parametrize(
    ("content", "code", "sdf_codes"),
    [
        ("<inertial auto='yes'/>", "bad_boolean", (5, 9, 1)),
        ("<inertial><mass>heavy</mass></inertial>", "bad_number", (9, 1)),
        ("<inertial><density/></inertial>", None, ()),
        ("<pose>1 2 3</pose>", "bad_pose", (9, 1)),
        ("<battery name='b'><voltage>12 V</voltage></battery>", None, ()),
    ],
)
def test_a_text_that_libsdformat_cannot_read_is_an_error(content, code, sdf_codes):
    found = [finding for finding in findings(link(content)) if finding.severity == "error"]
    assert [(finding.code, finding.sdf_codes) for finding in found] == ([(code, sdf_codes)] if code else [])


@pytest.mark.parametrize("size", ["1 2", "a b c", "", "1,2,3"])
def test_a_vector_of_the_wrong_length_is_an_error(size):
    (finding,) = findings(link("", geometry=f"<box><size>{size}</size></box>"))
    assert (finding.severity, finding.code, finding.sdf_codes) == ("error", "bad_vector", (9, 1))


TWO = "<sphere><radius>1</radius></sphere><box><size>1 1 1</size></box>"

FOUND = [
    # Lost, although it is meant for an inertial.
    (link("<mass>1</mass>"), ["misplaced"]),
    (link("<density>1</density>"), ["misplaced"]),
    (link("<inertia/>"), ["misplaced"]),
    (link("<static>1</static>"), ["misplaced"]),
    (link("<inertial><ixx>1</ixx></inertial>"), ["misplaced"]),
    ("<sdf version='1.11'><model name='m'><inertial/><link name='l'/></model></sdf>", ["misplaced"]),
    ("<sdf version='1.11'><world name='w'><inertial/></world></sdf>", ["misplaced"]),
    (link("<inertail/>"), ["misspelled"]),
    (link("<inertial/><inertial/><inertial/>"), ["repeated"]),
    (link("", geometry=TWO), ["repeated"]),
    # Texts of which libsdformat reads the beginning.
    (link("<inertial><mass>1,5</mass></inertial>"), ["bad_value"]),
    (link("", geometry="<box><size>1 2 3 4</size></box>"), ["bad_value"]),
    # What nobody could mean, and what has a default.
    (link("<inertial><zebra/></inertial>"), ["unknown_element"]),
    (link("<inertial zebra='1'/>"), ["unknown_attribute"]),
    (link("", geometry="<sphere/>"), ["missing_child"]),
    # Elements of others.
    (link("<drake:mas xmlns:drake='d'/><gz:mas/>"), []),
    (link("<sensor name='s' type='imu'><gz_frame_id>l</gz_frame_id><pose>none</pose><mas/></sensor>"), []),
    (link("<sensor/><light type='Point'/><gz_frame_id>l</gz_frame_id>"), []),
    (link("<zebra stripes='9'><mass>1</mass><inertial/></zebra>"), []),
    (link("<plugin><mas>1</mas></plugin><battery name='b'><voltage>12 V</voltage></battery>"), []),
    (link("<visual name='v' colour='red'><geometry><empty/></geometry><material><a>x</a></material></visual>"), []),
]

INFOS = ("unknown_element", "unknown_attribute", "missing_child")


@pytest.mark.fault(145)
@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_each_slip_is_found_with_its_severity(text, expected):
    assert codes(text) == [("info" if code in INFOS else "warning", code) for code in expected]


@pytest.mark.fault(108)
@pytest.mark.parametrize(
    ("content", "names", "remedy"),
    [
        ("<inertial><mass value='7.5'/></inertial>", "value is an attribute of <mass>", "<mass>7.5</mass>"),
        ("<inertial mass='7.5'/>", "mass is an attribute of <inertial>", "<mass>7.5</mass> in <inertial>"),
        ("<inertial><inertia ixx='3' iyy='2'/></inertial>", "ixx, iyy are attributes of <inertia>", "<ixx>3</ixx>"),
        ("<inertial><origin xyz='1 2 3'/></inertial>", "xyz is an attribute of <origin>", "<pose>x y z"),
        ("<visual name='v'><geometry><box size='1 2 3'/></geometry></visual>", "size is", "<size>1 2 3</size>"),
        ("<visual name='v'><geometry><ellipsoid radii='1 2 3'/></geometry></visual>", "radii is", "<radii>1 2 3"),
        ("<visual name='v'><geometry><mesh filename='a'/></geometry></visual>", "filename is", "<uri>a</uri>"),
    ],
)
def test_attributes_in_the_form_of_urdf_are_an_error_that_names_it(content, names, remedy):
    (finding,) = findings(link(content))
    assert (finding.severity, finding.code) == ("error", "attribute_form")
    assert names in finding.message and "URDF" in finding.message and remedy in finding.remedy


@pytest.mark.fault(108)
def test_check_reports_a_mass_in_the_form_of_urdf_once(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(link("<inertial><mass value='7.5'/></inertial>"))
    assert [finding.code for finding in check_path(path)] == ["attribute_form"]


def test_a_missing_attribute_is_an_error():
    (finding,) = findings(link("").replace(" name='l'", ""))
    assert (finding.severity, finding.code, finding.sdf_codes) == ("error", "no_name", (4, 9, 1))


@pytest.mark.fault(93)
def test_of_two_shapes_the_one_that_libsdformat_takes_is_named():
    (finding,) = findings(link("", geometry=TWO))
    assert finding.message.endswith("this one has sphere, box; the box counts")


def test_old_files_have_old_names():
    old = "<pose frame=''>0 0 0 0 0 0</pose><inertial><pose frame=''/></inertial>"
    assert codes(link(old, version="1.6")) == []
    assert codes(link(old, version="1.11")) != []


def test_everything_that_is_written_fits():
    surface = Surface(*map(np.asarray, box()))
    shapes = [Box((1, 2, 3)), Sphere(1), Ellipsoid((1, 2, 3)), Cylinder(1, 2), Cone(1, 2), Capsule(1, 2)]
    mesh = Mesh(surface, np.eye(3))
    turned = Pose.from_sdf([1, 2, 3, 0.1, 0.2, 0.3])
    parts = tuple(Collision(shape.kind, turned, shape, density=20.0) for shape in [*shapes, mesh])  # type: ignore[attr-defined]
    voxels = Collision("v", Pose.identity, mesh, params={"gz:voxel_size": "0.1"})
    links = (
        Link("auto", turned, density=5.0, params={"sdf_inertia:method": "exact"}, collisions=parts),
        Link("mass", mass=7.0, collisions=parts[:1]),
        Link("voxel", collisions=(voxels,)),
        Link("filled", mode="filled", collisions=parts, visuals=(Visual("s", turned, shapes[0], (1, 0, 0, 1)),)),
        Link("manual", mode="manual", manual=Inertial(1, [1, 2, 3], np.diag([1.0, 1, 1]))),
    )
    model = Model("m", links)
    data = sdf_bytes(model, resolve_model(model), {mesh: "box.obj"})
    assert b"auto_inertia_params" in data and b"<inertia>" in data and b"<diffuse>" in data
    assert codes(data) == []
    document = Document.parse(data, "m.sdf")
    assert codes(fill(read_document(document)).data) == []


SPEC = re.compile(rb"\n(<element name=\"([a-zA-Z_]+)\"[^\0]*)\0")

KINDS = {
    "double": "f",
    "int": "i",
    "unsigned int": "u",
    "bool": "b",
    "string": "s",
    "vector3": "v",
    "vector2d": "w",
    "color": "c",
    "pose": "p",
    "time": "t",
    None: "",
}


@pytest.fixture(scope="module")
def described():
    """libsdformat's own descriptions, which Drake's library carries, of all versions: elements by name."""
    package = find_spec("pydrake")
    libraries = sorted(Path(package.origin).parent.glob("lib/libdrake.so*")) if package else []
    if not libraries:
        pytest.skip("pydrake is not installed: no description of SDF to compare with")
    found = {}
    with libraries[0].open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        first, last = data.find(b'\n<element name="'), data.rfind(b'\n<element name="')
        for match in SPEC.finditer(data[first : last + 100_000]):
            found.setdefault(match[2].decode(), []).append(etree.fromstring(match[1]))
    return found


def as_described(element):
    """Return attributes and children of a description with their types and whether they are required."""
    attributes = {
        (one.get("name"), KINDS.get(one.get("type")), one.get("required") == "1")
        for one in element.iterchildren("attribute")
    }
    own = {
        (one.get("name"), KINDS.get(one.get("type")), one.get("required").strip() == "1")
        for one in element.iterchildren("element")
        if one.get("name")
    }
    return attributes, own, len(element.findall("include"))


def matches(structure, element):
    """Return True if libsdformat has all that the table has, and nothing else unless the table says so."""
    attributes, own, included = as_described(element)
    ours = {(name, slot.kind, slot.required) for name, slot in structure.children.items()}
    same = attributes == {(name, slot.kind, slot.required) for name, slot in structure.attributes.items()}
    if structure.open:
        names = {name for name, *_ in own}
        return same and {one for one in ours if one[0] in names} <= own and len(ours - own) <= included
    return same and own <= ours and len(ours) - len(own) == included


@pytest.mark.parametrize(
    "path",
    [
        "world",
        "model",
        "world/joint",
        "model/link",
        "model/link/inertial",
        "model/link/collision",
        "model/link/visual",
        "model/link/collision/geometry/mesh",
        "model/link/collision/geometry/cone",
        "model/link/collision/geometry/heightmap",
        "model/link/collision/geometry",
        "model/link/collision/geometry/polyline",
        "model/frame",
    ],
)
def test_the_table_is_libsdformats_own(path, described):
    structure = ROOT.structure
    for step in path.split("/"):
        structure = structure.children[step].structure
    assert any(matches(structure, element) for element in described[path.split("/")[-1]])
