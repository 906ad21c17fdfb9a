# SPDX-License-Identifier: Apache-2.0
"""What each part of an assembly weighs, and where that number comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import ClassVar, Literal

from ..body.density_map import DensityMap
from ..body.material_names import material_named
from ..body.materials import MATERIALS, MAX_DENSITY
from ..errors import Finding, InertiaError, Severity
from .bom import Bom, Row
from .matching import Item, Match, matched

FARTHEST = 0.2
"""Relative difference of a part's mass from that of its material, above which one of them is in doubt."""

BY_ROW = 0.1
"""Relative difference within which a mass fits as that of a whole row."""

LIGHTEST, HEAVIEST = 10.0, 25_000.0
"""Densities [kg/m³] beyond which a solid part is in doubt."""


ALIKE = 1e-6
"""Relative difference of the volumes of parts that may share a mass."""

OF_FILE = "file's density"
"""The source of a density whose unit the file does not keep."""

FOR_ALL = "density for all"
"""The source of last resort."""

LONGEST = 60
"""Characters of a material's name that is compared with those of the library."""

OF_LIBRARY = 0.03
"""Relative difference that grades of a material make between the library's density and that in CAD."""


@dataclass(frozen=True, eq=False)
class Stock(Item):
    """A part of an assembly, and what its file states about it.

    Parameters
    ----------
    volume : float or None
        [m³]; None if it is not known.
    material : str
    density : float or None
        [kg/m³].
    """

    volume: float | None = None
    material: str = ""
    density: float | None = None


@dataclass(frozen=True, eq=False)
class SubAssembly(Item):
    """A sub-assembly: `contents` are the parts of one of it, each as often as it is there."""

    contents: tuple[Stock, ...] = ()

    is_assembly: ClassVar[bool] = True


@dataclass(frozen=True)
class Weighing:
    """What parts weigh.

    Parameters
    ----------
    bom : Bom, optional
    densities : DensityMap, optional
        By the names of parts and materials.
    density : float, optional
        Of all parts of which nothing else is known [kg/m³].
    bom_mass : {"part", "row"}
        Whether a mass of the bill of materials is that of one part, or of the row's quantity.
    """

    bom: Bom | None = None
    densities: DensityMap | None = None
    density: float | None = None
    bom_mass: Literal["part", "row"] = "part"


@dataclass(frozen=True, eq=False)
class Weight:
    """What one part weighs.

    Parameters
    ----------
    mass, density : float or None
        [kg] and [kg/m³]: the mass wins. Both None if nothing is known, with a finding.
    source : str
        What gave it.
    material : str
        As stated, with the name in the library.
    match : Match or None
    error : float
        Relative error of the mass, by its digits.
    findings : tuple of Finding
    """

    mass: float | None = None
    density: float | None = None
    source: str = ""
    material: str = ""
    match: Match | None = None
    error: float = 0.0
    findings: tuple[Finding, ...] = ()


def weights_of(
    parts: Sequence[Stock], assemblies: Sequence[SubAssembly], weighing: Weighing
) -> tuple[dict[Stock, Weight], list[Finding]]:
    """Return what each part weighs, and findings about the bill of materials.

    The first of these that is known counts: the row's mass, its density, that of its material; the map of densities;
    the file's density, that of its material; the density for all.

    Raises
    ------
    InertiaError
        ``bom_conflict``, or ``ambiguous_category`` of the map.
    """
    bom, matches, findings = weighing.bom, dict[Item, Match](), list[Finding]()
    if bom is not None:
        if weighing.bom_mass == "row":
            bom = replace(bom, rows=tuple(map(_of_one, bom.rows)))
        matches, notes = matched(bom, [*parts, *assemblies])
        findings += [*bom.findings, *notes]
    _check_alike(parts, matches)
    totals = [] if weighing.bom_mass == "row" else _row_totals(parts, matches)
    slips = [] if totals else _unit_slips(parts, matches)
    if bom is not None and totals:
        part, values = totals[0]
        findings.append(Finding.of("warning", "bom_total", str(bom.path), part=part.name, rows=len(totals), **values))
    if bom is not None and slips:
        part, values = slips[0]
        findings.append(
            Finding.of("warning", "bom_unit", str(bom.path), "slip", part=part.name, rows=len(slips), **values)
        )
    doubted = {part for part, _ in (*totals, *slips)}  # one finding about all of them is enough
    weights = {part: _weight(part, matches.get(part), weighing, part in doubted) for part in parts}
    if any(weight.source == FOR_ALL for weight in weights.values()):
        findings += _density_findings("--density", weighing.density, FOR_ALL)
    for assembly in assemblies:
        if assembly in matches:
            findings += _compared(assembly, matches[assembly], weights)
    return weights, findings


def _check_alike(parts: Sequence[Stock], matches: Mapping[Item, Match]) -> None:
    """Raise ``bom_conflict`` if a row's mass is that of several parts of one name and unlike volumes."""
    by_row: dict[int, list[Stock]] = {}
    for part in parts:
        match = matches.get(part)
        if match is not None and match.row.mass is not None:
            by_row.setdefault(match.row.line, []).append(part)
    for line, several in by_row.items():
        volumes = [part.volume for part in several if part.volume is not None]
        if volumes and max(volumes) > (1.0 + ALIKE) * min(volumes):
            raise InertiaError.of("bom_conflict", several[0].name, "parts", line=line, count=len(several))


def _of_one(row: Row) -> Row:
    """Return a row with the mass of one part, from the total of its quantity."""
    count = row.quantity or 1.0
    return (
        row
        if row.mass is None
        else row._replace(mass=row.mass._replace(value=row.mass.value / count, error=row.mass.error / count))
    )


def _row_totals(parts: Sequence[Stock], matches: Mapping[Item, Match]) -> list[tuple[Stock, dict[str, float]]]:
    """Return the parts whose masses fit as totals of their rows and not as those of one part; none unless all do."""
    totals = []
    for part in parts:
        match = matches.get(part)
        row = None if match is None else match.row
        if row is None or row.mass is None or not part.volume or not (row.quantity or 0.0) > 1.0:
            continue
        stated = _stated_density(part, row, _named(part, row))
        if stated is None:
            continue
        density, count = row.mass.value / part.volume, row.quantity or 1.0
        digits = row.mass.error / row.mass.value
        fits_row = abs(density / count / stated - 1.0) <= BY_ROW + digits
        if not fits_row or abs(density / stated - 1.0) <= FARTHEST + digits:
            return []
        totals.append((part, {"mass": row.mass.value, "density": density, "count": count, "right": density / count}))
    return totals


def _unit_slips(parts: Sequence[Stock], matches: Mapping[Item, Match]) -> list[tuple[Stock, dict[str, float]]]:
    """Return the parts whose masses are a thousand times, or a thousandth of, those of their materials; none unless
    all are so."""
    slips, factors = list[tuple[Stock, dict[str, float]]](), set[float]()
    for part in parts:
        match = matches.get(part)
        row = None if match is None else match.row
        if row is None or row.mass is None or not part.volume:
            continue
        stated = _stated_density(part, row, _named(part, row))
        if stated is None:
            continue
        density = row.mass.value / part.volume
        factor = 1e3 if density > stated else 1e-3
        if abs(density / stated / factor - 1.0) > FARTHEST + row.mass.error / row.mass.value:
            return []
        factors.add(factor)
        slips.append((part, {"mass": row.mass.value, "right": row.mass.value / factor, "density": density}))
    return slips if len(factors) == 1 else []


def _stated_density(part: Stock, row: Row, named: str | None) -> float | None:
    """Return the density of the row, of its material, or of the part in its file."""
    return row.density.value if row.density is not None else MATERIALS.get(named or "", part.density)


def _named(part: Stock, row: Row | None) -> str | None:
    """Return the material of the library that the row names, or the file if the row names none."""
    material = (row.material if row is not None else "") or part.material
    return material_named(material) if material else None


def _weight(part: Stock, match: Match | None, weighing: Weighing, is_doubted: bool) -> Weight:
    row = None if match is None else match.row
    material = (row.material if row is not None else "") or part.material
    named = _named(part, row)
    shown = f"{material} ({named})" if named is not None and named != material else material
    weight = replace(_known(part, row, named, weighing), material=shown, match=match)
    findings = [*_row_findings(part, match, weight, weighing)]
    if not is_doubted:
        findings += _mass_findings(part, row, weight, named)
    if weight.source != FOR_ALL:  # one finding about all of them is enough
        findings += _density_findings(part.name, weight.density, weight.source)
    if material and named is None and weight.source == FOR_ALL:
        values = {"material": material, "density": weight.density, "near": _near(material)}
        findings.append(Finding.of("warning", "no_density", part.name, "unknown", **values))
    return replace(weight, findings=tuple(findings))


def _known(part: Stock, row: Row | None, named: str | None, weighing: Weighing) -> Weight:
    if row is not None and row.mass is not None:
        return Weight(row.mass.value, source="row's mass", error=row.mass.error / row.mass.value)
    if row is not None and row.density is not None:
        return Weight(density=row.density.value, source="row's density", error=row.density.error / row.density.value)
    if row is not None and row.material and named is not None:
        return Weight(density=MATERIALS[named], source="row's material")
    stated = (
        None if weighing.densities is None else weighing.densities.find(*filter(None, (*part.names, part.material)))
    )
    if stated is not None and stated.wall is not None:
        raise InertiaError.of("bad_wall", part.name, "solid")
    if stated is not None:
        return Weight(stated.mass, stated.density, "map of densities")
    if part.density is not None:
        return Weight(density=part.density, source=OF_FILE)
    if part.material and named is not None:
        return Weight(density=MATERIALS[named], source="file's material")
    return Weight() if weighing.density is None else Weight(density=weighing.density, source=FOR_ALL)


def _row_findings(part: Stock, match: Match | None, weight: Weight, weighing: Weighing) -> Iterator[Finding]:
    is_known = weight.mass is not None or weight.density is not None
    if match is None and weighing.bom is not None:
        number = f"{weight.mass:.6g} kg" if weight.mass is not None else f"{weight.density or 0.0:.6g} kg/m³"
        form = "other" if is_known else ""
        severity: Severity = "warning" if is_known else "error"
        yield Finding.of(severity, "bom_part", part.name, form, number=number, source=weight.source)
    elif not is_known:
        material = weight.material
        form = "material" if material else ""
        yield Finding.of("error", "no_density", part.name, form, material=material, near=_near(material))


def _near(material: str) -> str | None:
    """Return the material of the library with the name that is most like another."""
    names = {name.casefold(): name for name in MATERIALS}
    return next((names[name] for name in get_close_matches(material.casefold()[:LONGEST], names, 1, 0.7)), None)


def _density_findings(subject: str, density: float | None, source: str) -> Iterator[Finding]:
    """Yield the finding for a density [kg/m³] that no solid has."""
    if density is not None and not LIGHTEST <= density <= HEAVIEST:
        values = {"density": density, "source": source, "least": LIGHTEST, "most": HEAVIEST}
        yield Finding.of("warning", "implied_density", subject, "source", **values)


def _mass_findings(part: Stock, row: Row | None, weight: Weight, named: str | None) -> Iterator[Finding]:
    """Yield the finding for a mass that the part's volume and material, or any material, do not explain."""
    if weight.mass is None or not part.volume:
        return
    density = weight.mass / part.volume
    stated = None if row is None or row.mass is None else _stated_density(part, row, named)
    fits = weight.mass / 1e3 if LIGHTEST <= density / 1e3 <= HEAVIEST else None
    values = {"mass": weight.mass, "density": density, "line": None if row is None or row.mass is None else row.line}
    if density > MAX_DENSITY:
        yield Finding.of("error", "bom_density", part.name, "impossible", **values, fits=fits)
    elif stated is None:
        if not LIGHTEST <= density <= HEAVIEST:
            yield Finding.of("warning", "bom_density", part.name, "alone", **values)
    elif abs(density / stated - 1.0) > FARTHEST + weight.error:
        yield Finding.of("warning", "bom_density", part.name, **values, material=weight.material, stated=stated)


def _compared(assembly: SubAssembly, match: Match, weights: Mapping[Stock, Weight]) -> Iterator[Finding]:
    """Yield the finding for a sub-assembly whose stated mass is not that of its parts, beyond the digits of all."""
    mass = match.row.mass
    masses = [_mass(part, weights[part]) for part in assembly.contents]
    known = [value for value in masses if value is not None]
    if mass is None or len(known) < len(masses):
        return
    total = sum(known)
    errors = [
        value * (weights[part].error + (OF_LIBRARY if "material" in weights[part].source else 0.0))
        for value, part in zip(known, assembly.contents, strict=True)
    ]
    if abs(mass.value - total) > mass.error + sum(errors) + 1e-3 * total:
        values = {"line": match.row.line, "mass": mass.value, "total": total}
        yield Finding.of("warning", "bom_assembly", assembly.name, **values)


def _mass(part: Stock, weight: Weight) -> float | None:
    if weight.mass is not None:
        return weight.mass
    return None if weight.density is None or part.volume is None else weight.density * part.volume
