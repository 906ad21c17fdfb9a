# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what OpenCASCADE answers for the example: `make record-cad`."""

from __future__ import annotations

import json

from core.formats.step import assembly
from tests.core.formats.step_answers import ARM, PATH, TOLERANCE


def answer() -> str:
    """Return the answer for the example as JSON, a line for each part and placement."""
    asked = {}
    request = assembly._child.request

    def noted(name, values, blobs=(), answers=()):
        asked["answer"] = request(name, values, blobs, answers)
        return asked["answer"]

    setattr(assembly._child, "request", noted)  # noqa: B010
    try:
        assembly.read_assembly(ARM, tolerance=TOLERANCE)
    finally:
        setattr(assembly._child, "request", request)  # noqa: B010
    rows = {
        name: [json.dumps(row) for row in value] if isinstance(value, list) else json.dumps(value)
        for name, value in asked["answer"].items()
    }
    texts = [
        f"{json.dumps(name)}: " + (row if isinstance(row, str) else "[\n" + ",\n".join(row) + "\n]")
        for name, row in rows.items()
    ]
    return "{\n" + ",\n".join(texts) + "\n}\n"


if __name__ == "__main__":
    PATH.write_text(answer(), encoding="utf-8")
