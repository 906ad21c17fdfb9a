# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of the panels, without layout: which facts, in which words and units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ...core.body.intervals import material_interval, mesh_interval
from ...core.errors import PART_REFUSED, WORST_FIRST, Finding, Severity
from ...core.findings.listed import title_of
from ...core.findings.remedy import remedy_for
from ...core.formats.simulators.gazebo_auto import GazeboAuto, gazebo_auto
from ...core.mesh.methods import METHODS
from ...core.robot.joints import free_links
from ...core.robot.part import Body, PartBody
from ...core.robot.resolve import LinkBody
from ...core.units import Units, change_text, density_text, error_text, mass_text, share_text, volume_text
from ..live import LiveLink, LiveModel
from ..live.model import CANCELLED, SCULPTED, WAITING, is_unfinished, shown_severity
from ..names import FIND_MESHES, JOINTS_FROM_HIERARCHY, SET_JOINT, TAG_COLLISION, TAG_LINK, TAG_MASS, TAG_VISUAL
from ..translations.words import iface_, n_, nn_, rpt_

FOUND_BY = {name: method.label for name, method in METHODS.items()} | {
    "exact": n_("Exact integral"),
    "union": n_("Union"),
    "primitive": n_("Closed form"),
    "manual": n_("Entered by hand"),
    "sum": n_("Sum of parts"),
    "none": n_("No inertial"),
}
"""How a number was found: by a method that is chosen, or by what stands in for it."""

MODES = {"auto": n_("Auto"), "filled": n_("Filled"), "manual": n_("Manual"), "none": n_("None")}
"""How a link is written, as the panel's choice has it."""

NAMES = ("Drake", "Gazebo")
"""Words that begin titles of findings and keep their capital; others have more capitals, or a hyphen: MuJoCo, MJCF."""

Facts = list[tuple[str, str]]


class Button(NamedTuple):
    """A button that a sentence names: its operator, its label if not the operator's own, and values of properties."""

    operator: str
    label: str = ""
    values: Mapping[str, Any] = {}


LINK, COLLISION, MASS, VISUAL = (
    Button(TAG_LINK, n_("Link"), {"own_collision": True}),
    Button(TAG_COLLISION, n_("Collision")),
    Button(TAG_MASS, n_("Mass")),
    Button(TAG_VISUAL, n_("Visual")),
)


JOIN = (Button(SET_JOINT), Button(JOINTS_FROM_HIERARCHY, n_("From Hierarchy"), {"everywhere": True}))


@dataclass(frozen=True)
class Remark:
    """A line with a sign in front: an icon's name of Blender's, the text, whether it is bad news, and its buttons.

    Beside its buttons `short` is enough, if there is one.
    """

    icon: str
    text: str
    alert: bool = False
    buttons: tuple[Button, ...] = ()
    short: str = ""


def wrapped(text: str, width: float, measure: Callable[[str], float] = len) -> list[str]:
    """Return a text in lines no wider than `width` as `measure` has it, unless a single word is; never none."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and measure(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def sentence(text: str) -> str:
    """Return a message with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def within_sentence(title: str) -> str:
    """Return a title in the user's language as part of a sentence: in English a small letter begins it, but not a name.

    German nouns keep their capitals.
    """
    shown, first = iface_(title), title.split()[0]
    is_name = first in NAMES or first[1:] != first[1:].lower() or first[1:2] == "-"
    return shown if is_name or shown != title else title[0].lower() + title[1:]


def in_words(finding: Finding, count: int = 1) -> str:
    """Return a finding in one line: subject, title, message and remedy; `count` findings that are alike share it."""
    link, _, part = finding.subject.partition("/")
    subject = link if link == part else finding.subject
    where = f"{and_more(subject, count)}: " if subject else ""
    remedy = f" {remedy_of(finding)}" if finding.remedy else ""
    return f"{where}{rpt_(title_of(finding.code))}. {message_of(finding)}{remedy}"


def message_of(finding: Finding) -> str:
    """Return the message of a finding as a sentence in the user's language."""
    return sentence(finding.sentence.translated(rpt_))


def remedy_of(finding: Finding) -> str:
    """Return what helps, in the words of Blender and the user's language; empty if nothing needs doing."""
    fix = finding.fix
    if fix == finding.sentence.remedy():
        fix = finding.sentence.remedy(rpt_)
    return sentence(remedy_for("blender", fix, rpt_)) if fix else ""


def and_more(subject: str, count: int) -> str:
    """Return the first subject of `count` findings, and that there are others."""
    return iface_("{name} and {count} more", name=subject, count=count - 1) if count > 1 else subject


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings once each, the worst first, without those that others explain or that are shown elsewhere."""
    shown = [finding for finding in findings if finding.code not in WAITING and finding.code != PART_REFUSED]
    return sorted(dict.fromkeys(shown), key=lambda finding: WORST_FIRST.index(finding.severity))


def cancelled(body: Body) -> bool:
    """Return True if computing a link's numbers was cancelled, so that the user has to ask again."""
    return any(finding.code == CANCELLED.code for finding in body.findings)


def waiting_text(body: Body) -> str:
    """Return why a stale link's numbers are out of date."""
    sculpted = any(finding.code == SCULPTED.code for finding in body.findings)
    return iface_("As before sculpting: leave sculpt mode") if sculpted else iface_("Computing…")


def counted(findings: Iterable[Finding]) -> list[tuple[Severity, int]]:
    """Return how many findings there are of each severity that there is, the worst first."""
    severities = [shown_severity(finding) for finding in findings]
    return [(severity, severities.count(severity)) for severity in WORST_FIRST if severity in severities]


def model_total(model: LiveModel, units: Units) -> str:
    """Return the mass of all links together, marked as old while any is computed; in words if there is no mass."""
    total = model.total()
    if total is not None:
        mass = mass_text(total.mass, units)
        return iface_("{mass} (old)", mass=mass) if model.stale else mass
    return iface_("incomplete") if model.links else ""


def method_text(body: Body) -> str:
    """Return the name of the method that gave a number."""
    return iface_(FOUND_BY.get(body.method, body.method))


def exactness(body: Body) -> str:
    """Return how exact a number is."""
    return iface_("as entered") if body.method == "manual" else error_text(body.error, iface_)


def sureness(link: LiveLink) -> str:
    """Return how exact a link's number is, or that it is being checked, or was not checked."""
    if link.checking:
        return iface_("Checking…")
    return iface_("not checked") if link.unchecked else exactness(link.body)


def method_and_exactness(body: Body) -> str:
    """Return the method that a number was found by, and how exact it is where the method does not say so."""
    implied = body.method in ("manual", "none") or (body.method == "exact" and body.error == 0.0)
    return method_text(body) if implied else f"{method_text(body)}, {exactness(body)}"


def link_facts(link: LiveLink, units: Units) -> Facts:
    """Return what is known of a link besides its tensor."""
    body = link.body
    facts = [(iface_("Method"), method_and_exactness(body))]
    if body.volume is not None:
        facts.insert(0, (iface_("Volume"), volume_text(body.volume, units)))
        if body.inertial is not None and body.volume > 0.0:
            mean = round(body.inertial.mass / body.volume, 1)
            facts.insert(1, (iface_("Mean Density"), density_text(mean)))
    return facts


def mass_facts(body: LinkBody, material: str, units: Units) -> Facts:
    """Return a link's mass and how far it may be off, a fact for each cause; nothing if no cause is known.

    `material` is that of all its parts, empty if they have several or none.
    """
    if body.inertial is None or (body.link is not None and (body.link.mass is not None or body.mode == "manual")):
        return []
    of_mesh = mesh_interval(body.inertial, body.error, body.error_inertia)
    of_material = material_interval(material)
    texts = [] if of_mesh is None or not of_mesh.mass else [iface_("± {share} (mesh)", share=share_text(of_mesh.mass))]
    if of_material is not None:
        texts.append(iface_("± {share} ({material})", share=share_text(of_material.mass), material=iface_(material)))
    names = (iface_("Mass"), "")
    first = [
        f"{mass_text(body.inertial.mass, units)} {text}" if number == 0 else text for number, text in enumerate(texts)
    ]
    return list(zip(names, first, strict=False))


def part_mass(part: PartBody, link: LiveLink, units: Units) -> str:
    """Return a part's mass, and its share of its link's."""
    if part.inertial is None:
        return iface_("refused")
    whole, mass = link.body.inertial, mass_text(part.inertial.mass, units)
    if whole is None or not whole.mass > 0.0 or len(link.body.parts) < 2:
        return mass
    return f"{mass}, {share_text(part.inertial.mass / whole.mass)}"


def part_facts(part: PartBody, units: Units) -> Facts:
    """Return what is known of a part besides its mass."""
    if part.volume is None:
        return []
    return [(iface_("Volume"), volume_text(part.volume, units)), (iface_("Method"), method_and_exactness(part))]


def inherited_density(part: PartBody | None, link_body: LinkBody) -> str:
    """Return which density applies to a part that has none of its own."""
    given = None if link_body.link is None else link_body.link.density
    if part is None or part.density is None:
        return iface_("As its link has it")
    density = density_text(part.density)
    if given is None:
        return iface_("{density}, SDFormat's default", density=density)
    return iface_("{density}, as {name} has it", density=density, name=link_body.name)


_gazebo: WeakKeyDictionary[LinkBody, GazeboAuto] = WeakKeyDictionary()


def gazebo_remark(body: LinkBody, units: Units) -> Remark | None:
    """Return what Gazebo makes of a link in AUTO; None if Gazebo does not compute the link."""
    if body not in _gazebo:
        auto = gazebo_auto(body)
        if auto is None:
            return None
        _gazebo[body] = auto
    auto = _gazebo[body]
    assert body.inertial is not None
    mass = body.inertial.mass
    if auto.kind == "same":
        return Remark("CHECKMARK", iface_("Gazebo computes the same"))
    if auto.kind == "refuses":
        return Remark("INFO", iface_("Gazebo would refuse it as Auto, so this number is written"))
    if auto.kind == "unknown" or auto.other is None:
        return Remark("INFO", iface_("Gazebo would compute another number, so this one is written"))
    other = mass_text(auto.other.mass, units)
    if auto.kind == "voxels":
        text = iface_("Gazebo computes this; voxels give {other}", other=_beside(auto.other.mass, mass, other))
        return Remark("INFO", text)
    text = n_("Gazebo would compute {other}, so this number is written")
    return Remark("INFO", iface_(text, other=_beside(auto.other.mass, mass, other)))


def _beside(value: float, mass: float, text: str) -> str:
    if abs(value - mass) <= 1e-6 * mass:
        return iface_("{mass} with another tensor", mass=text)
    return f"{text} ({change_text(value, mass, iface_)})"


def model_remarks(model: LiveModel, missing: int = 0) -> list[Remark]:
    """Return what is wrong with the model, besides its links; `missing` meshes were not found at import."""
    errors = [finding for finding in model.findings if finding.severity == "error"]
    remarks = [
        Remark("CANCEL", f"{finding.subject}: {message_of(finding)}", True)
        for finding in errors
        if finding.code != "no_link"
    ]
    alone = list(dict.fromkeys(finding.subject for finding in errors if finding.code == "no_link"))
    text = nn_(len(alone), "{count} part is in no link: {names}.", "{count} parts are in no link: {names}.")
    remarks += _counted("CANCEL", alone, text, n_("Parent each to a link"))
    falls_apart = any(finding.code == "free_links" for finding in model.findings)
    names = [link.body.name for link in model.links if falls_apart and not link.left_out]
    free = free_links(names, model.joints)
    text = nn_(len(free), "No joint holds {count} link: {names}.", "No joint holds {count} links: {names}.")
    remarks += _counted("ERROR", free, text, n_("Use Set Joint or Joints from Hierarchy"), *JOIN)
    return [*remarks, *missing_meshes(missing)]


def missing_meshes(count: int) -> list[Remark]:
    """Return a remark about so many meshes that were not found at import; none if there are none."""
    text = nn_(count, "{count} mesh is missing", "{count} meshes are missing")
    return [Remark("ERROR", iface_(text, count=count), buttons=(Button(FIND_MESHES),))] if count else []


def _counted(icon: str, names: Sequence[str], text: str, remedy: str, *buttons: Button) -> list[Remark]:
    """Return a remark about some links or parts and what helps; none if there are none."""
    if not names:
        return []
    sentence = iface_(text, count=len(names), names=first_of(names))
    short = "" if MASS in buttons else sentence  # what to select first is not on a button
    return [Remark(icon, f"{sentence} {iface_(remedy)}", icon == "CANCEL", buttons, short)]


def export_remarks(links: Sequence[LiveLink], draw_collisions: bool = True) -> list[Remark]:
    """Return what an export of a model's links will write, and what it leaves out."""
    modes = [link.body.mode for link in links if not link.body.refused]
    used = [mode for mode in MODES if mode in modes]
    counts = [f"{modes.count(mode)} {iface_(MODES[mode])}" if len(used) > 1 else iface_(MODES[mode]) for mode in used]
    remarks = []
    if counts:
        text = nn_(len(modes), "{count} link: {modes}", "{count} links: {modes}")
        remarks.append(Remark("CHECKMARK", iface_(text, count=len(modes), modes=", ".join(counts))))
    out = [link.body.name for link in links if link.left_out]
    if out and counts:
        remarks.append(Remark("INFO", iface_("Left out, since nothing is in it: {names}", names=first_of(out))))
    bad = [link for link in links if link.body.refused and not link.stale and not link.left_out]
    unfinished = [link.body.name for link in bad if is_unfinished(link.body)]
    text = nn_(len(unfinished), "{count} link without mass: {names}.", "{count} links without mass: {names}.")
    remarks += _counted("ERROR", unfinished, text, n_("Tag its solid parts as Collision or Mass"), COLLISION, MASS)
    unseen = [link.body.name for link in links if not link.body.refused and _is_unseen(link.body, draw_collisions)]
    text = nn_(len(unseen), "{count} link cannot be seen: {names}.", "{count} links cannot be seen: {names}.")
    remarks += _counted("ERROR", unseen, text, n_("Tag a visual"), VISUAL)
    refused = [link.body.name for link in bad if not is_unfinished(link.body)]
    text = nn_(len(refused), "{count} link with errors: {names}.", "{count} links with errors: {names}.")
    return remarks + _counted("CANCEL", refused, text, n_("Nothing is written, unless you choose to skip them"))


def _is_unseen(body: LinkBody, draw_collisions: bool) -> bool:
    """Return True if nothing of a link is drawn in the exported file."""
    link = body.link
    if link is None or (link.mode == "none" and not link.collisions):  # a frame
        return False
    return not (link.visuals or (draw_collisions and link.collisions))


def first_of(names: Sequence[str]) -> str:
    """Return the first three names, or two and how many more there are."""
    if len(names) <= 3:
        return ", ".join(names)
    return iface_("{name} and {count} more", name=", ".join(names[:2]), count=len(names) - 2)
