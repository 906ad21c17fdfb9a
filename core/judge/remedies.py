# SPDX-License-Identifier: Apache-2.0
"""Finds the command that each remedy names by trying it: the finding must go, or the remedy says why it stays."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..engines.agreed import agreed
from ..engines.known import view_of
from ..errors import Finding, InertiaError
from ..findings.remedy import OF_REPAIR, Remedy, remedy_for
from ..formats.robot_file import RobotFile
from .faults import find_faults
from .measured import RepairOptions
from .repair import RepairedLink, repair_file
from .verdict import MASS_SLIP, MISTAKES, OF_CODE, REPAIRED, TENSOR_SCALE, Plan, Verdict

TRIED_DENSITY = 1000.0
"""[kg/m³] in place of KG_M3, which the user has to give."""

OF_THE_CENTRE = ("not_uniform", "impossible_spread", "com_outside", "radius_of_gyration")
"""Reasons to leave a link that another centre of mass may remove."""


SLIPS = {"slip": MASS_SLIP, "rescale": TENSOR_SCALE}
"""Actions that only one word of ``--what`` carries out."""


class Item(NamedTuple):
    """A finding, and an action in its remedy."""

    finding: Finding
    action: str


class Way(NamedTuple):
    """Options of ``repair --in-place``, as words and as values."""

    words: tuple[str, ...]
    options: RepairOptions

    def does(self, item: Item) -> bool:
        """Return True if it carries out an action."""
        what = SLIPS.get(item.action)
        return what is None or what in self.options.what

    def adding(self, *words: str, **values: object) -> Way:
        return Way((*self.words, *words), replace(self.options, **values))  # type: ignore[arg-type]


class Trial(NamedTuple):
    """What a way does with the links: what is planned for each, and the codes of its findings afterwards."""

    links: Mapping[str, RepairedLink]
    codes: Mapping[str, frozenset[str]]

    def clears(self, name: str, item: Item) -> bool:
        """Return True if a link is changed, and the finding is gone."""
        repaired = self.links.get(name)
        return repaired is not None and repaired.new is not None and item.finding.code not in self.codes[name]


@dataclass(eq=False)
class Remedies:
    """The plans for the links of a file, and the commands for findings about them.

    Parameters
    ----------
    file : RobotFile
    verdicts : sequence of Verdict
        As `repair` judges, by the limits that are not strict.
    shown : sequence of Verdict
        Those whose findings are shown; the same, or the strict ones.
    """

    file: RobotFile
    verdicts: Sequence[Verdict]
    shown: Sequence[Verdict]
    plans: dict[str, Plan] = field(default_factory=dict)

    def planned(self) -> list[Verdict]:
        """Return the shown verdicts with their plans, and remedies that name the command that works."""
        wanted = {
            verdict.link.name: {
                Item(finding, action)
                for finding in verdict.findings
                if needs_command(finding)
                for action in OF_REPAIR.intersection(finding.actions)
            }
            for verdict in self.shown
        }
        repaired = {verdict.link.name for verdict in self.verdicts if verdict.chosen_by & REPAIRED}
        words = self.find({name: items for name, items in wanted.items() if items or name in repaired})
        planned = []
        for verdict in self.shown:
            name = verdict.link.name
            findings = tuple(self.worded(name, finding, words.get(name, {})) for finding in verdict.findings)
            planned.append(replace(verdict, findings=findings, plan=self.plans.get(name)))
        return planned

    def find(self, wanted: Mapping[str, set[Item]]) -> dict[str, dict[Item, tuple[str, ...]]]:
        """Return by the names of links the options after which each finding is gone; nothing for one that stays."""
        by_name = {verdict.link.name: verdict for verdict in self.verdicts}
        ways = {name: _ways(by_name[name], items) for name, items in wanted.items()}
        last_plans: dict[str, Plan | None] = {}
        open_items = {name: set(items) for name, items in wanted.items()}
        words: dict[str, dict[Item, tuple[str, ...]]] = {name: {} for name in wanted}
        while open_items:
            together: dict[tuple[str, ...], tuple[Way, set[str]]] = {}
            for name in [*open_items]:
                try:
                    way = ways[name].send(last_plans.get(name))
                    together.setdefault(way.words, (way, set()))[1].add(name)
                except StopIteration:
                    del open_items[name]
            for way, names in together.values():
                trial = self._tried(way, frozenset(names))
                for name in names:
                    gone = {item for item in open_items[name] if way.does(item) and trial.clears(name, item)}
                    last_plans[name] = self._note(name, trial.links.get(name), way.words)
                    words[name] |= dict.fromkeys(gone, way.words)
                    open_items[name] -= gone
                    if not open_items[name]:
                        del open_items[name]
        return words

    def worded(self, name: str, finding: Finding, words: Mapping[Item, tuple[str, ...]]) -> Finding:
        """Return a finding about a link whose remedy names the command with these options, or says why none helps."""
        remedy = finding.fix
        if OF_REPAIR.isdisjoint(remedy.actions):
            return finding
        known = {item.action: " ".join(options) for item, options in words.items() if item.finding == finding}
        others = remedy.without(OF_REPAIR - known.keys())
        if known and others:
            return replace(finding, fix=others.with_values(known))
        plan = self.plans.get(name)
        reason = _reason(plan)
        if plan is None and self.shown is not self.verdicts and finding.severity != "info":
            text = f"{others or remedy} (`repair` leaves it: only --strict reports it)"
            return replace(finding, fix=Remedy.plain(text))
        if reason is None or finding.severity == "info":
            return replace(finding, fix=others or Remedy.plain(remedy.text))
        text = others.text or remedy_for("repair", reason.fix) or remedy.text
        if reason.code != finding.code:
            text = f"{text} (`repair` leaves it: {reason.message})"
        return replace(finding, fix=Remedy.plain(text))

    def _tried(self, way: Way, names: frozenset[str]) -> Trial:
        """Carry a way out for these links, in memory."""
        repaired = repair_file(self.file, replace(way.options, links=names, included=True), self.verdicts)
        after: Sequence[Verdict] = repaired.after
        if self.shown is not self.verdicts and any(link.new is not None for link in repaired.links):
            after = find_faults(repaired.file, strict=True, known=self.shown)
        codes = {verdict.link.name: frozenset(finding.code for finding in verdict.findings) for verdict in after}
        return Trial({link.link.name: link for link in repaired.links}, codes)

    def _note(self, name: str, repaired: RepairedLink | None, words: tuple[str, ...]) -> Plan | None:
        """Keep the plan of the first way that changes a link, else of the first one; return that of this way."""
        if repaired is None:
            return None
        known = self.plans.get(name)
        if known is None or (known.new is None and repaired.new is not None):
            self.plans[name] = replace(repaired.plan, options=words)
        return repaired.plan


def engine_findings(file: RobotFile, engines: Iterable[str], verdicts: Sequence[Verdict]) -> list[Finding]:
    """Return what engines refuse or change in a file; each remedy names the command after which it is gone.

    A command after which the engine refuses the same link for another reason is not named.

    Parameters
    ----------
    engines : iterable of str
        Names in `ENGINES`.
    verdicts : sequence of Verdict
        On the links of the file, not strict.
    """
    repaired: dict[float | None, RobotFile | None] = {}  # by density: the same file for all engines
    return [finding for engine in engines for finding in _of_engine(file, engine, verdicts, repaired)]


def _of_engine(
    file: RobotFile, engine: str, verdicts: Sequence[Verdict], repaired: dict[float | None, RobotFile | None]
) -> list[Finding]:
    findings = view_of(engine, file).all_findings
    open_findings, known = {finding for finding in findings if needs_command(finding)}, {*map(_rule, findings)}
    remedies: dict[Finding, Remedy] = {}
    for action, words in (("compute", ""), ("compute", "--density KG_M3"), ("agree", engine)):
        if not open_findings:
            break
        density = TRIED_DENSITY if words else None
        if action == "agree":
            changed = _agreed(file, engine)
        else:
            if density not in repaired:
                repaired[density] = _repaired(file, verdicts, density)
            changed = repaired[density]
        if changed is None:
            continue
        after = view_of(engine, changed).all_findings
        rest = {_rule(finding) for finding in after}
        worse = {finding.subject for finding in after if finding.severity == "error" and _rule(finding) not in known}
        gone = {finding for finding in open_findings if _rule(finding) not in rest and finding.subject not in worse}
        named = f"{{{action}:{words}}}" if words else f"{{{action}}}"
        remedies |= {finding: Remedy(named, *finding.fix.without(OF_REPAIR).alternatives) for finding in gone}
        open_findings -= gone
    return [replace(finding, fix=remedies.get(finding, finding.fix.without(OF_REPAIR))) for finding in findings]


def _agreed(file: RobotFile, engine: str) -> RobotFile | None:
    """Return a file after `fill` for an engine, in memory; None if that refuses it."""
    try:
        return agreed(file, [engine]).file
    except InertiaError:
        return None


def _repaired(file: RobotFile, verdicts: Sequence[Verdict], density: float | None) -> RobotFile | None:
    """Return a file after `repair`, in memory; None if that refuses it."""
    try:
        return repair_file(file, RepairOptions(density=density, included=True), verdicts).file
    except InertiaError:
        return None


def _rule(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.sentence.form, finding.subject


def needs_command(finding: Finding) -> bool:
    """Return True if the remedy of a finding names an action of `repair`, which leaves infos as they are."""
    return finding.severity != "info" and not OF_REPAIR.isdisjoint(finding.actions)


def _ways(verdict: Verdict, items: set[Item]) -> Generator[Way, Plan | None, None]:
    """Yield the ways that may help against findings about a link, the one with the fewest options first.

    Each is sent the plan of the way before, whose reason shows what else may help.
    """
    chosen = verdict.chosen_by
    first = [Way((), RepairOptions())] if chosen & REPAIRED else []
    words = {SLIPS.get(action) or MISTAKES.get(finding.code) or OF_CODE.get(finding.code) for finding, action in items}
    named = sorted(word for word in words if word is not None and word in chosen and word not in REPAIRED)
    first += [Way(("--what", word), RepairOptions(frozenset({word}))) for word in named]
    for way in first:
        reason = _reason((yield way))
        if reason is not None and reason.code == "mass_unknown":
            way = way.adding("--density", "KG_M3", density=TRIED_DENSITY)
            reason = _reason((yield way))
        if reason is None or reason.code in OF_THE_CENTRE:
            yield way.adding("--com", "geometry", com="geometry")


def _reason(plan: Plan | None) -> Finding | None:
    """Return why a plan leaves a link as it is; None if it does not."""
    return plan.findings[0] if plan is not None and plan.new is None and plan.findings else None
