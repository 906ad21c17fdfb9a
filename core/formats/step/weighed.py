# SPDX-License-Identifier: Apache-2.0
"""The parts of an assembly with what they weigh: the bill of materials and the densities, brought to the parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...body.moments import Moments
from ...bom.weights import OF_FILE, Stock, SubAssembly, Weighing, Weight, weights_of
from ...errors import Finding, has_error
from ...robot.part import Origin
from .assembly import Assembly, CadPart, Placement, Step


@dataclass(frozen=True, eq=False)
class WeighedPart:
    """A part and what it weighs.

    Parameters
    ----------
    moments : Moments or None
        In the part's frame.
    density : float or None
        [kg/m³], of the mass if that is known.
    has_mass : bool
        Its mass is known, whatever its density is.
    origin : Origin
        For the report.
    findings : tuple of Finding
        One of severity error if moments or density are missing.
    """

    moments: Moments | None
    density: float | None
    origin: Origin
    error: float
    findings: tuple[Finding, ...]
    has_mass: bool = False


def weighed_parts(
    assembly: Assembly, weighing: Weighing, thickness: float | None = None
) -> tuple[dict[CadPart, WeighedPart], list[Finding]]:
    """Return each part with what it weighs, and findings about the bill of materials.

    Parameters
    ----------
    assembly : Assembly
    weighing : Weighing
    thickness : float, optional
        Of parts that have surfaces alone, and a mass in the bill of materials [m].

    Raises
    ------
    InertiaError
        What `weights_of` raises.
    """
    placed: dict[CadPart, list[Placement]] = {part: [] for part in assembly.parts}
    for placement in assembly.placements:
        placed[placement.part].append(placement)
    stocks = {}
    for part, placements in placed.items():
        instances = tuple(dict.fromkeys(placement.path[-1].instance for placement in placements))
        volume = None if part.moments is None else part.moments.volume
        counted = part.name, part.number, instances, len(placements)
        stocks[part] = Stock(*counted, volume, part.material, part.density)
    weights, notes = weights_of(list(stocks.values()), _sub_assemblies(assembly, stocks), weighing)
    return {part: _weighed(part, stock, weights[stock], thickness) for part, stock in stocks.items()}, notes


def _weighed(part: CadPart, stock: Stock, weight: Weight, thickness: float | None) -> WeighedPart:
    moments, findings = part.moments, [*part.findings, *weight.findings]
    sheet = part.sheet
    if moments is None and sheet is not None and thickness is not None and weight.mass is not None:
        # The moments of a sheet are those of its area, 1 m thick; the second moment across it is left out.
        moments = Moments(sheet.volume * thickness, sheet.centroid, sheet.covariance * thickness)
        findings = [finding for finding in findings if finding.code != "no_solid"]
        findings.append(Finding.of("info", "no_solid", part.name, "thin", thickness=thickness))
    if weight.source != OF_FILE:  # its unit does not matter
        findings = [finding for finding in findings if finding.code != "step_density"]
    density = weight.density
    if weight.mass is not None and moments is not None:
        density = None if has_error(weight.findings) else weight.mass / moments.volume
    rows = () if weight.match is None else tuple(row.line for row in weight.match.rows)
    how = "" if weight.match is None else weight.match.how
    of_bill = rows[0] if rows else None, how, rows
    origin = Origin(stock.count, weight.material, weight.source, *of_bill, part.name, part.number)
    return WeighedPart(moments, density, origin, part.error, tuple(findings), weight.mass is not None)


def _sub_assemblies(assembly: Assembly, stocks: Mapping[CadPart, Stock]) -> list[SubAssembly]:
    """Return the assemblies of all depths, with the parts of one of each."""
    within: dict[tuple[str, ...], list[Stock]] = {}
    steps: dict[tuple[str, ...], Step] = {}
    for placement in assembly.placements:
        for depth in range(1, len(placement.path)):
            place = tuple(step.shown for step in placement.path[:depth])
            within.setdefault(place, []).append(stocks[placement.part])
            steps[place] = placement.path[depth - 1]
    places: dict[str, list[tuple[str, ...]]] = {}
    for place, step in steps.items():
        places.setdefault(step.product, []).append(place)
    return [
        SubAssembly(
            product,
            assembly.numbers.get(product, ""),
            tuple(dict.fromkeys(steps[place].instance for place in several)),
            len(several),
            tuple(within[several[0]]),
        )
        for product, several in places.items()
    ]
