# SPDX-License-Identifier: Apache-2.0
"""The report on a robot's file: the inertial of each link, and the share of each of its parts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ..body.intervals import INTERVAL_COLUMNS, Interval, interval_rows
from ..engines.compared import COLUMNS, Comparison, compared, rows_of, rules_text
from ..errors import Finding, InertiaError, finding_lines
from ..escapes import for_markdown_item
from ..formats.file_link import FileLink
from ..formats.robot_file import RobotFile
from ..formats.simulators.verdicts import link_verdicts
from ..judge.total_mass import TotalMass, total_mass
from ..judge.verdict import Verdict
from ..robot.link_tables import markdown_table
from ..robot.model import Model
from ..robot.report import Json, csv_text, finding_json, markdown, model_json, tensor_json
from ..robot.resolve import LinkBody
from ..samples.digits import file_intervals
from ..version import version
from .link import judged


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """The inertials of a robot's file; returned by `Robot.report`.

    Parameters
    ----------
    path : Path
    findings : tuple of Finding
        About the file as a whole, its joints and what engines make of it.
    models : tuple of (Model, tuple of LinkBody)
        Each model with its links.
    total : TotalMass or None
        The sum of the masses, compared with the given one.
    engines : Comparison or None
        The moving bodies as the engines simulate them that were asked for.
    intervals : mapping of (str, str) to tuple of Interval, or None
        By model and link: how far their numbers may be off, and why; None unless that was asked for.

    Examples
    --------
    >>> from sdf_inertia import read_robot
    >>> report = read_robot("examples/arm.urdf").report()
    >>> hand = report.to_dict()["models"][0]["links"][-1]
    >>> print(hand["name"], hand["mass"], hand["com"])
    hand 0.24 [0.0, 0.0, 0.03]
    """

    path: Path
    findings: tuple[Finding, ...]
    models: tuple[tuple[Model, tuple[LinkBody, ...]], ...] = ()
    total: TotalMass | None = None
    engines: Comparison | None = None
    intervals: Mapping[tuple[str, str], tuple[Interval, ...]] | None = None

    def __repr__(self) -> str:
        return f"<Report {self.path}: {sum(len(bodies) for _, bodies in self.models)} links>"

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """All findings, those of the links and parts too, each once."""
        of_links = (finding for _, bodies in self.models for body in bodies for finding in body.all_findings())
        return tuple(dict.fromkeys([*self.findings, *of_links]))

    def without_infos(self) -> Report:
        """Return the report as text shows it: infos are in `to_dict`; those of engines were asked for."""

        def kept(some: Iterable[Finding]) -> tuple[Finding, ...]:
            asked = ("gazebo_", "engine_")
            return tuple(finding for finding in some if finding.severity != "info" or finding.code.startswith(asked))

        def shown(body: LinkBody) -> LinkBody:
            parts = tuple(replace(part, findings=kept(part.findings)) for part in body.parts)
            return replace(body, findings=kept(body.findings), parts=parts)

        models = tuple((model, tuple(shown(body) for body in bodies)) for model, bodies in self.models)
        return replace(self, findings=kept(self.findings), models=models)

    def to_dict(self) -> Json:
        """Return what ``sdf-inertia report --format json`` prints, SI."""
        more: Json = {} if self.total is None else {"total_mass": asdict(self.total)}
        more |= {} if self.engines is None else {"engines": self.engines.to_dict()}
        models = [model_json(model, bodies, partial=True) for model, bodies in self.models]
        if self.intervals is not None:
            for model in models:
                for link in model["links"]:
                    intervals = self.intervals.get((model["name"], link["name"]), ())
                    link["intervals"] = [interval.to_json() for interval in intervals]
        return {
            "file": str(self.path),
            "version": version(),
            "findings": [finding_json(finding) for finding in self.findings],
            "models": models,
        } | more

    def interval_rows(self, model: str, bodies: Iterable[LinkBody]) -> list[list[str]]:
        """Return the cells of `INTERVAL_COLUMNS` for the links of a model; none unless intervals were asked for."""
        if self.intervals is None:
            return []
        rows = list[list[str]]()
        for body in bodies:
            if body.inertial is not None:
                rows += interval_rows(body.name, body.inertial, self.intervals.get((model, body.name), ()))
        return rows

    def to_markdown(self) -> str:
        """Return a table for each link, and the findings."""
        shown = self.without_infos()
        text = ""
        for model, bodies in shown.models:
            text += ("\n" if text else "") + markdown(model, bodies, partial=True)
            if rows := self.interval_rows(model.name, bodies):
                text += f"\n## How far they may be off\n\n{markdown_table(INTERVAL_COLUMNS, rows)}"
        if shown.total is not None:
            text += f"\n**Total mass**: {shown.total.text}.\n"
        if shown.engines is not None:
            text += f"\n## Engines\n\n{rules_text(shown.engines)}\n\n{markdown_table(COLUMNS, rows_of(shown.engines))}"
        if shown.findings:
            items = "".join(f"- {for_markdown_item(line)}\n" for line in finding_lines(shown.findings))
            text += f"\n## Findings of the file\n\n{items}"
        return text

    def to_yaml(self) -> str:
        """Return the inertial of each link that has one, in its frame, as YAML, which xacro's load_yaml reads."""
        bodies = (
            body for _, bodies in self.models for body in bodies if body.inertial is not None and not body.refused
        )
        return "inertials:\n" + "".join(map(_yaml, bodies))

    def to_csv(self) -> str:
        """Return a line for each part, link, model and joint with a rotor, see `csv_text`."""
        return csv_text((str(self.path), model, bodies) for model, bodies in self.models)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def report_of(
    path: Path,
    file: RobotFile,
    verdicts: Sequence[Verdict],
    checked: Sequence[Finding],
    engines: Sequence[str] = (),
    mass: float | None = None,
    with_intervals: bool = False,
) -> Report:
    """Return the report on a file, of which `checked` are all findings; see `Robot.report`."""
    of_links = {(finding.code, finding.subject) for verdict in verdicts for finding in verdict.findings}
    others = (finding for finding in checked if (finding.code, finding.subject) not in of_links)
    findings = [*dict.fromkeys([*file.findings, *others])]
    if [*engines] == ["gazebo"]:  # links as Gazebo has them, lumped
        sdf = file.for_gazebo()
        models = _by_model(file, sdf.links, link_verdicts(sdf))
    else:
        models = models_of(file, verdicts)
    total = None
    if mass is not None:
        total = total_mass(file, mass, verdicts)
        findings += [finding.about(str(path)) for finding in total.findings]
    intervals = None
    if with_intervals:
        each = zip(file.links, file.bodies, strict=True)
        intervals = {(link.model, link.local_name): file_intervals(link, body) for link, body in each}
    engine_rows = compared(file, engines) if engines else None
    return Report(path, tuple(findings), tuple(models), total, engine_rows, intervals)


def models_of(file: RobotFile, verdicts: Sequence[Verdict]) -> Iterator[tuple[Model, tuple[LinkBody, ...]]]:
    """Yield each model of a file with its links, with the findings of their verdicts."""
    bodies = (judged(body, verdict) for body, verdict in zip(file.bodies, verdicts, strict=True))
    return _by_model(file, file.links, bodies)


def _by_model(
    file: RobotFile, links: Sequence[FileLink], bodies: Iterable[LinkBody]
) -> Iterator[tuple[Model, tuple[LinkBody, ...]]]:
    """Yield each model with its joints and its bodies, which have their own names in it."""
    models: dict[str, list[LinkBody]] = {}
    for link, body in zip(links, bodies, strict=True):
        models.setdefault(link.model, []).append(replace(body, name=link.local_name))
    try:
        joints = dict(file.joints())
    except InertiaError:  # `check` reports it
        joints = {}
    for name, bodies_of_model in models.items():  # joints of models in a model are joints of the first one with links
        yield Model(name, (), tuple(joints.pop(name.partition("::")[0], ()))), tuple(bodies_of_model)


def _yaml(body: LinkBody) -> str:
    inertial = body.inertial
    assert inertial is not None
    xyz = ", ".join(map(_yaml_number, inertial.com.tolist()))
    tensor = ", ".join(f"{name}: {_yaml_number(number)}" for name, number in tensor_json(inertial.inertia).items())
    return (
        f"  {json.dumps(body.name, ensure_ascii=False)}:\n"
        f"    mass: {_yaml_number(inertial.mass)}\n"
        f"    origin: {{xyz: [{xyz}], rpy: [0.0, 0.0, 0.0]}}\n"
        f"    inertia: {{{tensor}}}\n"
    )


def _yaml_number(number: float) -> str:
    """Return a number with a point: without one, 1e-05 is a text in YAML 1.1."""
    mantissa, mark, exponent = repr(number + 0.0).partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{mark}{exponent}"
