# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole list, by area and by code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from ..errors import Finding
from .entry import Area, Entry

PAGE = "docs/findings.md"
"""The list as a page; each code is the name of its section."""


@cache
def areas() -> tuple[Area, ...]:
    """Return the list by area. Its texts are loaded when they are first asked for: a start has no need of them."""
    from . import batch, body, doubt, element, file, frame, mesh, method, scene, simulator

    return (
        mesh.MESH,
        method.METHOD,
        body.BODY,
        doubt.DOUBT,
        scene.SCENE,
        simulator.SIMULATOR,
        file.FILE,
        batch.BATCH,
        element.ELEMENT,
        frame.FRAME,
    )


@cache
def listed() -> Mapping[str, Entry]:
    """Return the list by code. A calculator of the user's may give findings with codes that are not in it."""
    return {entry.code: entry for area in areas() for entry in area.entries}


def title_of(code: str) -> str:
    """Return what findings of a code are called; of one that is not listed, the code in words."""
    entry = listed().get(code)
    return code.replace("_", " ").capitalize() if entry is None else entry.title


def sections(findings: Iterable[Finding]) -> str:
    """Return where `PAGE` explains findings, such as ``docs/findings.md#open_mesh, #t_junction``; empty for none."""
    codes = dict.fromkeys(finding.code for finding in findings if finding.code in listed())
    return PAGE + ", ".join(f"#{code}" for code in codes) if codes else ""
