# SPDX-License-Identifier: GPL-3.0-or-later
"""The inertias of models as data (JSON, CSV) and as a table for people (Markdown)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from .arrays import FloatArray
from .errors import Finding
from .model import Model
from .part import Body, PartBody
from .resolve import LinkBody

Json = dict[str, Any]


def model_json(model: Model, bodies: Iterable[LinkBody]) -> Json:
    """Return one model's part of the report: SI, com and inertia in the link's frame, pose in the model's."""
    links = [link_json(body) for body in bodies]
    return {"name": model.name, "findings": [finding_json(finding) for finding in model.findings], "links": links}


def link_json(body: LinkBody) -> Json:
    """Return a link and its parts; the parts' ``inertia_at_link_com`` add up to the link's ``inertia``.

    ``percent`` is a part's share of the link's mass and of each of its moments, at the link's centre of mass.
    """
    head = {"name": body.name, "inertia_mode": body.mode, "pose": list(body.pose.to_sdf())}
    return head | body_json(body) | {"parts": [_part_json(part, body) for part in body.parts]}


def _part_json(part: PartBody, link: LinkBody) -> Json:
    head = {"name": part.name, "geometry": part.geometry, "density": part.density}
    moved = _inertia_at_link_com(part, link)
    tail = {"inertia_at_link_com": None if moved is None else tensor_json(moved), "percent": _percent(part, link)}
    return head | body_json(part) | tail


def body_json(body: Body) -> Json:
    """Return the numbers of a body: null where it was refused."""
    inertial = body.inertial
    numbers: Json = {"mass": None, "com": None, "inertia": None, "volume": None, "principal": None}
    if inertial is not None:
        principal = inertial.principal()
        numbers = {
            "mass": inertial.mass,
            "com": inertial.com.tolist(),
            "inertia": tensor_json(inertial.inertia),
            "volume": body.volume,
            "principal": {"moments": principal.moments.tolist(), "axes": principal.axes.tolist()},
        }
    findings = [finding_json(finding) for finding in body.findings]
    return numbers | {"method": body.method, "error": body.error, "findings": findings}


def tensor_json(inertia: FloatArray) -> Json:
    """Return the six components of a tensor [kg·m²], products with SDFormat's sign."""
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    cells = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    return {name: float(inertia[cell]) + 0.0 for name, cell in zip(names, cells, strict=True)}


def finding_json(finding: Finding) -> Json:
    """Return a finding as a mapping of its five fields."""
    return {
        "severity": finding.severity,
        "code": finding.code,
        "subject": finding.subject,
        "message": finding.message,
        "remedy": finding.remedy,
    }


def _inertia_at_link_com(part: Body, link: LinkBody) -> FloatArray | None:
    if part.inertial is None or link.inertial is None:
        return None
    return part.inertial.inertia_about(link.inertial.com)


def _percent(part: Body, link: LinkBody) -> dict[str, float | None]:
    """Return a part's share of its link; None where one of the two has no number, or the link's is zero."""
    moved = _inertia_at_link_com(part, link)
    if moved is None or part.inertial is None or link.inertial is None:
        return dict.fromkeys(("mass", "ixx", "iyy", "izz"))
    pairs = {"mass": (part.inertial.mass, link.inertial.mass)}
    pairs |= {f"i{axis}{axis}": (moved[i, i], link.inertial.inertia[i, i]) for i, axis in enumerate("xyz")}
    return {name: float(100.0 * own / whole) if whole else None for name, (own, whole) in pairs.items()}


_HEADER = (
    "| part | geometry | density [kg/m³] | mass [kg] | share | com x y z [m] | Ixx | Iyy | Izz"
    " | Ixx at link com | Iyy at link com | Izz at link com |\n"
    "|---|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n"
)


def markdown(model: Model, bodies: Iterable[LinkBody]) -> str:
    """Return a table per link: each part by itself and moved to the link's centre of mass, and the total.

    Tensors are in link axes [kg·m²]. The last three columns add up to the link's total: the parallel axis theorem
    in sight.
    """
    text = f"# {model.name}\n\nMoments in kg·m², in link axes, about the part's own centre of mass and the link's.\n"
    findings = list(model.findings)
    for body in bodies:
        findings += body.all_findings()
        text += f"\n## {body.name} ({body.mode}, {body.method})\n\n{_HEADER}"
        text += "".join(_row(part.name, part.geometry, part, body) for part in body.parts)
        text += _row("**total**", "", body, body)
    if findings:
        text += "\n## Findings\n\n" + "".join(f"- {finding}\n" for finding in findings)
    return text


def _row(name: str, geometry: str, body: Body, link: LinkBody) -> str:
    density = f"{body.density:.6g}" if isinstance(body, PartBody) and body.density is not None else ""
    cells = [_cell(name), geometry, density]
    percent = _percent(body, link)
    moved = _inertia_at_link_com(body, link)
    if body.inertial is None:
        cells += ["refused"] + [""] * 8
    else:
        own = body.inertial.inertia
        share = _shown(percent["mass"])
        com = " ".join(f"{number + 0.0:.4e}" for number in body.inertial.com)
        cells += [f"{body.inertial.mass:.6e}", share, com, *(f"{own[i, i]:.6e}" for i in range(3))]
        if moved is None:
            cells += [""] * 3
        elif body is link:
            cells += [f"{moved[i, i]:.6e}" for i in range(3)]
        else:
            shares = [_shown(percent[name]) for name in ("ixx", "iyy", "izz")]
            cells += [f"{moved[i, i]:.6e} ({share})" for i, share in enumerate(shares)]
    return f"| {' | '.join(cells)} |\n"


def _shown(percent: float | None) -> str:
    return "" if percent is None else f"{percent:.1f}%"


def _cell(name: str) -> str:
    """Return a name as a table takes it: it may come from any file."""
    return " ".join(name.replace("|", r"\|").split())


_TENSOR = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_COLUMNS = (
    *("file", "model", "link", "part", "inertia_mode", "method", "geometry", "density", "volume", "error"),
    *("mass", "com_x", "com_y", "com_z", *_TENSOR, *(f"{name}_at_link_com" for name in _TENSOR)),
    *("mass_percent", "ixx_percent", "iyy_percent", "izz_percent"),
)


def csv_text(models: Iterable[tuple[str, Model, Iterable[LinkBody]]]) -> str:
    """Return a line per part and one per link, with an empty ``part``, of the models of any number of files.

    Parameters
    ----------
    models : iterable of (file, model, bodies)
        SI; com and tensors in the link's frame. Numbers are the shortest text that reads back the same; empty for a
        refused body.
    """
    text = StringIO()
    writer = csv.DictWriter(text, _COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for file, model, bodies in models:
        for body in bodies:
            head = {"file": file, "model": model.name, "link": body.name, "inertia_mode": body.mode}
            for part in (*body.parts, body):
                writer.writerow({name: "" if cell is None else cell for name, cell in _csv_row(head, part, body)})
    return text.getvalue()


def _csv_row(head: Json, body: Body, link: LinkBody) -> Iterator[tuple[str, Any]]:
    yield from head.items()
    if isinstance(body, PartBody):
        yield from {"part": body.name, "geometry": body.geometry, "density": body.density}.items()
    yield from {"method": body.method, "volume": body.volume, "error": body.error}.items()
    moved = _inertia_at_link_com(body, link)
    if body.inertial is not None:
        yield "mass", body.inertial.mass
        yield from zip(("com_x", "com_y", "com_z"), body.inertial.com.tolist(), strict=True)
        yield from tensor_json(body.inertial.inertia).items()
    if moved is not None:
        yield from ((f"{name}_at_link_com", component) for name, component in tensor_json(moved).items())
    yield from ((f"{name}_percent", share) for name, share in _percent(body, link).items())
