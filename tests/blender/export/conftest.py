# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples, exported as Drake can load them: each once, however many tests look at it."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def export_example(tmp_path_factory):
    """Return an example's model.sdf, exported in a mode of inertia, and its model in the report."""

    @cache
    def export(name, mode):
        out = tmp_path_factory.mktemp(f"{name}-{mode}")
        headless, blend = ROOT / "sdf_inertia_addon" / "headless.py", ROOT / "examples" / f"{name}.blend"
        report = out / "report.json"
        # With auto, Drake crashes on the relative URI of a mesh, and reads an absolute one.
        options = ("--output", out, "--report", report, "--inertia", mode, "--uri", "file")
        subprocess.run([sys.executable, headless, blend, *options], check=True, capture_output=True, timeout=120)
        (model,) = json.loads(report.read_text())["models"]
        return out / model["name"] / "model.sdf", model

    return export
