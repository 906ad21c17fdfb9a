# SPDX-License-Identifier: GPL-3.0-or-later
"""What CAD systems print is read back to the printed digits, whatever its sign, point, units and decimals."""

import re

import numpy as np
import pytest

from core import InertiaError, inertial_of_text

from . import cad_texts
from .cad_texts import far_body, freecad, fusion, german_solidworks, inventor, meshlab, onshape, solidworks

BODY = far_body()
VOLUME = 151234.5
"""[mm³]"""

MASS = pytest.approx(BODY.mass / 1e3, abs=1e-7)


def check(read, rtol=1e-6):
    """Check that an inertial is that of the body, with SDF's sign, in SI units."""
    inertial = read.inertial
    tensor = BODY.tensor(BODY.center) / 1e9
    assert inertial.mass == MASS
    np.testing.assert_allclose(inertial.com, BODY.center / 1e3, rtol=0, atol=1e-7)
    np.testing.assert_allclose(inertial.inertia, tensor, rtol=0, atol=rtol * np.trace(tensor))
    assert len({round(abs(product), 12) for product in inertial.inertia[[0, 0, 1], [1, 2, 2]]} - {0.0}) == 3


def forms(read):
    return [finding.message.form for finding in read.findings if finding.code == "printed_taken"]


def refusal(text, **chosen):
    """Return the code and the form of the error, and its message."""
    with pytest.raises(InertiaError) as caught:
        inertial_of_text(text, **chosen)
    return caught.value.code, getattr(caught.value.message, "form", ""), str(caught.value)


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("products", ["positive", "negative"])
@pytest.mark.parametrize("cad", ["solidworks", "inventor", "onshape"])
def test_a_text_is_read_whichever_its_sign_and_decimals(cad, products, decimal):
    read = inertial_of_text(getattr(cad_texts, cad)(BODY, products, decimal))
    check(read)
    assert forms(read) == ["center", f"{products}_seen" if cad == "onshape" else products]
    assert read.error_inertia < 1e-4


@pytest.mark.parametrize("decimal", [".", ","])
def test_fusions_text_has_the_sign_of_sdf(decimal):
    read = inertial_of_text(fusion(BODY, decimal=decimal))
    check(read)
    assert forms(read) == ["center", "negative"]


def test_german_text_without_a_notation_shows_its_sign():
    read = inertial_of_text(german_solidworks(BODY))
    check(read)
    assert forms(read) == ["center", "positive_seen"]


@pytest.mark.parametrize("products", ["positive", "negative"])
def test_a_tensor_about_the_origin_is_moved_to_the_centre(products):
    read = inertial_of_text(solidworks(BODY, products, blocks=("origin",)))
    check(read, rtol=3e-4)  # the centre's digits are multiplied by half a metre
    assert forms(read) == ["origin", products]


def test_the_order_of_the_two_tensors_does_not_matter():
    check(inertial_of_text(solidworks(BODY, blocks=("origin", "center"))))


def test_meshlabs_tensor_is_of_the_volume_and_needs_a_mass_or_density():
    text = meshlab(BODY, VOLUME)
    density = BODY.mass / 1e3 / (VOLUME / 1e9)
    check(inertial_of_text(text, density=density, scale=1e-3))
    check(inertial_of_text(text, mass=BODY.mass / 1e3, scale=1e-3))
    check(inertial_of_text(meshlab(BODY, VOLUME, ","), mass=BODY.mass / 1e3, scale=1e-3))
    assert refusal(text)[:2] == ("printed_missing", "amount")
    assert refusal(text, mass=0.4)[:2] == refusal(text, density=1000.0)[:2] == ("printed_missing", "scale")


def test_meshlabs_log_of_a_mesh_whose_faces_point_inwards_is_read():
    lines = meshlab(BODY, -VOLUME).splitlines()
    assert lines[0].startswith("Mesh Volume is -") and lines[5].startswith("    | -")
    read = inertial_of_text("\n".join(f"LOG: 2 {line}" for line in lines), mass=BODY.mass / 1e3, scale=1e-3)
    check(read)
    assert read.volume == pytest.approx(VOLUME / 1e9, rel=1e-9) and 0.0 < read.error_inertia < 1e-4
    density = BODY.mass / 1e3 / read.volume
    check(inertial_of_text("\n".join(lines), density=density, scale=1e-3))


def test_freecads_tensor_is_in_millimetres():
    read = inertial_of_text(freecad(BODY, VOLUME), mass=BODY.mass / 1e3)
    check(read, rtol=1e-12)
    assert read.volume == pytest.approx(VOLUME / 1e9, rel=1e-12)


def test_a_matrix_of_inertia_with_a_unit_is_not_that_of_the_volume():
    text = "Mass = 2 kg\nCenter of mass: 1.5 2.5 3.5\nMatrix of inertia [kg m^2]\n| 3.0 0 0 |\n| 0 4.0 0 |\n| 0 0 5.0 |"
    assert refusal(text)[:2] == ("printed_missing", "about")
    read = inertial_of_text(text.replace("mass: 1.5", "mass [m]: 1.5"), about="center")
    assert np.diag(read.inertial.inertia).tolist() == [3.0, 4.0, 5.0] and read.inertial.com.tolist() == [1.5, 2.5, 3.5]


def test_a_weighed_mass_scales_the_tensor():
    text = inventor(BODY)
    once, twice = inertial_of_text(text), inertial_of_text(text, mass=2e-3 * BODY.mass)
    assert forms(twice)[-1] == "scaled"
    np.testing.assert_allclose(twice.inertial.inertia, 2.0 * once.inertial.inertia, rtol=1e-6)
    np.testing.assert_array_equal(twice.inertial.com, once.inertial.com)


def test_units_of_the_imperial_system_are_converted():
    # From the text of a published wing: pounds and feet, of which both tensors are known.
    text = solidworks(BODY)
    for word, other in (("grams", "pounds"), ("millimeters", "feet")):
        assert word in text
        text = text.replace(word, other)
    pound, foot = 0.45359237, 0.3048
    inertial = inertial_of_text(text).inertial
    assert inertial.mass == pytest.approx(BODY.mass * pound, abs=1e-4)
    expected = BODY.tensor(BODY.center) * pound * foot**2
    np.testing.assert_allclose(inertial.inertia, expected, rtol=0, atol=1e-6 * np.trace(expected))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace("\t", "    "),
        lambda text: text.replace("-", "\u2212"),
        lambda text: text.replace("-", "\u2013"),
        lambda text: text.replace("\n", "\n# "),
        lambda text: text.replace("Mass = ", "Mass (user-overridden) = "),
        lambda text: text.replace("Center", "Centre").replace("center", "centre"),
    ],
)
def test_what_copying_changes_does_not_matter(change):
    text = solidworks(BODY)
    assert change(text) != text
    check(inertial_of_text(change(text)))


@pytest.mark.parametrize(
    ("gone", "form", "named"),
    [
        ("Mass = ", "mass", "give its mass"),
        ("\tY = ", "center", "centre"),
        ("Center of mass: ", "center", "centre"),
        ("\tLyx", "component", "iyy"),
        ("Taken at the center of mass and", "about_and_products", "copy the whole text"),
    ],
)
def test_a_missing_line_is_named(gone, form, named):
    lines = solidworks(BODY, blocks=("center",)).splitlines()
    others = [line for line in lines if not line.startswith(gone)]
    assert len(others) == len(lines) - 1
    code, seen, message = refusal("\n".join(others))
    assert (code, seen) == ("printed_missing", form)
    assert named in message


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (" ( millimeters )", "", ("printed_missing", "unit")),
        (" ( grams *  square millimeters )", "", ("printed_missing", "unit")),
        ("grams\n", "\n", ("printed_missing", "unit")),
        ("( millimeters )", "( cubits )", ("printed_number", "unknown")),
        ("grams *  square millimeters", "grams * millimeters", ("printed_number", "unknown")),
        ("grams\n", "grains\n", ("printed_number", "unknown")),
    ],
)
def test_a_unit_that_is_missing_or_unknown_is_refused(old, new, expected):
    text = solidworks(BODY, blocks=("center",))
    assert old in text
    assert refusal(text.replace(old, new))[:2] == expected


@pytest.mark.parametrize("label", ["Mass\t", "Center of Mass\t", "Ixy = "])
@pytest.mark.parametrize("form", ["1 {}", "1\u00a0{}", "- {}", "\u00ad{}", "{}×10^2", "{} * 10^2", "{}D+02", "{} ± 3"])
def test_a_number_of_which_only_a_part_can_be_read_is_refused(label, form):
    text = fusion(BODY).split("Moment of Inertia at Origin")[0]
    number = next(line.split(label)[1].split()[0] for line in text.splitlines() if label in line)
    assert text.count(number) in (1, 2)  # Ixy and Iyx
    code, _, message = refusal(text.replace(number, form.format(number)))
    assert code in ("printed_number", "printed_missing"), message


def test_a_unit_between_label_and_number_is_not_taken_for_the_number():
    assert refusal(fusion(BODY).replace("Ixy = ", "Ixy [kg mm^2] = "))[:2] == ("printed_number", "unread")


@pytest.mark.parametrize("heading", ["Center of mass", "Moments of inertia"])
def test_a_heading_may_say_that_the_user_overrode_its_numbers(heading):
    text = solidworks(BODY)
    assert f"{heading}: (" in text
    check(inertial_of_text(text.replace(f"{heading}: (", f"{heading} (user-overridden): (")))


def test_digits_that_were_printed_are_those_that_are_written():
    inertial = inertial_of_text(fusion(BODY)).inertial
    numbers = [inertial.mass, *inertial.com, *inertial.inertia.flat]
    assert max(len(f"{number!r}".lstrip("-0.").split("e")[0]) for number in numbers) <= 12


def test_products_without_a_sign_need_the_option():
    text = solidworks(BODY, blocks=("center",), notation=False)
    code, form, message = refusal(text)
    assert (code, form) == ("printed_missing", "products") and "say what its products are" in message
    check(inertial_of_text(text, products="positive"))
    wrong = inertial_of_text(text, products="negative").inertial.inertia
    np.testing.assert_allclose(wrong[0, 1], -BODY.tensor(BODY.center)[0, 1] / 1e9, rtol=1e-4)


def test_what_onshape_does_not_print_is_named_at_once():
    """Neither the point nor the sign of the products; its text has the values of a tensor with a negative product."""
    text = "Mass: 2 kg\nCenter of mass:\nX: 0 mm\nY: 0 mm\nZ: 0 mm\nMass moments of inertia (kg mm^2)\n"
    rows = "Lxx: 300.000 Lxy: 20.000 Lxz: {0}\nLyx: 20.000 Lyy: 400.000 Lyz: {0}\nLzx: {0} Lzy: {0} Lzz: 500.000\n"
    text += rows.format("0.000")
    code, form, message = refusal(text)
    assert (code, form) == ("printed_missing", "about_and_products")
    assert "state both: say about which point it is, say what its products are" in message
    assert inertial_of_text(text, about="center", products="positive").inertial.inertia[0, 1] == pytest.approx(-2e-5)
    assert refusal(text, about="center")[1] == "products"
    assert refusal(text, products="positive")[1] == "about"
    assert refusal(text.replace("20.000", "0.000"))[1] == "about"  # a product of 0 has no sign


def test_a_point_that_is_stated_counts_only_where_the_text_names_none():
    lines = solidworks(BODY, blocks=("center",)).splitlines()
    text = "\n".join(line for line in lines if not line.startswith("Taken at the center of mass and"))
    check(inertial_of_text(text, about="center", products="positive"))
    check(inertial_of_text(solidworks(BODY), about="origin"))


def test_two_tensors_that_contradict_each_other_are_refused_with_both_numbers():
    text = inventor(BODY)
    ixx = text.index("Ixx\t", text.index("Global")) + 4
    changed = text[:ixx] + str((int(text[ixx]) + 1) % 10) + text[ixx + 1 :]
    code, form, message = refusal(changed)
    assert (code, form) == ("printed_conflict", "blocks")
    origin = BODY.tensor(0.0)[0, 0] / 1e9
    assert f"that about the centre of mass makes it {origin:.6g}" in message and "ixx about the origin is" in message


def test_a_notation_that_the_tensors_contradict_is_refused():
    text = solidworks(BODY, "positive")
    assert refusal(text.replace("positive", "negative"))[:2] == ("printed_conflict", "blocks")
    assert refusal(text, products="negative")[:2] == ("printed_conflict", "notation")
    assert refusal(onshape(BODY, "positive"), products="negative")[:2] == ("printed_conflict", "blocks")


def test_an_unsymmetric_tensor_is_refused():
    text = solidworks(BODY, blocks=("center",))
    at = text.index(".", text.index("Lyx = "))
    assert refusal(text[:at] + "9" + text[at:])[:2] == ("printed_conflict", "unsymmetric")


@pytest.mark.parametrize(
    ("added", "what"),
    [("Mass = 7.25 grams", "Mass"), ("Center of mass: ( mm )\nX = 1.5\nY = 2.5\nZ = 3.5", "Center of mass")],
)
def test_the_text_of_two_bodies_is_refused(added, what):
    code, form, message = refusal(solidworks(BODY) + added)
    assert (code, form) == ("printed_conflict", "bodies") and what in message
    assert refusal(fusion(BODY) + fusion(far_body(1)))[:2] == ("printed_conflict", "bodies")


def simple(mass, moments):
    """Return a text without products, at the origin."""
    names = zip(("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"), (*moments, "0.0", "0.0", "0.0"), strict=True)
    lines = "\n".join(f"{name} = {value}" for name, value in names)
    return f"Mass {mass} kg\nCenter of Mass 0 mm, 0 mm, 0 mm\nMoment of Inertia at Center of Mass (kg mm^2)\n{lines}"


def test_a_comma_with_two_readings_is_refused():
    text = simple("1,234", ("2,345", "2,345", "2,345")).replace("0.0", "0")
    assert refusal(text)[:2] == ("printed_number", "decimal")
    assert inertial_of_text(text.replace("1,234", "1,2340")).inertial.mass == 1.234
    assert inertial_of_text(text.replace("1,234", "1,234.5")).inertial.mass == 1234.5
    assert refusal(text.replace("1,234", "1,2340").replace("2,345", "2.3450"))[:2] == ("printed_number", "both")


def test_an_impossible_tensor_is_refused_by_its_own_finding():
    assert refusal(simple("1.5", ("1.00", "2.00", "9.00")))[0] == "triangle_inequality"
    assert refusal(simple("-1.5", ("1.00", "2.00", "2.50")))[0] == "bad_mass"
    assert refusal(simple("1.5", ("-1.00", "2.00", "2.50")))[0] == "negative_moment"


def test_a_plate_that_rounding_made_impossible_is_raised_within_its_digits():
    # Of a plate with the moments 1.004, 2.004 and 3.008, of which the last is printed as more than the sum.
    read = inertial_of_text(simple("1.5", ("1.00", "2.00", "3.01"))).inertial
    np.testing.assert_allclose(np.diag(read.inertia) * 1e6, [1.0, 2.0, 3.01], rtol=0, atol=0.0101)
    assert read.inertia[2, 2] <= read.inertia[0, 0] + read.inertia[1, 1]
    assert refusal(simple("1.5", ("1.00", "2.00", "3.02")))[0] == "triangle_inequality"


def test_few_digits_are_reported_with_their_share():
    read = inertial_of_text(simple("1.5", ("1.0", "2.0", "2.5")))
    (doubt,) = [finding for finding in read.findings if finding.code == "printed_digits"]
    assert doubt.severity == "warning" and read.error_inertia == pytest.approx(0.15)
    fine = inertial_of_text(simple("1.5", ("1.000000", "2.000000", "2.500000")).replace("0.0", "0.000000"))
    assert [finding.code for finding in fine.findings] == ["printed_taken"] * 2


@pytest.mark.parametrize("blocks", [("center", "origin"), ("center",)])
def test_a_tensor_that_its_digits_show_as_zero_is_refused(blocks):
    # What SolidWorks prints of a small part near its origin, in kg and m, with its two decimals.
    zeros = re.sub(r"\b([IL][xyz]{2}|[XYZ]) = -?[\d.]+", r"\1 = 0.00", solidworks(BODY, blocks=blocks))
    assert re.search(r"Lxx = 0\.00\tLxy", zeros) and "X = 0.00" in zeros
    assert refusal(zeros)[:2] == ("printed_digits", "lost")


def test_moments_that_their_digits_leave_open_are_refused():
    assert refusal(simple("1.5", ("0.0", "2.0", "2.0")))[:2] == ("printed_digits", "lost")
    assert refusal(simple("1.5", ("0.1", "2.0", "2.0")))[:2] == ("printed_digits", "lost")
    assert inertial_of_text(simple("1.5", ("0.2", "2.0", "2.0"))).error_inertia == pytest.approx(0.75)


def test_a_matrix_without_numbers_is_refused():
    text = re.sub(r"\|.*\|", "| |", meshlab(BODY, VOLUME))
    assert refusal(text, mass=0.4, scale=1e-3)[:2] == ("printed_missing", "tensor")


def test_a_text_too_long_for_mass_properties_is_refused():
    text = solidworks(BODY)
    check(inertial_of_text(text + "(" * 1000))
    assert refusal(text + "\n" + "(" * 1001)[:2] == ("printed_number", "long")
    assert refusal(text + "\n" * 2**20)[:2] == ("printed_number", "long")
