# SPDX-License-Identifier: Apache-2.0
"""The tables and lists of a page as HTML: they stand without its script. Every text from a file is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import pi

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..engines.compared import COLUMNS, ComparedBody, Comparison, rows_of_absent, rows_of_body, rules_text
from ..errors import WORST_FIRST, Severity
from ..escapes import for_terminal
from ..findings.place import where_of
from ..units import number_text
from .robot_scene import RobotScene, SceneFinding, SceneJoint, SceneLink

SIGNS: dict[Severity | None, str] = {"error": "✖ error", "warning": "⚠ warning", "info": "good", None: "good"}

UNLIMITED = {"m": 1.0, "rad": pi}
"""Range of the slider of a joint without limits, to both sides of 0."""


def text(value: object) -> str:
    """Return a text as HTML, control characters written as in Python."""
    return escape(for_terminal(str(value)))


def link_rows(scene: RobotScene) -> str:
    """Return a row for each link: mass, centre of mass and principal moments of the file, or the computed ones."""
    return "\n".join(_row(number, link) for number, link in enumerate(scene.links) if link.listed)


def total_row(scene: RobotScene) -> str:
    """Return the row of all links together; empty for a single link."""
    total = scene.total
    if total is None or sum(link.listed for link in scene.links) < 2:
        return ""
    head = f'<th scope="row">total of {text(scene.counted)}</th>'
    known = total.inertial is not None
    cells = _cells(total.inertial) if known else f'<td class="number">{number_text(total.mass)}</td><td></td><td></td>'
    return f'<tfoot><tr id="total">{head}{cells}<td></td></tr></tfoot>'


def _row(number: int, link: SceneLink) -> str:
    inertial = link.computed if link.auto or link.is_mesh else link.published
    mass = "no inertial" if inertial is None else f"{number_text(inertial.mass)} kg"
    kind = "good" if link.severity in (None, "info") else link.severity
    name = f'<th scope="row"><button type="button" aria-pressed="false">{text(link.name)}</button></th>'
    attributes = f'data-link="{number}" data-mass="{mass}" data-severity="{link.severity or ""}"'
    return f'<tr {attributes}>{name}{_cells(inertial)}<td class="{kind}">{SIGNS[link.severity]}</td></tr>'


def _cells(inertial: Inertial | None) -> str:
    if inertial is None:
        return '<td class="number">no inertial</td><td></td><td></td>'
    shown = inertial.as_read()
    moments = inertial.principal().moments
    return f'<td class="number">{number_text(inertial.mass)}</td>{_many(shown.com)}{_many(moments)}'


def _many(numbers: FloatArray) -> str:
    spans = ", ".join(f"<span>{number_text(number)}</span>" for number in numbers.tolist())
    return f'<td class="many">{spans}</td>'


def number_tables(scene: RobotScene) -> str:
    """Return a table for each link, which is hidden until it is selected: published beside computed."""
    return "\n".join(_numbers(number, link) for number, link in enumerate(scene.links) if link.listed)


def _numbers(number: int, link: SceneLink) -> str:
    titles = '<i class="published"></i>published', '<i class="computed"></i>computed'
    inertials = link.published, link.computed
    rows = [
        f'<tr><th scope="row">{name}</th>{"".join(_value(inertial, name) for inertial in inertials)}</tr>'
        for name in _VALUES
    ]
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    notes = list(_notes(link))
    return (
        f'<div class="numbers" data-of="{number}" hidden><h2>{text(link.name)}</h2>'
        f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f'<p class="note">{" ".join(notes)}</p></div>'
    )


_VALUES = ("mass [kg]", "centre of mass [m]", "ixx, iyy, izz [kg·m²]", "ixy, ixz, iyz [kg·m²]", "principal [kg·m²]")


def _value(inertial: Inertial | None, name: str) -> str:
    if inertial is None:
        return "<td>none</td>"
    shown, tensor = inertial.as_read(), inertial.as_read().inertia
    if name.startswith("mass"):
        return f'<td class="number">{number_text(inertial.mass, 6)}</td>'
    if name.startswith("centre"):
        return _many(shown.com)
    if name.startswith("principal"):
        return _many(inertial.principal().moments)
    return _many(tensor.diagonal() if name.startswith("ixx") else tensor[[0, 0, 1], [1, 2, 2]])


def _notes(link: SceneLink) -> Iterator[str]:
    if link.is_mesh:
        return
    if link.auto:
        yield "A simulator computes this inertial from the collisions."
    elif link.published is None or link.is_default:
        yield "The file gives no inertial that can be read." + " This is SDFormat's default." * link.is_default
    if link.computed is not None and not link.auto:
        yield "Computed: the collisions, or without any the visuals, of uniform density and the mass in the file."
    if link.difference is not None:
        yield f"They differ by up to {number_text(100.0 * link.difference, 2)} %."


def engine_table(scene: RobotScene) -> str:
    """Return the engines side by side: where they differ, a body has several rows. Empty unless asked for."""
    comparison = scene.engines
    if comparison is None:
        return ""
    numbers = {link.name: number for number, link in enumerate(scene.links)}
    head = "".join(
        f'<th scope="col">{text(name)} <small>{text(unit.rstrip("]"))}</small></th>'
        for name, _, unit in (title.partition(" [") for title in COLUMNS)
    )
    bodies = "\n".join(
        _body(body, numbers.get(body.name, numbers.get(body.name.rpartition("::")[2]))) for body in comparison.bodies
    )
    absent = "".join(_absent(row) for row in rows_of_absent(comparison))
    return (
        f'<section id="engines" aria-label="Engines"><h2>Engines</h2>\n<p>{_agreement(comparison)}</p>\n'
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{absent}</tbody>\n{bodies}\n</table></div>\n'
        f'<p class="note">{text(rules_text(comparison))}</p></section>'
    )


def _agreement(comparison: Comparison) -> str:
    if len(comparison.engines) < 2 or not comparison.bodies:
        return ""
    differ, count = sum(len(body.cases) > 1 for body in comparison.bodies), len(comparison.bodies)
    if differ:
        return f'<b class="warning">⚠ {differ} of {count} moving bodies differ</b>'
    return f"The engines that load it agree on {count} moving {'body' if count == 1 else 'bodies'}."


def _absent(row: Sequence[str]) -> str:
    kind, sign = ("error", "✖ ") if row[2].startswith("refuses") else ("info", "")
    return f'<tr><td></td><td>{text(row[1])}</td><td class="{kind}" colspan="3">{sign}{row[2]}</td></tr>'


def _body(body: ComparedBody, number: int | None) -> str:
    rows = [*rows_of_body(body)]
    name = text(rows[0][0])
    button = name if number is None else f'<button type="button">{name}</button>'
    mark = '<br><span class="warning">⚠ differs</span>' if len(rows) > 1 else ""
    head = f'<th scope="rowgroup" rowspan="{len(rows)}">{button}{mark}</th>'
    data = "" if number is None else f' data-link="{number}"'
    lines = (
        f"<td>{text(engines)}</td><td>{text(mass)}</td>{_triple(com)}{_triple(moments)}"
        for _, engines, mass, com, moments in rows
    )
    return f"<tbody{data}><tr>{head}{'</tr><tr>'.join(lines)}</tr></tbody>"


def _triple(numbers: str) -> str:
    return f'<td class="many">{", ".join(f"<span>{text(number)}</span>" for number in numbers.split(", "))}</td>'


def finding_list(scene: RobotScene) -> str:
    """Return the findings as a list, the worst first."""
    ordered = sorted(scene.findings, key=lambda scene_finding: WORST_FIRST.index(scene_finding.finding.severity))
    names = [link.name for link in scene.links]
    items = "\n".join(_finding(scene_finding, names) for scene_finding in ordered)
    return f"<ul>\n{items}\n</ul>" if items else '<p class="good">No findings.</p>'


def _finding(scene_finding: SceneFinding, names: Sequence[str]) -> str:
    finding = scene_finding.finding
    sign = SIGNS[finding.severity] if finding.severity != "info" else "info"
    head = f'<b class="{finding.severity}">{sign}</b> '
    place = text(where_of(finding.subject))
    if scene_finding.link is not None:
        name = text(names[scene_finding.link])
        before, _, after = place.rpartition(name)  # the place ends with its name, which is the button
        place = f'{before}<button type="button">{name}</button>{after if before else f" {after}"}'
    remedy = f"<p>Fix: {text(finding.remedy)}</p>" if finding.remedy else ""
    data = "" if scene_finding.link is None else f' data-link="{scene_finding.link}"'
    return (
        f"<li{data}>{head}<span>{place}</span> <code>{text(finding.code)}</code>"
        f"<p>{text(finding.text)}</p>{remedy}</li>"
    )


def joint_sliders(scene: RobotScene) -> str:
    """Return a slider for each joint that moves; empty without any."""
    seen: set[int] = set()
    rows: list[str] = []
    for number, scene_joint in enumerate(scene.joints):
        if scene_joint.child not in seen:  # further joints of a link close loops
            rows += _sliders(number, scene_joint)
        seen.add(scene_joint.child)
    if not rows:
        return ""
    button = '<button type="button" id="zero">All to 0</button>'
    return f'<section id="joints" aria-label="Joints"><h2>Joints {button}</h2>\n' + "\n".join(rows) + "\n</section>"


def _sliders(number: int, scene_joint: SceneJoint) -> Iterator[str]:
    joint = scene_joint.joint
    if joint.kind in ("fixed", "ball"):
        return
    unit = "m" if joint.kind == "prismatic" else "rad"
    for which in range(2 if joint.kind == "universal" else 1):
        most = UNLIMITED[unit]
        low, high = (-most, most) if which or joint.kind == "continuous" else (joint.lower, joint.upper)
        low, high = min(-most if low is None else low, 0.0), max(most if high is None else high, 0.0)
        if not high - low < float("inf"):
            low, high = -most, most
        name = f"{joint.name}, axis 2" if which else joint.name
        label = f"joint-{number}-{which}"
        data = f'data-joint="{number}" data-which="{which}" data-unit="{unit}"'
        slider = f'<input type="range" id="{label}" min="{low!r}" max="{high!r}" step="any" value="0">'
        shown = "0.000 m" if unit == "m" else "0°"
        yield f'<div {data}><label for="{label}">{text(name)}</label>{slider}<output>{shown}</output></div>'
