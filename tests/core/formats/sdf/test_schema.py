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
from core.document.document import Document
from core.formats.sdf.fill import fill
from core.formats.sdf.read import read_document
from core.formats.sdf.schema import structure_findings
from core.formats.sdf.spec.description import ROOT
from core.formats.sdf.write import sdf_bytes
from core.judge.geometry.resolve_model import resolve_model
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh, Model, Visual

from ...drake_inertia import refusal
from ...solids import box
from .texts import errors_of, model, read


def findings(text):
    data = text if isinstance(text, bytes) else text.encode()
    return list(structure_findings(Document.parse(data, "m.sdf")))


SPHERE = "<geometry><sphere><radius>1</radius></sphere></geometry>"


def link(content):
    return model(f"<link name='l'>{content}<collision name='c'>{SPHERE}</collision></link>")


def codes(text):
    return [(finding.severity, finding.code) for finding in findings(text)]


def test_the_place_of_a_slip_is_reported():
    (finding,) = findings(link("\n\n<inertial>\n<mas>1</mas></inertial>"))
    assert finding.subject == "m.sdf:4 /sdf/model[@name='m']/link[@name='l']/inertial/mas"


@pytest.mark.parametrize(
    ("old", "new", "code", "sdf_codes"),
    [
        ("<collision", "<inertial auto='yes'/><collision", "bad_boolean", (5, 9, 1)),
        (SPHERE, "<geometry><box><size>1 2</size></box></geometry>", "bad_vector", (9, 1)),
        (" name='l'", "", "no_name", (4, 9, 1)),
    ],
)
def test_an_error_has_all_the_codes_of_libsdformat(old, new, code, sdf_codes):
    (finding,) = findings(link("").replace(old, new))
    assert (finding.severity, finding.code, finding.sdf_codes) == ("error", code, sdf_codes)


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


PLACES = [
    "world",
    "model",
    "world/joint",
    "model/link",
    "model/link/inertial",
    "model/link/collision",
    "model/link/visual",
    "model/frame",
    "model/link/collision/geometry",
    "model/link/collision/geometry/mesh",
    "model/link/collision/geometry/cone",
    "model/link/collision/geometry/heightmap",
    "model/link/collision/geometry/polyline",
]


@pytest.mark.parametrize("path", PLACES)
def test_the_table_is_libsdformats_own(path, described):
    structure = ROOT.structure
    for step in path.split("/"):
        structure = structure.children[step].structure
    assert any(matches(structure, element) for element in described[path.split("/")[-1]])


# --- every place of the table, and what is no place of it ------------------------------------------------------------

SAMPLES = {"b": "1", "s": "x", "v": "1 1 1", "w": "1 1", "p": "0 0 0 0 0 0"}

OF_TYPE = {"joint": "fixed"}


def places():
    """Yield each place of the table once, as the slots on the way to it."""
    seen, waiting = set(), [(("sdf", ROOT),)]
    while waiting:
        path = waiting.pop(0)
        structure = path[-1][1].structure
        if id(structure) not in seen:
            seen.add(id(structure))
            yield path
            there = {name for name, _ in path} | {"include"}
            waiting += [(*path, (name, slot)) for name, slot in structure.children.items() if name not in there]  # type: ignore[misc]


def written(path, text="", without=""):
    """Return a file with the least that leads to a place."""
    xml = ""
    for depth, (tag, slot) in reversed(list(enumerate(path))):
        last = depth == len(path) - 1
        values = {"name": f"x{tag}", "version": "1.12", "type": OF_TYPE.get(tag, "x")}
        attributes = "".join(
            f' {name}="{values.get(name, SAMPLES.get(one.kind, "1"))}"'
            for name, one in slot.structure.attributes.items()
            if one.required and not (last and name == without)
        )
        links = '<link name="l"/><link name="k"/>' if tag == "model" else ""
        following = "" if last else path[depth + 1][0]
        ends = [f"<{end}>{name}</{end}>" for end, name in (("parent", "l"), ("child", "k")) if end != following]
        links += "".join(ends) if tag == "joint" else ""
        xml = f"<{tag}{attributes}>{text if last else ''}{links}{xml}</{tag}>"
    return xml


LEAVES = [path for path in places() if path[-1][1].kind not in ("", "s")]


def name_of(path):
    return "/".join(name for name, _ in path[1:])


@pytest.mark.thorough
def test_every_typed_text_of_the_table_is_checked():
    assert len(LEAVES) > 60
    for path in LEAVES:
        (error, *_) = errors_of(read(written(path, "abc")))
        assert error.sdf_codes[0] == 9, name_of(path)
        assert error.subject.split()[1].rpartition("/")[2].partition("[")[0] == path[-1][0]


def test_every_attribute_that_must_be_there_is_missed():
    needed = [(path, name) for path in places() for name in path[-1][1].structure.required if len(path) > 1]
    assert len(needed) > 8
    for path, name in needed:
        (error, *_) = errors_of(read(written(path, without=name)))
        assert error.sdf_codes[0] == 4, (name_of(path), name)


def test_a_sample_of_them_is_refused_by_libsdformat_too():
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    rng = np.random.default_rng(19)
    inside = [path for path in LEAVES if path[1][0] in ("world", "model")]
    for number in rng.choice(len(inside), 40, replace=False):
        path = inside[number]
        sample = SAMPLES.get(path[-1][1].kind, "1")
        assert refusal(written(path, "abc")), name_of(path)
        assert not refusal(written(path, sample)) or errors_of(read(written(path, sample))), name_of(path)


@pytest.mark.fault(91)
@pytest.mark.parametrize("kind", ["collision", "visual"])
def test_of_two_parts_of_one_name_the_second_weighs_nothing(kind):
    part = f"<{kind} name='p'><geometry><box><size>1 2 {{}}</size></box></geometry></{kind}>"
    floor = "<collision name='floor'><geometry><box><size>1 1 1</size></box></geometry></collision>"
    inertial = "<inertial auto='true'><density>1</density></inertial>"
    file = read(model(f"<link name='l'>{inertial}{floor}{part.format(3)}{part.format(30)}</link>"))
    assert file.links[0].body.inertial.mass == (1 + 6 if kind == "collision" else 1)
    (error,) = errors_of(file)
    assert (error.code, error.sdf_codes[0]) == ("duplicate_name", 2) and "'p'" in error.message
