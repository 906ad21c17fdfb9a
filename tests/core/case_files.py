# SPDX-License-Identifier: GPL-3.0-or-later
"""Small documents in text files, each row with all that is found in one: `findings | name | document`.

A finding is its severity, its code, the simulator's first number if it has one, its element, and in quotes parts of its
message or remedy; "-" is none. Lines between the rows:

    in <sdf>...</sdf>          the documents of the rows below stand in place of the dots
    check --for gazebo         the command for the rows below, in place of `check --strict --for gazebo`
    $BALL = <sphere/>          a word that stands for a text in the lines below
    beside part.sdf: <sdf/>    a file that lies beside the documents of the file

{a,b} in a row stands for a case with each; a backslash begins a character as Python writes it.
"""

import codecs
import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from core import InertiaError, read_robot
from core.errors import Finding

FINDING = re.compile(r'([^",]+?)((?: "[^"]*")*)(?:, |$)')
PART = re.compile('"([^"]*)"')
CHOICES = re.compile(r"\{([^{}]*)\}")
CHARACTER = re.compile(r"\\(?:[nrtfv\\]|x[0-9a-f]{2}|u[0-9a-f]{4})")
WORD = re.compile(r"\$([A-Z]+)")
DEFINITION = re.compile(r"\$([A-Z]+) = (.*)")


@dataclass(frozen=True)
class Case:
    """A row: the expected findings are pairs of what is shown of one and parts of its text."""

    name: str
    expected: list[tuple[str, list[str]]]
    command: str
    text: str
    beside: dict[str, str]


def cases(path):
    """Yield the cases of a file of rows."""
    frame, command, words, beside = "...", "check --strict --for gazebo", {}, {}
    for line in path.read_text(encoding="utf-8").replace("\n    ", " ").splitlines():
        if definition := DEFINITION.fullmatch(line):
            words[definition[1]] = spelled_out(definition[2], words)
        elif line.startswith("in "):
            frame = line[3:]
        elif line.startswith(("check", "repair", "fill", "report")):
            command = line
        elif line.startswith("beside "):
            name, _, content = line[7:].partition(": ")
            beside[name] = spelled_out(content, words)
        elif line and not line.startswith("#"):
            expected, name, content = (part.strip(" ") for part in f"{line} ".split(" | ", 2))
            row = f"{expected} | {path.stem}: {name} | {frame.replace('...', content)}"
            for chosen, values in choices(row):
                expected, name, text = chosen.split(" | ", 2)
                findings = [] if expected == "-" else FINDING.findall(spelled_out(expected, words))
                name = name if "{" in row.split(" | ")[1] else f"{name} {values}".strip()
                findings = [(what, PART.findall(parts)) for what, parts in findings]
                yield Case(name, findings, command, spelled_out(text, words), beside)


def choices(row):
    """Yield a row with each of the texts between braces, and these."""
    groups = list(dict.fromkeys(CHOICES.findall(row)))
    for values in product(*(group.split(",") for group in groups)):
        chosen = row
        for group, value in zip(groups, values, strict=True):
            chosen = chosen.replace(f"{{{group}}}", value)
        yield chosen, " ".join(values)


def spelled_out(text, words):
    text = WORD.sub(lambda word: words[word[1]], text)
    return CHARACTER.sub(lambda match: codecs.decode(match[0], "unicode_escape"), text)


def by_name(folder):
    """Return the cases of all files of a folder by their names, which differ."""
    rows = [case for path in sorted(folder.glob("*.txt")) for case in cases(path)]
    named = {case.name: case for case in rows}
    assert len(named) == len(rows), "two cases have one name"
    return named


def findings_of(case):
    """Write the documents of a case into the working directory, and return what is found.

    What is reported twice of one place is there once; that a link has SDFormat's default is left out.
    """
    for name, text in case.beside.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    path = Path("robot.xml" if "<mujoco" in case.text else "m.sdf")
    path.write_bytes(case.text.encode())
    words = case.command.split()
    engines = words[words.index("--for") + 1 :] if "--for" in words else ()
    try:
        findings = [*read_robot(path).check(engines, "--strict" in words)]
    except InertiaError as error:
        findings = [error.finding()]
    apart: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        apart.setdefault((finding.severity, finding.code, finding.subject), finding)
    return [finding for finding in apart.values() if finding.code != "default_inertial"]


def shown(finding):
    """Return a finding as the rows have it."""
    element = re.sub(r"\[.*?\]", "", finding.subject).rpartition(" /")[2].rpartition("/")[2]
    number = f" {finding.sdf_codes[0]}" if finding.sdf_codes else ""
    return f"{finding.severity} {finding.code}{number}" + (f" at {element}" if " /" in finding.subject else "")


def check(case):
    """Assert that a case has its findings and no others, and return them."""
    findings = findings_of(case)
    assert [shown(finding) for finding in findings] == [what for what, _ in case.expected]
    for finding, (_, parts) in zip(findings, case.expected, strict=True):
        assert [part for part in parts if part not in f"{finding.message}\n{finding.remedy}"] == []
    return findings
