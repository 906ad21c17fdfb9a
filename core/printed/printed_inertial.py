# SPDX-License-Identifier: Apache-2.0
"""The inertial that a CAD system's text states, with SDFormat's sign, about the centre of mass, in SI units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import COMPONENTS, VALIDITY_EPS, Inertial, steiner
from ..errors import Finding, InertiaError, first_error
from ..quantity import LENGTHS, MASSES, Decimal, Quantity, QuantityError, quantity, unit_word
from .blocks import About, Block, Cell, Printed, Products, read_blocks

DOUBT = 0.01
"""Share of the smallest principal moment from which the rounding of the printed digits is reported: what a part weighs
is seldom known better."""

CUT = 2.0
"""How many halves of its last digit a printed number may be off: a program may cut its digits instead of rounding."""

SIGNS: dict[Products, FloatArray] = {
    "positive": 2.0 * np.eye(3) - 1.0,
    "negative": np.ones((3, 3)),
}
"""What turns printed components into those of the tensor."""

SEEN: dict[Products, str] = {"positive": "positive_seen", "negative": "negative_seen"}
"""Forms of the finding about a sign that two tensors show."""

CENTER = "Center of mass"


@dataclass(frozen=True)
class PrintedInertial:
    """What a text states about a body.

    Parameters
    ----------
    inertial : Inertial
        In the axes of the text's coordinate system, from its origin.
    volume : float or None
        [m³], if the text has it.
    error_inertia : float
        How far the rounding of the printed digits may move a moment, relative to the smallest principal moment.
    findings : tuple of Finding
        Which numbers were taken and how they were read, and what is doubtful.

    Examples
    --------
    >>> from sdf_inertia import inertial_of_text
    >>> text = "Volume: 8000 mm^3\\nCenter of Mass is 0.0 0.0 0.0\\nInertia Tensor is :\\n"
    >>> text += "| 12.50 0.0 0.0 |\\n| 0.0 20.50 0.0 |\\n| 0.0 0.0 25.00 |"
    >>> print(inertial_of_text(text, mass=2.0, scale=0.01).findings[0].message)
    the tensor is 'Inertia Tensor is', that of the volume, with 250000 kg/m³ and lengths of 0.01 m
    """

    inertial: Inertial
    volume: float | None
    error_inertia: float
    findings: tuple[Finding, ...]


class _Tensor(NamedTuple):
    """A printed tensor in SI, and half a digit of each component."""

    values: FloatArray
    errors: FloatArray


class _Body(NamedTuple):
    """Mass and centre as printed, in SI, and half a digit of each."""

    mass: Quantity | None
    center: FloatArray
    center_error: FloatArray

    def shift(self, mass: float) -> _Tensor:
        """Return what the parallel axis theorem adds between centre and origin, and how far that may be off."""
        x, y, z = np.abs(self.center)
        dx, dy, dz = self.center_error
        off_xy, off_xz, off_yz = x * dy + y * dx, x * dz + z * dx, y * dz + z * dy
        xx, yy, zz = 2.0 * x * dx, 2.0 * y * dy, 2.0 * z * dz
        error = mass * np.array([[yy + zz, off_xy, off_xz], [off_xy, xx + zz, off_yz], [off_xz, off_yz, xx + yy]])
        offset = steiner(self.center)
        return _Tensor(mass * offset, error + (self.mass.error if self.mass else 0.0) * np.abs(offset))


def inertial_of_text(
    text: str,
    *,
    mass: float | None = None,
    density: float | None = None,
    scale: float | None = None,
    products: Products = "",
    about: About = "",
) -> PrintedInertial:
    """Return the inertial that the text of a CAD system states.

    It reads the mass properties of SolidWorks, Fusion, Inventor and Onshape, and the measures of FreeCAD and MeshLab.
    The tensor about the centre of mass is preferred; one about the origin is moved by the parallel axis theorem. If the
    text has both, they must agree.

    Parameters
    ----------
    text : str
    mass : float, optional
        Mass [kg] that the body has, instead of the printed one; the tensor is scaled with it.
    density : float, optional
        Density [kg/m³], instead of a mass.
    scale : float, optional
        Metres per unit of length, where the text has no units; FreeCAD's are 0.001.
    products : {"", "positive", "negative"}
        What the printed products are, where the text does not show it: +∫xy dm or -∫xy dm.
    about : {"", "center", "origin"}
        The point of a tensor whose heading names none.

    Raises
    ------
    InertiaError
        ``printed_missing``, ``printed_number``, ``printed_conflict``; or a code of `Inertial.findings`.

    Examples
    --------
    >>> from sdf_inertia import inertial_of_text
    >>> text = "Mass\\t2 kg\\nCenter of Mass\\t10 mm, 0 mm, 0 mm\\nMoment of Inertia at Center of Mass (kg mm^2)\\n"
    >>> text += "Ixx = 300.0\\nIxy = -20.0\\nIxz = 0.0\\nIyy = 400.0\\nIyz = 0.0\\nIzz = 500.0"
    >>> print(inertial_of_text(text).inertial.inertia[0])
    [ 3.e-04 -2.e-05  0.e+00]
    """
    printed = read_blocks(text)
    decimal = printed.decimal()
    blocks = _by_point(printed.blocks, about, products)
    block = blocks.get("center") or blocks["origin"]
    is_freecads = "matrix" in block.heading.lower()
    if block.of_volume and scale is None and not is_freecads and (mass is not None or density is not None):
        raise InertiaError.of("printed_missing", "", "scale")
    unit = (scale or (1e-3 if is_freecads else 1.0)) if block.of_volume else None
    signed = _volume(printed.volumes, decimal, unit)
    volume = None if signed is None else abs(signed)
    body = _body(printed, decimal, unit)
    final = mass if density is None or volume is None else density * volume
    if density is not None and volume is None:
        raise InertiaError.of("printed_missing", "", "volume")
    printed_mass = body.mass.value if body.mass is not None else final
    if printed_mass is None:
        raise InertiaError.of("printed_missing", "", "amount" if block.of_volume else "mass")
    factor = _density(printed_mass, volume) * (unit or 1.0) ** 5 if block.of_volume else 1.0
    tensors = {
        point: _tensor(other, factor, decimal) for point, other in blocks.items() if other.of_volume == block.of_volume
    }
    sign, findings = _sign(blocks, tensors, body, printed_mass, products)
    tensor = tensors["center" if "center" in blocks else "origin"]
    # MeshLab prints the volume of a mesh whose faces point inwards as negative, and so the tensor.
    inwards = block.of_volume and signed is not None and signed < 0.0
    values, errors = SIGNS[sign or "negative"] * (-tensor.values if inwards else tensor.values) + 0.0, tensor.errors
    if "center" not in blocks:
        shift = body.shift(printed_mass)
        values, errors = values - shift.values, errors + shift.errors
    taken = Inertial(printed_mass, body.center, values)
    findings = [*_taken(block, "center" in blocks, unit, printed_mass, volume), *findings]
    if final is not None and body.mass is not None and final != printed_mass:
        findings.append(Finding.of("info", "printed_taken", "", "scaled", printed=printed_mass, mass=final))
        taken, errors = taken.scaled_to(final), errors * (final / printed_mass)
    taken, error, doubts = _checked(taken, errors)
    return PrintedInertial(taken, volume, error, (*findings, *doubts))


def _by_point(blocks: Sequence[Block], about: About, products: Products) -> dict[About, Block]:
    points: dict[About, Block] = {}
    for block in blocks:
        point = block.about or about
        if not point:
            is_signless = len(blocks) == 1 and block.has_products and not (products or block.products)
            form = "about_and_products" if is_signless else "about"  # both at once, not one after the other
            raise InertiaError.of("printed_missing", "", form, label=block.title)
        if points.setdefault(point, block).cells != block.cells:
            raise InertiaError.of("printed_conflict", "", "bodies", label=block.title)
    if not points:
        raise InertiaError.of("printed_missing", "", "tensor")
    return points


def _body(printed: Printed, decimal: Decimal, unit: float | None) -> _Body:
    masses = [_value(cell, _factor(cell.unit, MASSES, "Mass"), decimal) for cell in printed.masses]
    if any(abs(mass.value - masses[0].value) > CUT * (mass.error + masses[0].error) for mass in masses):
        raise InertiaError.of("printed_conflict", "", "bodies", label="Mass")
    if not printed.centers:
        raise InertiaError.of("printed_missing", "", "center")
    if any(center != printed.centers[0] for center in printed.centers):
        raise InertiaError.of("printed_conflict", "", "bodies", label=CENTER)
    center = printed.centers[0]
    if len(center) < 3:
        raise InertiaError.of("printed_missing", "", "center")
    cells = [center[axis] for axis in range(3)]
    factors = [_factor(cell.unit, LENGTHS, CENTER, unit) for cell in cells]
    read = [_value(cell, factor, decimal) for cell, factor in zip(cells, factors, strict=True)]
    numbers = np.array([[cell.value, cell.error] for cell in read])
    return _Body(masses[0] if masses else None, numbers[:, 0], numbers[:, 1])


def _volume(cells: list[Cell], decimal: Decimal, unit: float | None) -> float | None:
    """Return a printed volume [m³]; None if there is none, or its unit is unknown."""
    for cell in cells:
        factor = _power_unit(cell.unit, 3) if cell.unit else unit and unit**3
        if factor:
            return _value(cell, factor, decimal).value
    return None


def _density(mass: float, volume: float | None) -> float:
    if not volume:
        raise InertiaError.of("printed_missing", "", "volume")
    return mass / volume


def _tensor(block: Block, factor: float, decimal: Decimal) -> _Tensor:
    values, errors = np.zeros((3, 3)), np.zeros((3, 3))
    read = {place: _component(block, cell, factor, decimal) for place, cell in block.cells.items()}
    finest, largest = min(number.error for number in read.values()), max(abs(number.value) for number in read.values())
    for name, (row, column) in COMPONENTS.items():
        pair = [read[place] for place in ((row, column), (column, row)) if place in read]
        if not pair:
            raise InertiaError.of("printed_missing", "", "component", component=name, label=block.title)
        if abs(pair[0].value - pair[-1].value) > CUT * (pair[0].error + pair[-1].error) + VALIDITY_EPS * largest:
            numbers = {"first": pair[0].value, "second": pair[-1].value}
            raise InertiaError.of("printed_conflict", "", "unsymmetric", component=name, **numbers)
        values[row, column] = values[column, row] = pair[0].value
        # Python prints a zero without its decimals.
        errors[row, column] = errors[column, row] = pair[0].error if pair[0].value else finest
    return _Tensor(values, errors)


def _component(block: Block, cell: Cell, factor: float, decimal: Decimal) -> Quantity:
    if block.of_volume and not cell.unit:
        return _value(cell, factor, decimal)
    words = re.fullmatch(r"([a-z]+)[\s*·⋅.-]+(.+)", unit_word(cell.unit))
    length = _power_unit(words[2], 2) if words else None
    if block.of_volume or words is None or length is None or words[1] not in MASSES:
        form = "unknown" if cell.unit else "unit"
        code = "printed_number" if cell.unit else "printed_missing"
        raise InertiaError.of(code, "", form, label=block.title, unit=cell.unit[:30])
    return _value(cell, MASSES[words[1]] * length, decimal)


def _power_unit(text: str, power: int) -> float | None:
    """Return a unit of area or volume in SI, such as mm^2 or cubic feet; None if it is unknown."""
    words = ("square", "quadrat") if power == 2 else ("cubic", "kubik")
    word, count = re.subn(rf"^(?:{'|'.join(words)})[\s-]*|{power}$", "", unit_word(text))
    return LENGTHS[word] ** power if count == 1 and word in LENGTHS else None


def _factor(unit: str, units: Mapping[str, float], label: str, default: float | None = None) -> float:
    """Return how many SI units a printed unit is."""
    word = unit_word(unit)
    if not word and default is not None:
        return default
    if word not in units:
        form, code = ("unknown", "printed_number") if word else ("unit", "printed_missing")
        raise InertiaError.of(code, "", form, label=label, unit=unit[:30])
    return units[word]


def _value(cell: Cell, factor: float, decimal: Decimal) -> Quantity:
    try:
        number = quantity(cell.number, {"unit": factor}, "unit", decimal)
    except QuantityError:
        raise InertiaError.of("printed_number", "", "unread", number=cell.number[:30]) from None
    assert number is not None
    return number


def _sign(
    blocks: Mapping[About, Block], tensors: Mapping[About, _Tensor], body: _Body, mass: float, given: Products
) -> tuple[Products, list[Finding]]:
    """Return the sign of the printed products, by what the text says, or else by its two tensors."""
    stated = {block.products for block in blocks.values()} - {""} | ({given} - {""})
    if len(stated) > 1:
        raise InertiaError.of("printed_conflict", "", "notation")
    signs: list[Products] = [*stated] or ["negative", "positive"]
    if len(tensors) == 2 and body.mass is not None:
        signs = _fitting(tensors, body, mass, signs)
    if len(signs) == 1:
        form = signs[0] if stated else SEEN[signs[0]]
        return signs[0], [Finding.of("info", "printed_taken", "", form)]
    if any((tensor.values - np.diag(np.diag(tensor.values))).any() for tensor in tensors.values()):
        raise InertiaError.of("printed_missing", "", "products")
    return "", []


def _fitting(tensors: Mapping[About, _Tensor], body: _Body, mass: float, signs: list[Products]) -> list[Products]:
    """Return the signs with which the two tensors are those of one body; raise an error if there is none."""
    shift, center, origin = body.shift(mass), tensors["center"], tensors["origin"]
    allowed = CUT * (center.errors + origin.errors + shift.errors) + VALIDITY_EPS * np.abs(origin.values).max()
    excess = {sign: np.abs(origin.values - center.values - SIGNS[sign] * shift.values) / allowed for sign in signs}
    fitting = [sign for sign in signs if excess[sign].max() <= 1.0]
    if not fitting:
        sign = min(signs, key=lambda sign: float(excess[sign].max()))
        name = max(COMPONENTS, key=lambda name: float(excess[sign][COMPONENTS[name]]))
        moved = (center.values + SIGNS[sign] * shift.values)[COMPONENTS[name]]
        numbers = {"seen": float(origin.values[COMPONENTS[name]]), "moved": float(moved)}
        raise InertiaError.of("printed_conflict", "", "blocks", component=name, **numbers)
    return fitting


def _taken(block: Block, central: bool, unit: float | None, mass: float, volume: float | None) -> Iterable[Finding]:
    """Yield what was read as what."""
    if unit is not None:
        values = {"scale": unit, "density": _density(mass, volume)}
        yield Finding.of("info", "printed_taken", "", "volume", label=block.title, **values)
    else:
        form, printed = "center" if central else "origin", next(iter(block.cells.values())).unit
        yield Finding.of("info", "printed_taken", "", form, label=block.title, unit=printed)


def _checked(body: Inertial, errors: FloatArray) -> tuple[Inertial, float, Iterable[Finding]]:
    """Return a body that is possible, how far rounding may be off, and findings.

    A flat body's largest moment is the sum of the others, and rounding may exceed that. A tensor that is possible and
    within half a digit of the printed one is as well what the text says.
    """
    if body.is_finite() and body.mass > 0.0 and first_error(body.findings()):
        (least, middle, largest), axes = body.principal()
        step = max((largest - middle - least) / 3.0, -least) + VALIDITY_EPS * abs(float(np.trace(body.inertia)))
        if step <= errors.min():
            raised = body.inertia + step * (np.eye(3) - 2.0 * np.outer(axes[2], axes[2]))
            body = Inertial(body.mass, body.com, raised)
    findings = body.findings()
    refused = first_error(findings)
    if refused is not None:
        raise InertiaError(refused.code, "", refused.message, refused.remedy)
    least = float(body.principal().moments[0])
    rounding = float(errors.sum(axis=1).max())
    if rounding >= least:  # also a moment that is printed as 0
        raise InertiaError.of("printed_digits", "", "lost", least=least, rounding=rounding)
    error = rounding / least
    if error > DOUBT:
        findings += (Finding.of("warning", "printed_digits", "", error=100.0 * error, least=least),)
    return body, error, findings
