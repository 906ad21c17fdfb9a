# SPDX-License-Identifier: GPL-3.0-or-later
"""xacro files that never end, or stand for a huge one, end with a stated limit; robots may be read in threads."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.api.robot import read_robot
from core.child.child import Limits
from core.cli.main import main
from core.errors import InertiaError
from core.formats.table import read_robot_file
from core.formats.xacro import read as xacro_read

pytest.importorskip("xacro", reason="there is no xacro (requirements/test.txt)")

ROOT = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r">'

MACROS = "".join(f"<xacro:macro name='m{n}'>{10 * f'<xacro:m{n - 1}/>'}</xacro:macro>" for n in range(1, 8))
LAUGHS = "".join(f"<xacro:property name='p{n}' value='{10 * f'${{p{n - 1}}}'}'/>" for n in range(1, 9))

ENDLESS = {
    "power": ("<link name='${10**10**9}'/>", "xacro needs more than"),
    "loop": ("<link name='${[1 for i in range(10**10)]}'/>", "xacro needs more than"),
    "product": ("<link name='${len([0] * 10**10)}'/>", "xacro needs more than|MemoryError"),
    "format": ("<link name=\"${'%1000000000d' % 1}\"/>", "more than 1000000 characters|xacro needs more than"),
    "macros": (f"<xacro:macro name='m0'><link name='x'/></xacro:macro>{MACROS}<xacro:m7/>", "more than 500 elements"),
    "laughs": (f"<xacro:property name='p0' value='{100 * 'a'}'/>{LAUGHS}<link name='${{p8}}'/>", "1000000 characters"),
    "yaml": ("<link name=\"${xacro.load_yaml('bomb.yaml')}\"/>", "xacro needs more than|1000000 characters"),
    "recursion": ("<xacro:macro name='m'><xacro:m/></xacro:macro><xacro:m/>", "recursion"),
    "itself": ("<xacro:include filename='robot.xacro'/>", "recursion|too deeply|elements"),
}


@pytest.fixture
def file(tmp_path, monkeypatch):
    def write(text, name="robot.xacro"):
        path = tmp_path / name
        path.write_text(f"{ROOT}{text}<link name='base'/></robot>")
        return path

    return write


def names(path):
    """Return the names of the links that a file expands to."""
    return {link.get("name") for link in read_robot_file(path).document.root.iter("link")}


@pytest.mark.fault(208)
@pytest.mark.parametrize("case", ENDLESS)
def test_an_expansion_ends_at_a_stated_limit(file, case, monkeypatch):
    text, message = ENDLESS[case]
    monkeypatch.setattr(xacro_read._child, "limits", Limits(seconds=0.5))
    path = file(text)
    lists = "".join(f"a{n}: &a{n} [{','.join(10 * [f'*a{n - 1}'])}]\n" for n in range(1, 10))
    (path.parent / "bomb.yaml").write_text(f"a0: &a0 [x]\n{lists}")
    if case == "macros":
        message = "more than 50000 elements|xacro needs more than"
    with pytest.raises(InertiaError, match=message):
        read_robot(path)
    assert names(file("", "next.xacro")) == {"base"}


@pytest.mark.fault(212)
@pytest.mark.parametrize("pattern", ["/etc/host*", "/*/*/*/*/*zzz", "../*.xacro", "sub*/*.xacro"])
def test_a_pattern_lists_only_folders_that_may_be_read(file, pattern):
    with pytest.raises(InertiaError) as caught:
        read_robot(file(f"<xacro:include filename='{pattern}'/>"))
    assert caught.value.code == "uri_refused" and "hosts" not in str(caught.value)


def test_a_pattern_includes_the_files_that_fit_it(file):
    file("<xacro:property name='a' value='1'/>", "part_1.xacro")
    file("<link name='l'/>", "part_2.xacro")
    path = file("<xacro:include filename='part_*.xacro'/><link name='x${a}'/>")
    assert names(path) == {"l", "x1", "base"}


@pytest.mark.fault(209)
def test_a_huge_comment_leaves_the_other_files(file, capsys):
    paths = [file(f"<!--{'- ' * 50_000}-->", "a.xacro"), file("<link name='${1 +}'/>", "b.xacro"), file("", "c.xacro")]
    assert main(["check", *map(str, paths)]) == 1
    assert re.search(r"c\.xacro: (good|usable)", capsys.readouterr().out)


@pytest.mark.fault(211)
def test_threads_read_xacro_and_mjcf_as_one_thread_does(file, tmp_path):
    pytest.importorskip("mujoco", reason="there is no mujoco")
    paths: list[Path] = []
    for number in range(8):
        links = "".join(f"<link name='l{number}_${{{index}}}'/>" for index in range(number + 1))
        paths.append(file(links, f"robot_{number}.xacro"))
        path = tmp_path / f"robot_{number}.xml"
        body = f'<body name="b"><freejoint/><geom size=".1" mass="{number + 1}"/></body>'
        path.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
        paths.append(path)

    def read(path):
        robot = read_robot(path)
        total = sum(link.inertial.mass for link in robot.links.values() if link.inertial is not None)
        return (
            [link.get("name") for link in robot.file.document.root.iter("link")],
            total,
            [str(finding) for finding in robot.check()],
        )

    streams = sys.stdout, sys.stderr
    with ThreadPoolExecutor(8) as pool:
        together = [*pool.map(read, paths)]
    assert together == [*map(read, paths)] and together[1][1] == pytest.approx(1.0)
    assert (sys.stdout, sys.stderr) == streams


@pytest.mark.parametrize("name", ["größe", "质量", "Δ"])
def test_names_that_are_not_ascii_are_read(file, name):
    text = f"<xacro:property name='{name}' value='2'/><link name='x${{{name} + 1}}'/>"
    assert names(file(text)) == {"x3", "base"}


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_another_encoding_is_read(tmp_path, mark):
    path = tmp_path / "robot.xacro"
    text = f'<?xml version="1.0" encoding="windows-1251"?>{ROOT}<link name="Привет${{1}}"/></robot>'
    path.write_bytes(mark.encode() + text.encode("utf-8" if mark else "windows-1251"))
    assert names(path) == {"Привет1"}


ODD = {
    "surrogate": "<link name=\"${'\\ud800'}\"/>",
    "included NUL": "<xacro:include filename=\"${'\\x00'}\"/>",
    "yaml of a surrogate": "<link name=\"${xacro.load_yaml('\\ud800.yaml')}\"/>",
    "markup": '<link><xacro:attribute name="x=&quot;1&quot;/&gt;&lt;evil z" value="q"/></link>',
}


@pytest.mark.fault(209)
@pytest.mark.parametrize("case", ODD)
def test_odd_texts_of_expressions_leave_the_other_files(file, case, capsys):
    paths = [file(ODD[case], "a.xacro"), file("", "b.xacro")]
    assert main(["check", *map(str, paths)]) in (0, 1)
    assert re.search(r"b\.xacro: (good|usable)", capsys.readouterr().out)


@pytest.mark.fault(208)
def test_the_environment_and_folder_are_those_of_now(file, monkeypatch, tmp_path):
    path = file("<link name='$(env SDF_INERTIA_TRIED)'/><link name='$(cwd)'/>")
    for word in ("one", "two"):
        monkeypatch.setenv("SDF_INERTIA_TRIED", word)
        (tmp_path / word).mkdir()
        monkeypatch.chdir(tmp_path / word)
        assert names(path) == {word, str(tmp_path / word), "base"}
