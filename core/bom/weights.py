# SPDX-License-Identifier: Apache-2.0
"""What each part of an assembly weighs, and where that number comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..body.density_map import DensityMap
from ..body.material_names import material_named
from ..body.materials import MATERIALS
from ..errors import Finding, InertiaError
from .bom import Bom, Row
from .matching import Item, Match, matched

FARTHEST = 0.2
"""Relative difference of a part's mass from that of its material, above which one of them is in doubt."""

ALIKE = 1e-6
"""Relative difference of the volumes of parts that may share a mass."""

BY_ROW = 0.1
"""Relative difference within which a mass fits as that of a whole row."""

LIGHTEST, HEAVIEST = 10.0, 25_000.0
"""Densities [kg/m³] beyond which a solid part is in doubt."""


OF_FILE = "file's density"
"""The source of a density whose unit the file does not keep."""


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
        matches, notes = matched(bom, [*parts, *assemblies])
        findings += [*bom.findings, *notes]
    _check_alike(parts, matches)
    weights = {part: _weight(part, matches.get(part), weighing) for part in parts}
    for assembly in assemblies:
        if assembly in matches:
            findings += _compared(assembly, matches[assembly], weights, weighing)
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


def _weight(part: Stock, match: Match | None, weighing: Weighing) -> Weight:
    row = None if match is None else match.row
    material = (row.material if row is not None else "") or part.material
    named = material_named(material) if material else None
    shown = f"{material} ({named})" if named is not None and named != material else material
    known = _known(part, row, named, weighing)
    weight = replace(known, material=shown, match=match)
    findings = [*_row_findings(part, match, weight, weighing), *_mass_findings(part, row, weight, named)]
    return replace(weight, findings=tuple(findings))


def _known(part: Stock, row: Row | None, named: str | None, weighing: Weighing) -> Weight:
    if row is not None and row.mass is not None:
        share = 1.0 / (row.quantity or 1.0) if weighing.bom_mass == "row" else 1.0
        return Weight(row.mass.value * share, source="row's mass", error=row.mass.error / row.mass.value)
    if row is not None and row.density is not None:
        return Weight(density=row.density.value, source="row's density", error=row.density.error / row.density.value)
    if row is not None and row.material and named is not None:
        return Weight(density=MATERIALS[named], source="row's material")
    stated = (
        None if weighing.densities is None else weighing.densities.find(*filter(None, (*part.names, part.material)))
    )
    if stated is not None:
        return Weight(stated.mass, stated.density, "map of densities")
    if part.density is not None:
        return Weight(density=part.density, source=OF_FILE)
    if part.material and named is not None:
        return Weight(density=MATERIALS[named], source="file's material")
    return Weight() if weighing.density is None else Weight(density=weighing.density, source="density for all")


def _row_findings(part: Stock, match: Match | None, weight: Weight, weighing: Weighing) -> Iterator[Finding]:
    is_known = weight.mass is not None or weight.density is not None
    if match is None and weighing.bom is not None:
        form = "other" if is_known else ""
        values = {"density": weight.density or 0.0, "source": f"the {weight.source}"}
        yield Finding.of("warning" if is_known else "error", "bom_part", part.name, form, **values)
    elif not is_known:
        yield Finding.of(
            "error", "no_density", part.name, "material" if weight.material else "", material=weight.material
        )


def _mass_findings(part: Stock, row: Row | None, weight: Weight, named: str | None) -> Iterator[Finding]:
    """Yield findings about a mass beside the part's volume: that of the row, or not that of the material."""
    if row is None or row.mass is None or weight.mass is None or not part.volume:
        return
    density, stated = weight.mass / part.volume, MATERIALS.get(named or "")
    if row.density is not None:
        stated = row.density.value
    values = {"mass": weight.mass, "density": density}
    count = int(row.quantity or 1.0)
    right = row.mass.value / count / part.volume
    tolerance = FARTHEST + weight.error
    if stated is None:
        if LIGHTEST <= density <= HEAVIEST:
            return
        if count > 1 and LIGHTEST <= right <= HEAVIEST:
            yield Finding.of("warning", "bom_total", part.name, **values, count=count, right=right)
        else:
            yield Finding.of("warning", "bom_density", part.name, "alone", **values)
    elif abs(density / stated - 1.0) > tolerance:
        if count > 1 and abs(right / stated - 1.0) < BY_ROW + weight.error:
            yield Finding.of("warning", "bom_total", part.name, **values, count=count, right=right)
        else:
            yield Finding.of("warning", "bom_density", part.name, **values, material=weight.material, stated=stated)


def _compared(
    assembly: SubAssembly, match: Match, weights: Mapping[Stock, Weight], weighing: Weighing
) -> Iterator[Finding]:
    """Yield the finding for a sub-assembly whose stated mass is not that of its parts, beyond the digits of all."""
    mass = match.row.mass
    masses = [_mass(part, weights[part]) for part in assembly.contents]
    known = [value for value in masses if value is not None]
    if mass is None or len(known) < len(masses):
        return
    count = match.row.quantity or 1.0
    stated, total = mass.value / (count if weighing.bom_mass == "row" else 1.0), sum(known)
    error = mass.error + sum(value * weights[part].error for value, part in zip(known, assembly.contents, strict=True))
    if abs(stated - total) > error + 1e-3 * total:
        values = {"line": match.row.line, "mass": stated, "total": total}
        yield Finding.of("warning", "bom_assembly", assembly.name, **values)


def _mass(part: Stock, weight: Weight) -> float | None:
    if weight.mass is not None:
        return weight.mass
    return None if weight.density is None or part.volume is None else weight.density * part.volume
