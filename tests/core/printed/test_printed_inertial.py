# SPDX-License-Identifier: GPL-3.0-or-later
"""The text that CAD prints gives one inertial, or a refusal that names what is missing or contradicts."""

import random

import numpy as np
import pytest

from core import InertiaError, Inertial, inertial_of_text

from . import cad_texts
from .cad_texts import with_commas

COM = np.array([123.375, -61.25, 807.5])  # far from the origin: the block about it is another tensor
TENSOR = np.array([[5000.25, 312.5, -87.75], [312.5, 4500.5, 201.25], [-87.75, 201.25, 2100.75]])
MASS = 43.75

GRAMS, KILOGRAMS = 1e-9, 1e-6
"""Units of a tensor: g·mm² and kg·mm²."""


def assert_body(read, mass, com, tensor, error):
    inertial = read.inertial
    assert inertial.mass == pytest.approx(mass, rel=1e-9)
    np.testing.assert_allclose(inertial.com, com, rtol=1e-9)
    np.testing.assert_allclose(inertial.inertia, tensor, rtol=0.0, atol=error)


@pytest.mark.parametrize("commas", (False, True))
@pytest.mark.parametrize("sign", (1, -1))
@pytest.mark.parametrize("blocks", ("both", "centre"))
def test_solidworks_products_get_the_tensors_sign(blocks, sign, commas):
    text = cad_texts.solidworks(MASS, COM, TENSOR, sign, blocks)
    read = inertial_of_text(with_commas(text) if commas else text)
    assert_body(read, MASS * 1e-3, COM * 1e-3, TENSOR * GRAMS, 1e-4 * GRAMS)


@pytest.mark.parametrize("sign", (1, -1))
def test_a_block_about_the_origin_is_moved_to_the_centre(sign):
    read = inertial_of_text(cad_texts.solidworks(MASS, COM, TENSOR, sign, "origin"))
    assert_body(read, MASS * 1e-3, COM * 1e-3, TENSOR * GRAMS, 1e-3 * GRAMS)
    assert "moved to the centre of mass" in read.findings[0].message


@pytest.mark.parametrize("commas", (False, True))
def test_fusion_prints_the_tensors_own_products(commas):
    text = cad_texts.fusion(MASS, COM, TENSOR)
    read = inertial_of_text(with_commas(text) if commas else text)
    assert_body(read, MASS * 1e-3, COM * 1e-3, TENSOR * GRAMS, 1e-3 * GRAMS)


@pytest.mark.parametrize("sign", (1, -1))
def test_inventor_names_the_integral(sign):
    text = cad_texts.inventor(1.25, COM, TENSOR, sign)
    for words in (text, with_commas(text)):
        assert_body(inertial_of_text(words), 1.25, COM * 1e-3, TENSOR * KILOGRAMS, 1e-5 * KILOGRAMS)


def test_onshape_needs_the_sign_of_products_that_are_not_zero():
    text = cad_texts.onshape(1.25, COM, TENSOR)
    with pytest.raises(InertiaError, match="the sign of its products"):
        inertial_of_text(text)
    assert_body(inertial_of_text(text, products="tensor"), 1.25, COM * 1e-3, TENSOR * KILOGRAMS, 1e-4 * KILOGRAMS)
    turned = inertial_of_text(text, products="integral").inertial.inertia
    assert turned[0, 1] == -TENSOR[0, 1] * KILOGRAMS
    diagonal = cad_texts.onshape(1.25, COM, np.diag(np.diag(TENSOR)))
    assert_body(inertial_of_text(diagonal), 1.25, COM * 1e-3, np.diag(np.diag(TENSOR)) * KILOGRAMS, 1e-4 * KILOGRAMS)


def test_freecad_prints_the_tensor_of_a_volume_in_millimetres():
    com, volume = [1.25, -2.5, 300.75], 24000.0
    tensor = TENSOR * 1e3
    read = inertial_of_text(cad_texts.freecad(volume, com, tensor), density=2700.0)
    assert_body(read, volume * 1e-9 * 2700.0, np.array(com) * 1e-3, tensor * 1e-15 * 2700.0, 1e-15)


def test_meshlab_needs_a_unit_and_a_mass():
    text = cad_texts.meshlab(2400.0, COM, TENSOR * 10.0)
    with pytest.raises(InertiaError, match="--scale"):
        inertial_of_text(text)
    with pytest.raises(InertiaError, match="--mass or --density"):
        inertial_of_text(text, scale=1e-3)
    read = inertial_of_text(text, scale=1e-3, mass=0.006)
    assert_body(read, 0.006, COM * 1e-3, TENSOR * 10.0 * 1e-15 * 0.006 / 2400e-9, 1e-12)


def test_pounds_and_inches_become_si():
    text = cad_texts.solidworks(MASS, COM, TENSOR).replace("grams", "pounds").replace("millimeters", "inches")
    pound, inch = 0.45359237, 0.0254
    assert_body(inertial_of_text(text), MASS * pound, COM * inch, TENSOR * pound * inch**2, 1e-4 * pound * inch**2)


def test_a_measured_mass_scales_the_tensor():
    read = inertial_of_text(cad_texts.fusion(MASS, COM, TENSOR), mass=0.0875)
    assert_body(read, 0.0875, COM * 1e-3, TENSOR * GRAMS * 2.0, 1e-3 * GRAMS)


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    (
        ("Mass = ", "Weight = ", "the mass"),
        ("grams\n", "\n", "the unit of the mass"),
        ("( grams *  square millimeters )", "", "the unit of the moments"),
        ("( millimeters )", "", "the unit of the centre"),
        ("\tX = ", "\tA = ", "the centre of mass"),
        ("Taken at", "At", None),  # the words that matter are the others
        ("zz = ", "zw = ", "a tensor with its six components"),
    ),
)
def test_what_is_missing_is_named(old, new, missing):
    text = cad_texts.solidworks(MASS, COM, TENSOR)
    assert old in text
    if missing is None:
        inertial_of_text(text.replace(old, new))
        return
    with pytest.raises(InertiaError, match=missing):
        inertial_of_text(text.replace(old, new))


def test_blocks_that_contradict_each_other_are_refused():
    text = cad_texts.solidworks(MASS, COM, TENSOR)
    other = cad_texts.solidworks(MASS * 1.1, COM, TENSOR)
    mixed = text[: text.index("Taken at the output")] + other[other.index("Taken at the output") :]
    with pytest.raises(InertiaError, match="parallel axis theorem"):
        inertial_of_text(mixed)


def test_a_notation_that_the_blocks_deny_is_refused():
    text = cad_texts.solidworks(MASS, COM, TENSOR, -1).replace("positive", "negative")
    with pytest.raises(InertiaError, match="other sign"):
        inertial_of_text(text)


def test_numbers_with_two_readings_are_refused():
    text = "Mass = 1,234 grams\nCenter of mass: ( millimeters )\nX = 1,234\nY = 2,345\nZ = 3,456\n"
    with pytest.raises(InertiaError, match="decimals"):
        inertial_of_text(text)


def test_an_impossible_tensor_is_refused_by_its_finding():
    with pytest.raises(InertiaError) as caught:
        inertial_of_text(cad_texts.fusion(MASS, COM, np.diag([1.0, 2.0, 30.0])))
    assert caught.value.code == "triangle_inequality"


def test_few_digits_are_a_warning():
    coarse = cad_texts.solidworks(0.03, np.array([1.0, 2.0, 3.0]), np.diag([0.31, 0.28, 0.22]), digits=2)
    warned = [finding for finding in inertial_of_text(coarse).findings if finding.severity == "warning"]
    assert [finding.code for finding in warned] == ["text_digits"]


def test_a_mutated_text_gives_the_body_or_a_refusal():
    """What a text says twice, in its two blocks, no mutation of one number turns into another body."""
    chosen, texts = (
        random.Random(54),
        [
            cad_texts.solidworks(MASS, COM, TENSOR, 1),
            cad_texts.solidworks(MASS, COM, TENSOR, -1),
            cad_texts.fusion(MASS, COM, TENSOR),
        ],
    )
    refused = 0
    for _ in range(300):
        text = chosen.choice(texts)
        lines = text.splitlines(keepends=True)
        place = chosen.randrange(len(lines))
        action = chosen.randrange(3)
        if action == 0:
            del lines[place]
        elif action == 1:
            lines[place] = lines[place].replace("-", "").replace("(", "")
        else:
            lines.insert(place, chosen.choice(lines))
        try:
            inertial = inertial_of_text("".join(lines)).inertial
        except InertiaError:
            refused += 1
            continue
        exact = Inertial(MASS * 1e-3, COM * 1e-3, TENSOR * GRAMS)
        assert inertial.mass == pytest.approx(exact.mass)
        np.testing.assert_allclose(inertial.com, exact.com, rtol=1e-9)
        np.testing.assert_allclose(inertial.inertia, exact.inertia, rtol=0.0, atol=1e-2 * GRAMS)
    assert 0 < refused < 200
