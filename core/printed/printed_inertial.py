# SPDX-License-Identifier: Apache-2.0
"""One inertial from the text that CAD prints: the right block, sign and units, or a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Literal

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial, steiner
from ..body.materials import checked_density, checked_mass
from ..errors import Finding, InertiaError, first_error
from .blocks import Block, Printed, read_blocks

Products = Literal["tensor", "integral"]
"""What the products in a text are: those of the tensor, -∫xy dm, or the integrals, +∫xy dm."""

COARSE = 1e-3
"""Error of a tensor by its digits, relative to its trace, that is worth a finding."""

DIGITS = 3.0
"""How many times the error by its digits a number may be off: several rounded numbers make one."""

_UPPER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, eq=False)
class PrintedInertial:
    """An inertial that was read from a text, about its centre of mass, with what was taken and what is doubtful."""

    inertial: Inertial
    findings: tuple[Finding, ...]


@dataclass(frozen=True, eq=False)
class _Tensor:
    """A tensor [kg·m²] with the error of its digits, as the text prints its products, and their sign if known."""

    values: FloatArray
    error: float
    sign: int

    def signed(self, sign: int) -> FloatArray:
        """Return it with the products of the tensor."""
        return self.values if sign > 0 else 2.0 * np.diag(np.diag(self.values)) - self.values


def inertial_of_text(
    text: str,
    mass: float | None = None,
    density: float | None = None,
    scale: float | None = None,
    products: Products | None = None,
) -> PrintedInertial:
    """Return the inertial that a text with mass properties states.

    SolidWorks, Fusion, Inventor, Onshape, FreeCAD and MeshLab print such texts.

    Parameters
    ----------
    text : str
    mass : float, optional
        [kg], instead of that in the text; the tensor is scaled to it.
    density : float, optional
        Of a text about a volume [kg/m³].
    scale : float, optional
        Metres per unit of a text without a unit of length.
    products : {"tensor", "integral"}, optional
        What the products are, if the text does not say so.

    Raises
    ------
    InertiaError
        ``bad_text``, with what is missing or contradicts; or what no body can have.

    Examples
    --------
    >>> from sdf_inertia import inertial_of_text
    >>> text = '''Mass = 2 kilograms
    ... Center of mass: ( meters )
    ... X = 0.5
    ... Y = 0
    ... Z = 0
    ... Moments of inertia: ( kilograms * square meters )
    ... Taken at the output coordinate system. (Using positive tensor notation.)
    ... Ixx = 0.1 Ixy = 0 Ixz = 0
    ... Iyx = 0 Iyy = 0.6 Iyz = 0
    ... Izx = 0 Izy = 0 Izz = 0.6'''
    >>> inertial_of_text(text).inertial.inertia.diagonal()
    array([0.1, 0.1, 0.1])
    """
    printed = read_blocks(text)
    if not printed.blocks:
        raise _missing("a tensor with its six components")
    if len(printed.centre) != 3:
        raise _missing("the centre of mass with x, y and z")
    unit = printed.length if printed.length is not None else scale
    if unit is None:
        raise _missing("the unit of the centre of mass; give it by --scale, metres per unit")
    com = np.array([number.value for number in printed.centre]) * unit
    com_error = max(number.error for number in printed.centre) * unit
    if any(block.of_volume for block in printed.blocks):
        inertial, findings = _of_volume(printed, unit, com, mass, density)
    else:
        inertial, findings = _of_mass(printed, com, com_error, products)
        if mass is not None:
            findings.append(Finding.of("info", "text_taken", "", "mass", mass=mass, stated=inertial.mass))
            inertial = inertial.scaled_to(checked_mass(mass))
    error = first_error(inertial.findings())
    if error is not None:
        raise InertiaError(error.code, error.subject, error.message, error.remedy)
    return PrintedInertial(inertial, tuple(findings))


def _of_volume(
    printed: Printed, unit: float, com: FloatArray, mass: float | None, density: float | None
) -> tuple[Inertial, list[Finding]]:
    """Return the body of a volume's tensor, for density 1, in units of length to the fifth."""
    block = next(block for block in printed.blocks if block.of_volume)
    tensor = _tensor(block, unit**5)
    volume = None if printed.volume is None else printed.volume.value * unit**3
    if mass is None and density is None:
        raise _missing("the mass: its tensor is that of a volume; give --mass or --density")
    if mass is not None:
        if volume is None:
            raise _missing("the volume, by which the tensor gets its mass; give --density")
        density = checked_mass(mass) / volume
    elif volume is None:
        raise _missing("the volume; a density alone gives no mass")
    assert density is not None
    inertial = Inertial(checked_density(density) * volume, com, tensor.values * density)
    taken = Finding.of("info", "text_taken", "", "volume", density=density)
    return inertial, [taken, *_digits(tensor)]


def _of_mass(
    printed: Printed, com: FloatArray, com_error: float, products: Products | None
) -> tuple[Inertial, list[Finding]]:
    """Return the body of a tensor with mass: of the block about the centre, or moved there from the origin."""
    if printed.mass is None:
        raise _missing("the mass")
    if not printed.has_mass_unit:
        raise _missing("the unit of the mass")
    mass = checked_mass(printed.mass.value)
    tensors = {}
    for block in printed.blocks:
        if block.about and block.about not in tensors:
            if block.unit is None:
                raise _missing("the unit of the moments of inertia")
            tensors[block.about] = _tensor(block, block.unit)
    if not tensors:
        raise _missing("the point that the tensor is about: the centre of mass, or the origin")
    centre, origin = tensors.get("centre"), tensors.get("origin")
    shift = mass * steiner(com)
    sign = _stated_sign(tensors.values(), products)
    if centre is not None and origin is not None:
        size = max(np.trace(origin.values), np.trace(centre.values))
        tolerance = DIGITS * (centre.error + origin.error + _shift_error(mass, com, com_error, printed.mass.error))
        sign = _agreeing_sign(centre, origin, shift, tolerance + 1e-9 * size, sign)
    chosen = centre if centre is not None else origin
    assert chosen is not None
    if sign == 0:
        off = np.abs(chosen.values - np.diag(np.diag(chosen.values))).max()
        if off > 2.0 * chosen.error:
            raise _missing("the sign of its products; say by --products what they are")
        sign = 1
    tensor = chosen.signed(sign)
    taken = Finding.of("info", "text_taken", "", "centre" if centre is not None else "origin", sign="-+"[sign < 0])
    if centre is None:
        tensor = tensor - shift
    return Inertial(mass, com, tensor), [taken, *_digits(chosen, float(np.trace(tensor)))]


def _stated_sign(tensors: Iterable[_Tensor], products: Products | None) -> int:
    """Return the sign that the text or the caller states; 0 for none."""
    stated = {tensor.sign for tensor in tensors} - {0}
    if len(stated) > 1:
        raise InertiaError.of("bad_text", "", "signs")
    given = {None: 0, "tensor": 1, "integral": -1}[products]
    if given and stated and given not in stated:
        raise InertiaError.of("bad_text", "", "stated_sign", products=products)
    return given or (stated.pop() if stated else 0)


def _agreeing_sign(centre: _Tensor, origin: _Tensor, shift: FloatArray, tolerance: float, sign: int) -> int:
    """Return the sign of the products for which both tensors differ by the parallel axis theorem.

    Raises
    ------
    InertiaError
        ``bad_text``, if they do so for neither sign, or not for the one that is stated.
    """
    differences = {tried: np.abs(origin.signed(tried) - centre.signed(tried) - shift).max() for tried in (1, -1)}
    fitting = [tried for tried, difference in differences.items() if difference <= tolerance]
    if fitting == [-sign]:
        raise InertiaError.of("bad_text", "", "other_sign")
    if not fitting:
        worst = min(differences.values())
        raise InertiaError.of("bad_text", "", "blocks", difference=worst, tolerance=tolerance)
    return fitting[0] if len(fitting) == 1 else sign


def _shift_error(mass: float, com: FloatArray, com_error: float, mass_error: float) -> float:
    """Return the error of m |d|² by the digits of the mass and of the centre."""
    distance = float(np.linalg.norm(com))
    return mass_error * distance**2 + 2.0 * mass * distance * com_error + mass * com_error**2


def _tensor(block: Block, unit: float) -> _Tensor:
    values = np.zeros((3, 3))
    for row, column in _UPPER:
        values[row, column] = values[column, row] = block.cells[row, column].value * unit
    error = max(number.error for number in block.cells.values()) * unit
    if not np.isfinite(values).all():
        raise _missing("finite numbers")
    return _Tensor(values, error, block.sign)


def _digits(tensor: _Tensor, trace: float | None = None) -> list[Finding]:
    """Return the finding for a tensor of few digits."""
    size = float(np.trace(tensor.values)) if trace is None else trace
    error = tensor.error / size if size > 0.0 else 0.0
    return [Finding.of("warning", "text_digits", "", error=error)] if error > COARSE and isfinite(error) else []


def _missing(what: str) -> InertiaError:
    return InertiaError.of("bad_text", "", "missing", what=what)
