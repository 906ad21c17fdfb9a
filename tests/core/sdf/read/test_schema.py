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


def test_the_place_of_a_slip_is_told():
    (finding,) = findings(link("\n\n<inertial>\n<mas>1</mas></inertial>"))
    assert finding.subject == "m.sdf:4 /sdf/model[@name='m']/link[@name='l']/inertial/mas"


@pytest.mark.parametrize(
    ("old", "new", "code", "sdf_codes"),
    [
        ("<collision", "<inertial auto='yes'/><collision", "bad_boolean", (5, 9, 1)),
        ("<sphere><radius>1</radius></sphere>", "<box><size>1 2</size></box>", "bad_vector", (9, 1)),
        (" name='l'", "", "no_name", (4, 9, 1)),
    ],
)
def test_an_error_has_all_the_codes_of_libsdformat(old, new, code, sdf_codes):
    (finding,) = findings(link("").replace(old, new))
    assert (finding.severity, finding.code, finding.sdf_codes) == ("error", code, sdf_codes)


@pytest.mark.fault(108)
def test_check_reports_a_mass_in_the_form_of_urdf_once(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(link("<inertial><mass value='7.5'/></inertial>"))
    assert [finding.code for finding in check_path(path)] == ["attribute_form"]


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
