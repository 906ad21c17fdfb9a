# SPDX-License-Identifier: GPL-3.0-or-later
"""Small documents in `cases`, each with all that `check --strict --for gazebo` finds; many are judged by Drake too.

A row is "findings | name | document", which stands in place of the dots of the line "in ..." above it. That a link
without an inertial has SDFormat's default is left out of the findings.
"""

import re
from pathlib import Path

import pytest
from lxml import etree

from core.engines.table import ENGINES
from core.errors import Finding, InertiaError
from core.formats.table import read_robot_document
from core.judge.judge import judge_file
from core.sdf.xml.document import Document

from ..drake_inertia import complaints, refusal

FILES = sorted((Path(__file__).parent / "cases").glob("*.txt"))
FINDING = re.compile(r'(?P<what>[^",]+)(?: "(?P<said>[^"]*)")?(?:, |$)')
VERSIONS = re.compile(r"\{([\d.,]+)\}")


def cases(path):
    """Yield name, expected findings and text of each case in a file."""
    frame = "..."
    for line in path.read_text(encoding="utf-8").replace("\n    ", " ").splitlines():
        if line.startswith("in "):
            frame = line[3:]
        elif line and not line.startswith("#"):
            expected, name, content = (part.strip() for part in f"{line} ".split(" | "))
            findings = [] if expected == "-" else [match.groups() for match in FINDING.finditer(expected)]
            text = frame.replace("...", content)
            for version in (VERSIONS.findall(text) or [""])[0].split(","):
                yield f"{path.stem}: {name} {version}".strip(), findings, VERSIONS.sub(version, text)


CASES = {name: rest for path in FILES for name, *rest in cases(path)}


WITHOUT_ELEMENT = ("bad_xml", "doctype", "undeclared_prefix")
"""What is found before there are elements, and what stands for the whole file."""


def leads_to_an_element(subject, text):
    """Return True if a subject is the one line of a document and the path of an element in it."""
    place, _, path = subject.partition(" ")
    if "version='1.0'" in text:  # whose attributes are read as elements
        path = path.rpartition("/")[0]
    return place == "m.sdf:1" and etree.fromstring(text, etree.XMLParser(recover=True)).xpath(path)


def texts(stem):
    return {name: text for name, (_, text) in CASES.items() if name.startswith(f"{stem}: ")}


def found(text):
    """Return what is found in a document, a finding that is reported twice for one place only once."""
    try:
        file = read_robot_document(Document.parse(text.encode(), "m.sdf"))
    except InertiaError as error:
        return [error.finding()]
    findings = [*judge_file(file, strict=True), *ENGINES["gazebo"].view(file).findings]
    apart: dict[tuple, Finding] = {}
    for one in findings:
        apart.setdefault((one.severity, one.code, one.subject), one)
    return [one for one in apart.values() if one.code != "default_inertial"]


def shown(finding):
    """Return a finding as the rows have it: severity, code, libsdformat's first number, and the element."""
    element = re.sub(r"\[.*?\]", "", finding.subject).rpartition(" /")[2].rpartition("/")[2]
    number = f" {finding.sdf_codes[0]}" if finding.sdf_codes else ""
    return f"{finding.severity} {finding.code}{number}" + (f" at {element}" if " /" in finding.subject else "")


@pytest.mark.fault(37, 39, 50, 65, 93, 94, 95, 98, 108, 110, 144, 145)
@pytest.mark.every
@pytest.mark.parametrize("name", CASES)
def test_a_document_has_its_findings_and_no_others(name):
    expected, text = CASES[name]
    findings = found(text)
    assert [shown(one) for one in findings] == [what for what, _ in expected]
    for finding, (_, said) in zip(findings, expected, strict=True):
        assert not said or said in f"{finding.message}\n{finding.remedy}"
        assert finding.code in WITHOUT_ELEMENT or leads_to_an_element(finding.subject, text)
        assert not finding.sdf_codes or f"libsdformat: {finding.sdf_codes[0]} " in finding.text


def test_each_case_has_a_name_of_its_own():
    assert len(CASES) == sum(1 for path in FILES for _ in cases(path)) > 200


@pytest.mark.fault(94)
@pytest.mark.parametrize("stem", ["refused", "passed_through"])
def test_libsdformat_refuses_it(stem):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    assert [name for name, text in texts(stem).items() if not refusal(text)] == []


@pytest.mark.fault(94)
def test_libsdformat_takes_it():
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    assert [name for name, text in texts("taken").items() if "error: " in refusal(text)] == []


def test_drake_complains_of_an_inertial_and_replaces_it():
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    assert [name for name, text in texts("replaced_by_drake").items() if not complaints(text)] == []
