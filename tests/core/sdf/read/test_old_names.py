# SPDX-License-Identifier: GPL-3.0-or-later
"""Up to SDF 1.6 elements of different kinds may share a name: libsdformat renames those that come later."""

import pytest

from core.cli.check import check_path

from ...sdf_oracle import oracle_file
from .texts import codes_of, model, read

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
@pytest.mark.parametrize("version", ["1.4", "1.5", "1.6"])
@pytest.mark.parametrize(
    "content, new",
    [
        (LINKS + JOINT, "b_joint"),
        (JOINT.replace("<child>b", "<child>c") + LINKS + "<link name='c'/>", "b_link"),
        (LINKS + "<frame name='a'/>", "a_frame"),
        (LINKS + "<link name='b_joint'/>" + JOINT, "b_joint0"),
        (LINKS + "<link name='b_joint'/><link name='b_joint0'/>" + JOINT, "b_joint1"),
        ("<model name='a'><link name='l'/></model>" + LINKS, "a_link"),
    ],
)
def test_an_old_file_is_read_with_the_second_renamed(content, new, version):
    file = read(model(content, version))
    assert codes_of(file.findings) == [("warning", "renamed")]
    assert f"'{new}'" in file.findings[0].message
    if new.endswith("_link"):
        assert f"m::{new}" in [link.name for link in file.links]


@pytest.mark.parametrize("content", [LINKS + JOINT, LINKS + "<frame name='a'/>"])
def test_since_1_7_it_is_an_error(content):
    assert codes_of(read(model(content, "1.7")).findings) == [("error", "duplicate_name")]


@pytest.mark.parametrize("version", ["1.6", "1.11"])
@pytest.mark.parametrize("content", [LINKS + "<link name='b'/>", LINKS + JOINT + JOINT])
def test_two_of_one_kind_are_an_error_and_the_second_is_dropped(content, version):
    file = read(model(content, version))
    assert ("error", "duplicate_name") in codes_of(file.findings)
    assert len(file.links) == 2
