# SPDX-License-Identifier: GPL-3.0-or-later
"""``diff``: two files, link by link, in relative differences."""

import math

import numpy as np
import pytest

from core import Inertial, Moments
from core.body.compare import compare, differ_by_noise, difference, relative_error

from ..command_line import run, run_json

BODY = Inertial(2.0, (1.0, 0.0, 0.0), np.diag([3.0, 4.0, 5.0]))
GYRATION = math.sqrt(12.0 / 2.0)

SDF = """<sdf version="1.11"><model name="m"><link name="l"><inertial>
<mass>{mass}</mass><pose>{pose}</pose><inertia><ixx>{ixx}</ixx><iyy>4</iyy><izz>5</izz></inertia></inertial></link>{more}
</model></sdf>"""

VALUES = {"mass": "2", "pose": "1 0 0 0 0 0", "ixx": "3", "more": ""}


@pytest.fixture
def files(tmp_path):
    def write(**changes):
        (tmp_path / "a.sdf").write_text(SDF.format(**VALUES))
        (tmp_path / "b.sdf").write_text(SDF.format(**VALUES | changes))
        return tmp_path / "a.sdf", tmp_path / "b.sdf"

    return write


def test_differences_are_relative_to_the_larger_or_to_the_true_body():
    other = Inertial(2.5, (1.0, 0.3, 0.4), np.diag([3.0, 4.0, 5.0]) + 0.06 * np.ones((3, 3)))
    found = difference(BODY, other)
    assert found.mass == pytest.approx(0.2)
    assert found.com == pytest.approx(0.5 / GYRATION)
    assert found.inertia == pytest.approx(0.06 / 12.18)
    assert difference(other, BODY) == found
    to_true = difference(other, BODY, BODY)
    assert to_true.mass == pytest.approx(0.25)
    assert to_true.com == pytest.approx(0.5 / GYRATION)
    assert to_true.inertia == pytest.approx(0.06 / 12.0)
    assert difference(BODY, other, BODY) == to_true != difference(BODY, other, other)
    solids = [Moments(one.mass, one.com, one.inertia) for one in (BODY, other)]  # by volume and second moment
    assert difference(*solids) == found


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_a_unit_of_length_changes_no_difference(scale):
    other = Inertial(2.0, (1.5, 0.0, 0.0), np.diag([3.0, 4.5, 5.0]))
    scaled = [Inertial(one.mass, one.com * scale, one.inertia * scale**2) for one in (BODY, other)]
    assert difference(*scaled).com == pytest.approx(difference(BODY, other).com, rel=1e-14)
    assert difference(*scaled).inertia == pytest.approx(difference(BODY, other).inertia, rel=1e-14)


def test_the_same_body_along_other_axes_of_inertia_is_the_same(files, capsys):
    # The body turned by 90° about z, in a frame turned back by as much: ixx and iyy change places.
    turned = SDF.format(**VALUES | {"pose": f"1 0 0 0 0 {math.pi / 2!r}", "ixx": "4"}).replace("<iyy>4", "<iyy>3")
    a, b = files()
    b.write_text(turned)
    status, answer = run_json(capsys, "diff", a, b, "--json")
    assert status == 0
    assert answer["links"][0]["inertia"][2] < 1e-15


def test_nothing_differs_from_itself(files, capsys):
    a, b = files()
    assert run("diff", a, b) == 0
    assert capsys.readouterr().out == "0 of 1 links differ by more than 1e-09\n"


@pytest.mark.parametrize(
    ("changes", "quantity", "relative"),
    [
        ({"mass": "2.002"}, "mass", 0.002 / 2.002),
        ({"pose": "1 0 0.002 0 0 0"}, "com", 0.002 / GYRATION),
        ({"ixx": "3.012"}, "inertia", 0.012 / 12.012),
    ],
)
def test_what_differs_is_reported_with_both_values(changes, quantity, relative, files, capsys):
    a, b = files(**changes)
    status, answer = run_json(capsys, "diff", a, b, "--json")
    assert status == 1
    (link,) = answer["links"]
    assert (link["name"], link["only_in"]) == ("m::l", None)
    for name in ("mass", "com", "inertia"):
        ours, theirs, found = link[name]
        assert (ours != theirs) == (name == quantity)
        if name == quantity:
            assert found == pytest.approx(relative, rel=1e-9)
    assert run("diff", a, b, "--rtol", relative * 1.01) == 0
    assert run("diff", a, b, "--rtol", relative * 0.99) == 1


@pytest.mark.parametrize(
    ("changes", "rows"),
    [
        ({"mass": "334"}, ["l mass [kg] 2 334 167 times"]),
        ({"mass": "2.01", "pose": "1 0.5 0 0 0 0"}, ["l mass [kg] 2 2.01 +0.5 %", "centre y [m] 0 0.5 +0.5"]),
        ({"pose": "-1 0 0 0 0 0"}, ["l centre x [m] 1 -1 opposite sign"]),
        ({"ixx": "3.00000003"}, ["l Ixx [kg·m²] 3 3.00000003 +1e-06 %"]),
        ({"mass": "0.5", "ixx": "30"}, ["l mass [kg] 2 0.5 1/4", "Ixx [kg·m²] 3 30 10 times"]),  # no tensor of a body
    ],
)
def test_only_numbers_that_differ_are_shown_each_with_its_factor(changes, rows, files, capsys):
    assert run("diff", *files(**changes)) == 1
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    head = lines.index("link number a.sdf b.sdf change")
    assert lines[head + 1 :] == [*rows, "1 of 1 links differs by more than 1e-09"]


def test_a_link_of_one_file_only_is_a_difference(files, capsys):
    a, b = files(more='<link name="extra"/>')
    for first, second, only in ((a, b, "b"), (b, a, "a")):
        status, answer = run_json(capsys, "diff", first, second, "--json")
        assert status == 1
        extra = answer["links"][-1]
        assert (extra["name"], extra["only_in"]) == ("m::extra", only)
        assert extra["mass"] == ([None, 1.0, None] if only == "b" else [1.0, None, None])


def test_what_has_no_numbers_is_never_equal_to_numbers():
    (lost,) = compare({"l": BODY}, {"l": None})
    (odd,) = compare({"l": BODY}, {"l": Inertial(float("nan"), BODY.com, BODY.inertia)})
    (both,) = compare({"l": None}, {"l": None})
    assert lost.differs(1e300) and odd.differs(1e300) and not both.differs()
    zero = Inertial(0.0, np.zeros(3), np.zeros((3, 3)))
    assert difference(zero, zero).worst == 0.0
    assert difference(zero, BODY).worst == 1.0


def test_a_file_differs_from_what_fill_makes_of_it_by_rounding_only(data, tmp_path, capsys):
    path = data / "models" / "inertial_stats_auto_mass" / "inertial_stats_auto_mass.sdf"
    assert run("fill", path, "-o", tmp_path / "filled.sdf") == 0
    assert run("diff", path, tmp_path / "filled.sdf", "--rtol", "1e-14") == 0


def test_a_tolerance_below_zero_or_a_missing_file_is_status_2(files, tmp_path):
    with pytest.raises(SystemExit) as stop:
        run("diff", *files(), "--rtol", "-1")
    assert stop.value.code == 2
    assert run("diff", files()[0], tmp_path / "none.sdf") == 2


def test_the_error_of_a_centroid_is_that_of_its_worst_coordinate():
    truth = Moments(1.0, np.zeros(3), np.diag([1.0, 1.0, 2.0]))  # radius of gyration 2
    found = Moments(1.0, np.array([0.02, 0.02, 0.01]), truth.covariance)
    assert relative_error(found, truth) == pytest.approx(0.01, rel=1e-12)


def test_bodies_that_float32_cannot_tell_apart_differ_by_noise():
    body = Inertial(2.0, np.array([0.1, 0.2, 0.3]), np.diag([1.0, 1.5, 2.0]))
    rounded = Inertial(
        np.float32(body.mass), body.com.astype(np.float32), (1.0 + 2.0**-24) * body.inertia.astype(np.float32)
    )
    assert differ_by_noise(body, rounded)
    for other in (
        Inertial(2.00001, body.com, body.inertia),
        Inertial(2.0, body.com + 1e-5, body.inertia),
        Inertial(2.0, body.com, 1.00001 * body.inertia),
    ):
        assert not differ_by_noise(body, other)


def test_far_from_the_origin_float32_loses_digits_of_a_place():
    body = Inertial(2.0, np.zeros(3), 1e-4 * np.eye(3))
    moved = Inertial(2.0, np.array([1e-6, 0.0, 0.0]), body.inertia)
    assert not differ_by_noise(body, moved)
    assert differ_by_noise(body, moved, far=10.0)
