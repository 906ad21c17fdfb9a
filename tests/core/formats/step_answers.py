# SPDX-License-Identifier: GPL-3.0-or-later
"""What OpenCASCADE answered for the example, so that all above it is tried without it; `make record-cad` writes it."""

import json
from pathlib import Path

from core.formats.step import assembly
from tools.house import CHECKOUT

PATH = Path(__file__).with_name("step_answer.json")

ARM, BOM = CHECKOUT / "examples" / "cad" / "arm.step", CHECKOUT / "examples" / "cad" / "bom.csv"

TOLERANCE = 1e-3
"""Coarse: the file is small."""


def answer_as_recorded(monkeypatch):
    """Make the reader of STEP get the recorded answer, whatever file it reads."""
    answer = json.loads(PATH.read_text(encoding="utf-8"))
    monkeypatch.setattr(assembly, "_check_library", lambda _path: None)
    monkeypatch.setattr(assembly._child, "request", lambda *_: answer)
