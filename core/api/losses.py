# SPDX-License-Identifier: Apache-2.0
"""What a new file lacks of the one that it is made from: an import's findings, in the words of a conversion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..errors import Finding, Severity
from ..findings.message import Message
from ..formats.robot_file import NAMED
from ..units import listed_text


class Grouped(NamedTuple):
    """How many findings of a form become one: its severity, the value that is a name, and one that must be equal."""

    severity: Severity
    name: str
    equal: str = ""


GROUPED = {
    "joint": Grouped("error", "joint", "kind"),
    "loop": Grouped("error", "joint"),
    "closes_loop": Grouped("error", "joint"),
    "fixed_point": Grouped("info", "link"),
    "frame": Grouped("warning", "frame"),
    "revolute2": Grouped("warning", "joint"),
}
"""By forms of ``not_converted``, which ``not_imported`` has, too, but for a loop that a writer leaves open."""

SINGLE = ("elements", "mimic", "floating", "second_axis", "world", "world_joints")
"""Other forms that both have."""

LOOPS = {"not_in_urdf": "second_parent", "not_in_mjcf": "loop", "not_in_usd": "loop"}
"""Forms of writers' warnings about a joint that they leave out, because it closes a loop."""


def losses(name: str, findings: Iterable[Finding], new_format: str) -> Iterator[Finding]:
    """Yield the findings about a model of this name, those of an import as what the new file lacks.

    A joint that the new file lacks is an error. Links that have no joint because of that are not reported.
    """
    groups: dict[tuple[str, Any], list[Finding]] = {}
    meshes: dict[str, Finding] = {}
    others: list[Finding] = []
    for finding in findings:
        form, values = finding.sentence.form, finding.sentence.values
        if finding.code == "not_imported" and form in GROUPED:
            groups.setdefault((form, values.get(GROUPED[form].equal)), []).append(finding)
        elif finding.code == "not_imported" and form == "lost_mesh" and (uri := _uri(values["reason"])):
            meshes.setdefault(uri, finding)
        elif finding.code in LOOPS and form == LOOPS[finding.code]:
            groups.setdefault(("closes_loop", None), []).append(finding)
        elif finding.code == "not_imported" and form in SINGLE:
            others.append(Finding.of(finding.severity, "not_converted", finding.subject, form, **values))
        else:
            others.append(finding)
    if len(meshes) == 1:
        yield from meshes.values()
    elif meshes:
        files = listed_text([uri.rpartition("/")[2] for uri in meshes], NAMED)
        first = next(iter(meshes))
        yield Finding.of("warning", "not_converted", name, "meshes", count=len(meshes), uri=first, names=files)
    lacks_joints = any(GROUPED[form].severity == "error" for form, _ in groups)
    for finding in others:
        if not (lacks_joints and finding.code == "not_in_urdf" and finding.sentence.form == "roots"):
            yield finding
    for (form, equal), same in groups.items():
        names = [finding.sentence.values[GROUPED[form].name] for finding in same]
        values = {
            "names": listed_text(names, NAMED),
            "count": len(same),
            "format": new_format,
            GROUPED[form].equal: equal,
        }
        subject = same[0].subject if len(same) == 1 else name
        yield Finding.of(GROUPED[form].severity, "not_converted", subject, form, **values)


def _uri(reason: Message) -> str:
    """Return the URI of a mesh that is not found; empty for another reason."""
    if reason.code == "uri_lookup":
        return str(reason.values.get("uri", "")).strip("'")  # it is quoted there
    return ""
