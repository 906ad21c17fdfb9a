# SPDX-License-Identifier: GPL-3.0-or-later
"""New inertials in a published file: only the bytes of ``<inertial>`` change."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import Inertial, Pose
from core.body.few_digits import shortened
from core.body.gz_validity import loadable
from core.body.shapes import Box
from core.document.document import Document
from core.document.numbers import number
from core.errors import InertiaError
from core.formats.table import read_robot_file, robots_of, write_back
from core.judge.comparison import compared
from core.robot.model import Collision, Link, Visual
from tests.core.model_packages import TAKEN

NEW = Inertial(2.5, np.array([0.1, -0.2, 0.3]), np.array([[3.0, 0.1, 0.2], [0.1, 4.0, -0.3], [0.2, -0.3, 5.0]]))

INERTIALS = {
    "sdf": (
        "",
        "<inertial/>",
        "<inertial auto='true'><density>3</density></inertial>",
        "<inertial><mass>1</mass></inertial>",
        "<inertial>{n}<pose degrees='true'>1 2 3 10 20 30</pose>{n}<mass>7</mass>{n}<!-- weighed -->"
        "<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>0</ixy></inertia>{n}</inertial>",
        "<inertial  auto = 'true' ><x:mesh a='>'/>{n}<mass>7</mass><fluid_added_mass/></inertial >",
        "<inertial>{n}<mass> 7e0 <!-- kg --></mass>{n}<inertia/></inertial>",
    ),
    "urdf": (
        "",
        '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial>',
        '<inertial>{n}<!-- x --><origin rpy="0 0 1"/>{n}<mass value="1" />'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>{n}</inertial>',
        "<inertial ><mass value = 'heavy' /><x:note b='</inertial'/></inertial>",
    ),
}

FILES = {
    "sdf": '<?xml version="1.0"?>{n}<!-- <inertial> -->{n}<sdf version="1.9" xmlns:x="urn:x">{n}<model name="r">{n}'
    '{t}<link name="a">{n}{t}{t}{A}{n}{t}{t}<gravity>1</gravity>{n}{t}</link>{n}'
    '{t}<link name="b">{B}</link>{n}</model>{n}</sdf>{n}',
    "urdf": '<robot name="r" xmlns:x="urn:x">{n}{t}<link name="a">{n}{t}{t}{A}{n}{t}</link>{n}'
    '{t}<link name="b">{B}</link>{n}'
    '{t}<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>{n}</robot>{n}',
}


@st.composite
def files(draw):
    kind = draw(st.sampled_from(["sdf", "urdf"]))
    n = draw(st.sampled_from(["\n", "\r\n", "", "\n<!-- <link name='a'> &amp; -->\n", "\n\n \t"]))
    t = draw(st.sampled_from(["  ", "\t", ""]))
    own = [draw(st.sampled_from(INERTIALS[kind])).format(n=n + t + t) for _ in "ab"]
    return kind, FILES[kind].format(n=n, t=t, A=own[0], B=own[1]), own


@given(files())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_only_the_inertial_changes_and_a_second_time_nothing(tmp_path, made):
    kind, text, own = made
    path = tmp_path / f"robot.{kind}"
    path.write_bytes(text.encode())
    before = path.read_bytes()
    after = write_back(read_robot_file(path), {"r": {"a": NEW}})
    if own[0]:
        start = before.index(own[0].encode(), before.index(b'name="a"'))
        rest = before[start + len(own[0]) :]
    else:
        start = before.index(b"</link>") if b"<gravity>" not in before else before.index(b"</gravity>") + 10
        rest = before[before.index(b"</link>") :]
    assert after.startswith(before[:start].rstrip()) and after.endswith(rest.lstrip())
    path.write_bytes(after)
    (robot,) = robots_of(path)
    found = robot.published["a"]
    assert found.mass == pytest.approx(NEW.mass, rel=1e-15)
    np.testing.assert_allclose(found.com, NEW.com, atol=1e-15)
    np.testing.assert_allclose(found.inertia, NEW.inertia, atol=1e-12)
    assert write_back(read_robot_file(path), {"r": {"a": NEW}}) == after


def test_a_link_that_says_so_already_keeps_its_bytes(tmp_path):
    path = tmp_path / "r.sdf"
    inertial = INERTIALS["sdf"][-1].format(n="\n")
    path.write_text(FILES["sdf"].format(n="\n", t=" ", A=inertial, B=""))
    (robot,) = robots_of(path)
    assert write_back(read_robot_file(path), {"r": {"a": robot.published["a"]}}) == path.read_bytes()


def without_inertials(path):
    """Return the bytes of a file without its links' inertials, and these by link."""
    document = Document.read(path)
    spans = sorted(one.span for one in document.root.iter("inertial"))
    places = [0, *(place for span in spans for place in span), len(document.data)]
    return [document.data[a:b] for a, b in zip(places[::2], places[1::2], strict=True)]


@pytest.mark.parametrize("name", TAKEN)
def test_of_a_real_file_the_rest_stays(name, data, tmp_path):
    path = tmp_path / Path(name).name
    path.write_bytes((data / "models" / name).read_bytes())
    before, old = without_inertials(path), path.read_bytes()
    for robot in robots_of(path):
        links = [link for link in robot.published if not robot.model.static]
        if not links:
            continue  # the ground, which has none
        for link in links:
            path.write_bytes(write_back(read_robot_file(path), {robot.model.name: {link: NEW}}))
        said = next(one for one in robots_of(path) if one.model.name == robot.model.name).published
        assert all(said[link].mass == pytest.approx(NEW.mass, rel=1e-15) for link in links)
        assert write_back(read_robot_file(path), {robot.model.name: dict.fromkeys(links, NEW)}) == path.read_bytes()
    assert path.read_bytes() != old and without_inertials(path) == before


def test_all_links_at_once_are_as_one_after_the_other(tmp_path):
    path = tmp_path / "r.sdf"
    text = FILES["sdf"].format(n="\n", t=" ", A=INERTIALS["sdf"][2], B="")
    start, end = text.index("<model"), text.index("</sdf>")
    models = text[start:end] + text[start:end].replace('"r"', '"s"')
    two = f'{text[:start]}<world name="w">{models}</world>{text[end:]}'
    path.write_text(two)
    other = NEW.scaled_to(7.0)
    data = write_back(read_robot_file(path), {"r": {"a": NEW, "b": other}, "s": {"a": other}})
    path.write_bytes(write_back(read_robot_file(path), {"r": {"b": other}}))
    path.write_bytes(write_back(read_robot_file(path), {"r": {"a": NEW}}))
    path.write_bytes(write_back(read_robot_file(path), {"s": {"a": other}}))
    assert path.read_bytes() == data
    r, s = robots_of(path)
    masses = [None if one is None else one.mass for robot in (r, s) for one in robot.published.values()]
    assert masses == [2.5, 7.0, 7.0, None]


@pytest.mark.parametrize(
    ("link", "inertial", "code", "message", "subject"),
    [
        ("a", Inertial(1.0, np.zeros(3), np.diag([1.0, 1.0, 5.0])), "triangle_inequality", "exceeds", "a"),
        ("z", NEW, "unknown_link", "no link 'z'", "r.sdf"),
    ],
    ids=["impossible", "unknown"],
)
def test_what_cannot_be_written_is_refused(tmp_path, link, inertial, code, message, subject):
    path = tmp_path / "r.sdf"
    path.write_text(FILES["sdf"].format(n="\n", t=" ", A="", B=""))
    with pytest.raises(InertiaError, match=message) as caught:
        write_back(read_robot_file(path), {"r": {link: inertial}})
    assert caught.value.code == code and caught.value.subject.endswith(subject)


def test_a_link_of_an_included_file_is_refused(tmp_path):
    (tmp_path / "inner.sdf").write_text(FILES["sdf"].format(n="\n", t=" ", A="", B=""))
    path = tmp_path / "world.sdf"
    path.write_text('<sdf version="1.9"><world name="w"><include><uri>inner.sdf</uri></include></world></sdf>')
    with pytest.raises(InertiaError, match="included"):
        write_back(read_robot_file(path), {"r": {"a": NEW}})


def test_a_new_inertial_is_set_as_the_file_is(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(FILES["urdf"].format(n="\n", t="\t", A="", B=""))
    lines = write_back(read_robot_file(path), {"r": {"a": NEW}}).decode().splitlines()
    place = next(n for n, line in enumerate(lines) if "<inertial>" in line)
    assert lines[place] == "\t\t<inertial>" and lines[place + 1].startswith("\t\t\t<origin")
    assert lines[place + 4] == "\t\t</inertial>"


@pytest.mark.fault(118)
@pytest.mark.parametrize(("thickness", "digits"), [(1e-6, 11), (1e-7, 13)])
def test_a_thin_plate_gets_only_the_digits_that_it_needs(thickness, digits):
    pose = Pose.from_sdf([0.1, 0.2, 0.05, 0.1, 0.2, 0.3])
    plate = Box((0.3, 0.21, thickness)).moments().inertial(1000.0).transformed(pose)
    short = shortened(plate)
    written = [number(one).partition("e")[0].lstrip("-0.").replace(".", "") for one in short.inertia.flat]
    assert max(map(len, written)) <= digits
    np.testing.assert_allclose(short.inertia, plate.inertia, atol=1e-9 * np.trace(plate.inertia))
    assert np.array_equal(loadable(short)[1], short.inertia)


def cube(**more):
    return Link("l", collisions=(Collision("c", Pose.identity, Box((1.0, 1.0, 1.0))),), **more)


def test_a_link_is_compared_at_its_published_mass():
    right = Inertial(6.0, np.zeros(3), np.eye(3))
    found = compared(cube(), right)
    assert found.apart == pytest.approx(0.0, abs=1e-12) and not found.impossible
    wrong = compared(cube(), Inertial(6.0, np.zeros(3), 2.0 * np.eye(3)))
    assert wrong.apart == pytest.approx(1.0 / 3.0) and wrong.computed.inertial.mass == pytest.approx(6.0)


def test_an_impossible_inertial_has_no_distance():
    found = compared(cube(), Inertial(6.0, np.zeros(3), np.diag([1.0, 1.0, 5.0])))
    assert found.apart is None and found.impossible


def test_numbers_of_a_template_are_doubted_and_right_ones_are_not():
    template = Inertial(1.0, np.zeros(3), np.eye(3))
    small = Link("l", collisions=(Collision("c", Pose.identity, Box((0.1, 0.1, 0.1))),))
    found = compared(small, template)
    assert [one.code for one in found.findings] == ["template_tensor"] and found.findings[0].subject == "l"
    assert not found.impossible and found.apart > 0.1
    assert found.density == pytest.approx(1000.0)
    assert compared(small, Inertial(1.0, np.zeros(3), np.eye(3) / 600.0)).findings == ()


def test_a_link_that_is_only_seen_is_compared_with_what_is_seen():
    seen = Link("l", visuals=(Visual("v", Pose.identity, Box((1.0, 1.0, 1.0))),))
    assert compared(seen, Inertial(6.0, np.zeros(3), np.eye(3))).apart == pytest.approx(0.0, abs=1e-12)
    assert compared(Link("l"), Inertial(6.0, np.zeros(3), np.eye(3))).apart is None
