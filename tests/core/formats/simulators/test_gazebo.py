# SPDX-License-Identifier: GPL-3.0-or-later
"""What Gazebo's own mesh calculator gets: measured in the reference cases, or done by hand where none was measured."""

import json

import numpy as np
import pytest

from core import Pose
from core.document.document import Document
from core.errors import InertiaError
from core.formats.sdf.read import read_document
from core.formats.simulators.gazebo import gazebo_findings, gazebo_inertial, gazebo_mesh

from ...sdformat_cases import tensor_of
from ...solids import box, joined, two_materials

MEASURED = [
    "box.obj",
    "box.stl",
    "box_off.stl",
    "box_oneflip.stl",
    "box_open.stl",
    "overlap.stl",
    "pose",
    "sphere.obj",
    "two.obj",
]

REFUSED = ["box_open_off.stl", "negscale"]


@pytest.fixture(scope="module")
def link_of(data):
    cases = json.loads((data / "libsdformat_cases.json").read_text())["cases"]
    cases = {case["id"]: case for case in cases}
    folder = data / "meshes" / "cases"

    def read(name):
        case = cases[f"measured_m_{name}"]
        document = Document.parse(case["input"]["sdf"].encode(), name, folder / "case.sdf")
        (link,) = read_document(document, [folder]).links
        return link, case["expected"]

    return read


@pytest.mark.parametrize("name", MEASURED)
def test_gazebos_number_is_the_measured_one_right_or_wrong(name, link_of):
    link, expected = link_of(name)
    (expected,) = expected["links"]
    body = gazebo_inertial(link)
    pose = Pose.from_sdf(expected["pose"])
    tensor = tensor_of(expected["moments"], expected["products"])
    assert body.mass == pytest.approx(expected["mass"], rel=1e-9)
    np.testing.assert_allclose(body.com, pose.p, atol=1e-9 * max(1.0, np.abs(pose.p).max()))
    np.testing.assert_allclose(body.inertia, tensor, atol=1e-9 * np.trace(tensor))


@pytest.mark.parametrize("name", REFUSED)
def test_what_gazebo_refuses_is_refused(name, link_of):
    link, expected = link_of(name)
    assert expected["error_codes"] == [37, 19]
    with pytest.raises(InertiaError) as raised:
        gazebo_inertial(link)
    assert raised.value.code == "gazebo_refuses"


@pytest.mark.parametrize(("name", "ours"), [("box_oneflip.stl", 600.0), ("box_open.stl", None)])
def test_where_gazebo_is_silently_wrong_its_number_is_reported(name, ours, link_of):
    link, expected = link_of(name)
    assert link.body.refused if ours is None else link.body.inertial.mass == pytest.approx(ours)
    (finding,) = gazebo_findings(link)
    assert (finding.severity, finding.code) == ("warning", "gazebo_differs")
    assert f"{expected['links'][0]['mass']:g} kg" in finding.message


def test_a_mirror_that_gazebo_refuses_is_an_error_with_our_number(link_of):
    link, _ = link_of("negscale")
    assert link.body.inertial.mass == pytest.approx(600.0)
    (finding,) = gazebo_findings(link)
    assert (finding.severity, finding.code) == ("error", "gazebo_refuses")
    assert "600 kg" in finding.message


def test_where_both_agree_nothing_is_reported_unless_asked(link_of):
    link, _ = link_of("box_off.stl")
    assert list(gazebo_findings(link)) == []
    assert [(f.severity, f.code) for f in gazebo_findings(link, show=True)] == [("info", "gazebo_agrees")]


def test_hulls_are_not_promised(link_of):
    link, _ = link_of("sphere_cd")
    assert gazebo_inertial(link) is None
    assert list(gazebo_findings(link, show=True)) == []


# Two materials: a box of 1 x 2 x 3 m whose caps (z = -1.5 and 1.5) are one submesh and whose sides are the other.
# The caps: n_x = 0 everywhere, so no volume, and they are skipped. The sides: n_x and n_y are complete, so volume,
# ∫x² and ∫y² are right, while ∫z² is zero without any n_z. So ρV ∫y² = 200, ρV ∫x² = 50 kg·m² with ρ = 100.


def test_two_materials_on_one_mesh_give_gazebos_wrong_number():
    vertices, caps, sides = two_materials()
    whole = gazebo_mesh([(vertices, np.concatenate([caps, sides]))], (1, 1, 1), 100.0)
    np.testing.assert_allclose(np.diag(whole.inertia), [650, 500, 250])
    split = gazebo_mesh([(vertices, caps), (vertices, sides)], (1, 1, 1), 100.0)
    assert split.mass == pytest.approx(600)
    np.testing.assert_allclose(split.inertia, np.diag([200, 50, 250]), atol=1e-9)


@pytest.fixture
def two_material_link(tmp_path):
    vertices, caps, sides = two_materials()
    lines = [f"v {x} {y} {z}\n" for x, y, z in vertices.tolist()]
    for name, triangles in (("caps", caps), ("sides", sides)):
        lines += [f"g {name}\nusemtl {name}\n", *(f"f {a} {b} {c}\n" for a, b, c in (triangles + 1).tolist())]
    (tmp_path / "box.obj").write_text("".join(lines))
    text = (
        "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'><density>100</density></inertial>"
        "<collision name='c'><geometry><mesh><uri>box.obj</uri></mesh></geometry></collision></link></model></sdf>"
    )
    (link,) = read_document(Document.parse(text.encode(), "m", tmp_path / "m.sdf")).links
    return link


def test_two_materials_in_a_file_are_right_here_and_wrong_in_gazebo(two_material_link):
    np.testing.assert_allclose(np.diag(two_material_link.body.inertial.inertia), [650, 500, 250])
    (finding,) = gazebo_findings(two_material_link)
    assert (finding.severity, finding.code) == ("warning", "gazebo_differs")
    assert "principal moments 50, 200, 250" in finding.message
    assert "principal moments 250, 500, 650" in finding.message


def test_a_submesh_with_an_impossible_tensor_is_skipped():
    # A box without one side's second half of z: by hand it is enough that the sum of bodies is what is kept.
    vertices, caps, sides = two_materials()
    good = box((1.0, 1.0, 1.0), (9.5, -0.5, -0.5))
    both = gazebo_mesh([(vertices, caps), good], (1, 1, 1), 100.0)
    assert both.mass == pytest.approx(100.0)  # of the box of two submeshes only the good one is left


def test_scale_and_sign_are_applied_to_each_vertex():
    vertices, triangles = joined(box((1.0, 1.0, 1.0)))
    body = gazebo_mesh([(vertices, triangles)], (2, -1, -3), 1.0)
    assert body.mass == pytest.approx(6.0)
    np.testing.assert_allclose(body.com, [1, -0.5, -1.5])
    with pytest.raises(InertiaError):
        gazebo_mesh([(vertices, triangles)], (2, 1, -3), 1.0)
