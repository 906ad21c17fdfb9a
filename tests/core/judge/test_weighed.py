# SPDX-License-Identifier: GPL-3.0-or-later
"""Links that were weighed: the mass in the file is replaced, the tensor is scaled with it, the centre stays."""

import json
import re

import numpy as np
import pytest

from core import read_robot
from core.body.density_map import DensityMap, Stated
from core.body.shapes import Box
from core.errors import InertiaError
from core.judge.measured import RepairOptions
from tests.core.command_line import run, run_json

from ..robot_files import repair

TENSOR = {"ixx": 0.024, "ixy": 0.0004, "ixz": -0.0008, "iyy": 0.025, "iyz": 0.0014, "izz": 0.0022}
"""Of the arm, which is not uniform, at 2 kg."""

TIMES = ("0.036", "0.0006", "-0.0012", "0.0375", "0.0021", "0.0033")
"""The same at 3 kg."""

SIDES = (0.08, 0.08, 0.4)
BOX = '<collision><origin xyz="0 0 0.2"/><geometry><box size="0.08 0.08 0.4"/></geometry></collision>'

_NUMBERS = " ".join(f'{name}="{value}"' for name, value in TENSOR.items())

INERTIAL = f"""<inertial><!-- from CAD -->
      <origin xyz="0.0123456789012 0.004 0.13"/>
      <mass value="2"/>
      <inertia {_NUMBERS}/>
    </inertial>"""

_BASE = Box((0.1, 0.1, 0.1)).moments().inertial(2000.0).inertia[0, 0]

BASE = f"""<link name="base"><inertial><mass value="2.0"/>
    <inertia ixx="{_BASE}" iyy="{_BASE}" izz="{_BASE}" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>"""

JOINT = """<joint name="a" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>"""

URDF = f"""<robot name="r">
  {BASE}
  <link name="arm">
    {INERTIAL}
    {BOX}
  </link>
  {JOINT}
</robot>
"""

XACRO = URDF.replace('<robot name="r">', '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">').replace(
    '"0 0 0.2"', '"0 0 ${0.4 / 2}"'
)

_ELEMENTS = "".join(f"<{name}>{value}</{name}>" for name, value in TENSOR.items())

SDF = f"""<sdf version="1.11"><model name="r">
  <link name="arm">
    <inertial><pose>0.0123456789012 0.004 0.13 0 0 0</pose><mass>2</mass><inertia>{_ELEMENTS}</inertia></inertial>
    <collision name="c"><pose>0 0 0.2 0 0 0</pose><geometry><box><size>0.08 0.08 0.4</size></box></geometry></collision>
  </link>
  <link name="base"><pose>1 0 0 0 0 0</pose></link>
</model></sdf>
"""

MJCF = """<mujoco model="r">
  <worldbody>
    <body name="arm"><freejoint/>
      <inertial pos="0.0123456789012 0.004 0.13" mass="2" fullinertia="0.024 0.025 0.0022 0.0004 -0.0008 0.0014"/>
      <geom type="box" size="0.04 0.04 0.2" pos="0 0 0.2"/>
    </body>
    <body name="turned" pos="1 0 0"><freejoint/>
      <inertial pos="0 0 0.2" quat="0.5 0.5 0.5 0.5" mass="2" diaginertia="0.0262 0.0252 0.002"/>
      <geom type="box" size="0.2 0.04 0.04"/>
    </body>
  </worldbody>
</mujoco>
"""

TEXTS = {"r.urdf": URDF, "r.urdf.xacro": XACRO, "r.sdf": SDF, "r.xml": MJCF}
NEEDS = {"r.urdf.xacro": "xacro", "r.xml": "mujoco"}


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a robot with changes, pairs of a text and another one, and returns its path."""

    def write(name="r.urdf", *changes):
        if name in NEEDS:
            pytest.importorskip(NEEDS[name])
        text = TEXTS[name]
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def weighed(path, options=None, **masses):
    return repair(path, RepairOptions(weighed=masses, **(options or {})))


def link_of(repaired, name="arm"):
    return next(link for link in repaired.file.links if link.local_name == name)


def is_stable(path, repaired, options=None, **masses):
    """Return True if a second run with the same options changes no byte."""
    path.write_bytes(repaired.data)
    return weighed(path, options, **masses).data == repaired.data


@pytest.mark.fault(186)
@pytest.mark.parametrize("name", TEXTS)
def test_three_kg_for_two_make_one_and_a_half_times_the_tensor(written, name):
    path = written(name)
    before = repair(path)
    assert before.data == path.read_bytes() and before.links == ()
    repaired = weighed(path, arm=3.0)
    (change,) = repaired.links
    assert (change.fault, change.plan.source, change.kept) == ("weighed", "file", ("com",))
    old, new = link_of(before).inertial, link_of(repaired).inertial
    assert new.mass == 3.0 and new.com.tolist() == old.com.tolist() == [0.0123456789012, 0.004, 0.13]
    np.testing.assert_allclose(new.inertia, 1.5 * old.inertia, rtol=1e-9, atol=0.0)
    assert not repaired.refused and repaired.findings == before.findings
    assert is_stable(path, repaired, arm=3.0)
    path.write_bytes(repaired.data)
    assert weighed(path, arm=3.0).links == ()


@pytest.mark.fault(186)
@pytest.mark.parametrize("name", TEXTS)
def test_every_other_byte_stays_when_a_link_is_weighed(written, name):
    path = written(name)
    expected = TEXTS[name]
    for old, new in zip(map(str, TENSOR.values()), TIMES, strict=True):
        expected = re.sub(rf"(?<=[\">\s]){re.escape(old)}(?=[\"<\s])", new, expected)
    for form in ('mass value="{}"', "<mass>{}<", '0.13" mass="{}"'):
        expected = expected.replace(form.format(2), form.format(3))
    assert expected != TEXTS[name]
    assert weighed(path, arm=3.0).data.decode() == expected


def test_an_origin_that_is_left_out_stays_left_out(written):
    path = written()
    data = weighed(path, base=3.0).data
    assert data.count(b"<origin") == path.read_bytes().count(b"<origin") and b"rpy" not in data
    assert len(data.splitlines()) == len(path.read_bytes().splitlines())


def test_a_turned_inertial_of_mjcf_keeps_its_axes(written):
    repaired = weighed(written("r.xml"), turned=3.0)
    assert b'quat="0.5 0.5 0.5 0.5" mass="3" diaginertia="0.0393 0.0378 0.003"' in repaired.data


@pytest.mark.parametrize("what", [{"impossible"}, {"doubtful"}, {"twins", "axes"}])
def test_a_weighed_link_is_changed_whatever_what_says(written, what):
    path = written("r.urdf", 'izz="0.0022"', 'izz="0.22"')
    repaired = weighed(path, {"what": frozenset(what)}, arm=3.0)
    assert [(one.link.local_name, one.fault, one.new.mass) for one in repaired.links] == [("arm", "impossible", 3.0)]


def test_other_links_follow_the_options_as_always(written):
    path = written("r.urdf", f'izz="{_BASE}"', 'izz="1"')
    placeholder = frozenset({"placeholder"})
    both = weighed(path, arm=3.0)
    assert {one.link.local_name: one.fault for one in both.links} == {"base": "impossible", "arm": "weighed"}
    assert all(one.new is not None for one in both.links)
    chosen = weighed(path, {"what": placeholder}, arm=3.0).links
    assert {one.link.local_name: one.new is not None for one in chosen} == {"base": False, "arm": True}
    elsewhere = weighed(path, {"links": frozenset({"base"}), "what": frozenset({"all"})}, arm=3.0)
    assert [one.plan.source for one in elsewhere.links] == ["collision", "file"]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (('izz="0.0022"', 'izz="0.22"'), "impossible"),
        ((_NUMBERS, 'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"', "0.0123456789012 0.004 0.13", "0 0 0.2"),
         "placeholder"),
        ((INERTIAL, ""), "missing"),
        (('value="2"/', 'value="-2"/'), "impossible"),
    ],
)  # fmt: skip
def test_a_wrong_tensor_is_computed_at_the_weighed_mass(written, changes, fault):
    path = written("r.urdf", *changes)
    options = {"com": "geometry"}
    repaired = weighed(path, options, arm=3.0)
    (change,) = repaired.links
    assert (change.fault, change.plan.source, change.new.mass) == (fault, "collision", 3.0)
    box = Box(SIDES).moments().inertial(1.0).scaled_to(3.0)
    np.testing.assert_allclose(change.new.inertia, box.inertia, rtol=1e-9)
    assert not repaired.refused and is_stable(path, repaired, options, arm=3.0)


def test_a_mass_in_grams_is_corrected_before_it_is_scaled(written):
    moments = Box(SIDES).moments().inertial(1.0).scaled_to(2000.0).inertia.diagonal().tolist()
    values = {name: 0.0 for name in TENSOR} | dict(zip(("ixx", "iyy", "izz"), moments, strict=True))
    numbers = " ".join(f'{name}="{value!r}"' for name, value in values.items())
    changes = (_NUMBERS, numbers, 'mass value="2"', 'mass value="2000"', "0.0123456789012 0.004 0.13", "0 0 0.2")
    path = written("r.urdf", *changes)
    assert [one.fault for one in repair(path).links] == ["mistake"]
    repaired = weighed(path, arm=2.2)
    (change,) = repaired.links
    np.testing.assert_allclose(change.new.inertia.diagonal(), 2.2 / 2000.0 * np.array(moments), rtol=1e-9)
    assert (change.new.mass, change.plan.source) == (2.2, "file") and is_stable(path, repaired, arm=2.2)


def test_a_tensor_of_another_mass_is_scaled_from_that_mass(written):
    moments = Box(SIDES).moments().inertial(1.0).scaled_to(0.5).inertia
    numbers = {"ixx": moments[0, 0], "iyy": moments[1, 1], "izz": moments[2, 2], "ixy": 0.0, "ixz": 0.0, "iyz": 0.0}
    text = " ".join(f'{name}="{value!r}"' for name, value in numbers.items())
    path = written("r.urdf", _NUMBERS, text.replace("np.float64(", "").replace(")", ""),
                   "0.0123456789012 0.004 0.13", "0 0 0.2")  # fmt: skip
    assert [one.mistakes for one in repair(path).before] == [(), ("mass",)]
    for mass in (3.0, 2.0):  # also where the file's mass is the weighed one
        repaired = weighed(path, arm=mass)
        (change,) = repaired.links
        np.testing.assert_allclose(change.new.inertia, mass / 0.5 * moments, rtol=1e-9)
        assert not any(one.findings for one in repaired.after)


def test_a_mass_in_grams_is_refused_with_the_right_unit(written):
    path = written()
    repaired = weighed(path, arm=2000.0)
    (finding,) = repaired.findings
    assert (finding.severity, finding.code) == ("error", "not_weighed") and "2 kg fits" in finding.message
    assert repaired.data == path.read_bytes() and repaired.refused


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mass", [1e300, 1e308, 1e-300, 5e-324])
def test_absurd_masses_write_nothing_that_no_body_has(written, mass):
    repaired = weighed(written(), arm=mass)
    inertial = link_of(repaired).inertial
    assert inertial.is_finite() and (repaired.refused or inertial.mass == mass)


def test_a_doubtful_density_is_reported_and_the_mass_written(written):
    path = written()
    repaired = weighed(path, arm=80.0)  # 31,250 kg/m³
    assert [(one.severity, one.code) for one in repaired.findings] == [("warning", "implied_density")]
    assert link_of(repaired).mass == 80.0 and not repaired.refused and is_stable(path, repaired, arm=80.0)


def test_a_link_that_a_simulator_computes_is_to_be_filled_first(written):
    inertial = re.search("<inertial>.*</inertial>", SDF)[0]
    path = written("r.sdf", inertial, '<inertial auto="true"/>')
    repaired = weighed(path, arm=3.0)
    assert [(one.severity, one.code) for one in repaired.findings] == [("error", "not_weighed")]
    assert "fill" in repaired.findings[0].remedy and repaired.refused and repaired.data == path.read_bytes()
    filled = path.with_name("filled.sdf")
    assert run("fill", path, "-o", filled) == 0
    assert not weighed(filled, arm=3.0).refused


def test_a_link_without_geometry_keeps_its_tensor_scaled(written):
    path = written("r.urdf", BOX, "")
    for what in ({"impossible"}, {"all"}):
        repaired = weighed(path, {"what": frozenset(what)}, arm=3.0)
        by_name = {one.link.local_name: one for one in repaired.links}
        np.testing.assert_allclose(by_name["arm"].new.inertia[0, 0], 0.036, rtol=1e-9)
        assert not repaired.refused


def test_a_weighed_link_that_cannot_change_ends_with_1(written):
    path = written("r.urdf.xacro", '<mass value="2"/>', '<mass value="${1 + 1}"/>')
    repaired = weighed(path, arm=3.0)
    assert [(one.severity, one.code) for one in repaired.findings] == [("error", "macro_inertial")]
    assert repaired.refused and repaired.data == path.read_bytes()
    assert run("repair", path, "--weighed", "arm=3", "--dry-run") == 1


def test_a_weighed_mass_goes_before_densities_and_their_map(written):
    path = written("r.urdf", INERTIAL, "")
    densities = DensityMap([Stated("arm", None, mass=7.0)])
    for options in ({"densities": densities}, {"keep_mass": False, "density": 1000.0}):
        (change,) = weighed(path, options, arm=3.0).links
        assert change.new.mass == 3.0


def test_a_weighed_mass_is_measured_for_the_total(written):
    path = written()
    options = {"what": frozenset({"all"}), "keep_mass": False, "density": 1000.0, "total_mass": 5.0}
    repaired = weighed(path, options, arm=3.0)
    masses = {one.link.local_name: one.new.mass for one in repaired.links}
    assert masses == {"base": pytest.approx(2.0), "arm": 3.0} and repaired.factor == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("masses", "code"),
    [
        ({"leg": 1.0}, "unknown_link"),
        ({"arm": 0.0}, "bad_mass"),
        ({"arm": -1.0}, "bad_mass"),
        ({"arm": float("nan")}, "bad_mass"),
        ({"arm": float("inf")}, "bad_mass"),
        ({"arm": 1.0, "r::arm": 2.0}, "not_weighed"),
    ],
)
def test_wrong_names_and_masses_are_errors(written, masses, code):
    path = written()
    for call in (lambda: weighed(path, **masses), lambda: read_robot(path).repair(weighed=masses)):
        with pytest.raises(InertiaError) as caught:
            call()
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("arm,1.2\n", "column 'arm'"),
        ("match,mass\narm,1.2\n", "column 'match'"),
        ("link\narm\n", "no column 'mass'"),
        ("link,mass\n", "no row"),
        ("", "no column 'link'"),
        ("link,mass\narm,heavy\n", "line 2 ('arm'): its mass 'heavy' is not a number"),
        ("link,mass\n\narm,0\n", "line 3 ('arm'): a mass of 0 kg is impossible"),
        ("link,mass\narm,nan\n", "line 2 ('arm'): a mass of nan kg is impossible"),
        ("link,mass\n,1\n", "line 2: it names no link"),
        ("link,mass\narm\n", "not as many cells"),
    ],
)
def test_a_table_that_cannot_be_used_ends_with_2(written, capsys, text, reason):
    path = written()
    table = path.with_name("w.csv")
    table.write_text(text)
    assert run("repair", path, "--weighed", table, "--dry-run") == 2
    error = capsys.readouterr().err
    assert reason in error and "bad_density_map" in error and "link,mass" in error
    with pytest.raises(InertiaError, match=re.escape(reason)):
        read_robot(path).repair(weighed=table)


def test_a_table_is_read_within_the_limits_of_a_density_map(written, capsys, monkeypatch):
    path = written()
    table = path.with_name("w.csv")
    table.write_text("# scale of the lab\nLink , mass\nr::arm, 3\narm,3.0\n")
    assert link_of(weighed(path, arm=3.0)).mass == read_robot(path).repair(weighed=table).links["arm"].inertial.mass
    assert run("repair", path, "--weighed", path.with_name("none.csv"), "--dry-run") == 2
    monkeypatch.setattr("core.body.density_map.MAX_BYTES", 10)
    assert run("repair", path, "--weighed", table, "--dry-run") == 2
    error = capsys.readouterr().err
    assert "cannot be read" in error and "too large" in error


def test_the_command_takes_links_and_tables_together(written, capsys):
    path = written()
    table = path.with_name("w.csv")
    table.write_text("link,mass\nbase,2.5\n")
    words = ("repair", path, "--weighed", table, "--weighed", "r::arm=3")
    status, result = run_json(capsys, *words, "--dry-run", "--json")
    rows = [(one["name"], one["fault"], one["from"], one["kept"], one["new"]["mass"]) for one in result["links"]]
    assert status == 0 and rows == [
        ("r::base", "weighed", "file", ["com"], 2.5),
        ("r::arm", "weighed", "file", ["com"], 3.0),
    ]
    json.dumps(result, allow_nan=False)
    assert run(*words, "--dry-run") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "arm weighed 2 0.01235, 0.004, 0.13 0.024, 0.025, 0.0022 → from file 3 " in shown
    assert shown.endswith(" 0.01235, 0.004, 0.13 0.036, 0.0375, 0.0033")
    assert run(*words, "--in-place") == 0
    capsys.readouterr()
    assert run(*words, "--in-place") == 0
    assert "nothing to repair" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["arm=heavy", "arm=0", "arm=-1", "arm=inf"])
def test_a_wrong_mass_of_a_link_is_wrong_usage(written, word, capsys):
    with pytest.raises(SystemExit) as end:
        run("repair", written(), "--weighed", word)
    assert end.value.code == 2 and "--weighed" in capsys.readouterr().err


def test_two_masses_for_a_link_are_refused_by_the_command(written, capsys):
    assert run("repair", written(), "--weighed", "arm=1", "--weighed", "arm=2", "--dry-run") == 1
    assert "two masses are given for it: 1 kg and 2 kg" in capsys.readouterr().err


def test_a_name_stands_for_each_link_that_has_it(tmp_path):
    path = tmp_path / "two.sdf"
    model = SDF[SDF.index("<model") : SDF.index("</sdf>")]
    path.write_text(
        f'<sdf version="1.11"><world name="w">{model}{model.replace(chr(34) + "r", chr(34) + "s")}</world></sdf>'
    )
    assert [one.link.name for one in weighed(path, arm=3.0).links] == ["r::arm", "s::arm"]
    robot = read_robot(path).repair(weighed={"s::arm": 3.0})
    assert [(one.name, one.fault, one.new.mass) for one in robot.changes] == [("s::arm", "weighed", 3.0)]
