# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents in `cases`, of SDF and URDF; Drake reads many of them too."""

from pathlib import Path

import pytest
from lxml import etree

from ...case_files import by_name, check
from ...drake_inertia import complaints, refusal

CASES = by_name(Path(__file__).parent / "cases")

WITHOUT_ELEMENT = ("bad_xml", "doctype", "undeclared_prefix")
"""What is found before there are elements, and what stands for the whole file."""


def leads_to_an_element(subject, text):
    """Return True if a subject is the one line of a document and the path of an element in it."""
    place, _, path = subject.partition(" ")
    if "version='1.0'" in text:  # whose attributes are read as elements
        path = path.rpartition("/")[0]
    return place == "m.sdf:1" and etree.fromstring(text, etree.XMLParser(recover=True)).xpath(path)


def texts(stem):
    return {name: case.text for name, case in CASES.items() if name.startswith(f"{stem}: ")}


@pytest.mark.fault(37, 39, 50, 54, 59, 60, 65, 82, 93, 94, 95, 96, 98, 99, 108, 110, 111, 144, 145, 147)
@pytest.mark.every
@pytest.mark.parametrize("name", CASES)
def test_a_document_has_its_findings_and_no_others(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for finding in check(CASES[name]):
        no_element = finding.code in WITHOUT_ELEMENT and finding.subject.startswith("m.sdf")
        assert no_element or leads_to_an_element(finding.subject, CASES[name].text)
        assert not finding.sdf_codes or f"libsdformat: {finding.sdf_codes[0]} " in finding.text


def test_there_are_hundreds_of_cases():
    assert len(CASES) > 400


@pytest.mark.fault(94)
@pytest.mark.parametrize("stem", ["refused", "passed_through", "not_xml"])
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
