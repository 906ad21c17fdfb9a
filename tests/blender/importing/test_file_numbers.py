# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel shows the file's numbers next to the computed ones, and says in a number how far they differ."""

import bpy
import pytest

from ..scenes import imported, module
from .test_accepted import BOX, CAD, LINK

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(118)]

MORE = "".join(
    [
        LINK.format("grams", 0.0, 1e6, 1e6, 1e6, BOX.format(0)),
        LINK.format("away", 120.0, 1000, 1000, 1000, BOX.format(0)),
        LINK.format("turned", 0.0, 1000, 1000, 1000, BOX.format(0)).replace('ixy="0"', 'ixy="300"'),
        LINK.format("bare", 0.0, 1000, 1000, 1000, ""),
        "</robot>",
    ]
)


@pytest.fixture
def cad(tmp_path):
    path = tmp_path / "cad.urdf"
    path.write_text(CAD.replace("</robot>", MORE))
    imported(path)


def found(name):
    return module("sdf_inertia_addon.panels.compared").comparison_of(bpy.context, bpy.data.objects[name])


def panel():
    return module("sdf_inertia_addon.panels.published")


def units(name="SI"):
    return module("core.units").UNITS[name]


@pytest.mark.parametrize(
    ("name", "text", "icon"),
    [
        ("right", "agrees", "CHECKMARK"),
        ("motor", "8.3 % off", "FAKE_USER_ON"),
        ("heavy", "42 % off", "FAKE_USER_ON"),
        ("light", "10 % off", "FAKE_USER_ON"),
        ("impossible", "impossible", "CANCEL"),
        ("grams", "1000× computed", "ERROR"),
        ("away", "centre 120 m off", "ERROR"),
        ("bare", "not compared", "QUESTION"),
    ],
)
def test_the_verdict_has_a_number_where_two_can_be_compared(cad, name, text, icon):
    assert panel().verdict(found(name), units()) == (text, icon)


def test_both_sets_are_listed_in_the_users_units_and_marked_apart(cad):
    lines = panel().lines_of(found("heavy"), units())
    assert [line.name for line in lines if line.file] == ["Mass", "X", "Y", "Z", "Ixx", "Iyy", "Izz"]
    assert [line.name for line in lines if line.differs] == ["X"]
    assert lines[2][1:3] == ("0.3000", "0")
    assert panel().lines_of(found("heavy"), units("GRAM"))[2][1:3] == ("300.0", "0")


def test_products_are_listed_where_they_matter(cad):
    lines = panel().lines_of(found("turned"), units())
    assert ("Ixy", "300.0", "0", True) in lines and "Ixz" not in [line.name for line in lines]


def test_what_is_missing_is_a_dash(cad):
    lines = panel().lines_of(found("bare"), units())
    assert lines[0] == ("Mass", "6000 kg", "–", False)
    assert all(line.computed == "–" for line in lines if line.file)


def test_an_accepted_link_shows_the_mass_that_is_written(cad):
    ob = bpy.data.objects["light"]
    bpy.ops.sdf_inertia.accept_computed(target="light")
    ob.sdf_inertia.mass = 600.0
    bpy.context.view_layer.update()
    accepted = module("sdf_inertia_addon.panels.compared").as_accepted(bpy.context, ob, found("light"))
    assert panel().lines_of(accepted, units())[0] == ("Mass", "6000 kg", "600.0 kg", True)


def test_a_row_is_impossible_where_a_finding_says_so(cad):
    for ob in bpy.data.objects:
        if ob.sdf_inertia.is_link:
            comparison = found(ob.name)
            errors = [finding.code for finding in comparison.findings if finding.severity == "error"]
            assert (
                (panel().verdict(comparison, units())[0] == "impossible") == bool(errors) == (ob.name == "impossible")
            )
