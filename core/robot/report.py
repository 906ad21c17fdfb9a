# SPDX-License-Identifier: GPL-3.0-or-later
"""The inertias of models as data: the JSON of every command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import isfinite
from typing import Any, TypeVar

from ..arrays import FloatArray
from ..body.inertial import COMPONENTS, Inertial
from ..errors import Finding, has_error
from .model import Model
from .part import Body, PartBody
from .resolve import LinkBody

Json = dict[str, Any]
AnyBody = TypeVar("AnyBody", bound=Body)


def model_json(model: Model, bodies: Iterable[LinkBody], partial: bool = False) -> Json:
    """Return one model's part of the report: SI, com and inertia in the link's frame, pose in the model's.

    With `partial`, a refused link keeps the sum of its parts that have a result, as in libsdformat.
    """
    bodies = list(bodies)
    links = [link_json(body, partial) for body in bodies]
    total = total_of(bodies, partial)
    return {
        "name": model.name,
        "findings": [finding_json(finding) for finding in model.findings],
        "links": links,
        "total": None if total is None else inertial_json(total),
    }


def total_of(bodies: Iterable[LinkBody], partial: bool = False) -> Inertial | None:
    """Return the links of a model as one body in the model's frame; None if none has an inertial."""
    total: Inertial | None = None
    for body in bodies:
        inertial = without_refused_numbers(body, body.refused and not partial).inertial
        if inertial is not None:
            own = inertial.transformed(body.pose)
            total = own if total is None else total + own
    return total


def link_json(body: LinkBody, partial: bool = False) -> Json:
    """Return a link and its parts; the parts' ``inertia_at_link_com`` add up to the link's ``inertia``.

    A refused link has no numbers unless `partial`; its valid parts keep theirs.
    """
    body = without_refused_numbers(body, body.refused and not partial)
    head = {"name": body.name, "inertia_mode": body.mode, "pose": list(body.pose.to_sdf())}
    return head | body_json(body) | {"parts": [_part_json(part, body) for part in body.parts]}


def _part_json(part: PartBody, body: LinkBody) -> Json:
    part = without_refused_numbers(part, has_error(part.findings))
    density = part.density if part.density is not None and isfinite(part.density) else None
    head = {"name": part.name, "geometry": part.geometry, "density": density}
    moved = inertia_at_link_com(part, body)
    return head | body_json(part) | {"inertia_at_link_com": None if moved is None else tensor_json(moved)}


def body_json(body: Body) -> Json:
    """Return the numbers of a body: null if it was refused."""
    inertial = body.inertial
    numbers: Json = {"mass": None, "com": None, "inertia": None, "volume": None, "principal": None}
    if inertial is not None:
        principal = inertial.principal()
        numbers = inertial_json(inertial) | {
            "volume": body.volume,
            "principal": {"moments": principal.moments.tolist(), "axes": principal.axes.tolist()},
        }
    findings = [finding_json(finding) for finding in body.findings]
    return numbers | {"method": body.method, "error": body.error, "findings": findings}


def inertial_json(inertial: Inertial) -> Json:
    """Return mass, com and inertia."""
    return {"mass": inertial.mass, "com": inertial.com.tolist(), "inertia": tensor_json(inertial.inertia)}


def tensor_json(inertia: FloatArray) -> Json:
    """Return the six components of a tensor [kg·m²], products with SDFormat's sign."""
    return {name: float(inertia[cell]) + 0.0 for name, cell in COMPONENTS.items()}


def finding_json(finding: Finding) -> Json:
    """Return a finding as a mapping of its fields; ``sdf_codes`` only if there are any."""
    fields: Json = {
        "severity": finding.severity,
        "code": finding.code,
        "subject": finding.subject,
        "message": finding.message,
        "remedy": finding.remedy,
    }
    return fields | {"sdf_codes": list(finding.sdf_codes)} if finding.sdf_codes else fields


def without_refused_numbers(body: AnyBody, refused: bool) -> AnyBody:
    return replace(body, inertial=None, volume=None, error=0.0) if refused else body


def inertia_at_link_com(part: Body, link: LinkBody) -> FloatArray | None:
    if part.inertial is None or link.inertial is None:
        return None
    return part.inertial.inertia_about(link.inertial.com)
