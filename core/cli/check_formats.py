# SPDX-License-Identifier: Apache-2.0
"""What ``check`` found, in the formats that scripts, forges and their dashboards read, and as a badge."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path, PurePath
from urllib.parse import quote
from xml.etree import ElementTree

from ..errors import WORST_FIRST, Finding, Severity, finding_lines, first_error
from ..escapes import for_log, for_markdown, for_sarif, for_terminal, for_workflow_data, for_workflow_property
from ..files.whole_files import write_atomic
from ..findings.listed import PAGE, REPOSITORY, listed, section_url, title_of
from ..findings.place import where_of
from ..robot.report import Json, finding_json, with_schema
from ..status import REFUSED
from ..version import version
from .checked import UNKNOWN, CheckedFile, lasting_subject, place_of
from .finding_text import sentence_of, short
from .running import STANDARD_OUTPUT, json_text

Format = Callable[[Sequence[CheckedFile]], str]

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

KINDS = ("good", "with warnings", "invalid", "not read")
"""Kinds of files that the summary counts."""

ROWS = 100
"""Findings that the summary lists."""

CELL = 500
"""Characters of a text in the summary. Escapes make at most six of one, so 100 rows of two texts stay below GitHub's
limit of 1 MiB."""


def as_json(files: Sequence[CheckedFile]) -> str:
    """One object with each finding of each file; also what ``--baseline`` reads."""
    return json_text(with_schema({"files": [{"file": str(file.path)} | file_json(file) for file in files]}))


def file_json(file: CheckedFile) -> Json:
    """Return the findings of a file, how many more are known, and what was counted and added up in it."""
    numbers = {"summary": file.summary, "total_mass": file.total}
    findings: Json = {"findings": [finding_json(finding) for finding in file.findings]}
    known: Json = {"known": file.known} if file.known else {}
    known |= {"read": False} if file.status in UNKNOWN else {}
    known |= {} if file.configuration is None else {"configuration": str(file.configuration)}
    known |= {} if file.engines is None else {"engines": file.engines.to_dict()}
    counted = {name: asdict(result) for name, result in numbers.items() if result is not None}
    return findings | known | counted


def as_github(files: Sequence[CheckedFile]) -> str:
    """Workflow commands of GitHub Actions, which show each finding at its line."""
    commands: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}
    lines = []
    for file in files:
        for finding in file.findings:
            name, line = place_of(finding, file.path)
            where = {"file": PurePath(name).as_posix(), "line": line, "title": title_of(finding.code)}
            given = ((key, for_workflow_property(str(value))) for key, value in where.items() if value is not None)
            properties = ",".join(f"{key}={value}" for key, value in given)
            lines.append(f"::{commands[finding.severity]} {properties}::{for_workflow_data(_said(finding))}")
        lines.append(for_log(f"{file.path}: {file.verdict}"))
    return "\n".join(lines)


def as_sarif(files: Sequence[CheckedFile]) -> str:
    """SARIF 2.1.0, which code scanning reads."""
    codes = sorted({finding.code for file in files for finding in file.findings})
    results = [_result(finding, file, codes) for file in files for finding in file.findings]
    rules = [_rule(code) for code in codes]
    driver = {"name": "SDF Inertia", "version": version(), "informationUri": REPOSITORY, "rules": rules}
    return json_text(
        {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    )


def as_junit(files: Sequence[CheckedFile]) -> str:
    """JUnit's XML: a suite for each file, a case for each kind of finding, failed where it is an error.

    What could not be read is an error of the case's, not a failure.
    """
    root = ElementTree.Element("testsuites", name="sdf-inertia check")
    counts = {"tests": 0, "failures": 0, "errors": 0}
    for file in files:
        name, wrong = for_terminal(str(file.path)), "failure" if file.status <= REFUSED else "error"
        suite = ElementTree.SubElement(root, "testsuite", name=name)
        by_code: dict[str, list[Finding]] = {}
        for finding in file.findings:
            by_code.setdefault(finding.code, []).append(finding)
        for code, findings in by_code.items():
            case = ElementTree.SubElement(suite, "testcase", classname=name, name=code)
            lines = "\n".join(map(for_terminal, finding_lines(findings)))
            if (first := first_error(findings)) is not None:
                message = for_terminal(sentence_of(first))  # colcon and GitLab's list show no more
                ElementTree.SubElement(case, wrong, type="error", message=message).text = lines
            else:
                ElementTree.SubElement(case, "system-out").text = lines
        if not by_code:
            ElementTree.SubElement(suite, "testcase", classname=name, name="no finding")
        counts_of_file = {"tests": len(suite)} | {
            f"{kind}s": len(suite.findall(f"testcase/{kind}")) for kind in ("failure", "error")
        }
        for what, count in counts_of_file.items():
            suite.set(what, str(count))
            counts[what] += count
    for what, count in counts.items():
        root.set(what, str(count))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


FORMATS: Mapping[str, Format] = {"json": as_json, "github": as_github, "sarif": as_sarif, "junit": as_junit}
"""Besides ``text``, which is printed file by file."""


def _said(finding: Finding) -> str:
    return f"{finding.text}. Fix: {finding.remedy}" if finding.remedy else finding.text


def _rule(code: str) -> Json:
    entry = listed().get(code)
    rule: Json = {"id": code, "shortDescription": {"text": title_of(code)}}
    if entry is not None:
        rule["fullDescription"] = {"text": entry.meaning}
        rule["help"] = {"text": f"{entry.remedy} ({PAGE}#{code})"}
        rule["helpUri"] = section_url(code)
    return rule


def _result(finding: Finding, file: CheckedFile, codes: Sequence[str]) -> Json:
    levels: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
    name, line = place_of(finding, file.path)
    place: Json = {"artifactLocation": {"uri": _uri(name)}}
    if line is not None:
        place["region"] = {"startLine": line}
    # What stays the same when lines are inserted above it.
    lasting = f"{_uri(name)} {finding.code} {lasting_subject(finding.subject)}".encode(errors="surrogatepass")
    result: Json = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": levels[finding.severity],
        "message": {"text": for_sarif(f"{finding.subject}: {_said(finding)}")},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"element/v1": sha256(lasting).hexdigest()},
    }
    if finding.sdf_codes:
        result["properties"] = {"sdf_codes": list(finding.sdf_codes)}
    return result


def _uri(name: str) -> str:
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def summary(files: Sequence[CheckedFile]) -> str:
    """Return the counts of the files and a table of the worst findings, as Markdown."""
    kinds = Counter(_kind(file) for file in files)
    known = sum(file.known for file in files)
    lines = [f"{len(files)} file{'s' * (len(files) != 1)}: "]
    lines[0] += ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind])
    lines[0] += f"; {known} known finding{'s' * (known > 1)}" if known else ""
    findings = [(finding, file.path) for file in files for finding in file.findings]
    findings.sort(key=lambda pair: WORST_FIRST.index(pair[0].severity))
    if findings:
        lines += ["", "| severity | finding | place | message |", "|---|---|---|---|"]
        lines += (_row(finding, path) for finding, path in findings[:ROWS])
    if len(findings) > ROWS:
        lines.append(f"| and {len(findings) - ROWS} more | | | |")
    return "\n".join(lines) + "\n"


def _kind(file: CheckedFile) -> str:
    good, doubtful, invalid, unread = KINDS
    if file.status in UNKNOWN:
        return unread
    if file.status == REFUSED:
        return invalid
    return doubtful if any(finding.severity == "warning" for finding in file.findings) else good


def _row(finding: Finding, path: Path) -> str:
    code = f"[{finding.code}]({section_url(finding.code)})" if finding.code in listed() else for_markdown(finding.code)
    where = short(path) if place_of(finding, path)[1] is None else where_of(short(finding.subject))
    place, message = (for_markdown(_cut(text)) for text in (where, finding.text))
    return f"| {finding.severity} | {code} | {place} | {message} |"


def _cut(text: str) -> str:
    return text if len(text) <= CELL else f"{text[:CELL]}…"


def badge(files: Sequence[CheckedFile]) -> Json:
    """Return the label, message and color of a badge, in the schema of endpoint badges.

    The color is red if a file has an error, even a known one, yellow if one has a warning, and grey if one could not be
    read.
    """
    summaries = [file.summary for file in files if file.summary is not None]
    links = sum(counts.links for counts in summaries)
    possible = sum(counts.possible for counts in summaries)
    agree = sum(counts.agree for counts in summaries)
    color = "brightgreen"
    if any(file.known or any(finding.severity == "warning" for finding in file.findings) for file in files):
        color = "yellow"
    if possible < links or any(file.status == REFUSED for file in files):
        color = "red"
    which = "all" if possible == links else f"{possible} of"
    message = f"{which} {links} inertials valid, {agree} match{'es' * (agree == 1)} geometry"
    if not links:
        message = "invalid" if color == "red" else "no links"
    unread = sum(file.status in UNKNOWN for file in files)
    if unread and color != "red":
        color, message = "lightgrey", f"{unread} file{'s' * (unread > 1)} not read"
    return {"schemaVersion": 1, "label": "inertia", "message": message, "color": color}


def write_badge(target: str, files: Sequence[CheckedFile]) -> None:
    """Write the badge to a file or to standard output; raises InertiaError or OSError if it cannot be written."""
    data = json.dumps(badge(files), ensure_ascii=False) + "\n"
    if target == STANDARD_OUTPUT:
        sys.stdout.write(data)
    else:
        write_atomic(Path(target), data.encode())
