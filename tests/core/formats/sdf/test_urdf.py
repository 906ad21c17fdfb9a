# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF is read as libsdformat reads it, fixed joints lumped; findings name its own lines."""

import numpy as np
import pytest

from core.document.document import Document
from core.errors import InertiaError
from core.formats.urdf.as_sdf import read_urdf

from ....thorough import many
from ...drake_inertia import parsed
from ...robot_files import check_path
from ...work import calls

ROBOT = """<robot name="arm &amp; co">
  <link name="base">
    <inertial>
      <origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>
      <mass value="8"/>
      <inertia ixx="0.09" iyy="0.1" izz="0.13" ixy="0.001" ixz="-0.002" iyz="0.003"/>
    </inertial>
    <collision><origin xyz="0.1 0.2 0.3"/><geometry><box size="0.4 0.3 0.2"/></geometry></collision>
    <visual><geometry><sphere radius="0.5"/></geometry></visual>
  </link>
  <link name="tip">
    <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision name="rod"><geometry><cylinder radius="0.1" length="0.3"/></geometry></collision>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="camera_frame"/>
  <joint name="j" type="revolute">
    <origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>
    <parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="k" type="fixed"><parent link="tip"/><child link="camera_frame"/></joint>
</robot>
"""


def read(text, path=None, roots=()):
    return read_urdf(Document.parse(text.encode(), "arm.urdf", path), roots)


def links(text):
    return {link.name.split("::")[-1]: link for link in read(text).links}


def test_links_keep_their_numbers_and_collisions():
    found = links(ROBOT)
    assert list(found) == ["base", "tip"]
    tip = found["tip"].link
    assert [(part.name, part.geometry.kind) for part in tip.collisions] == [
        ("tip_fixed_joint_lump__rod_collision", "cylinder"),
        ("tip_collision_1", "sphere"),
    ]
    assert found["tip"].manual.mass == 1
    np.testing.assert_allclose(tip.collisions[0].pose.p, 0)


def test_lines_are_those_of_the_urdf():
    found = links(ROBOT)
    for name, line in (("base", 2), ("tip", 11)):
        assert found[name].element.line == line
    box = found["base"].element.find("collision/geometry/box")
    assert box.line == 8


def test_drake_reads_the_same_robot(tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    (tmp_path / "r.urdf").write_text(ROBOT)
    plant, _ = parsed(tmp_path / "r.urdf")
    context = plant.CreateDefaultContext()
    ours = links(ROBOT)
    base = ours["base"].link.pose
    for name in ("base", "tip"):
        body = plant.GetBodyByName(name)
        theirs, own = body.CalcSpatialInertiaInBodyFrame(context), ours[name].manual
        assert own.mass == theirs.get_mass()
        np.testing.assert_allclose(own.com, theirs.get_com(), atol=1e-15)
        about_origin = theirs.CalcRotationalInertia().CopyToFullMatrix3()
        np.testing.assert_allclose(own.inertia_about([0, 0, 0]), about_origin, rtol=1e-12, atol=1e-15)
        X = plant.CalcRelativeTransform(context, plant.GetBodyByName("base").body_frame(), body.body_frame())
        pose = base.inverse() @ ours[name].link.pose
        np.testing.assert_allclose(pose.R, X.rotation().matrix(), atol=1e-12)
        np.testing.assert_allclose(pose.p, X.translation(), atol=1e-12)


GAZEBO = ("gazebo",)


def codes(tmp_path, text, **options):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return [(finding.severity, finding.code) for finding in check_path(path, **options)]


def _joint(parent, child, kind="continuous"):
    return f"<joint name='{parent}_{child}' type='{kind}'><parent link='{parent}'/><child link='{child}'/></joint>"


def test_a_xacro_file_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(InertiaError) as raised:
        read('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" value="1"/></robot>')
    assert raised.value.code == "xacro"
    assert "xacro FILE" in raised.value.remedy


def test_meshes_are_found_by_package_below_the_given_roots(tmp_path):
    (tmp_path / "pkg" / "meshes").mkdir(parents=True)
    (tmp_path / "pkg" / "meshes" / "box.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n")
    text = ROBOT.replace('<box size="0.4 0.3 0.2"/>', '<mesh filename="package://pkg/meshes/box.obj" scale="1 2 3"/>')
    (link,) = (one for one in read(text, roots=[tmp_path]).links if one.name.endswith("base"))
    (part,) = link.link.collisions
    assert part.geometry.kind == "mesh"
    np.testing.assert_array_equal(part.geometry.stretch, np.diag([1, 2, 3]))


# --- fixed joints are lumped ----------------------------------------------------------------------------------------


def body(name, mass, moments=(0.01, 0.01, 0.01), origin="", collision="", extra=""):
    xx, yy, zz = moments
    inertia = f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/>'
    return f'<link name="{name}"><inertial>{origin}<mass value="{mass}"/>{inertia}</inertial>{collision}{extra}</link>'


def fixed(parent, child, origin='xyz="1 0 0"', name=None, kind="fixed"):
    name = name or f"{parent}_{child}"
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}"><origin {origin}/>{ends}</joint>'


def robot(*content):
    return f"<robot name='r'>{''.join(content)}</robot>"


SPHERE = '<collision{}><origin xyz="0 0 2"/><geometry><sphere radius="0.1"/></geometry></collision>'


@pytest.mark.fault(96)
def test_a_fixed_child_is_lumped_by_the_parallel_axis_theorem():
    (link,) = read(robot(body("a", 1, (1, 2, 2.5)), body("b", 3, (4, 5, 6)), fixed("a", "b"))).links
    assert link.name == "r::a"
    assert link.manual.mass == 4
    np.testing.assert_allclose(link.manual.com, [0.75, 0, 0])
    # 1 kg at 0.75 m and 3 kg at 0.25 m of the common centre: 0.75 kg·m² about y and z.
    np.testing.assert_allclose(link.manual.inertia, np.diag([5, 7.75, 9.25]), atol=1e-15)


def test_a_turned_child_is_lumped_turned_along_the_parents_axes():
    origin = '<origin xyz="0 0 0" rpy="0 0 1.5707963267948966"/>'
    child = body("b", 1, (4, 5, 6))
    joint = fixed("a", "b", 'xyz="0 0 0" rpy="1.5707963267948966 0 0"')
    (link,) = read(robot(body("a", 1, (1, 2, 2.5), origin), child, joint)).links
    # In the link: a is (2, 1, 2.5) and b, with y and z exchanged, (4, 6, 5).
    np.testing.assert_allclose(link.manual.inertia, np.diag([6, 7, 7.5]), atol=1e-14)
    xx, yy = (float(link.element.findtext(f"inertial/inertia/{name}")) for name in ("ixx", "iyy"))
    assert (xx, yy) == pytest.approx((7, 6))  # as written, along the parent's own axes
    assert float(link.element.findtext("inertial/pose").split()[5]) == pytest.approx(np.pi / 2)


def test_chains_are_lumped_with_collisions_under_libsdformats_names():
    text = robot(
        body("a", 1, collision=SPHERE.format("")),
        body("b", 1, collision=SPHERE.format(" name='ball'")),
        "<link name='c'>" + SPHERE.format("") + "</link>",
        body("d", 1),
        fixed("a", "b"),
        fixed("b", "c"),
        fixed("c", "d", kind="continuous"),
    )
    first, last = read(text).links
    assert [link.name for link in (first, last)] == ["r::a", "r::d"]
    assert [(part.name, part.pose.p.tolist()) for part in first.link.collisions] == [
        ("a_collision", [0, 0, 2]),
        ("a_fixed_joint_lump__ball_collision_1", [1, 0, 2]),
        ("a_fixed_joint_lump__c_collision_2", [2, 0, 2]),
    ]
    np.testing.assert_allclose(last.link.pose.p, [3, 0, 0])
    assert read(text).findings == ()


@pytest.mark.parametrize("tag", ["preserveFixedJoint", "disableFixedJointLumping"])
@pytest.mark.parametrize("said, count", [("true", 2), ("1", 2), ("Yes", 2), ("false", 1), ("", 1)])
def test_a_gazebo_tag_keeps_a_fixed_joint(tag, said, count):
    gazebo = f"<gazebo reference='a_b'><{tag}>{said}</{tag}></gazebo>"
    assert len(read(robot(body("a", 1), body("b", 1), fixed("a", "b"), gazebo)).links) == count
    other = gazebo.replace("a_b", "other")
    assert len(read(robot(body("a", 1), body("b", 1), fixed("a", "b"), other)).links) == 1


@pytest.mark.fault(96)
def test_a_link_is_judged_alone_and_in_gazebo_as_its_lump(tmp_path):
    # b alone is impossible; a and b together are not.
    impossible = body("b", 0.001, (1e-6, 1e-6, 3e-6))
    for kind in ("fixed", "continuous"):
        text = robot(body("a", 1), impossible, fixed("a", "b", kind=kind))
        assert codes(tmp_path, text) == [("error", "triangle_inequality")]
    (lump,) = read(robot(body("a", 1), impossible, fixed("a", "b"))).links
    assert lump.body.inertial is not None and not lump.body.findings


def test_a_massless_link_takes_what_is_fixed_to_it():
    (link,) = read(robot("<link name='a'/>", body("b", 3, (4, 5, 6)), fixed("a", "b"))).links
    assert (link.name, link.manual.mass, link.manual.com.tolist()) == ("r::a", 3, [1, 0, 0])
    np.testing.assert_allclose(link.manual.inertia, np.diag([4, 5, 6]), atol=1e-14)


# --- what libsdformat leaves out, and what it reads nothing of ------------------------------------------------------


@pytest.mark.parametrize("massless", ["<link name='b'/>", body("b", 0)])
def test_a_massless_link_that_moves_is_left_out_with_all_that_hangs_on_it(massless, tmp_path):
    text = robot(body("a", 1), massless, body("c", 1), _joint("a", "b"), _joint("b", "c"))
    file = read(text)
    assert [link.name for link in file.links] == ["r::a"]
    (finding,) = file.findings
    assert (finding.severity, finding.code) == ("warning", "massless_link")
    assert finding.subject == "arm.urdf:1 /robot[@name='r']/link[@name='b']"
    assert finding.message.endswith("with all links below it: c")


def test_what_no_body_can_have_is_reported_of_links_that_are_left_out_too(tmp_path):
    text = robot(body("a", 1), body("b", -1), body("c", 1, (1, 1, 9)), _joint("a", "b"), _joint("b", "c"))
    found = [(finding.code, finding.subject[-4:]) for finding in read(text).findings]
    assert found == [("massless_link", "'b']"), ("bad_mass", "'b']"), ("triangle_inequality", "'c']")]


def test_what_overflows_in_a_lump_is_an_error_with_the_element(tmp_path, recwarn):
    far = 'xyz="1e308 1e308 1e308"'
    chain = fixed("a", "b", far) + fixed("b", "c", far)
    found = codes(tmp_path, robot(body("a", 1), body("b", 1), body("c", 1), chain), engines=GAZEBO)
    assert ("error", "bad_pose") in found
    assert not recwarn.list


@pytest.mark.fault(96)
@pytest.mark.parametrize(
    "old, new, tensor",
    [
        ('ixx="0.01"', 'ixx="0.\n01"', [0, 0, 0]),
        ('ixx="0.01"', 'ixx="0.01 "', [0, 0, 0]),
        ('ixx="0.01"', "", [0, 0, 0]),
        ('ixx="0.01"', 'ixx="1e999"', [0, 0, 0]),
        ('izz="0.01"', 'izz="0.01kg"', [0.01, 0.01, 0]),
    ],
)
def test_a_number_that_is_none_ends_the_link_there_which_is_reported(old, new, tensor):
    text = robot(body("a", 1, collision=SPHERE.format("")))
    assert old in text
    file = read(text.replace(old, new))
    (finding,) = file.findings
    assert (finding.severity, finding.code) == ("warning", "bad_number")
    assert finding.subject.startswith("arm.urdf:1 /robot[@name='r']/link[@name='a']/inertial")
    (link,) = file.links
    assert link.manual.mass == 1 and link.link.collisions == ()
    np.testing.assert_array_equal(np.diag(link.manual.inertia), tensor)


def test_findings_lead_to_elements_of_the_urdf(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT.replace('izz="0.13"', 'izz="0.31"').replace('sphere radius="0.1"', 'sphere radius="-0.1"'))
    found = check_path(path)
    assert {finding.subject.partition(" ")[2].rpartition("/link")[0] for finding in found} == {
        "/robot[@name='arm & co']"
    }
    assert f"{path}:2 /robot[@name='arm & co']/link[@name='base']" in [finding.subject for finding in found]


FEW = many(30, 10)


@pytest.mark.parametrize("kind", ["fixed", "continuous"])
def test_long_robots_are_linear_work(kind):
    def work(n):
        links = [body(f"l{i}", 1, collision=SPHERE.format("")) for i in range(n)]
        text = robot(*links, *(fixed(f"l{i - 1}", f"l{i}", kind=kind) for i in range(1, n)))
        return calls(lambda: read(text))

    few = work(FEW)
    assert work(10 * FEW) <= 13 * few


# --- links of mass 0 ------------------------------------------------------------------------------------------------


def chain(*masses):
    """Return links that are fixed to each other, the first of 1 kg; None is one without an inertial."""
    links = ""
    for number, mass in enumerate((1, *masses)):
        tensor = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        inertial = "" if mass is None else f'<inertial><mass value="{mass}"/>{tensor}</inertial>'
        links += f'<link name="l{number}">{inertial}</link>'
        if number:
            ends = f'<parent link="l{number - 1}"/><child link="l{number}"/>'
            links += f'<joint name="j{number}" type="fixed">{ends}</joint>'
    return f'<robot name="r">{links}</robot>'


def lumped_without_mass(text):
    document = Document.parse(text.encode(), "r.urdf")
    return [finding for finding in read_urdf(document).findings if finding.code == "massless_lump"]


@pytest.mark.fault(146)
@pytest.mark.parametrize("masses", [(0, 0), (None, 0), (-1, 1), (0, 0, 0), (None, 0, 0), (2, 0, 0)])
def test_two_links_of_mass_0_fixed_to_each_other_are_an_error(masses):
    (error,) = lumped_without_mass(chain(*masses))
    assert (error.severity, error.sdf_codes[0]) == ("error", 9)
    last = len(masses)
    assert f"link 'l{last}' and of 'l{last - 1}'" in error.message and f"link[@name='l{last}']" in error.subject


@pytest.mark.fault(146)
@pytest.mark.parametrize("masses", [(), (0,), (0, 1), (1, 0), (0, None), (None, None), (0, "1e-300")])
def test_a_link_of_mass_0_fixed_to_one_with_mass_is_lumped(masses):
    assert lumped_without_mass(chain(*masses)) == []


@pytest.mark.fault(146)
def test_children_are_lumped_in_their_order():
    links = "".join(
        f'<link name="{name}"><inertial><mass value="{mass}"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        for name, mass in (("base", 1), ("x", 0), ("light", 0), ("heavy", 1))
    )
    joints = "".join(
        f'<joint name="{{{child}}}" type="fixed"><parent link="{parent}"/><child link="{child}"/></joint>'
        for parent, child in (("base", "x"), ("x", "light"), ("x", "heavy"))
    )
    text = f'<robot name="r">{links}{joints}</robot>'
    assert len(lumped_without_mass(text.format(x="a", light="b", heavy="c"))) == 1
    assert lumped_without_mass(text.format(x="a", light="c", heavy="b")) == []
