# SPDX-License-Identifier: GPL-3.0-or-later
"""An MJCF file as a model of links and joints, held against what MuJoCo compiles."""

import numpy as np
import pytest

from core.body.inertial import Inertial
from core.errors import InertiaError
from core.formats.table import read_robot_file, robots_of, write_back
from core.robot.resolve import resolve_link
from tests.mjcf_robot import ROBOT, compiled, inertial_of, lay_out_mjcf, pose_of

pytest.importorskip("mujoco")


@pytest.fixture
def path(tmp_path):
    return lay_out_mjcf(tmp_path)


@pytest.fixture
def robot(path):
    (robot,) = robots_of(path)
    return robot


@pytest.fixture
def links(robot):
    return {link.name: link for link in robot.model.links}


@pytest.fixture
def joints(robot):
    return {joint.name: joint for joint in robot.model.joints}


@pytest.fixture
def frames(robot):
    return {frame.name: frame for frame in robot.model.frames}


def test_links_and_frames_are_where_mujoco_has_its_bodies(path, links, frames):
    _, data = compiled(path)
    for name in ("base", "arm", "wheel", "target", "camera", "mount"):
        frame = frames.get(name)
        X = links[name].pose if frame is None else links[frame.attached_to].pose @ frame.pose
        R, p = pose_of(data, name)
        np.testing.assert_allclose(X.R, R, atol=1e-12)
        np.testing.assert_allclose(X.p, p, atol=1e-12)


def test_a_body_with_two_joints_has_a_link_between_them(links, joints):
    assert (joints["yaw"].parent, joints["yaw"].child) == ("base", "arm_yaw")
    assert (joints["lift"].parent, joints["lift"].child) == ("arm_yaw", "arm")
    assert links["arm_yaw"].parts == () and links["arm_yaw"].manual is None


def test_joints_are_where_mujoco_has_them(path, links, joints):
    model, data = compiled(path)
    for name, joint in joints.items():
        if joint.kind != "fixed":
            X = links[joint.child].pose @ joint.pose
            number = model.joint(name).id
            np.testing.assert_allclose(X.R @ joint.axis, data.xaxis[number], atol=1e-12)
            np.testing.assert_allclose(X.p, data.xanchor[number], atol=1e-12)


def test_limits_are_measured_from_the_pose_of_the_file(joints):
    assert np.degrees([joints["yaw"].lower, joints["yaw"].upper]) == pytest.approx([-30.0, 50.0])
    assert (joints["lift"].lower, joints["lift"].upper) == (-0.1, 0.2)
    assert (joints["turn"].kind, joints["turn"].lower) == ("continuous", None)


def test_rotor_inertia_and_the_followed_joint_are_read(joints):
    assert joints["yaw"].armature == pytest.approx(0.02)
    assert joints["turn"].mimic == ("yaw", 2.0, 0.1)


def test_a_held_body_without_mass_is_a_frame_and_gives_its_geometry(links, frames):
    assert "camera" not in links and frames["camera"].attached_to == "arm"
    (lens,) = [one for one in links["arm"].collisions if one.name == "camera_lens"]
    assert not lens.has_mass
    np.testing.assert_allclose(lens.pose.p, [0.0, 0.0, 0.2])


def test_a_joint_of_a_body_without_mass_moves_the_body_it_holds(links, joints, frames):
    assert "mount" not in links and frames["mount"].attached_to == "wheel"
    assert (joints["turn"].parent, joints["turn"].child) == ("arm", "wheel")


def test_a_free_body_is_a_root_and_a_mocap_body_is_fixed(joints):
    children = {joint.child: (joint.kind, joint.parent) for joint in joints.values()}
    assert "base" not in children and children["target"] == ("fixed", "world")


def test_a_site_named_as_a_body_has_another_name(frames, robot):
    assert {"imu", "arm_site"} <= frames.keys()
    assert not [finding for finding in robot.findings if finding.code == "renamed"]


def test_what_is_fixed_to_the_world_and_empty_is_reported(robot):
    left = [finding.message for finding in robot.findings if finding.code == "not_imported"]
    assert "<geom> of <worldbody> left out" in left
    assert "link 'pad' is left out: it is an empty frame fixed to the world" in left


@pytest.mark.fault(224)
def test_sections_that_are_left_out_have_the_counts_of_mujoco(tmp_path):
    path = tmp_path / "two.xml"
    path.write_text(
        """<mujoco><worldbody><body name="a"><joint name="j"/><geom size="1"/></body></worldbody>
        <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
        <actuator><motor joint="j"/><position joint="j"/></actuator><sensor/>
        <sensor><jointpos joint="j"/><jointvel joint="j"/><tendonpos tendon="t"/></sensor></mujoco>"""
    )
    model, _ = compiled(path)
    assert (model.nu, model.nsensor, model.ntendon) == (2, 3, 1)
    (robot,) = robots_of(path)
    left = [(each.severity, each.message) for each in robot.findings if each.code == "not_imported"]
    assert left == [("warning", "<tendon> left out"), ("info", "<actuator> ×2, <sensor> ×3 left out")]


@pytest.mark.parametrize("name", ["base", "wheel", "target"])
def test_the_sum_of_the_parts_is_what_mujoco_computes(path, links, name):
    model, _ = compiled(path)
    body = resolve_link(links[name]).inertial
    mass, com, tensor = inertial_of(model, name)
    assert body.mass == pytest.approx(mass, rel=1e-9)
    np.testing.assert_allclose(body.com, com, atol=1e-9)
    np.testing.assert_allclose(body.inertia, tensor, atol=1e-9 * tensor.max())


def test_an_explicit_inertial_is_manual_and_published(path, links, robot):
    model, _ = compiled(path)
    mass, com, tensor = inertial_of(model, "arm")
    assert links["arm"].mode == "manual" and robot.published["base"] is None
    assert robot.published["arm"].mass == mass
    np.testing.assert_allclose(robot.published["arm"].com, com)
    np.testing.assert_allclose(robot.published["arm"].inertia, tensor, atol=1e-12)


def test_scale_and_reference_pose_of_a_mesh_are_mujocos(path, links):
    model, data = compiled(path)
    (seen,) = [one for one in links["base"].visuals if one.name == "seen"]
    X = links["base"].pose @ seen.pose
    ours = seen.geometry.baked.vertices @ X.R.T + X.p
    geom, mesh = data.geom("seen"), model.mesh("wedge")
    start = int(mesh.vertadr[0])
    theirs = model.mesh_vert[start : start + int(mesh.vertnum[0])] @ geom.xmat.reshape(3, 3).T + geom.xpos
    for one in theirs:
        assert np.linalg.norm(ours - one, axis=1).min() < 1e-6


def test_a_geoms_own_colour_wins_over_that_of_its_material(links):
    (hull,) = [one for one in links["base"].collisions if one.name == "hull"]
    (skin,) = [one for one in links["base"].visuals if one.name == "skin"]
    assert hull.look.color == pytest.approx((0.1, 0.2, 0.3, 1.0))
    assert (skin.color, skin.material) == ((1.0, 0.0, 0.0, 1.0), "steel")


UNNAMED = """<mujoco><asset><mesh name="shin" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
<mesh name="leg" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>
<worldbody><body name="leg"><freejoint/><geom type="mesh" mesh="shin"/><geom type="mesh" mesh="shin"/>
<geom size=".1"/><geom name="shin_2" size=".1"/><geom type="mesh" mesh="leg"/><geom size=".2"/></body></worldbody>
</mujoco>
"""


@pytest.mark.fault(227)
def test_geoms_without_a_name_are_named_after_their_mesh_or_body(tmp_path):
    path = tmp_path / "leg.xml"
    path.write_text(UNNAMED)
    ((link,),) = (robot.model.links for robot in robots_of(path))
    names = [collision.name for collision in link.collisions]
    assert names == ["shin", "shin_3", "leg_geom", "shin_2", "leg_geom_2", "leg_geom_3"]
    assert write_back(read_robot_file(path), {}) == UNNAMED.encode()


def test_a_shell_has_the_numbers_of_mujoco(tmp_path):
    text = ROBOT.replace('name="hull"', 'name="hull" shellinertia="true"')
    path = lay_out_mjcf(tmp_path, text)
    model, _ = compiled(path)
    base = next(link for link in robots_of(path)[0].model.links if link.name == "base")
    assert base.manual.mass == pytest.approx(inertial_of(model, "base")[0])


def test_an_unreadable_mesh_leaves_the_numbers_of_the_others(tmp_path):
    path = lay_out_mjcf(tmp_path, ROBOT.replace("wedge.obj", "lost.obj"))
    (robot,) = robots_of(path)
    assert [(one.link, one.part) for one in robot.lost] == [("base", "visual seen")]
    assert {link.name for link in robot.model.links} >= {"base", "arm", "wheel"}


BODY = '<body name="b"><freejoint/><geom size=".1"/></body>'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>', "included_inertial"),
        (f'<mujoco><worldbody><replicate count="2" offset="1 0 0">{BODY}</replicate></worldbody></mujoco>', "macro"),
    ],
)
def test_what_is_not_in_the_file_itself_is_not_written(tmp_path, text, code):
    (tmp_path / "part.xml").write_text(f"<mujocoinclude>{BODY}</mujocoinclude>")
    (tmp_path / "bot.xml").write_text(text)
    file = read_robot_file(tmp_path / "bot.xml")
    own = {file.links[0].local_name: Inertial(1.0, np.zeros(3), np.eye(3))}
    with pytest.raises(InertiaError) as caught:
        write_back(file, {file.links[0].model: own})
    assert caught.value.code.startswith(code)
