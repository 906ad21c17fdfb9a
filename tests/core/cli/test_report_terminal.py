# SPDX-License-Identifier: GPL-3.0-or-later
"""`make demo` shows the report's tables in a terminal."""

import runpy
from dataclasses import replace

import pytest

from core import Pose
from core.body.shapes import Box
from core.judge.geometry.resolve_model import resolve_model
from core.robot.model import Collision, Link, Model
from core.robot.report import markdown

from ...versions import CHECKOUT


@pytest.fixture(scope="module")
def shown():
    """The lines shown of a model of two links with names as long as the examples' longest."""
    parts = (
        Collision("wheel_front_right_valve", Pose.from_sdf([-0.1, -0.2, -0.3, 0.1, 0.2, 0.3]), Box((1, 2, 3)), 500.0),
        Collision("hub", Pose.identity, Box((1, 1, 1)), 700.0),
    )
    link = Link("wheel", collisions=parts, mass=3.0)
    model = Model("m", (link, replace(link, name="other", mass=None)))
    demo = runpy.run_path(str(CHECKOUT / "examples" / "demo.py"), run_name="demo")
    return list(demo["tables"](markdown(model, resolve_model(model))))


def test_every_line_fits_110_columns(shown):
    assert max(map(len, shown)) <= 110
    assert any("wheel_front_right_valve" in line for line in shown)


def test_each_link_is_shown_once_with_each_part_in_two_short_rows(shown):
    text = "\n".join(shown)
    for link in ("wheel (auto, primitive)", "other (auto, primitive)"):
        assert text.count(link) == 1
    for row in ("  wheel_front_right_valve", "  hub", "  total"):
        assert len([line for line in shown if line.startswith(row)]) == 2 * 2
    assert text.count("scaled to the target mass of 3 kg") == 1


def test_the_rows_have_mass_share_and_both_tensors(shown):
    total = [line.split() for line in shown if line.startswith("  total")][2:]  # of the link without a target mass
    assert (total[0][1], total[0][2]) == ("3.700000e+03", "100.0%")
    assert len(total[1]) == 7 and total[1][1:4] == total[1][4:]
