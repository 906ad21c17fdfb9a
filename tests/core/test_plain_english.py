# SPDX-License-Identifier: GPL-3.0-or-later
"""`make lint` finds phrases that read like a translation."""

import pytest

from tools.plain_english import BETTER, files, phrases


@pytest.mark.parametrize(
    "text", ["Say whether a tensor is one", "an overlap is told", "written anew", "what is given counts for nothing"]
)
def test_a_phrase_is_found_with_its_line_and_a_better_one(text):
    ((line, phrase, better),) = phrases(f"first line\n{text}\n")
    assert line == 2 and phrase in text and better in BETTER.values()


def test_plain_words_pass():
    assert not [*phrases("Return True if the tensor is finite. There is no number for it.")]


def test_the_product_is_held_to_it():
    names = {path.name for path in files()}
    assert {"README.md", "mesh.md", "errors.py", "texts.py"} <= names and "plain_english.py" not in names
