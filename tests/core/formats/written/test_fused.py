# SPDX-License-Identifier: GPL-3.0-or-later
"""Links without inertial: what they become in each format, and which of them are refused."""

import mujoco
import numpy as np
import pytest
from lxml import etree

from core import Pose
from core.body.inertial import Inertial
from core.body.shapes import Box
from core.errors import has_error
from core.formats.fused import fused
from core.formats.package import Target, write_model
from core.judge.geometry.resolve_model import resolve_model
from core.robot.massless import holders_in, with_skipped
from core.robot.model import WORLD, Collision, Frame, Joint, Link, Model, Visual
from core.robot.report import markdown, model_json

from ...drake_inertia import complaints, parsed
from ...robot_files import check_path

TURNED = Pose.from_sdf([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
ASIDE = Pose.from_sdf([-1.0, 0.5, 0.25, 0.0, 0.7, -0.2])


def heavy(name, pose=Pose.identity, **values):
    return Link(name, pose, "manual", manual=Inertial(2.0, np.zeros(3), np.eye(3)), **values)


def massless(name, pose=Pose.identity, **values):
    parts = {
        "collisions": (Collision(f"{name}_box", TURNED, Box((1, 2, 3))),),
        "visuals": (Visual(f"{name}_seen", ASIDE, Box((1, 1, 1))),),
    }
    return Link(name, pose, "none", **parts | values)


def fixed(parent, child, pose=Pose.identity):
    return Joint(f"{parent}_{child}", "fixed", parent, child, pose)


def hinge(parent, child, pose=Pose.identity):
    return Joint(f"{parent}_{child}", "revolute", parent, child, pose)


def dog():
    """A robot whose root without inertial holds a body, as ANYmal does, and whose leg has a foot and a frame."""
    return Model(
        "dog",
        (massless("base", TURNED), heavy("body", ASIDE), heavy("leg", TURNED @ ASIDE), massless("foot", ASIDE @ ASIDE)),
        (fixed("base", "body"), hinge("base", "leg", TURNED), fixed("leg", "foot")),
        frames=(Frame("camera", ASIDE, "base"), Frame("tip", TURNED, "foot")),
    )


def places(model):
    """Return the poses in the model of its joints, frames, collisions and visuals, by kind and name."""
    links = {link.name: link for link in model.links}
    found = {("joint", one.name): links[one.child].pose @ one.pose for one in model.joints if one.kind != "fixed"}
    found |= {("frame", one.name): links[one.attached_to].pose @ one.pose for one in model.frames}
    for link in model.links:
        found |= {("collision", part.name): link.pose @ part.pose for part in link.collisions}
        found |= {("visual", part.name): link.pose @ part.pose for part in link.visuals}
    return found


def test_nothing_moves_when_links_become_frames():
    before = dog()
    found = places(fused(before, [link.name for link in before.links]))
    expected = places(before) | {("frame", link.name): link.pose for link in before.links if link.mode == "none"}
    assert len(expected) == 9 and found.keys() == expected.keys()
    for key, pose in found.items():
        assert np.allclose(pose.R, expected[key].R, atol=1e-12) and np.allclose(pose.p, expected[key].p, atol=1e-12)


def test_joints_of_a_root_without_inertial_name_the_link_that_holds_it():
    model = fused(dog(), ["base", "body", "leg", "foot"])
    assert [link.name for link in model.links] == ["body", "leg"]
    assert [(joint.parent, joint.child) for joint in model.joints] == [("body", "leg")]
    assert {frame.name: frame.attached_to for frame in model.frames} == {
        "camera": "body",
        "tip": "leg",
        "base": "body",
        "foot": "leg",
    }
    assert not any(part.has_mass for link in model.links for part in link.collisions)


def test_a_fixed_parent_holds_a_link_before_its_child_does():
    links = heavy("a"), massless("b"), massless("c"), heavy("d")
    model = Model("chain", links, (fixed("a", "b"), fixed("b", "c"), fixed("c", "d")))
    assert holders_in(model) == {"b": "a", "c": "a"}
    assert [(joint.parent, joint.child) for joint in fused(model, "abcd").joints] == [("a", "d")]


def test_a_link_on_a_hinge_is_held_by_its_fixed_child():
    model = Model("elbow", (heavy("a"), massless("b"), heavy("c")), (hinge("a", "b", ASIDE), fixed("b", "c")))
    assert holders_in(model) == {"b": "c"}
    assert [(joint.kind, joint.parent, joint.child) for joint in fused(model, "abc").joints] == [("revolute", "a", "c")]


def rail():
    """A cart on a rail without inertial that is fixed to the world."""
    return Model("rail", (massless("rail"), heavy("cart")), (fixed(WORLD, "rail"), hinge("rail", "cart")))


def test_what_only_the_world_holds_stays_a_link_of_mass_0(tmp_path):
    model = rail()
    assert holders_in(model) == {"rail": WORLD}
    root = written(model, tmp_path / "model.sdf")
    masses = {link.get("name"): float(link.findtext("inertial/mass")) for link in root.iter("link")}
    assert masses == {"rail": 0.0, "cart": 2.0}
    assert not has_error(check_path(tmp_path / "model.sdf"))


def written(model, path):
    bodies = resolve_model(model)
    assert not any(body.refused for body in bodies), [str(one) for body in bodies for one in body.all_findings()]
    return etree.parse(write_model(model, bodies, Target.of(path, model.name)).file).getroot()


def test_a_link_without_inertial_that_moves_is_refused_by_name():
    model = Model("arm", (heavy("a"), massless("b")), (hinge("a", "b"),))
    _a, b = resolve_model(model)
    (finding,) = b.findings
    assert (b.refused, finding.severity, finding.code, finding.subject) == (True, "error", "zero_mass", "b")
    assert "Compute Inertia" in finding.for_reader("blender").remedy
    bare = resolve_model(Model("arm", (heavy("a"), massless("b", collisions=(), visuals=())), model.joints))[1]
    assert "Manual" in bare.findings[0].for_reader("blender").remedy


def test_in_a_static_model_nothing_is_refused_for_lack_of_mass(tmp_path):
    model = Model("scenery", (massless("rock"),), static=True)
    assert written(model, tmp_path / "model.sdf").findtext("model/link/inertial/mass") == "0"


def test_its_collisions_add_nothing_to_an_auto_link_that_holds_it(tmp_path):
    own = Collision("own", Pose.identity, Box((1, 1, 1)))
    model = Model("pair", (Link("a", collisions=(own,)), massless("b")), (fixed("a", "b"),))
    alone = resolve_model(Model("one", model.links[:1]))[0]
    body, _none = resolve_model(model)
    assert (alone.mode, body.mode) == ("auto", "filled")
    assert body.inertial.mass == alone.inertial.mass == 1000.0
    assert [finding.code for finding in body.findings] == ["auto_not_possible"]
    root = written(model, tmp_path / "model.sdf")
    assert [one.get("name") for one in root.iter("collision")] == ["own", "b_box"]
    assert float(root.findtext("model/link/inertial/mass")) == 1000.0


def test_an_auto_link_that_holds_only_visuals_stays_auto(tmp_path):
    own = Collision("own", Pose.identity, Box((1, 1, 1)))
    model = Model("pair", (Link("a", collisions=(own,)), massless("b", collisions=())), (fixed("a", "b"),))
    root = written(model, tmp_path / "model.sdf")
    assert root.find("model/link/inertial").get("auto") == "true"
    assert [one.get("name") for one in root.iter("visual")] == ["b_seen"]


def test_parts_of_the_same_name_stay_apart(tmp_path):
    box = Collision("b_box", Pose.identity, Box((1, 1, 1)))
    model = Model("pair", (heavy("a", collisions=(box,)), massless("b")), (fixed("a", "b"),))
    root = written(model, tmp_path / "model.sdf")
    assert [one.get("name") for one in root.iter("collision")] == ["b_box", "b_box_2"]


def test_a_link_whose_holder_is_left_out_is_left_out_too_with_a_finding():
    broken = Link("a", mode="manual")
    model = Model("pair", (broken, massless("b"), heavy("c")), (fixed("a", "b"), hinge("b", "c")))
    bodies = with_skipped(model, resolve_model(model))
    assert [body.name for body in bodies if not body.refused] == ["c"]
    (finding,) = bodies[1].findings
    assert (finding.severity, finding.code, finding.subject) == ("error", "zero_mass", "b")
    assert "the link 'a', to which it is fixed, is left out" in finding.message


def test_a_link_that_another_good_link_holds_stays_without_a_finding():
    broken = Link("a", mode="manual")
    model = Model("pair", (broken, massless("b"), heavy("c")), (fixed("a", "b"), fixed("b", "c")))
    bodies = with_skipped(model, resolve_model(model))
    assert [body.name for body in bodies if not body.refused] == ["b", "c"] and not bodies[1].findings


def test_urdf_has_the_link_without_inertial_as_it_is(tmp_path):
    root = written(dog(), tmp_path / "model.urdf")
    with_inertial = {link.get("name"): link.find("inertial") is not None for link in root.iter("link")}
    assert with_inertial == {"base": False, "body": True, "leg": True, "foot": False, "camera": False, "tip": False}


def test_in_mujoco_its_geoms_weigh_nothing(tmp_path):
    written(dog(), tmp_path / "model.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    masses = {model.body(number).name: model.body_mass[number] for number in range(1, model.nbody)}
    assert masses == {"base": 0.0, "body": 2.0, "leg": 2.0, "foot": 0.0}
    assert sum(model.geom_bodyid == model.body("base").id) == 2


def test_gazebo_finds_no_fault_with_what_is_written(tmp_path):
    written(dog(), tmp_path / "model.sdf")
    assert not has_error(check_path(tmp_path / "model.sdf"))


@pytest.mark.parametrize("make", [dog, rail])
def test_drake_reads_it_without_complaint(make, tmp_path):
    written(make(), tmp_path / "model.sdf")
    text = (tmp_path / "model.sdf").read_text()
    assert complaints(text) == []
    plant, _models = parsed(text)
    assert plant.CalcTotalMass(plant.CreateDefaultContext()) == sum(2.0 for link in make().links if link.manual)


def test_it_counts_in_no_total_and_has_null_in_a_report():
    model = dog()
    bodies = resolve_model(model)
    report = model_json(model, bodies)
    assert report["total"]["mass"] == 4.0
    assert [(one["inertia_mode"], one["mass"]) for one in report["links"]][::3] == [("none", None), ("none", None)]
    assert "| none |" in markdown(model, bodies)


def test_the_mass_of_the_robot_is_shared_among_links_with_mass():
    own = Collision("own", Pose.identity, Box((1, 1, 1)))
    model = Model("pair", (Link("a", collisions=(own,)), massless("b")), (fixed("a", "b"),), mass=3.0)
    a, b = resolve_model(model)
    assert a.inertial.mass == pytest.approx(3.0) and b.inertial is None and not b.refused
