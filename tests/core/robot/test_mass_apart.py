# SPDX-License-Identifier: GPL-3.0-or-later
"""What has mass and what collides are two questions; parts that were weighed keep their mass."""

from dataclasses import replace

import numpy as np
import pytest

from core import Pose, mesh_moments
from core.body.compare import difference
from core.body.shapes import Box, Cylinder
from core.formats.package import Target, write_model
from core.formats.sdf.read import read_sdf
from core.judge.geometry.resolve_model import resolve_model
from core.mesh.surface import Surface
from core.robot.model import Collision, Frame, Link, Mesh, Model, Part
from core.robot.report import model_json
from core.robot.resolve import resolve_link

from ..solids import U_CELLS, cells

HULL = Collision("hull", Pose.identity, Box((0.3, 0.3, 0.1)), has_mass=False)
CASTING = Part("casting", Pose.identity, Mesh(Surface(*cells(U_CELLS, (0.1, 0.1, 0.1))), np.eye(3)), 2700.0)
BATTERY = Part("battery", Pose.from_sdf([0.05, 0, 0.02, 0.3, 0, 0]), Box((0.1, 0.04, 0.03)), mass=0.35)
SERVO = Collision("servo", Pose.from_sdf([0.2, 0, 0, 0, 0, 0]), Cylinder(0.01, 0.03), mass=0.055)
PRINT = Collision("print", Pose.identity, Box((0.2, 0.1, 0.05)), 1240.0)


def expected(*parts):
    """Return the sum of parts by their closed forms or exact integrals."""
    total = None
    for part in parts:
        shape = part.geometry
        moments = mesh_moments(shape.surface.vertices, shape.surface.triangles) if isinstance(shape, Mesh) else None
        moments = shape.moments() if moments is None else moments
        own = moments.inertial(part.density if part.mass is None else part.mass / moments.volume)
        own = own.transformed(part.pose)
        total = own if total is None else total + own
    return total


def codes(body):
    return [finding.code for finding in body.all_findings()]


def written(model, folder):
    """Return what was resolved and the file that an export writes, read back."""
    bodies = resolve_model(model)
    return bodies, read_sdf(write_model(model, bodies, Target.of(folder, model.name)).file)


def test_a_box_collides_where_a_casting_and_a_battery_have_the_mass(tmp_path):
    link = Link("base", collisions=(HULL,), masses=(CASTING, BATTERY))
    (body,), file = written(Model("m", (link,)), tmp_path)
    assert difference(body.inertial, expected(CASTING, BATTERY)).worst < 1e-12
    assert [part.name for part in body.parts] == ["casting", "battery"]
    assert body.parts[1].inertial.mass == 0.35
    assert body.mode == "filled"
    (finding,) = body.findings
    assert finding.code == "auto_not_possible"
    assert "casting, battery have mass without colliding, and hull collides without having mass" in finding.message
    (read,) = file.links
    assert [collision.name for collision in read.link.collisions] == ["hull"]
    assert difference(read.manual, body.inertial).worst < 1e-9


def test_a_servo_keeps_its_55_grams_beside_a_print_under_a_target():
    body = resolve_link(Link("arm", mode="filled", mass=0.2, collisions=(SERVO, PRINT)))
    assert body.inertial.mass == pytest.approx(0.2, rel=1e-15)
    assert [part.inertial.mass for part in body.parts] == pytest.approx([0.055, 0.145], rel=1e-15)
    assert difference(body.inertial, expected(SERVO, replace(PRINT, density=None, mass=0.145))).worst < 1e-12
    assert body.parts[1].density == pytest.approx(145.0, rel=1e-12)


@pytest.mark.parametrize("target", [None, 0.2])
def test_parts_of_known_mass_stay_auto_by_their_density(target, tmp_path):
    link = Link("arm", mode="auto", mass=target, collisions=(SERVO, PRINT))
    (body,), file = written(Model("m", (link,)), tmp_path)
    assert (body.mode, codes(body)) == ("auto", [])
    (read,) = file.links
    assert read.auto and read.link.mass is None
    assert difference(resolve_link(read.link, from_file=True).inertial, body.inertial).worst < 1e-9
    by_name = {part["name"]: part for part in model_json(Model("m", (link,)), (body,))["links"][0]["parts"]}
    assert by_name["servo"]["mass"] == 0.055
    assert by_name["servo"]["density"] == pytest.approx(0.055 / (np.pi * 0.01**2 * 0.03), rel=1e-12)


@pytest.mark.parametrize(("target", "parts"), [(0.055, (SERVO, PRINT)), (0.05, (SERVO, PRINT)), (1.0, (SERVO,))])
def test_a_target_that_leaves_nothing_to_scale_is_refused(target, parts):
    body = resolve_link(Link("arm", mass=target, collisions=parts))
    assert body.inertial is None
    assert codes(body) == ["target_below_parts"]


def test_an_impossible_mass_of_a_part_or_no_mass_at_all_makes_no_body():
    for mass in (0.0, -1.0, np.nan, np.inf):
        body = resolve_link(Link("arm", collisions=(replace(SERVO, mass=mass), PRINT)))
        assert body.inertial is None and "bad_mass" in codes(body)
    body = resolve_link(Link("base", collisions=(HULL,)))
    assert body.inertial is None
    assert [finding.message for finding in body.findings] == ["none of its collisions has mass"]


def test_the_whole_robot_weighs_its_stated_mass():
    weighed = Link("weighed", mass=0.5, collisions=(PRINT,))
    servo = Link("servo", collisions=(SERVO, PRINT))
    free = [
        Link(name, collisions=(replace(PRINT, density=density),)) for name, density in (("a", 500.0), ("b", 1500.0))
    ]
    before = {body.name: body.inertial.mass for body in resolve_model(Model("m", (weighed, servo, *free)))}
    bodies = {body.name: body for body in resolve_model(Model("m", (weighed, servo, *free), mass=5.0))}
    assert sum(body.inertial.mass for body in bodies.values()) == pytest.approx(5.0, rel=1e-14)
    assert {name: bodies[name].inertial.mass for name in ("weighed", "servo")} == {
        name: before[name] for name in ("weighed", "servo")
    }
    assert bodies["b"].inertial.mass == pytest.approx(3.0 * bodies["a"].inertial.mass, rel=1e-14)
    assert codes(bodies["a"]) == codes(bodies["b"]) == ["model_mass"]
    assert bodies["a"].parts[0].inertial.mass == bodies["a"].inertial.mass


def test_scaled_links_stay_auto(tmp_path):
    model = Model("m", tuple(Link(name, collisions=(PRINT,)) for name in "ab"), mass=3.0)
    bodies, file = written(model, tmp_path)
    assert [body.mode for body in bodies] == ["auto", "auto"]
    found = [resolve_link(read.link, from_file=True).inertial for read in file.links]
    assert [one.mass for one in found] == pytest.approx([1.5, 1.5], rel=1e-14)
    assert difference(found[0], bodies[0].inertial).worst < 1e-12


def test_a_robot_lighter_than_what_was_weighed_is_refused():
    links = (Link("weighed", mass=0.5, collisions=(PRINT,)), Link("free", collisions=(PRINT,)))
    bodies = resolve_model(Model("m", links, mass=0.5))
    assert [codes(body) for body in bodies] == [[], ["target_below_parts"]]
    assert bodies[1].refused
    (alone,) = resolve_model(Model("m", links[:1], mass=0.5))
    assert codes(alone) == ["target_below_parts"]


def test_a_tools_tip_is_a_frame_of_its_link(tmp_path):
    pose = Pose.from_sdf([0.1, 0, 0.2, 0, 1.0, 0])
    model = Model("m", (Link("hand", collisions=(PRINT,)),), frames=(Frame("tip", pose, "hand"),))
    sdf = write_model(model, resolve_model(model), Target.of(tmp_path, "m")).file
    (frame,) = read_sdf(sdf).document.root.iter("frame")
    assert dict(frame.attrib) == {"name": "tip", "attached_to": "hand"}
    assert frame.findtext("pose") == "0.1 0 0.2 0 1 0"
