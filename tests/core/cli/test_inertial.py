# SPDX-License-Identifier: GPL-3.0-or-later
"""``inertial`` writes one inertial from the text of a CAD system, or says what the text lacks."""

import io
import json
import re
import sys

import numpy as np
import pytest
from lxml import etree

from core.cli.main import main

from ..printed.cad_texts import far_body, fusion, german_solidworks, meshlab, solidworks

BODY = far_body(5)
IXY = BODY.tensor(BODY.center)[0, 1] / 1e9


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "part.txt"
    path.write_text(solidworks(BODY), encoding="utf-8")
    return path


def run(capsys, *words):
    status = main(["inertial", *map(str, words)])
    return status, *capsys.readouterr()


def test_the_inertial_is_written_for_each_format(text, capsys):
    read = {
        "sdf": lambda element: element.findtext("inertia/ixy"),
        "urdf": lambda element: element.find("inertia").get("ixy"),
        "mjcf": lambda element: element.get("fullinertia").split()[3],
    }
    for name, ixy in read.items():
        status, out, _ = run(capsys, "--from-text", text, "--format", name)
        assert status == 0
        assert float(ixy(etree.fromstring(out))) == pytest.approx(IXY, abs=1e-11), name
    assert run(capsys, "--from-text", text)[1] == run(capsys, "--from-text", text, "--format", "sdf")[1]


def test_what_was_taken_is_reported_unless_quiet(text, capsys):
    said = " ".join(run(capsys, "--from-text", text)[2].split())
    assert f"info: {text}: the tensor is 'Moments of inertia' about the centre of mass" in said
    assert "its products are +∫xy dm; they change their sign [printed_taken]" in said
    assert run(capsys, "--from-text", text, "-q")[2] == ""


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_a_text_is_read_in_the_encodings_of_windows(encoding, tmp_path, capsys):
    path = tmp_path / "part.txt"
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    path.write_bytes(mark + german_solidworks(BODY).replace("\n", "\r\n").encode(encoding))
    status, out, _ = run(capsys, "--from-text", path)
    assert status == 0
    assert float(etree.fromstring(out).findtext("inertia/ixy")) == pytest.approx(IXY, abs=1e-11)


def test_standard_input_gives_the_json_of_a_body(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(fusion(BODY).encode())))
    status, out, _ = run(capsys, "--from-text", "-", "--json")
    body = json.loads(out)
    assert status == 0 and body["schema"] == 1 and body["method"] == "manual"
    assert body["mass"] == pytest.approx(BODY.mass / 1e3, abs=1e-7)
    np.testing.assert_allclose(body["com"], BODY.center / 1e3, rtol=0, atol=1e-7)
    assert body["inertia"]["ixy"] == pytest.approx(IXY, abs=1e-11)
    assert [finding["code"] for finding in body["findings"]] == ["printed_taken"] * 2
    assert {finding["subject"] for finding in body["findings"]} == {"standard input"}


def test_a_refusal_says_what_is_missing(tmp_path, capsys):
    path = tmp_path / "mesh.txt"
    path.write_text(meshlab(BODY, 151234.5), encoding="utf-8")
    status, out, said = run(capsys, "--from-text", path, "--scale", "0.001")
    assert (status, out) == (1, "") and "Fix: give --mass KG or --density KG_M3" in said
    status, out, _ = run(capsys, "--from-text", path, "--json")
    assert status == 1 and json.loads(out)["mass"] is None
    status, out, _ = run(capsys, "--from-text", path, "--scale", "0.001", "--mass", str(BODY.mass / 1e3))
    assert status == 0
    assert float(etree.fromstring(out).findtext("inertia/ixy")) == pytest.approx(IXY, rel=1e-9)


def test_a_file_that_is_missing_is_named(tmp_path, capsys):
    status, out, said = run(capsys, "--from-text", tmp_path / "none.txt")
    assert (status, out) == (2, "") and "none.txt" in said and "[file_read]" in said


def test_a_mesh_in_another_unit_is_noticed_by_its_density(tmp_path, capsys):
    path = tmp_path / "mesh.txt"
    path.write_text(meshlab(BODY, 151234.5), encoding="utf-8")
    status, out, said = run(capsys, "--from-text", path, "--mass", "0.4", "--scale", "1")
    assert status == 0 and "[implied_density]" in said and "correct the mass or the scale" in said
    assert "implied_density" not in run(capsys, "--from-text", path, "--mass", "0.4", "--scale", "0.001")[2]


def test_no_command_for_robots_is_advised_for_a_text(text, capsys):
    text.write_text(re.sub(r"([IL]zz) = [\d.]+", r"\1 = 1.00", fusion(BODY).split("Moment of Inertia at Origin")[0]))
    status, _, said = run(capsys, "--from-text", text)
    assert status == 1 and "Fix: compute it from the geometry; or enter the tensor" in said
    assert "repair" not in said
