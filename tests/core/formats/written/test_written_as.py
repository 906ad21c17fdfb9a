# SPDX-License-Identifier: GPL-3.0-or-later
"""How a collision's mesh is written, what its inertial was computed from, and whether that is still so."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from core import Pose
from core.body.shapes import Box, Cylinder, Sphere
from core.errors import InertiaError
from core.files.mesh_file import load_surface
from core.formats.package import Target, write_model
from core.formats.table import read_robot_file
from core.judge.geometry.resolve_model import resolve_model
from core.mesh.hull import simplified
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh, Model
from tests.core.drake_inertia import complaints, loaded
from tests.core.exported import wedge

from ...robot_files import check_path

L_SHAPE = Surface(
    np.array([(x, y, z) for z in (0.0, 1.0) for x, y in ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))], dtype=float),
    np.array(
        [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4), (6, 7, 8), (6, 8, 9), (6, 9, 10), (6, 10, 11)]
        + [face for i in range(6) for j in [(i + 1) % 6] for face in ((i, j, j + 6), (i, j + 6, i + 6))]
    ),
)


def round_mesh():
    """Return a ball of many facets."""
    ball = Sphere(0.5)
    vertices, faces = ball.facets()
    triangles = [(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)]
    return Surface(vertices, np.array(triangles))


def model(surface=L_SHAPE, mode="filled", **how):
    collision = Collision("c", Pose.identity, Mesh(surface, np.eye(3)), 700.0, **how)
    return Model("m", (Link("l", mode=mode, collisions=(collision,)),))


def written(made, folder):
    (body,) = resolve_model(made)
    path = write_model(made, (body,), Target.of(folder, "m"), uri_style="file").file
    root = etree.parse(path).getroot()
    uri = root.find(".//collision//uri").text.removeprefix("file://")
    return body, path, root, load_surface(Path(uri))[0]


def test_the_convex_hull_is_written_and_the_inertia_is_that_of_the_part(tmp_path):
    body, *_rest, surface = written(model(write_as="convex_hull"), tmp_path)
    assert body.inertial.mass == pytest.approx(2100.0)
    a, b, c = (surface.vertices[surface.triangles[:, k]] for k in range(3))
    assert np.abs(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0) == pytest.approx(3.5)


def test_auto_is_possible_only_for_the_same_solid_as_the_part(tmp_path):
    body, *_ = written(model(write_as="convex_hull", mode="auto"), tmp_path / "a")
    assert body.mode == "filled"
    assert "auto_not_possible" in [one.code for one in body.findings]
    body, *_ = written(model(wedge(), write_as="convex_hull", mode="auto"), tmp_path / "b")
    assert body.mode == "auto"  # a wedge is its own hull
    body, *_ = written(model(wedge(), write_as="decomposed", mode="auto"), tmp_path / "c")
    assert body.mode == "filled"


def test_a_simplified_mesh_has_fewer_faces_within_its_tolerance(tmp_path):
    ball = round_mesh()
    body, *_rest, surface = written(model(ball, write_as="simplified", simplify_tolerance=0.03), tmp_path)
    assert 4 <= len(surface.triangles) < 0.7 * len(ball.triangles)
    assert np.linalg.norm(surface.vertices, axis=1).min() > 0.45
    assert body.inertial.mass == pytest.approx(700.0 * 4 / 3 * np.pi * 0.125, rel=0.05)


@pytest.mark.parametrize(
    ("surface", "tolerance"),
    [(L_SHAPE, 0.0), (L_SHAPE, -1.0), (L_SHAPE, 50.0), (Surface(L_SHAPE.vertices, L_SHAPE.triangles[:-1]), 0.01)],
)
def test_what_cannot_be_simplified_is_refused(surface, tolerance):
    with pytest.raises(InertiaError) as caught:
        simplified(surface, tolerance)
    assert caught.value.code == "not_simplified"


def test_a_collision_that_cannot_be_simplified_is_named_first():
    (body,) = resolve_model(model(write_as="simplified", simplify_tolerance=50.0))
    assert [(one.code, one.subject) for one in body.findings] == [("not_simplified", "l/c")]
    assert body.refused


def test_decomposed_is_what_sdf_calls_it(tmp_path):
    _body, _path, root, surface = written(model(write_as="decomposed"), tmp_path)
    assert root.find(".//mesh").get("optimization") == "convex_decomposition"
    assert len(surface.triangles) == len(L_SHAPE.triangles)


def test_a_filled_inertial_names_its_source_and_simulators_ignore_it(tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    body, path, root, _surface = written(model(), tmp_path)
    (said,) = root.iter("{urn:sdf_inertia}computed")
    assert said.get("method") == "exact"
    assert (float(said.get("density")), float(said.get("volume"))) == pytest.approx((700.0, 3.0))
    assert said.get("mesh") in root.find(".//collision//uri").text
    text = path.read_text()
    assert complaints(text) == []
    (drakes,) = loaded(text).values()
    assert drakes.mass == body.inertial.mass
    assert [one for one in check_path(path) if one.severity != "info"] == []


def test_auto_and_manual_inertials_say_nothing(tmp_path):
    assert not list(written(model(wedge(), "auto"), tmp_path / "a")[2].iter("{urn:sdf_inertia}computed"))
    made = model()
    (body,) = resolve_model(made)
    link = replace(made.links[0], mode="manual", manual=body.inertial)
    assert not list(written(replace(made, links=(link,)), tmp_path / "b")[2].iter("{urn:sdf_inertia}computed"))


def test_check_says_when_the_mesh_is_another_than_it_was(tmp_path):
    _body, path, root, _surface = written(model(), tmp_path)
    mesh = root.find(".//collision//uri").text.removeprefix("file://")
    with open(mesh, "a") as file:
        file.write("# another hand\n")
    assert [one.code for one in check_path(path)] == ["stale"]


def test_author_and_description_stand_in_model_config(tmp_path):
    made = replace(model(), author="A. Uthor", description="An angle")
    path = write_model(made, resolve_model(made), Target.of(tmp_path, "m")).file
    config = etree.parse(path.parent / "model.config")
    assert (config.findtext("author/name"), config.findtext("description")) == ("A. Uthor", "An angle")


def test_a_static_model_says_so(tmp_path):
    made = replace(model(), static=True)
    path = write_model(made, resolve_model(made), Target.of(tmp_path, "m")).file
    assert etree.parse(path).findtext("model/static") == "true"


class Block(Box):
    """A shape that no format has."""

    kind = "block"
    formats = frozenset()


class Rod(Cylinder):
    """Another, whose mesh is smaller than it."""

    kind = "rod"
    formats = frozenset()


@pytest.mark.parametrize(("shape", "mode"), [(Block((1.0, 2.0, 3.0)), "auto"), (Rod(0.5, 2.0), "manual")])
@pytest.mark.parametrize("suffix", ["sdf", "urdf"])
def test_a_shape_that_the_format_lacks_is_written_as_a_mesh(suffix, shape, mode, tmp_path):
    made = Model("m", (Link("l", density=700.0, collisions=(Collision("c", Pose.identity, shape),)),))
    (body,) = resolve_model(made)
    path = write_model(made, (body,), Target.of(tmp_path / f"m.{suffix}", "m")).file
    (link,) = read_robot_file(path).links
    assert link.link.collisions[0].geometry.kind == "mesh"
    assert link.link.mode == ("manual" if suffix == "urdf" else mode)
    # As exact as the formula, although a mesh of 32 sides has 0.6 % less.
    assert link.body.inertial.mass == pytest.approx(700.0 * shape.moments().volume, rel=1e-9)
