# SPDX-License-Identifier: GPL-3.0-or-later
"""A text with one mistake ends in a refusal, or in the body that it is of: never in another one."""

import random

import numpy as np
import pytest

from core import InertiaError, inertial_of_text

from .cad_texts import far_body, fusion, inventor, onshape, solidworks

CADS = (solidworks, fusion, inventor, onshape)
BODY = far_body(3)


def mutated(text, rng):
    """Return a text with one mistake: of a line, of a character, or of a digit."""
    lines = text.splitlines()
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines = lines[:at]
    text = "\n".join(lines)
    place = rng.randrange(len(text)) if text else 0
    if kind == 4:
        return text[:place] + text[place + 1 :]
    if kind == 5:
        digits = [index for index, letter in enumerate(text) if letter in "0123456789"]
        place = rng.choice(digits)
        return text[:place] + str((int(text[place]) + rng.randrange(1, 10)) % 10) + text[place + 1 :]
    return text


def is_the_body(inertial):
    """Return whether an inertial is that of the body, within what a last digit and half a metre leave open."""
    tensor = BODY.tensor(BODY.center) / 1e9
    near = abs(inertial.mass - BODY.mass / 1e3) <= 2e-6 and np.abs(inertial.com - BODY.center / 1e3).max() <= 2e-6
    return near and np.abs(inertial.inertia - tensor).max() <= 1e-3 * np.trace(tensor)


@pytest.mark.parametrize("cad", CADS, ids=lambda cad: cad.__name__)
def test_a_text_with_a_mistake_gives_its_body_or_a_refusal(cad):
    rng = random.Random(cad.__name__)
    text, ends = cad(BODY), []
    assert is_the_body(inertial_of_text(text).inertial)
    for _ in range(300):
        changed = mutated(text, rng)
        try:
            read = inertial_of_text(changed)
        except InertiaError as error:
            assert error.remedy
            ends.append(error.code)
        else:
            assert is_the_body(read.inertial), changed
            ends.append("read")
    assert {"read", "printed_missing", "printed_number", "printed_conflict"} <= {*ends}
    assert 50 < ends.count("read") < 250


def test_noise_is_refused():
    rng = random.Random(1)
    letters = solidworks(BODY) + "|;()[]{}éß\x00\u2028²³\U0001f600"
    for _ in range(100):
        with pytest.raises(InertiaError):
            inertial_of_text("".join(rng.choices(letters, k=rng.randrange(400))))
