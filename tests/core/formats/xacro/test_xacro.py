# SPDX-License-Identifier: GPL-3.0-or-later
"""xacro files: expanded as by the package xacro itself, judged and repaired where their text stands."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from lxml import etree

from core.api.robot import read_robot
from core.cli.main import main
from core.errors import InertiaError
from core.formats.table import read_robot_file, robots_of
from tests.core.cli.test_ci import git, repository, run_action  # noqa: F401
from tests.core.command_line import run, run_json

from ...robot_files import repair

pytest.importorskip("xacro", reason="there is no xacro (requirements/test.txt)")

ROOT = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"'

MACROS = f"""<?xml version="1.0"?>
{ROOT}>
  <!-- as in many robots, with a mistake in izz -->
  <xacro:macro name="box_inertia" params="m x y z:=0.2">
    <inertial>
      <mass value="${{m}}"/>
      <inertia ixx="${{m/12*(y*y+z*z)}}" ixy="0" ixz="0" iyy="${{m/12*(x*x+z*z)}}" iyz="0" izz="${{m*(x*x+y*y)}}"/>
    </inertial>
  </xacro:macro>
  <xacro:macro name="arm" params="prefix *origin">
    <link name="${{prefix}}arm">\t
      <inertial><!-- from the scales -->
        <mass value="2"/>
        <origin xyz="0 0 0"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/>
      </inertial>
      <collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
    </link>
    <joint name="${{prefix}}joint" type="fixed">
      <parent link="base"/><child link="${{prefix}}arm"/><xacro:insert_block name="origin"/>
    </joint>
  </xacro:macro>
</robot>
"""

ROBOT = f"""<?xml version="1.0"?>
{ROOT} name="r">
  <xacro:arg name="two" default="false"/>
  <xacro:include filename="$(find r_description)/urdf/macros.xacro"/>
  <link name="base">
    <xacro:box_inertia m="${{10/2}}" x="0.4" y="0.3"/>
    <collision><geometry><box size="0.4 0.3 0.2"/></geometry></collision>
  </link>
  <xacro:arm prefix="left_"><origin xyz="0 1 0"/></xacro:arm>
  <xacro:if value="$(arg two)">
    <xacro:call macro="arm" prefix="right_"><origin xyz="0 -1 0"/></xacro:call>
  </xacro:if>
</robot>
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Write a package of two xacro files, and be in its folder."""
    folder = tmp_path / "checked_out_as_something_else"
    (folder / "urdf").mkdir(parents=True)
    (folder / "package.xml").write_text("<package><name>r_description</name></package>")
    (folder / "urdf/macros.xacro").write_text(MACROS)
    (folder / "urdf/robot.urdf.xacro").write_text(ROBOT)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Write a xacro file of some elements, and be in its folder."""
    monkeypatch.chdir(tmp_path)

    def written(text, name="robot.xacro", root='name="r"'):
        path = tmp_path / name
        path.write_text(f"{ROOT} {root}>\n{text}\n</robot>\n")
        return path

    return written


def of_xacro_itself(path, packages, *words):
    """Return what the package's own command line makes of a file; `packages` are the folders that it finds."""
    find = f"import sys, xacro.substitution_args as s; s._eval_find = {packages!r}.__getitem__"
    code = f"{find}; s._eval_dict['find'] = s._eval_find; import xacro; xacro.main()"
    return subprocess.run([sys.executable, "-c", code, str(path), *words], capture_output=True, check=True).stdout


def canonical(data):
    root = etree.fromstring(data, etree.XMLParser(remove_comments=True, remove_blank_text=True))
    etree.cleanup_namespaces(root)
    return etree.tostring(root, method="c14n")


@pytest.mark.parametrize("words", [[], ["two:=true"]])
def test_a_package_expands_as_xacros_own_command_line_expands_it(package, words):
    path = "urdf/robot.urdf.xacro"
    expanded = read_robot_file(path, arguments=dict(word.split(":=") for word in words))
    theirs = of_xacro_itself(path, {"r_description": str(package)}, *words)
    assert b"left_arm" in theirs and (b"right_arm" in theirs) == bool(words)
    assert canonical(expanded.document.data) == canonical(theirs)


MORE = """
<xacro:property name="sizes" value="${xacro.load_yaml('sizes.yaml')}"/>
<xacro:property name="block"><inertial><mass value="1"/></inertial></xacro:property>
<xacro:macro name="leaf" params="name size:=^|7 **all"><link name="${name}" xacro:note="gone">
  <xacro:insert_block name="all"/><visual><geometry><sphere radius="${size}"/></geometry></visual></link></xacro:macro>
<xacro:macro name="tree" params="name"><xacro:property name="size" value="${sizes.list[1] * 2}"/>
  <xacro:leaf name="${name}_a"><all><xacro:insert_block name="block"/></all></xacro:leaf>
  <xacro:leaf name="${name}_b" size="$(eval ${form})"><all/></xacro:leaf></xacro:macro>
<xacro:arg name="n" default="4"/>
<xacro:property name="form" value="2*arg('n') + pow(int(n), 3) + pi"/>
<xacro:include filename="part_*.xacro" ns="parts"/>
<xacro:include filename="not_there.xacro" optional="true"/>
<xacro:tree name="x"/><xacro:parts.small/><xacro:element xacro:name="link"/>
<link name="$${kept}"><xacro:attribute name="type" value="n${[i for i in python.range(3)][-1]}"/></link>
<link name="$(cwd) $(optenv NOT_SET default)"/>
<xacro:unless value="${python.len('ab') == 3}"><link name="${'ab'.upper() + str(radians(180))}"/></xacro:unless>
"""


def test_all_that_xacro_has_expands_as_it_does_by_itself(file, tmp_path):
    path = file(MORE)
    (tmp_path / "sizes.yaml").write_text("list: [1, !degrees 90]\n")
    file('<xacro:macro name="small"><link name="small"/></xacro:macro>', "part_1.xacro", "")
    theirs = of_xacro_itself(path, {})
    assert theirs.count(b"<link") == 7
    assert canonical(read_robot_file(path).document.data) == canonical(theirs)


def subjects(capsys, *words):
    _, answer = run_json(capsys, "check", "--json", *words)
    return [one["subject"] for one in answer["files"][0]["findings"]]


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


def test_a_finding_names_the_text_of_the_inertial_and_the_calls_of_macros(package, capsys):
    macros, robot = "urdf/macros.xacro", "urdf/robot.urdf.xacro"
    assert subjects(capsys, robot, "--xacro-arg", "two:=true") == [
        f"{macros}:{line_of(MACROS, '<inertial>')} /robot[@name='r']/xacro:box_inertia[{robot}:6]/link[@name='base']",
        f"{macros}:{line_of(MACROS, '<inertial><!--')} /robot[@name='r']/xacro:arm[{robot}:9]/link[@name='left_arm']",
        f"{macros}:{line_of(MACROS, '<inertial><!--')} /robot[@name='r']/xacro:arm[{robot}:11]/link[@name='right_arm']",
    ]
    assert run("check", robot) == 1
    assert "urdf/macros.xacro:5 base, called at urdf/robot.urdf.xacro:6: " in capsys.readouterr().out


def test_a_baseline_knows_a_macros_finding_that_moved(package, capsys, monkeypatch):
    robot = package / "urdf/robot.urdf.xacro"
    words = ["check", "urdf/robot.urdf.xacro"]
    (package / "known.json").write_text(json.dumps(run_json(capsys, *words, "--json")[1]))
    robot.write_text(ROBOT.replace("<link name", "\n\n<link name"))
    (moved := package.parent / "moved").mkdir()
    package.rename(moved / "elsewhere")
    monkeypatch.chdir(moved / "elsewhere")
    assert run(*words, "--baseline", "known.json") == 0


@pytest.mark.parametrize("name", ["robot.urdf", "robot.xml"])
def test_a_urdf_that_uses_xacro_is_expanded(file, capsys, name):
    tensor = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    inertial = f'<inertial><mass value="${{m}}"/>{tensor}</inertial>'
    path = file(f'<xacro:property name="m" value="-1"/><link name="l">{inertial}</link>', name)
    assert run("check", path) == 1
    assert "[bad_mass]" in capsys.readouterr().out


def test_report_and_diff_read_xacro(package, capsys):
    _, answer = run_json(capsys, "report", "urdf/robot.urdf.xacro", "--format", "json")
    assert [one["name"] for one in answer["models"][0]["links"]] == ["base", "left_arm"]
    robot = "urdf/robot.urdf.xacro"
    (package / "robot.urdf").write_bytes(of_xacro_itself(robot, {"r_description": str(package)}))
    _, answer = run_json(capsys, "diff", robot, "robot.urdf", "--json")
    assert [one["name"] for one in answer["links"]] == ["r::base", "r::left_arm"]
    assert not [one for one in answer["links"] if one["only_in"]]


def test_repair_changes_an_included_file_inside_the_literal_inertial_alone(package, capsys):
    path = package / "urdf/macros.xacro"
    path.write_bytes(MACROS.replace("\n", "\r\n").encode())
    before = path.read_bytes()
    assert run("repair", "urdf/robot.urdf.xacro", "--in-place") == 1  # that of the macro stays
    after, start, end = path.read_bytes(), before.index(b"<inertial><!--"), before.index(b"</inertial>\r\n      <coll")
    assert after != before and after.startswith(before[:start]) and after.endswith(before[end:])
    assert b"<!-- from the scales -->\r\n" in after[start:]
    assert (package / "urdf/macros.xacro.bak").read_bytes() == before
    assert (package / "urdf/robot.urdf.xacro").read_text() == ROBOT
    tensor = read_robot_file("urdf/robot.urdf.xacro").links[1].inertial.inertia
    np.testing.assert_allclose(tensor, np.diag([0.13, 0.10, 0.05]) * 2 / 12, rtol=1e-9)
    assert run("repair", "urdf/robot.urdf.xacro", "--in-place") == 1 and path.read_bytes() == after


@pytest.mark.fault(231)
def test_repair_names_the_macro_its_values_and_call_and_changes_nothing(package, capsys):
    assert run("repair", "urdf/robot.urdf.xacro", "--in-place", "--links", "base") == 1
    (answer,) = (line for line in capsys.readouterr().err.splitlines() if "[macro_inertial]" in line)
    assert "macro 'box_inertia'" in answer and "m=5.0, x=0.4, y=0.3, z=0.2" in answer
    assert "urdf/macros.xacro:5 " in answer and "called at urdf/robot.urdf.xacro:6" in answer
    assert (package / "urdf/macros.xacro").read_text() == MACROS and len(os.listdir("urdf")) == 2


def test_the_text_of_a_macro_that_is_called_twice_stays(package, capsys):
    words = ["urdf/robot.urdf.xacro", "--in-place", "--xacro-arg", "two:=true"]
    assert run("repair", *words) == 1
    assert capsys.readouterr().err.count("[macro_inertial]") == 2  # of three links
    assert (package / "urdf/macros.xacro").read_text() == MACROS


def test_a_file_that_is_included_twice_stays(file, tmp_path, capsys):
    part = '<link name="${n}"><inertial><mass value="-1"/></inertial></link>'
    file(part, "part.xacro", "")
    include = '<xacro:property name="n" value="{}"/><xacro:include filename="part.xacro"/>'
    path = file(include.format("a") + include.format("b"))
    assert run("repair", path, "--in-place", "--density", "1") == 1
    assert "defines 2 inertials" in capsys.readouterr().err


def test_an_included_file_of_another_package_is_read_and_not_changed(package, tmp_path, monkeypatch, capsys):
    other = tmp_path / "ws/other_description"
    other.mkdir(parents=True)
    (package / "urdf/macros.xacro").rename(other / "macros.xacro")
    robot = package / "urdf/robot.urdf.xacro"
    robot.write_text(ROBOT.replace("r_description)/urdf", "other_description)"))
    assert run("check", robot) == 1 and "[uri_lookup]" in capsys.readouterr().out
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(other.parent))
    assert run("repair", robot, "--in-place") == 1
    assert "[included_inertial]" in capsys.readouterr().err and (other / "macros.xacro").read_text() == MACROS
    assert run("repair", robot, "--in-place", "--path", other) == 1
    assert (other / "macros.xacro").read_text() != MACROS


@pytest.mark.skipif(os.name != "posix", reason="symbolic links need permission on Windows")
def test_a_package_installed_by_links_is_included_and_not_changed(package, tmp_path, monkeypatch, capsys):
    source, share = tmp_path / "src/other_description", tmp_path / "install/share/other_description"
    for folder in (source, share):
        folder.mkdir(parents=True)
    (package / "urdf/macros.xacro").rename(source / "macros.xacro")
    (source / "package.xml").write_text("<package><name>other_description</name></package>")
    for path in source.iterdir():
        (share / path.name).symlink_to(path)
    robot = package / "urdf/robot.urdf.xacro"
    robot.write_text(ROBOT.replace("r_description)/urdf", "other_description)"))
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "install"))
    assert run("repair", robot, "--in-place") == 1
    assert "[included_inertial]" in capsys.readouterr().err and (source / "macros.xacro").read_text() == MACROS
    (share / "package.xml").unlink()
    (share / "package.xml").write_text("<package/>")
    assert run("check", robot) == 1 and "[uri_refused]" in capsys.readouterr().out


def test_without_in_place_no_included_file_is_changed(package, capsys):
    assert run("repair", "urdf/robot.urdf.xacro", "-o", "urdf/new.xacro") == 1
    assert "[included_inertial]" in capsys.readouterr().err
    assert (package / "urdf/new.xacro").read_text() == ROBOT and (package / "urdf/macros.xacro").read_text() == MACROS


def test_an_included_file_that_is_edited_meanwhile_is_not_replaced(package, monkeypatch, capsys):
    sync = os.fsync

    def late(descriptor):
        (package / "urdf/macros.xacro").write_text("edited")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", late)
    assert run("repair", "urdf/robot.urdf.xacro", "--in-place") == 1
    assert "[source_changed]" in capsys.readouterr().err
    assert (package / "urdf/macros.xacro").read_text() == "edited" and len(os.listdir("urdf")) == 2


BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'


@pytest.mark.parametrize(
    ("inside", "changed"),
    [
        ("", True),
        ("<inertial><mass value='-1'/></inertial>", True),
        ("<inertial><mass value='${-1}'/></inertial>", False),
        ("<inertial><mass value='$(arg m)'/></inertial>", False),
        ("<inertial><xacro:if value='1'><mass value='-1'/></xacro:if></inertial>", False),
        ("<xacro:if value='1'><inertial><mass value='-1'/></inertial></xacro:if>", True),
        ("<xacro:if value='0'><inertial><mass value='1'/></inertial></xacro:if>", False),
    ],
)
def test_only_numbers_that_stand_in_the_text_are_changed(file, inside, changed):
    path = file(f'<xacro:arg name="m" default="-1"/><link name="${{\'l\'}}">{inside}{BOX}</link>')
    before = path.read_bytes()
    run("repair", path, "--in-place", "--density", "600", "--mass", "density")
    if changed:
        assert read_robot_file(path).links[0].inertial.mass == pytest.approx(600.0, rel=1e-12)
        assert b"${'l'}" in path.read_bytes()
    else:
        assert path.read_bytes() == before


FAULTS = {
    "expression": ('<link\nname="${1/0}"/>', "bad_xacro", 2, "division by zero"),
    "property": (
        '<xacro:property name="a" value="${b*2}"/>\n<link name="${a}"/>',
        "bad_xacro",
        2,
        "'b' is not defined",
    ),
    "argument": ('\n<link name="$(arg size)"/>', "bad_xacro", 3, "'size' has no value"),
    "condition": ('\n<xacro:if value="perhaps"/>', "bad_xacro", 3, "not a boolean"),
    "macro": ("<link name='l'>\n<xacro:none/></link>", "bad_xacro", 3, "unknown macro"),
    "parameter": (
        "<xacro:macro name='m' params='a'><link name='l'/></xacro:macro>\n<xacro:m/>",
        "bad_xacro",
        3,
        "Undefined parameters",
    ),
    "body": ("<xacro:macro name='m'>\n<link name='${a}'/></xacro:macro>\n\n<xacro:m/>", "bad_xacro", 3, "'a'"),
    "include": ('\n\n<xacro:include filename="none.xacro"/>', "bad_xacro", 4, "none.xacro"),
    "package": ('\n<xacro:include filename="$(find none)/a.xacro"/>', "uri_lookup", 3, "none"),
    "endless": ("<xacro:macro name='m'><xacro:m/></xacro:macro>\n<xacro:m/>", "bad_xacro", 2, "recursion"),
    "attribute": ('<link>\n<xacro:attribute name="n" value="${1}"/></link>', "bad_xacro", 0, "cannot expand"),
    "text": ("<link>\n${1/0}</link>", "bad_xacro", 2, "division"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_what_xacro_cannot_expand_is_an_error_at_its_line(file, case):
    text, code, line, part = FAULTS[case]
    path = file(text)
    with pytest.raises(InertiaError, match=re.escape(part)) as raised:
        read_robot_file(path)
    assert raised.value.code == code and raised.value.subject.startswith(f"{path}:{line} /robot" if line else str(path))


def test_an_error_in_an_included_file_is_at_its_own_line(file, capsys):
    path = file('<xacro:include filename="part.xacro"/><xacro:part/>')
    file("<xacro:macro name='part'>\n<link name='${x}'/></xacro:macro>", "part.xacro", "")
    with pytest.raises(InertiaError) as raised:
        read_robot_file(path)
    assert raised.value.subject.startswith(f"{path.parent}/part.xacro:3 /robot/xacro:macro")
    assert run("check", "robot.xacro") == 1
    assert "error: part.xacro:3 ${x}: xacro cannot" in capsys.readouterr().out
    file("\n<none:link/>", "part.xacro", "")
    with pytest.raises(InertiaError, match=r"part\.xacro:3: .*bad_xml"):
        read_robot_file(path)
    file("\n<link>", "part.xacro", "")
    with pytest.raises(InertiaError, match=r"part\.xacro:4: .*bad_xml"):
        read_robot_file(path)


EVALUATED = "<xacro:property name='p' value=\"{}\"/><link name='$(eval ${{{{p}}}})'/>"

HOSTILE = {
    "eval": (EVALUATED.format("{run}"), "bad_xacro"),
    "nested names": ('<link name="${{[().__class__ for i in [1]]}}"/>', "xacro_refused"),
    "frames": ('<link name="${{[g.gi_frame.f_back for g in [(i for i in [1])]]}}"/>', "xacro_refused"),
    "vars": ("<link name=\"${{python.vars(python.len)['__call__']}}\"/>", "bad_xacro"),
    "format": (EVALUATED.format("'{{0.real}}'.format(1)"), "xacro_refused"),
    "builtins": ('<link name="$(eval open)"/>', "bad_xacro"),
    "include": ('<xacro:include filename="{outside}/secret.xacro"/>', "uri_refused"),
    "link": ('<xacro:include filename="link.xacro"/>', "uri_refused"),
    "folder above": ("<link name=\"${{xacro.load_yaml('$(find {above})/secret.yaml')}}\"/>", "uri_lookup"),
    "yaml": ("<link name=\"${{xacro.load_yaml('{outside}/secret.yaml')}}\"/>", "uri_refused"),
    "text as yaml": ("<link name=\"${{xacro.load_yaml('secret.txt')}}\"/>", "uri_refused"),
    "doctype": ('<xacro:include filename="doctype.xacro"/>', "doctype"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_neither_runs_anything_nor_reads_elsewhere(file, tmp_path, tmp_path_factory, case, capfd):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.xacro").write_text(f"{ROOT}><link name='secret'/></robot>")
    (outside / "secret.yaml").write_text("secret")
    (tmp_path.parent / "secret.yaml").write_text("secret")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "doctype.xacro").write_text(f"<!DOCTYPE robot [<!ENTITY e 'secret'>]>{ROOT}><link name='&e;'/></robot>")
    code = f"exec(&quot;import os; os.mkdir('{outside}/made')&quot;, {{}})"
    (tmp_path / "link.xacro").symlink_to(outside / "secret.xacro")
    text, expected = HOSTILE[case]
    path = file(text.format(run=code, outside=outside, above=tmp_path.parent.name))
    with pytest.raises(InertiaError) as raised:
        read_robot_file(path)
    assert raised.value.code == expected
    assert not (outside / "made").exists() and "'secret'" not in str(raised.value)


def test_the_library_by_itself_runs_what_is_refused_here(file, tmp_path):
    code = f"exec(&quot;import os; os.mkdir('{tmp_path}/made')&quot;, {{}})"
    of_xacro_itself(file(HOSTILE["eval"][0].format(run=code)), {})
    assert (tmp_path / "made").exists()


@pytest.mark.fault(175)
def test_without_the_package_the_error_names_the_command(file, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "xacro", None)
    assert run("check", file("<link name='l'/>")) == 2
    out = " ".join(capsys.readouterr().out.split())
    assert "[xacro]" in out and "pip install 'sdf-inertia[xacro]'" in out


def test_xacro_is_not_imported_nor_filled(package, capsys):
    with pytest.raises(InertiaError, match="xacro FILE"):
        robots_of("urdf/robot.urdf.xacro")
    assert run("fill", "urdf/robot.urdf.xacro", "-o", "out.xacro") == 1
    assert "it is xacro" in capsys.readouterr().err and not (package / "out.xacro").exists()


def test_xacro_of_sdf_is_refused_by_name(tmp_path):
    (tmp_path / "m.sdf.xacro").write_text('<sdf version="1.9" xmlns:xacro="http://www.ros.org/wiki/xacro"/>')
    with pytest.raises(InertiaError, match="only URDF"):
        read_robot_file(tmp_path / "m.sdf.xacro")


def test_an_argument_that_is_not_one_is_a_usage_error(package, capsys):
    with pytest.raises(SystemExit):
        main(["check", "urdf/robot.urdf.xacro", "--xacro-arg", "two=true"])
    assert "NAME:=VALUE" in capsys.readouterr().err


def test_batch_checks_and_repairs_xacro_files_with_arguments(package, capsys):
    words = ["urdf", "--jobs", "1", "--xacro-arg", "two:=true", "--report", "out.jsonl", "--summary", "out.md"]
    assert main(["batch", "check", *words]) == 1
    (answer,) = map(json.loads, (package / "out.jsonl").read_text().splitlines())  # not that of macros
    assert answer["input"] == "urdf/robot.urdf.xacro" and len(answer["result"]["findings"]) == 3
    assert main(["batch", "repair", *words[:3], "--report", "r.jsonl", "--summary", "r.md", "--output", "new"]) == 1
    assert (package / "new/urdf/robot.urdf.xacro").read_text() == ROBOT


def test_the_action_checks_xacro_files(repository):  # noqa: F811
    (repository / "robot.urdf.xacro").write_text(
        f"{ROOT} name='r'><link name='l'><inertial><mass value='${{-1}}'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>"
    )
    git(repository, "add", ".")
    done = run_action(repository, FILES="*.xacro")
    assert done.returncode == 1 and "::error file=robot.urdf.xacro,line=1" in done.stdout, done.stdout + done.stderr


def test_repair_from_python_gives_the_bytes_of_each_file(package):
    repaired = repair(package / "urdf/robot.urdf.xacro")
    assert repaired.data == ROBOT.encode()
    assert {path.name for path in repaired.included} == {"macros.xacro"}


@pytest.mark.fault(176)
def test_a_macro_without_its_prefix_is_named_as_the_cause(file):
    path = file("<macro name='leg' params='name'>\n<link name='${name}'/></macro>\n<xacro:leg name='a'/>")
    with pytest.raises(InertiaError) as error:
        read_robot(path)
    assert error.value.code == "bad_xacro" and "<macro>" in error.value.message
    assert "lacks the prefix" in error.value.message and error.value.remedy == "write <xacro:macro>"
