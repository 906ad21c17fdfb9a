# SPDX-License-Identifier: GPL-3.0-or-later
"""SDF 1.0 to 1.3 as Drake, which holds libsdformat, reads them; quaternions; and names that were free up to 1.6."""

import numpy as np
import pytest

from core.errors import InertiaError
from core.formats.sdf.fill import fill

from ...robot_files import check_path
from ...sdf_oracle import oracle_file
from .texts import errors_of, model, read

TENSOR = "ixx='1' ixy='0.1' ixz='0.2' iyy='1.5' iyz='0.3' izz='2'"
ELEMENTS = (
    "<pose>0.1 0.2 0.3 0 0 1</pose><mass>7.5</mass><inertia><ixx>1</ixx><ixy>0.1</ixy><ixz>0.2</ixz><iyy>1.5</iyy>"
    "<iyz>0.3</iyz><izz>2</izz></inertia>"
)


def assert_same_as_drake(text):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    from ...drake_inertia import placed

    theirs = placed(text)
    file = read(text)
    assert errors_of(file) == [] and [link.name for link in file.links] == list(theirs)
    for link in file.links:
        body, pose = theirs[link.name]
        assert link.body.inertial.mass == pytest.approx(body.mass, rel=1e-12)
        np.testing.assert_allclose(link.body.inertial.com, body.com, rtol=0, atol=1e-12)
        size = np.trace(body.inertia) + body.mass * body.com @ body.com
        np.testing.assert_allclose(link.body.inertial.inertia, body.inertia, rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(link.link.pose.p, pose.p, rtol=0, atol=1e-12)
        np.testing.assert_allclose(link.link.pose.R, pose.R, rtol=0, atol=1e-12)


@pytest.mark.fault(60, 144)
@pytest.mark.parametrize("version", ["1.0", "1.2", "1.3"])
def test_an_inertial_of_elements_is_that_of_drake(version):
    text = model(f"<link name='l'><pose>1 2 3 0 0 0</pose><inertial>{ELEMENTS}</inertial></link>", version)
    assert read(text).links[0].manual.mass == 7.5
    assert_same_as_drake(text)


@pytest.mark.fault(144)
@pytest.mark.parametrize(
    "content",
    [
        "<link name='l'><origin pose='1 2 3 0 0 0'/><inertial mass='7.5'><origin pose='0.1 0.2 0.3 0 0 1'/>"
        f"<inertia {TENSOR}/></inertial></link>",
        "<origin pose='9 9 9 0 0 0'/><link name='l'><inertial mass='7.5' density='3'/></link><link name='k'/>"
        "<joint name='j' type='revolute'><origin pose='1 0 0 0 0 0'/><parent link='l'/><child link='k'/>"
        "<axis xyz='0 0 1'><limit lower='1' upper='2'/></axis></joint>",
        "<link name='l'><inertial mass='7.5'><mass>3</mass></inertial></link>",
        "<link name='l'><pose>1 1 1 0 0 0</pose><origin pose='2 2 2 0 0 0'/></link>",
        "<link name='l'><origin pose='2 2 2 0 0 0'/><pose>1 1 1 0 0 0</pose></link>",
        "<link name='l'><inertial auto='true'><density>700</density></inertial><collision name='c'>"
        "<origin pose='1 1 1 0 0 0'/><geometry><box size='1 2 3'/></geometry></collision></link>",
        "<link name='l'><inertial auto='true'><density>700</density></inertial><collision name='c'><geometry>"
        "<cylinder radius='1' length='2'/></geometry></collision></link>",
    ],
)
def test_attributes_of_1_0_are_read_as_by_drake(content):
    assert_same_as_drake(model(content, "1.0"))


@pytest.mark.fault(144)
def test_a_file_of_1_0_is_filled_only_if_nothing_changes():
    sound = model("<link name='l'><inertial mass='7.5'/></link>", "1.0")
    assert fill(read(sound)).data == sound.encode()
    ball = "<collision name='c'><geometry><sphere radius='1'/></geometry></collision>"
    with pytest.raises(InertiaError, match="SDF 1.0 is read but not written"):
        fill(read(model(f"<link name='l'><inertial auto='true' density='2'/>{ball}</link>", "1.0")))


def turned(quaternion, content=""):
    pose = f"<pose rotation_format='quat_xyzw'>1 2 3 {quaternion}</pose>"
    inertial = f"<inertial>{pose}<mass>7.5</mass><inertia><ixx>1</ixx><iyy>1.5</iyy><izz>2</izz></inertia></inertial>"
    return model(
        f"<link name='l'>{pose}{inertial}</link><link name='k'><pose relative_to='l'>1 0 1 0 0 0</pose></link>"
    )


@pytest.mark.fault(144)
@pytest.mark.parametrize("quaternion", ["0 0 0.6 0.8", "0.5 -0.5 0.5 0.5"])
def test_a_quaternion_of_length_1_is_the_pose_that_drake_has(quaternion):
    assert_same_as_drake(turned(quaternion))


@pytest.mark.fault(144)
def test_a_quaternion_of_few_digits_is_read():
    file = read(turned("0 0 0.707 0.707"))
    assert errors_of(file) == []
    np.testing.assert_allclose(file.links[0].link.pose.to_sdf(), [1, 2, 3, 0, 0, np.pi / 2], atol=1e-15)


# --- up to SDF 1.6 elements of different kinds may share a name: libsdformat renames those that come later ---

LINKS = "<link name='a'/><link name='b'/>"
JOINT = "<joint name='b' type='fixed'><parent>a</parent><child>b</child></joint>"


@pytest.mark.fault(95)
def test_a_joint_named_like_a_link_is_what_libsdformat_makes_of_it(data, tmp_path):
    path, oracle = oracle_file(data, tmp_path, "same16")
    (finding,) = [finding for finding in check_path(path) if finding.code == "renamed"]
    assert finding.severity == "warning"
    assert "'b_joint'" in finding.message and "b_joint" in oracle["warnings"][1][1]
    assert finding.subject.endswith("/sdf/model[@name='m']/joint[@name='b']")


@pytest.mark.fault(95)
@pytest.mark.parametrize("before", [JOINT.replace("<child>b", "<child>c") + "<link name='c'/>", "<model name='b'/>"])
def test_a_link_is_read_under_its_new_name(before):
    assert "m::b_link" in [link.name for link in read(model(before + LINKS, "1.6")).links]


@pytest.mark.parametrize("version", ["1.6", "1.11"])
@pytest.mark.parametrize("content", [LINKS + "<link name='b'/>", LINKS + JOINT + JOINT])
def test_of_two_of_one_kind_the_second_is_dropped(content, version):
    file = read(model(content, version))
    assert [link.name for link in file.links] == ["m::a", "m::b"]
