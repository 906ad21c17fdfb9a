# SPDX-License-Identifier: GPL-3.0-or-later
"""Up to SDF 1.6 elements of different kinds may share a name: libsdformat renames those that come later."""

import pytest

from core.cli.check import check_path

from ...sdf_oracle import oracle_file
from .texts import model, read

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
