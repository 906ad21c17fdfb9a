# SPDX-License-Identifier: GPL-3.0-or-later
"""A material is found by the names that CAD and standards use; a doubtful name is none."""

import pytest

from core.body.material_names import GRADES, WORDS, material_named
from core.body.materials import MATERIALS


@pytest.mark.parametrize(
    ("text", "material"),
    (
        ("EN AW-6061 T6", "Aluminium 6061"),
        ("Aluminum - 6061", "Aluminium 6061"),
        ("6061-T6 (SS)", "Aluminium 6061"),
        ("1060 Alloy", "Aluminium"),
        ("1.4301", "Stainless steel"),
        ("AISI 304", "Stainless steel"),
        ("X5CrNi18-10", "Stainless steel"),
        ("S235JR", "Steel"),
        ("Plain Carbon Steel", "Steel"),
        ("Steel, Mild", "Steel"),
        ("Stahl", "Steel"),
        ("PLA", "PLA"),
        ("ABS Plastic", "ABS"),
        ("Ti-6Al-4V", "Titanium Ti-6Al-4V"),
        ("EN-GJL-250", "Cast iron, grey"),
        ("brass", "Brass"),
    ),
)
def test_a_name_of_cad_or_of_a_standard_is_found(text, material):
    assert material_named(text) == material


@pytest.mark.parametrize(
    "text",
    (
        "",
        "Generic",
        "Wood",
        "Cast Iron",
        "Foam",
        "ABS GF30",
        "Steel 2024",
        "Steel wood",
        "Carbon ABS",
        "Nylon or steel",
    ),
)
def test_a_name_that_may_mean_several_is_none(text):
    assert material_named(text) is None


def test_each_name_of_the_library_is_its_own():
    assert [material_named(name.upper()) for name in MATERIALS] == [*MATERIALS]
    assert set(GRADES) | set(WORDS.values()) <= set(MATERIALS)
