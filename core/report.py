# SPDX-License-Identifier: GPL-3.0-or-later
"""The inertias of models as data (JSON) and as a table for people (Markdown)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from .arrays import FloatArray
from .errors import Finding, has_error
from .inertial import Inertial
from .materials import WATER
from .model import Link, Model
from .part import Body, PartBody
from .resolve import LinkBody

Json = dict[str, Any]
AnyBody = TypeVar("AnyBody", bound=Body)

CENTRED = 1e-9
"""A coordinate of a centre of mass up to this much of the radius of gyration is shown as 0 in the table. It is what
rounding leaves of 0, and far less than float32 (6e-8), in which Blender keeps meshes, tells from 0."""


def model_json(model: Model, bodies: Iterable[LinkBody]) -> Json:
    """Return one model's part of the report: SI, com and inertia in the link's frame, pose in the model's."""
    stated = {link.name: link for link in model.links}
    links = [link_json(body, stated[body.name]) for body in bodies]
    return {"name": model.name, "findings": [finding_json(finding) for finding in model.findings], "links": links}


def link_json(body: LinkBody, link: Link) -> Json:
    """Return a link and its parts; the parts' ``inertia_at_link_com`` add up to the link's ``inertia``.

    A refused link has no numbers, whatever was computed; a part that is fine keeps its own.
    """
    body = _without_refused_numbers(body, body.refused)
    head = {"name": body.name, "inertia_mode": body.mode, "pose": list(body.pose.to_sdf())}
    return head | body_json(body) | {"parts": [_part_json(part, body, link) for part in body.parts]}


def _part_json(part: PartBody, body: LinkBody, link: Link) -> Json:
    part = _without_refused_numbers(part, has_error(part.findings))
    head = {"name": part.name, "geometry": part.geometry, "density": _stated_density(part, link)}
    moved = _inertia_at_link_com(part, body)
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


def _without_refused_numbers(body: AnyBody, refused: bool) -> AnyBody:
    return replace(body, inertial=None, volume=None, error=0.0) if refused else body


def _stated_density(part: PartBody, link: Link) -> float:
    # A target mass scales the part's mass, not its density: the file and the report state the one that was given.
    own = {collision.name: collision.density for collision in link.collisions}[part.name]
    return next(density for density in (own, link.density, WATER) if density is not None)


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
    stated = {link.name: link for link in model.links}
    text = f"# {model.name}\n\nMoments in kg·m², in link axes, about the part's own centre of mass and the link's.\n"
    findings = list(model.findings)
    for body in bodies:
        findings += body.all_findings()
        text += _link_markdown(_without_refused_numbers(body, body.refused), stated[body.name])
    if findings:
        text += "\n## Findings\n\n" + "".join(f"- {finding}\n" for finding in findings)
    return text


def _link_markdown(body: LinkBody, link: Link) -> str:
    text = f"\n## {body.name} ({body.mode}, {body.method})\n\n"
    if link.mass is not None and body.parts and body.inertial is not None:
        text += (
            f"Masses and moments are scaled to the target mass of {link.mass:.6g} kg; the densities are as stated.\n\n"
        )
    text += _HEADER
    for part in body.parts:
        shown = _without_refused_numbers(part, has_error(part.findings))
        text += _row([part.name, part.geometry, f"{_stated_density(part, link):.6g}"], shown, body)
    return text + _row(["**total**", "", ""], body, body)


def _row(head: list[str], body: Body, link: LinkBody) -> str:
    cells = list(head)
    moved = _inertia_at_link_com(body, link)
    if body.inertial is None:
        cells += ["refused"] + [""] * 8
    else:
        own = body.inertial.inertia
        share = "" if link.inertial is None else f"{body.inertial.mass / link.inertial.mass:.1%}"
        cells += [f"{body.inertial.mass:.6e}", share, _com(body.inertial), *(f"{own[i, i]:.6e}" for i in range(3))]
        cells += [""] * 3 if moved is None else [f"{moved[i, i]:.6e}" for i in range(3)]
    return f"| {' | '.join(cells)} |\n"


def _com(inertial: Inertial) -> str:
    # The radius of gyration for the mean of the three moments: the same in whatever axes.
    gyration = np.sqrt(np.trace(inertial.inertia) / (3.0 * inertial.mass))
    return " ".join("0" if abs(number) <= CENTRED * gyration else f"{number:.4e}" for number in inertial.com)
