# SPDX-License-Identifier: Apache-2.0
"""The tables of a link in Markdown: what each of its parts weighs, its moments, and its share of the link."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import COMPONENTS, Inertial
from ..errors import has_error
from ..escapes import for_markdown
from .part import Body, Origin, PartBody

if TYPE_CHECKING:  # what weighs a mesh file resolves no link
    from .model import Link
    from .resolve import LinkBody

AnyBody = TypeVar("AnyBody", bound=Body)

SIX = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
"""The components of a tensor, moments first."""


def without_refused_numbers(body: AnyBody, refused: bool) -> AnyBody:
    """Return a body without its numbers if it is refused."""
    return replace(body, inertial=None, volume=None, error=0.0) if refused else body


def inertia_at_link_com(part: Body, link: LinkBody) -> FloatArray | None:
    """Return a part's tensor about the centre of mass of its link [kg·m²]; None unless both have numbers."""
    if part.inertial is None or link.inertial is None:
        return None
    return part.inertial.inertia_about(link.inertial.com)


def percent_of_link(part: Body, link: LinkBody) -> dict[str, float | None]:
    """Return a part's share of its link; None unless both have a number and the link's is not zero."""
    moved = inertia_at_link_com(part, link)
    if moved is None or part.inertial is None or link.inertial is None:
        return dict.fromkeys(("mass", "ixx", "iyy", "izz"))
    pairs = {"mass": (part.inertial.mass, link.inertial.mass)}
    pairs |= {f"i{axis}{axis}": (moved[i, i], link.inertial.inertia[i, i]) for i, axis in enumerate("xyz")}
    return {name: float(100.0 * (value / whole)) if whole else None for name, (value, whole) in pairs.items()}


class AlikeParts(NamedTuple):
    """The placements of one part from CAD in a link that weigh the same.

    Parameters
    ----------
    origin : Origin
    parts : tuple of PartBody
        At least one; without numbers if the part is refused.
    """

    origin: Origin
    parts: tuple[PartBody, ...]

    def inertia_at_link_com(self, link: LinkBody) -> FloatArray | None:
        """Return their tensors together about the centre of mass of their link [kg·m²]; None without numbers."""
        tensors = [tensor for part in self.parts if (tensor := inertia_at_link_com(part, link)) is not None]
        return sum(tensors, np.zeros((3, 3))) if len(tensors) == len(self.parts) else None


def alike_parts(link: LinkBody) -> list[AlikeParts]:
    """Return the parts from CAD of a link, each once, in the order of their first placements."""
    groups: dict[tuple[Origin, str], list[PartBody]] = {}
    for part in link.parts:
        if part.origin is None:
            continue
        shown = without_refused_numbers(part, has_error(part.findings))
        weight = "" if shown.inertial is None else f"{shown.inertial.mass:.6e}"  # a placement may be scaled
        groups.setdefault((part.origin, weight), []).append(shown)
    return [AlikeParts(origin, tuple(parts)) for (origin, _), parts in groups.items()]


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = (columns, ("---",) * len(columns), *rows)
    return "".join(f"| {' | '.join(map(for_markdown, row))} |\n" for row in lines)


def link_markdown(body: LinkBody, link: Link | None) -> str:
    """Return the heading and the tables of a link, from CAD or not."""
    if any(part.origin is not None for part in body.parts):
        return _cad_markdown(body)
    text = f"\n## {for_markdown(body.name)} ({body.mode}, {body.method})\n\n"
    if link is not None and link.mass is not None and body.parts and body.inertial is not None:
        text += f"Masses and moments are scaled to the target mass of {link.mass:.6g} kg;"
        text += " the densities are as stated.\n\n"
    text += _HEADER
    for part in body.parts:
        shown = without_refused_numbers(part, has_error(part.findings))
        text += _row([for_markdown(part.name), part.geometry, _density(part)], shown, body)
    return text + _row(["**total**", "", ""], body, body)


_HEADER = (
    "| part | geometry | density [kg/m³] | mass [kg] | share | com x y z [m] | Ixx | Iyy | Izz"
    " | Ixx at link com | Iyy at link com | Izz at link com | share of Ixx Iyy Izz |\n"
    f"|---|---|---:|---:|---:|---|{'---:|' * 7}\n"
)


def _row(head: list[str], body: Body, link: LinkBody) -> str:
    cells = list(head)
    moved = inertia_at_link_com(body, link)
    if body.inertial is None:
        cells += ["none" if link.mode == "none" and body is link else "refused"] + [""] * 9
    else:
        inertia = body.inertial.inertia
        shares = percent_of_link(body, link)
        cells += [f"{body.inertial.mass:.6e}", _share(shares["mass"]), com_text(body.inertial)]
        cells += [f"{inertia[i, i]:.6e}" for i in range(3)]
        cells += [""] * 3 if moved is None else [f"{moved[i, i]:.6e}" for i in range(3)]
        cells.append(_shares_of_moments(body, link))
    return f"| {' | '.join(cells)} |\n"


_TENSOR = f" {' | '.join(name.capitalize() for name in SIX)} |"

_WEIGHT_HEADER = (
    "| part | in this link | in the assembly | material | from | density [kg/m³] | BOM line | matched by"
    " | mass of one [kg] | mass [kg] | share |\n"
    "|---|---:|---:|---|---|---:|---:|---|---:|---:|---:|\n"
)
_OWN_HEADER = f"| part | com x y z [m] |{_TENSOR}\n|---|---|{'---:|' * 6}\n"
_MOVED_HEADER = f"| part |{_TENSOR} share of Ixx Iyy Izz |\n|---|{'---:|' * 7}\n"


def _cad_markdown(body: LinkBody) -> str:
    """Return the tables of a link from CAD: what its parts weigh; then each placement by itself, and moved."""
    text = f"\n## {for_markdown(body.name)}\n\n"
    text += _WEIGHT_HEADER
    for alike in alike_parts(body):
        text += _weight_row(alike, body)
    mass = "refused" if body.inertial is None else f"{body.inertial.mass:.6e}"
    text += f"| **total** | {len(body.parts)} |{' |' * 7} {mass} | {_share(percent_of_link(body, body)['mass'])} |\n"
    placed = [(part.name, part.inertial) for alike in alike_parts(body) for part in alike.parts]
    measured = [(name, inertial) for name, inertial in placed if inertial is not None]
    if measured:
        text += f"\nEach part about its own centre of mass:\n\n{_OWN_HEADER}"
    for name, inertial in measured:
        text += f"| {for_markdown(name)} | {com_text(inertial)} | {six_text(inertial, ' | ')} |\n"
    if body.inertial is None:
        return text
    com = com_text(body.inertial)
    text += f"\nThe same, moved to the link's centre of mass {com} m, where they add up:\n\n{_MOVED_HEADER}"
    for part in (part for alike in alike_parts(body) for part in alike.parts):
        text += _moved_row(for_markdown(part.name), part, body)
    return text + _moved_row("**total**", body, body)


def _weight_row(alike: AlikeParts, link: LinkBody) -> str:
    origin, (part, *_) = alike
    each, together, share = "refused", "refused", ""
    if part.inertial is not None:
        each, together = f"{part.inertial.mass:.6e}", f"{part.inertial.mass * len(alike.parts):.6e}"
        mass = percent_of_link(part, link)["mass"]
        share = _share(None if mass is None else mass * len(alike.parts))
    cells = (
        *(for_markdown(origin.product), str(len(alike.parts)), str(origin.count)),
        *(for_markdown(origin.material), for_markdown(origin.source), _density(part)),
        *(lines_text(origin), for_markdown(origin.matched), each, together, share),
    )
    return f"| {' | '.join(cells)} |\n"


def _moved_row(name: str, body: Body, link: LinkBody) -> str:
    moved = inertia_at_link_com(body, link)
    assert moved is not None and body.inertial is not None  # a link without numbers has no such rows
    at_link_com = Inertial(body.inertial.mass, body.inertial.com, moved).without_noise()
    return f"| {name} | {six_text(at_link_com, ' | ')} | {_shares_of_moments(body, link)} |\n"


def lines_text(origin: Origin) -> str:
    """Return the lines of the bill of materials about a part."""
    return ", ".join(map(str, origin.rows))


def com_text(inertial: Inertial) -> str:
    """Return the coordinates of a centre of mass [m]; 0 for those that are rounding."""
    return " ".join("0" if number == 0.0 else f"{number:.4e}" for number in inertial.as_read().com.tolist())


def six_text(inertial: Inertial, separator: str = ", ") -> str:
    """Return the moments, then the products of a tensor [kg·m²]."""
    numbers = (float(inertial.inertia[COMPONENTS[name]]) for name in SIX)
    return separator.join("0" if number == 0.0 else f"{number:.6e}" for number in numbers)


def _density(part: PartBody) -> str:
    return "" if part.density is None else f"{part.density:.6g}"


def _shares_of_moments(body: Body, link: LinkBody) -> str:
    shares = percent_of_link(body, link)
    return " ".join(_share(shares[name]) for name in ("ixx", "iyy", "izz")).strip()


def _share(percent: float | None) -> str:
    return "" if percent is None else f"{percent:.1f}%"
