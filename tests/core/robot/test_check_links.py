# SPDX-License-Identifier: GPL-3.0-or-later
"""What `check` says of whole files: by the joints, by the other links, by visuals, and its exit status."""

import json

import numpy as np
import pytest

from core import Inertial
from core.body.gz_validity import gz_accepts

from ..command_line import run
from ..robot_files import check_path
from ..sdf_text import BOX, inertial, link
from ..solids import rotation


@pytest.fixture
def checked(tmp_path):
    def found(content, model="", strict=False, **options):
        path = tmp_path / "m.sdf"
        path.write_text(f"<sdf version='1.11'><model name='m'>{model}{content}</model></sdf>")
        return check_path(path, strict=strict, **options)

    return found


def codes(findings):
    return [finding.code for finding in findings]


def test_a_link_without_inertial_weighs_one_kilogram_which_is_reported(checked):
    assert codes(checked(link(content="")))[0] == "default_inertial"
    assert codes(checked("<link name='frame_only'/>")) == []


def test_a_collision_that_overflow_puts_nowhere_is_not_compared(checked):
    far = "<frame name='f'><pose>1e308 1e308 1e308 1 1 1</pose></frame>"
    placed = BOX.replace("<geometry>", "<pose relative_to='f'>1e308 1e308 1e308 1 1 1</pose><geometry>")
    (finding,) = checked(link(geometry=placed) + far)
    assert finding.code == "bad_size" and "nan" not in finding.message


def test_a_possible_tensor_that_gz_math_misjudges_is_an_error(checked):
    rng, tensor = np.random.default_rng(1), np.eye(3)
    while gz_accepts(tensor) or Inertial(1.0, np.zeros(3), tensor).findings():
        R = rotation(rng)
        tensor = R @ np.diag([1.0, 2.0, 3.0]) @ R.T  # a thin plate
        tensor = (tensor + tensor.T) / 2.0
    products = (float(tensor[0, 1]), float(tensor[0, 2]), float(tensor[1, 2]))
    content = inertial(1, [float(x) for x in np.diag(tensor)], products)
    assert codes(checked(f"<link name='l'>{content}</link>")) == ["gz_math_refuses"]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("size", ["1e-108", "1e-160", "1e120", "inf", "nan"])
def test_absurd_sizes_and_masses_are_answered_not_stumbled_over(checked, size, strict):
    geometry = f"<geometry><box><size>{size} {size} 1</size></box></geometry>"
    for content in ("<inertial auto='true'/>", inertial(1, (1, 1, 1)), inertial(1e300, (1e300, 1e300, 1e300))):
        with np.errstate(all="ignore"):
            assert codes(checked(link(content=content, geometry=geometry), strict=strict))


def test_a_ball_that_is_a_point_beside_its_place_is_answered(checked):
    pose, ball = "<pose>-0.9 -1.4 0.8 0 0 0</pose>", "<geometry><sphere><radius>1e-39</radius></sphere></geometry>"
    content = f"<link name='l'><collision name='c'>{pose}<density>1000</density>{ball}</collision></link>"
    with np.errstate(all="ignore"):
        assert checked(content, strict=True)


def test_the_command_ends_with_the_status_of_the_worst_finding(tmp_path, capsys):
    good, doubtful, bad = tmp_path / "good.sdf", tmp_path / "doubtful.sdf", tmp_path / "bad.sdf"
    for path, content in (
        (good, link()),
        (doubtful, link(content=inertial(8, (1e3, 1e3, 1.1e3)))),
        (bad, link(content=inertial(1, (1, 1, 3)))),
    ):
        path.write_text(f"<sdf version='1.11'><model name='m'>{content}</model></sdf>")
    assert run("check", good) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{good}: good",
        "  1 link: no invalid inertial; 1 agrees with its geometry within 5 %",
    ]
    assert run("check", doubtful) == 0
    verdict, finding, *_ = capsys.readouterr().out.splitlines()
    assert finding.startswith("  warning: ") and verdict == f"{doubtful}: usable, 1 warning"
    assert "radius of gyration" in finding
    assert run("check", good, bad) == 1
    assert run("check", tmp_path / "missing.sdf") == 2
    capsys.readouterr()
    assert run("check", "--json", good, doubtful, bad) == 1
    files = json.loads(capsys.readouterr().out)["files"]
    assert [(one["file"], len(one["findings"])) for one in files] == [(str(good), 0), (str(doubtful), 1), (str(bad), 1)]
    assert set(files[2]["findings"][0]) == {"severity", "code", "subject", "message", "remedy", "sdf_codes"}
    assert set(files[1]["findings"][0]) == {"severity", "code", "subject", "message", "remedy"}


def test_an_included_file_is_checked_for_typos_too(tmp_path):
    (tmp_path / "part.sdf").write_text(
        "<sdf version='1.11'><model name='p'><link name='l'><inertail/></link></model></sdf>"
    )
    (tmp_path / "m.sdf").write_text(
        "<sdf version='1.11'><world name='w'><include><uri>part.sdf</uri></include></world></sdf>"
    )
    found = check_path(tmp_path / "m.sdf")
    assert codes(found) == ["misspelled"]
    assert "part.sdf:1" in found[0].subject
