# SPDX-License-Identifier: GPL-3.0-or-later
"""The inertias of models as data (JSON) and as a table for people (Markdown)."""

from __future__ import annotations

from collections.abc import Iterable
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
    """Return a link and its parts; the parts' ``inertia_at_link_com`` add up to the link's ``inertia``."""
    head = {"name": body.name, "inertia_mode": body.mode, "pose": list(body.pose.to_sdf())}
    return head | body_json(body) | {"parts": [_part_json(part, body) for part in body.parts]}


def _part_json(part: PartBody, link: LinkBody) -> Json:
    head = {"name": part.name, "geometry": part.geometry, "density": part.density}
    moved = _inertia_at_link_com(part, link)
    return head | body_json(part) | {"inertia_at_link_com": None if moved is None else tensor_json(moved)}


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
    cells = [name, geometry, density]
    moved = _inertia_at_link_com(body, link)
    if body.inertial is None:
        cells += ["refused"] + [""] * 8
    else:
        own = body.inertial.inertia
        share = "" if link.inertial is None else f"{body.inertial.mass / link.inertial.mass:.1%}"
        com = " ".join(f"{number + 0.0:.4e}" for number in body.inertial.com)
        cells += [f"{body.inertial.mass:.6e}", share, com, *(f"{own[i, i]:.6e}" for i in range(3))]
        cells += [""] * 3 if moved is None else [f"{moved[i, i]:.6e}" for i in range(3)]
    return f"| {' | '.join(cells)} |\n"
