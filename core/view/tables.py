# SPDX-License-Identifier: Apache-2.0
"""The tables and lists of a page as HTML: they stand without its script. Every text from a file is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from math import pi

from ..body.inertial import Inertial
from ..engines.compared import COLUMNS, ComparedBody, Comparison, rows_of_absent, rows_of_body, rules_text
from ..errors import WORST_FIRST, Severity
from ..escapes import for_terminal
from ..findings.place import where_of
from ..robot.model import Joint
from ..statics.statics import COLUMNS as STATICS
from ..units import number_text
from .columns import Units
from .robot_scene import RobotScene, SceneFinding, SceneJoint, SceneLink

SIGNS: dict[Severity | None, str] = {"error": "✖ error", "warning": "⚠ warning", "info": "good", None: "good"}
_SIGN: dict[Severity | None, str] = {"error": "✖", "warning": "⚠", "info": "✓", None: "✓"}

UNLIMITED = {"m": 1.0, "rad": pi}
"""Range of the slider of a joint without limits, to both sides of 0."""

AXES_OF = {"universal": ("", ", axis 2"), "ball": (", about x", ", about y", ", about z")}
"""What tells the sliders of a joint apart, where it has several."""

_COMMAND = re.compile(r"(sdf-inertia|pip) [^;&|<>$]*")
"""A command that can be copied, without anything that a shell would do besides."""


def text(value: object) -> str:
    """Return a text as HTML, control characters written as in Python."""
    return escape(for_terminal(str(value)))


def marked_text(value: str, commands: bool = False) -> str:
    """Return a text as HTML with what stands in backticks as code; with `commands`, these can be copied."""
    pieces = value.split("`")
    if len(pieces) % 2 == 0:
        return text(value)
    return "".join(_code(piece, commands) if number % 2 else text(piece) for number, piece in enumerate(pieces))


def _code(piece: str, commands: bool) -> str:
    kind = ' class="command"' if commands and _COMMAND.fullmatch(piece) else ""
    return f"<code{kind}>{text(piece)}</code>"


def repair_switch(scene: RobotScene) -> str:
    """Return the switch between the file and the file after `repair`, with the command; empty if it changes nothing."""
    if scene.repair is None:
        return ""
    changed, links = sum(link.planned is not None for link in scene.links), sum(link.listed for link in scene.links)
    choices = "".join(
        f'<label><input type="radio" name="plan" value="{value}" autocomplete="off"{checked}> {name}</label>'
        for value, checked, name in (
            ("before", " checked", "in the file"),
            ("after", "", '<i class="planned"></i>after repair'),
        )
    )
    return (
        f'<section id="repair" aria-label="Repair"><fieldset><legend>Show</legend>{choices}</fieldset>\n'
        f"<p>{changed} of {links} link{'s' * (links != 1)} would change, by this command in the folder of the file:<br>"
        f'<code class="command">{text(scene.repair.command)}</code></p></section>'
    )


def heads(scene: RobotScene) -> str:
    """Return the heads of the columns of numbers, each with the unit of all its numbers."""
    units = scene.units
    titles = ("mass", units.mass), ("centre of mass", units.length), ("principal moments", units.inertia)
    return "".join(f'<th scope="col">{title} <small>{unit.name}</small></th>' for title, unit in titles)


def link_rows(scene: RobotScene) -> str:
    """Return a row for each link: mass, centre of mass and principal moments of the file, or the computed ones."""
    return "\n".join(_row(number, link, scene.units) for number, link in enumerate(scene.links) if link.listed)


def total_row(scene: RobotScene) -> str:
    """Return the row of all links together; empty for a single link."""
    total = scene.total
    if total is None or sum(link.listed for link in scene.links) < 2:
        return ""
    cells = [
        _texts(whole.inertial, scene.units) or ([scene.units.mass.text(whole.mass)], [], [])
        for whole in (total, None if scene.repair is None else scene.repair.total)
        if whole is not None
    ]
    head = f'<th scope="row">total of {scene.counted}</th>'
    return f'<tfoot><tr id="total">{head}{_cells(cells[0], cells[-1])}</tr></tfoot>'


def _row(number: int, link: SceneLink, units: Units) -> str:
    kind = "good" if link.severity in (None, "info") else link.severity
    word = SIGNS[link.severity].split()[-1]
    sign = f'<span class="sign {kind}" role="img" aria-label="{word}" title="{word}">{_SIGN[link.severity]}</span>'
    name = text(link.name).replace("_", "_<wbr>")
    head = f'<th scope="row">{sign} <button type="button" aria-pressed="false">{name}</button></th>'
    data = f'data-link="{number}" data-mass="{_mass(link.shown, units)}" data-severity="{link.severity or ""}"'
    if link.planned is not None:
        data += f' data-planned="{_mass(link.planned, units)}"'
    return f"<tr {data}>{head}{_cells(_texts(link.shown, units), _texts(link.planned, units))}</tr>"


def _mass(inertial: Inertial | None, units: Units) -> str:
    return "no inertial" if inertial is None else f"{units.mass.text(inertial.mass)} {units.mass.name}"


Texts = Sequence[Sequence[str]]
"""Mass, centre of mass and three moments as they are shown; nothing for a body without numbers."""


def _texts(inertial: Inertial | None, units: Units) -> Texts:
    if inertial is None:
        return ()
    com, moments = inertial.as_read().com.tolist(), inertial.principal().moments.tolist()
    return [units.mass.text(inertial.mass)], [*map(units.length.text, com)], [*map(units.inertia.text, moments)]


def _cells(before: Texts, after: Texts = ()) -> str:
    """Return the cells of a row; where the numbers after a repair are others, both."""
    before = before or (["none"], [], [])
    return "".join(_changed(*pair) for pair in zip(before, after or before, strict=True))


def _changed(before: Sequence[str], after: Sequence[str]) -> str:
    if before == after:
        return f'<td class="number">{_spans(before)}</td>'
    return f'<td class="number"><div class="before">{_spans(before)}</div><div class="after">{_spans(after)}</div></td>'


def _spans(numbers: Sequence[str]) -> str:
    return " ".join(f"<span>{number}</span>" for number in numbers)


def number_tables(scene: RobotScene) -> str:
    """Return a table for each link, which is hidden until it is selected: its numbers in the file beside computed."""
    return "\n".join(_numbers(number, link) for number, link in enumerate(scene.links) if link.listed)


def _numbers(number: int, link: SceneLink) -> str:
    sources = [("published", "in the file", link.published), ("computed", "computed", link.computed)]
    sources += [("planned", "after repair", link.planned)] if link.planned is not None else []
    units = Units.for_all(inertial for _, _, inertial in sources)
    inertia = units.inertia.name
    names = [f"mass [{units.mass.name}]", f"centre of mass [{units.length.name}]"]
    names += [f"{name} [{inertia}]" for name in ("ixx, iyy, izz", "ixy, ixz, iyz", "principal")]
    values = [_values(inertial, units) for _, _, inertial in sources]
    bodies = "".join(
        f'<tbody><tr><th scope="rowgroup" rowspan="{len(sources)}">{name}</th>'
        + "</tr><tr>".join(
            f'<td><i class="{kind}"></i>{title}</td><td class="number">{numbers[row]}</td>'
            for (kind, title, _), numbers in zip(sources, values, strict=True)
        )
        + "</tr></tbody>"
        for row, name in enumerate(names)
    )
    return (
        f'<div class="numbers" data-of="{number}" hidden><h2>{text(link.name)}</h2>'
        f'<table>{bodies}</table><p class="note">{" ".join(_notes(link))}</p></div>'
    )


def _values(inertial: Inertial | None, units: Units) -> Sequence[str]:
    """Return mass, centre of mass, the six components of the tensor and the principal moments."""
    if inertial is None:
        return ["none", "", "", "", ""]
    tensor, moments = inertial.as_read().inertia, inertial.principal().moments
    triples = (
        map(units.length.precise, inertial.as_read().com.tolist()),
        *(map(units.inertia.precise, some) for some in (tensor.diagonal(), tensor[[0, 0, 1], [1, 2, 2]], moments)),
    )
    return [_spans([units.mass.precise(inertial.mass)]), *(_spans([*triple]) for triple in triples)]


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
    if link.alike:
        yield "Both are drawn as one shape."


def engine_table(scene: RobotScene) -> str:
    """Return the engines side by side: where they differ, a body has several rows. Empty unless asked for."""
    comparison = scene.engines
    if comparison is None:
        return ""
    numbers = {link.name: number for number, link in enumerate(scene.links)}
    units = Units.for_all(case.inertial for body in comparison.bodies for case in body.cases)
    names = ("", "", units.mass.name, units.length.name, units.inertia.name)
    head = "".join(
        f'<th scope="col">{title.partition(" [")[0]} <small>{unit}</small></th>'
        for title, unit in zip(COLUMNS, names, strict=True)
    )
    bodies = "\n".join(
        _body(body, numbers.get(body.name, numbers.get(body.name.rpartition("::")[2])), units)
        for body in comparison.bodies
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


def _body(body: ComparedBody, number: int | None, units: Units) -> str:
    rows = [*rows_of_body(body)]
    name = text(rows[0][0])
    button = name if number is None else f'<button type="button">{name}</button>'
    mark = '<br><span class="warning">⚠ differs</span>' if len(rows) > 1 else ""
    head = f'<th scope="rowgroup" rowspan="{len(rows)}">{button}{mark}</th>'
    data = "" if number is None else f' data-link="{number}"'
    lines = (
        '</td><td class="number">'.join((f"<td>{text(engines)}", *_case(case.inertial, mass, units))) + "</td>"
        for (_, engines, mass, *_), case in zip(rows, body.cases, strict=True)
    )
    return f"<tbody{data}><tr>{head}{'</tr><tr>'.join(lines)}</tr></tbody>"


def _case(inertial: Inertial | None, instead: str, units: Units) -> Sequence[str]:
    if inertial is None:
        return text(instead), "", ""
    diagonal = map(units.inertia.text, inertial.as_read().inertia.diagonal().tolist())
    com = map(units.length.text, inertial.as_read().com.tolist())
    return _spans([units.mass.precise(inertial.mass)]), _spans([*com]), _spans([*diagonal])


def statics_table(scene: RobotScene) -> str:
    """Return the torques of gravity at the joints, and what the robot stands on; empty unless asked for."""
    statics = scene.statics
    if statics is None:
        return ""
    heads = "".join(f'<th scope="col">{name}</th>' for name in STATICS)
    rows = "\n".join(
        f'<tr><th scope="row">{text(name)}</th>'
        + "".join(f'<td class="number">{text(cell)}</td>' for cell in cells)
        + "</tr>"
        for name, *cells in (row.cells for row in statics.joints)
    )
    return (
        f'<section id="statics" aria-label="Statics"><h2>Statics</h2>\n<div class="wide"><table><thead><tr>{heads}</tr>'
        f'</thead><tbody>\n{rows}\n</tbody></table></div>\n<p class="note">{text(statics.stance)}</p></section>'
    )


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
        before, _, after = place.partition(f" {name}")  # the link's name in the place is the button
        place = f'{before} <button type="button">{name}</button>{after}'
    remedy = f"<p>Fix: {marked_text(finding.remedy, commands=True)}</p>" if finding.remedy else ""
    data = "" if scene_finding.link is None else f' data-link="{scene_finding.link}"'
    return (
        f"<li{data}>{head}<span>{place}</span> <code>{text(finding.code)}</code>"
        f"<p>{marked_text(finding.text)}</p>{remedy}</li>"
    )


def joint_sliders(scene: RobotScene) -> str:
    """Return a slider for each joint that moves; empty without any."""
    seen: set[int] = set()
    rows: list[str] = []
    for number, scene_joint in enumerate(scene.joints):
        if scene_joint.child not in seen:  # further joints of a link close loops
            follows = scene_joint.follows
            leader = None if follows is None else scene.joints[follows.number].joint.name
            rows += _sliders(number, scene_joint) if leader is None else [_follower(number, scene_joint, leader)]
        seen.add(scene_joint.child)
    if not rows:
        return ""
    button = '<button type="button" id="zero">All to 0</button>'
    return f'<section id="joints" aria-label="Joints"><h2>Joints {button}</h2>\n' + "\n".join(rows) + "\n</section>"


def _follower(number: int, scene_joint: SceneJoint, leader: str) -> str:
    """Return the row of a joint that moves with another one."""
    name, unit = text(scene_joint.joint.name), _unit(scene_joint.joint)
    data = f'data-joint="{number}" data-which="0" data-unit="{unit}"'
    return f'<div {data}><span>{name}</span><span class="info">follows {text(leader)}</span><output></output></div>'


def _unit(joint: Joint) -> str:
    return "m" if joint.kind == "prismatic" else "rad"


def _sliders(number: int, scene_joint: SceneJoint) -> Iterator[str]:
    joint = scene_joint.joint
    if joint.kind == "fixed":
        return
    unit = _unit(joint)
    for which, more in enumerate(AXES_OF.get(joint.kind, ("",))):
        most = UNLIMITED[unit]
        free = which or joint.kind in ("continuous", "ball")
        low, high = (-most, most) if free else (joint.lower, joint.upper)
        low, high = min(-most if low is None else low, 0.0), max(most if high is None else high, 0.0)
        if not high - low < float("inf"):
            low, high = -most, most
        label = f"joint-{number}-{which}"
        data = f'data-joint="{number}" data-which="{which}" data-unit="{unit}"'
        slider = f'<input type="range" id="{label}" min="{low!r}" max="{high!r}" step="any" value="0">'
        name = f'<label for="{label}">{text(joint.name + more)}</label>'
        yield f"<div {data}>{name}{slider}<output></output></div>"
