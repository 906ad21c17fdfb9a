# SPDX-License-Identifier: Apache-2.0
"""The inertias of models: JSON for every command, Markdown for people, CSV for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from io import StringIO
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from ..arrays import FloatArray
from ..body.inertial import COMPONENTS, Inertial
from ..errors import Finding, finding_lines, has_error
from ..escapes import for_csv, for_markdown, for_markdown_item
from ..units import listed_text
from .link_tables import (
    com_text,
    inertia_at_link_com,
    lines_text,
    link_markdown,
    markdown_table,
    percent_of_link,
    six_text,
    without_refused_numbers,
)
from .part import Body, Origin, PartBody

if TYPE_CHECKING:
    from .model import Model
    from .resolve import LinkBody

Json = dict[str, Any]

SCHEMA = 1
"""Rises if a key of a command's JSON is removed or changes its meaning, not with a new key."""


def with_schema(value: Json) -> Json:
    """Return an object with the number of its schema as the first key."""
    return {"schema": SCHEMA} | value


def model_json(model: Model, bodies: Iterable[LinkBody], partial: bool = False) -> Json:
    """Return one model's part of the report: SI, com and inertia in the link's frame, pose in the model's.

    With `partial`, a refused link keeps the sum of its parts that have a result, as in libsdformat.
    """
    bodies = list(bodies)
    links = [link_json(body, partial) for body in bodies]
    total = total_of(bodies, partial)
    joints = _rotors_json(model)
    return {
        "name": model.name,
        "findings": [finding_json(finding) for finding in model.findings],
        "links": links,
        "total": None if total is None else total_json(total),
    } | ({"joints": joints} if joints else {})


def total_json(total: Total) -> Json:
    """Return a total; centre and tensor are null if they are not known."""
    if total.inertial is None:
        return {"mass": total.mass, "com": None, "inertia": None}
    return inertial_json(total.inertial)


def _rotors_json(model: Model) -> list[Json]:
    """Return the joints with a rotor, and its inertia as the joint feels it: see `Joint.armature`."""
    names = ("name", "rotor_inertia", "gear_ratio")
    rotors = (joint for joint in model.joints if joint.rotor_inertia)
    return [{name: getattr(joint, name) for name in names} | {"reflected_inertia": joint.armature} for joint in rotors]


JOINT_COLUMNS = ("joint", "rotor inertia [kg·m²]", "gear ratio", "reflected inertia")


def rotor_rows(model: Model) -> list[list[str]]:
    """Return the cells of `JOINT_COLUMNS` for each joint with a rotor."""
    rows = []
    for joint in model.joints:
        if joint.rotor_inertia:
            reflected = f"{joint.armature:.6g} {'kg' if joint.kind == 'prismatic' else 'kg·m²'}"
            rows.append([joint.name, f"{joint.rotor_inertia:.6g}", f"{joint.gear_ratio:.6g}", reflected])
    return rows


class Total(NamedTuple):
    """The links of a model together.

    Parameters
    ----------
    mass : float
        The sum [kg] of all masses that are valid as masses, even of links whose tensor is impossible.
    inertial : Inertial or None
        All links as one body in the model's frame; None if a link with mass has no possible tensor.
    """

    mass: float
    inertial: Inertial | None


def total_of(bodies: Iterable[LinkBody], partial: bool = False) -> Total | None:
    """Return the links of a model together; None if none has a mass."""
    whole: Inertial | None = None
    unknown = 0.0
    for body in bodies:
        inertial = without_refused_numbers(body, body.refused and not partial).inertial
        if inertial is None:
            unknown += stated_mass(body)
        else:
            placed = inertial.transformed(body.pose)
            whole = placed if whole is None else whole + placed
    if whole is None:
        return Total(unknown, None) if unknown else None
    return Total(whole.mass + unknown, None if unknown else whole)


def stated_mass(body: LinkBody) -> float:
    """Return the mass [kg] that a link's file states, if it is valid as a mass; else 0."""
    given = None if body.link is None else body.link.manual
    return given.mass if given is not None and isfinite(given.mass) and given.mass > 0.0 else 0.0


def counted_text(bodies: Sequence[LinkBody]) -> str:
    """Return how many links a total has, and which have no mass that could be added."""
    links, left_out = counted(bodies)
    return f"{links} ({left_out})" if left_out else links


def counted(bodies: Sequence[LinkBody]) -> tuple[str, str]:
    """Return how many links a total has, and which it is without, empty if it has all."""
    left_out = [body.name for body in bodies if body.inertial is None and not stated_mass(body)]
    if not left_out:
        return "1 link" if len(bodies) == 1 else f"{len(bodies)} links", ""
    links = "link" if len(bodies) == 1 else "links"
    return f"{len(bodies) - len(left_out)} of {len(bodies)} {links}", f"without {listed_text(left_out, 3)}"


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
    head: Json = {"name": part.name, "geometry": part.geometry, "density": density}
    head |= {} if part.origin is None else asdict(part.origin)
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
    errors = {"error": body.error, "error_inertia": body.error_inertia}
    return numbers | {"method": body.method, **errors, "findings": findings}


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


def markdown(model: Model, bodies: Iterable[LinkBody], partial: bool = False) -> str:
    """Return a table for each link: each part by itself and moved to the link's centre of mass, and the total.

    Tensors are in link axes [kg·m²]. The moments at the link's centre of mass add up to the link's total, by the
    parallel axis theorem. So do the shares in percent, of the mass and of those moments. With `partial`, a refused link
    keeps the sum of its parts that have a result.
    """
    stated = {link.name: link for link in model.links}
    text = f"# {for_markdown(model.name)}\n\n"
    findings = list(model.findings)
    bodies = list(bodies)
    from_cad = _is_from_cad(bodies)
    if from_cad:
        text += "Moments in kg·m², in link axes; products are -∫xy dm, as in SDF.\n"
    else:
        text += "Moments in kg·m², in link axes, about the part's own centre of mass and the link's.\n"
    for body in bodies:
        findings += body.all_findings()
        text += link_markdown(without_refused_numbers(body, body.refused and not partial), stated.get(body.name))
    if rows := rotor_rows(model):
        text += f"\n## Joints\n\n{markdown_table(JOINT_COLUMNS, rows)}"
    total = total_of(bodies, partial)
    if total is not None and total.inertial is None:
        text += f"\n**Total** of {counted_text(bodies)}: {total.mass:.6g} kg. Its centre of mass and moments are not"
        text += " known: links have impossible tensors.\n"
    elif total is not None and total.inertial is not None:
        inertial = total.inertial.without_noise()
        moments = six_text(inertial) if from_cad else ", ".join(f"{inertial.inertia[i, i]:.6e}" for i in range(3))
        com = com_text(total.inertial)
        text += f"\n**Total** of {counted_text(bodies)}: {total.mass:.6g} kg, centre of mass {com} m,\n"
        names = "Ixx, Iyy, Izz, Ixy, Ixz, Iyz" if from_cad else "Ixx, Iyy, Izz"
        text += f"{names} {moments} kg·m², in the model's frame, joints at zero.\n"
    if findings := list(dict.fromkeys(findings)):  # each placement of a part has its findings
        text += "\n## Findings\n\n" + "".join(f"- {for_markdown_item(line)}\n" for line in finding_lines(findings))
    return text


def _is_from_cad(bodies: Iterable[LinkBody]) -> bool:
    return any(part.origin is not None for body in bodies for part in body.parts)


_COLUMNS = (
    *("file", "model", "link", "part", "inertia_mode", "method", "geometry", "density", "volume", "error"),
    *("mass", "com_x", "com_y", "com_z", *COMPONENTS, *(f"{name}_at_link_com" for name in COMPONENTS)),
    *("mass_percent", "ixx_percent", "iyy_percent", "izz_percent"),
    *("joint", "rotor_inertia", "gear_ratio", "reflected_inertia"),
)
_CAD_COLUMNS = ("product", "number", "in_assembly", "material", "source", "bom_lines", "matched")
"""The names say what a sum over the lines of a part would not: its count and its lines of the bill are those of all."""


def csv_text(models: Iterable[tuple[str, Model, Iterable[LinkBody]]]) -> str:
    """Return a line for each part, link (with an empty ``part``), model (``link`` too) and joint with a rotor.

    Parameters
    ----------
    models : iterable of (file, model, bodies)
        SI; com and tensors in the link's frame. Numbers are the shortest text that reads back the same; empty for a
        refused body.
    """
    text, rows = StringIO(), [(file, model, list(bodies)) for file, model, bodies in models]
    columns = (*_COLUMNS, *_CAD_COLUMNS) if any(_is_from_cad(bodies) for *_, bodies in rows) else _COLUMNS
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for file, model, bodies in rows:
        rotors = ({"joint": rotor.pop("name")} | rotor for rotor in _rotors_json(model))
        for row in (*_csv_rows(bodies), *rotors):
            cells = {"file": file, "model": model.name} | row
            writer.writerow({name: for_csv(cell) if isinstance(cell, str) else cell for name, cell in cells.items()})
    return text.getvalue()


def _csv_rows(bodies: list[LinkBody]) -> Iterator[Json]:
    for link in bodies:
        for body in (*link.parts, link):
            row: Json = {"link": link.name, "inertia_mode": link.mode}
            if isinstance(body, PartBody):
                row |= {"part": body.name, "geometry": body.geometry, "density": body.density}
                row |= {} if body.origin is None else _csv_origin(body.origin)
            row |= {"method": body.method, "volume": body.volume, "error": body.error}
            if body.inertial is not None:
                row |= _csv_numbers(body.inertial)
            moved = inertia_at_link_com(body, link)
            if moved is not None:
                row |= {f"{name}_at_link_com": component for name, component in tensor_json(moved).items()}
            yield row | {f"{name}_percent": share for name, share in percent_of_link(body, link).items()}
    total = total_of(bodies, True)
    if total is not None:
        yield {"method": "sum"} | ({"mass": total.mass} if total.inertial is None else _csv_numbers(total.inertial))


def _csv_origin(origin: Origin) -> Json:
    cells = asdict(origin)
    return {name: cells[name] for name in _CAD_COLUMNS if name in cells} | {
        "in_assembly": origin.count,
        "bom_lines": lines_text(origin),
    }


def _csv_numbers(inertial: Inertial) -> Json:
    com = dict(zip(("com_x", "com_y", "com_z"), inertial.com.tolist(), strict=True))
    return {"mass": inertial.mass} | com | tensor_json(inertial.inertia)
