# SPDX-License-Identifier: GPL-3.0-or-later
"""A damaged STEP file ends in a finding within its limits, and the process that asked for it lives on."""

import json
import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core import InertiaError, read_step
from core.cli.main import main
from core.formats.step import assembly
from core.formats.step.assembly import read_assembly

from . import step_files

DATA = Path(os.environ.get("SDF_INERTIA_DATA") or "../shared/data") / "robot_faults" / "cad"

shared = pytest.mark.skipif(not DATA.is_dir(), reason=f"there is no {DATA}")


@pytest.fixture
def sound(tmp_path):
    return step_files.write(step_files.nested(), tmp_path / "sound.step")


@shared
@pytest.mark.parametrize("name", ("segv_1", "hang_4", "dangling"))
def test_a_file_that_crashes_or_hangs_is_refused_and_the_next_is_read(name, sound):
    begun = time.monotonic()
    try:
        findings = read_step(DATA / f"{name}.step", density=1.0).findings
        assert any(finding.severity == "error" for finding in findings)
    except InertiaError as error:
        assert error.code in ("library_failed", "library_in_part") and error.subject.endswith(f"{name}.step")
    assert time.monotonic() - begun < 40.0
    assert len(read_assembly(sound).parts) == 3


def mutated(data, chosen):
    data = bytearray(data)
    for _ in range(chosen.randrange(1, 8)):
        place = chosen.randrange(200, len(data))
        kind = chosen.randrange(4)
        if kind == 0:
            data[place] = chosen.randrange(32, 127)
        elif kind == 1:
            del data[place : place + chosen.randrange(1, 200)]
        elif kind == 2:
            other = chosen.randrange(200, len(data))
            data[place : place + 30] = data[other : other + 30]
        else:
            digits = [spot for spot in range(place, min(place + 400, len(data))) if 48 <= data[spot] <= 57]
            for spot in digits[:2]:
                data[spot] = 48 + chosen.randrange(10)
    return bytes(data)


def test_mutated_files_end_in_numbers_or_a_finding(tmp_path, monkeypatch):
    """A tenth of them here; SDF_INERTIA_THOROUGH=1 for 300. Each has 5 s."""
    count = 300 if os.environ.get("SDF_INERTIA_THOROUGH") else 30
    monkeypatch.setattr(assembly._child, "limits", assembly._child.limits._replace(seconds=2.0))
    data, chosen, ended = step_files.write(step_files.nested(), tmp_path / "a.step").read_bytes(), random.Random(54), {}
    path = tmp_path / "m.step"
    for _ in range(count):
        path.write_bytes(mutated(data, chosen))
        try:
            robot = read_step(path, density=1000.0)
            result = "refused" if any(one.severity == "error" for one in robot.findings) else "read"
        except InertiaError as error:
            result = error.code
        ended[result] = ended.get(result, 0) + 1
    assert sum(ended.values()) == count and len(ended) > 1


def test_threads_share_one_process(sound):
    with ThreadPoolExecutor(4) as threads:
        masses = [robot.links["outer"].mass for robot in threads.map(lambda _: read_step(sound, density=1.0), range(8))]
    assert len(set(masses)) == 1


def test_too_many_parts_are_refused_before_they_are_listed(tmp_path, monkeypatch):
    """Assemblies that double in each level: 2^20 parts in a small file."""
    drawing = step_files.Drawing()
    label = drawing.part("part", step_files.box((0, 0, 0), (1, 2, 3)), step_files.GREY)
    for level in range(20):
        label = drawing.assembly(
            f"level {level}", (label, step_files.moved((2**level, 0, 0))), (label, step_files.moved())
        )
    path = step_files.write(drawing, tmp_path / "a.step")
    with pytest.raises(InertiaError) as caught:
        read_assembly(path)
    assert caught.value.code in ("bad_step", "library_failed", "library_in_part")


def test_the_process_opens_no_file(tmp_path):
    """A part that is in another file is an error by name, and that file is not opened."""
    data = step_files.part_file(tmp_path / "a.step", step_files.box((0, 0, 0), (1, 2, 3))).read_text()
    other = "#9001=DOCUMENT_FILE('secret.step','','',#9002,'','');\n#9002=DOCUMENT_TYPE('');\nENDSEC;\nEND-ISO"
    path = tmp_path / "b.step"
    path.write_text(data.replace("ENDSEC;\nEND-ISO", other))
    assert len(read_assembly(path).parts) == 1


def test_a_large_file_is_refused_unread(tmp_path, monkeypatch):
    path = tmp_path / "a.step"
    monkeypatch.setattr(assembly, "MAX_BYTES", 1000)
    path.write_bytes(b"ISO-10303-21;" * 100)
    with pytest.raises(InertiaError) as caught:
        read_assembly(path)
    assert caught.value.code == "file_too_large"


def test_a_batch_of_assemblies_resumes_by_all_that_was_read(tmp_path, sound):
    report, bom = tmp_path / "report.jsonl", tmp_path / "bom.csv"
    bom.write_text("Name,Material\nring,Steel\nblock,PLA\npin,Steel\n")
    words = ["batch", "report", str(sound), "--bom", str(bom), "--report", str(report), "--jobs", "1"]
    assert main(words) == 0
    first = masses_of(report)
    assert len(first) == 1 and main([*words, "--resume"]) == 0 and masses_of(report) == first
    bom.write_text("Name,Material\nring,PLA\nblock,PLA\npin,Steel\n")
    assert main([*words, "--resume"]) == 0
    assert masses_of(report)[-1] < first[0]


def masses_of(report):
    results = [json.loads(line)["result"] for line in report.read_text().splitlines()]
    return [result["models"][0]["links"][0]["mass"] for result in results]
