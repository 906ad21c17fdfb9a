# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials by the names that CAD systems and standards give them; what is not certain is none."""

import random

import pytest

from core.body.material_names import GRADES, PHRASES, WORDS, material_named
from core.body.materials import MATERIALS

NAMED = {
    "Aluminium 6061": (
        *(
            "EN AW-6061 T6",
            "Aluminum - 6061",
            "Al 6061-T6",
            "6061 Alloy",
            "6061-T6 (SS)",
            "AlMg1SiCu",
            "aluminum 6061-o",
        ),
        *("EN AW 6061", "3.3211", "  Aluminium   6061 ", "Aluminium\u00a06061"),
    ),
    "Aluminium 7075": ("7075-T6", "Aluminum 7075", "3.4365"),
    "Aluminium": ("Aluminum", "Alu", "EN AW-5754", "1060 Alloy", "AlMgSi1"),
    "Steel": (
        *(
            "Steel",
            "Stahl",
            "Steel, Mild",
            "Plain Carbon Steel",
            "Alloy Steel",
            "S235JR",
            "S235JR+AR",
            "42CrMo4",
            "C45",
        ),
        *("ASTM A36 Steel", "4130 Steel, annealed at 865C", "AISI 1020 Steel, Cold Rolled", "Galvanized Steel"),
    ),
    "Stainless steel": (
        *("1.4301", "AISI 304", "X5CrNi18-10", "Stainless Steel 304", "Steel - Stainless", "Edelstahl 1.4301", "V2A"),
        *("AISI 316 Stainless Steel Sheet (SS)", "Inox", "Rostfreier Stahl"),
    ),
    "PLA": ("PLA", "pla", "PLA Plastic"),
    "ABS": ("ABS Plastic",),
    "POM": ("POM Acetal Copolymer", "Delrin", "Acetal"),
    "PVC, rigid": ("PVC Rigid", "Vinyl"),
    "Polycarbonate": ("PC", "Polycarbonate"),
    "Carbon fibre": ("Carbon Fiber", "CFRP"),
    "Titanium Ti-6Al-4V": ("Ti-6Al-4V", "Titanium Grade 5", "3.7165"),
    "Cast iron, grey": ("Gray Cast Iron", "Grauguss", "EN-GJL-250"),
    "FR4": ("FR4", "FR-4"),
    "Nylon": ("PA 6", "Nylon 6/6", "PA66"),
    "PA 12": ("PA12", "Nylon 12"),
}

UNCERTAIN = (
    *("", "Generic", "Material", "Plastic", "Wood", "Foam", "Iron", "xyz", "-", "1010", "1.2379", "17-4 PH", "Battery"),
    *(
        "PA66-GF30",
        "PLA-CF",
        "PC-ABS",
        "Glass filled nylon",
        "Steel foam",
        "Steel wool",
        "Carbon",
        "Carbon fiber nylon",
    ),
    *("Steel 2024", "Copper 1100", "Aluminum Bronze", "Silver Steel", "White Gold", "Tungsten Carbide", "Lead glass"),
    *("Nickel plated steel", "Water resistant paint", "304 pcs", "Titanium Dioxide", "Steel or PLA", "6061 7075"),
)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in NAMED.items() for text in texts])
def test_a_materials_usual_names_are_found(name, text):
    assert material_named(text) == name


@pytest.mark.parametrize("text", UNCERTAIN)
def test_what_is_no_one_material_for_certain_is_none(text):
    assert material_named(text) is None


def test_each_name_of_the_library_is_its_own():
    assert len(MATERIALS) > 100
    assert [name for name in MATERIALS if material_named(name) != name or material_named(name.upper()) != name] == []


def test_the_tables_name_materials_of_the_library():
    assert {*GRADES, *WORDS.values(), *PHRASES.values()} <= MATERIALS.keys()


def test_each_grade_is_found_alone_and_beside_its_family():
    words = {word: name for name, words in GRADES.items() for word in words.split()}
    assert len(words) == sum(len(texts.split()) for texts in GRADES.values())  # each stands once
    assert {word: material_named(word) for word in words} == words
    assert {word: material_named(f"Alloy {word.upper()}") for word in words} == words


def test_no_order_of_words_gives_another_material():
    rng = random.Random(7)
    words = [word for texts in NAMED.values() for text in texts for word in text.split()]
    for _ in range(500):
        some = rng.sample(words, 3)
        found = {material_named(" ".join(order)) for order in (some, some[::-1], some[1:] + some[:1])}
        assert len(found) == 1, some
