# SPDX-License-Identifier: GPL-3.0-or-later
"""`make lint` finds phrases that read like a translation."""

import pytest

from tools.plain_english import BETTER, BETTER_CODE, CHECKOUT, files, is_code, phrases


@pytest.mark.parametrize(
    "text", ["Say whether a tensor is one", "an overlap is told", "written anew", "what is given counts for nothing"]
)
def test_a_phrase_is_found_with_its_line_and_a_better_one(text):
    ((line, phrase, better),) = phrases(f"first line\n{text}\n")
    assert line == 2 and phrase in text and better in BETTER.values()


@pytest.mark.parametrize(
    "text", ['"""Say which link it is."""', "# whoever reads it", "faces are looked at in turn", "told: list[str] = []"]
)
def test_code_is_held_to_more(text):
    ((_, phrase, better),) = phrases(text, code=True)
    assert phrase in text and better in BETTER_CODE.values() and not [*phrases(text)]


def test_the_name_of_a_test_is_read_as_words():
    ((line, phrase, better),) = phrases("\n    def test_a_missing_mesh_is_told(data):", code=True)
    assert (line, phrase, better) == (2, "is told", "is reported")
    assert not [*phrases("def is_told(mesh):", code=True)]


def test_docstrings_of_core_add_on_tools_and_tests_are_code():
    paths = ("core/errors.py", "tools/house.py", "sdf_inertia_addon/names.py", "tests/faults.py")
    assert all(is_code(CHECKOUT / path) for path in paths)
    assert not is_code(CHECKOUT / "core/findings/mesh.md")


def test_plain_words_pass():
    assert not [*phrases("Return True if the tensor is finite. There is no number for it.")]


def test_the_product_is_held_to_it():
    names = {path.name for path in files()}
    assert {
        "README.md",
        "mesh.md",
        "errors.py",
        "texts.py",
        "pyproject.toml",
        "reliability.md",
        "test_shapes.py",
    } <= names
    assert not {"plain_english.py", "test_plain_english.py"} & names
