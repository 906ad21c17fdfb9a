# SPDX-License-Identifier: Apache-2.0
"""A robot's scene as one HTML file. It needs no network, and its policy allows no other script than its own."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files

from ..errors import counts_text
from ..escapes import without_infinite
from ..units import number_text
from ..version import version
from .drawn_meshes import DrawnMeshes
from .page_data import page_data, parts_of
from .robot_scene import RobotScene
from .tables import engine_table, finding_list, joint_sliders, link_rows, number_tables, text, total_row

SCRIPTS = ("scene.js", "labels.js", "page.js")

_LICENCE = re.compile(r"^.*SPDX-License-Identifier.*\n", re.MULTILINE)
_MARK = re.compile(r"\{\{(\w+)\}\}")


def page_html(scene: RobotScene) -> str:
    """Return the page of a scene; the same scene gives the same text."""
    parts = parts_of(scene)
    meshes = DrawnMeshes(part.surface for part in parts)
    style, library = asset("page.css"), asset("three.min.js")
    script = "\n".join(map(asset, SCRIPTS))
    data = json.dumps(
        without_infinite(page_data(scene, meshes)), allow_nan=False, ensure_ascii=True, separators=(",", ":")
    )
    has_visuals = any(link.visuals for link in scene.links)
    return filled(
        asset("page.html"),
        {
            "title": text(scene.title),
            "file": text(scene.file),
            "version": text(version()),
            "summary": _summary(scene),
            "rows": link_rows(scene),
            "total": total_row(scene),
            "notes": _notes(scene, meshes),
            "numbers": number_tables(scene),
            "engines": engine_table(scene),
            "count": str(len(scene.findings)) if scene.findings else "",
            "findings": finding_list(scene),
            "joints": joint_sliders(scene),
            "visuals": " checked" if has_visuals else " disabled",
            "collisions": _checked(scene, has_visuals),
            "data": data.replace("<", "\\u003c"),  # so that no text ends the script
            "style": style,
            "library": library,
            "script": script,
            "style_hash": digest(style),
            "script_hashes": " ".join(f"'sha256-{digest(source)}'" for source in (library, script)),
        },
    )


def asset(name: str) -> str:
    """Return the text of a file that pages are made of, without its licence: a page is under that of its robot."""
    return _LICENCE.sub("", files(__package__).joinpath(name).read_text(encoding="utf-8"))


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a template with values for its marks; marks in the values are text."""
    return _MARK.sub(lambda mark: values[mark[1]], template)


def digest(content: str) -> str:
    """Return what a content security policy names an inline script or style by."""
    return b64encode(sha256(content.encode()).digest()).decode()


def _summary(scene: RobotScene) -> str:
    links = sum(link.listed for link in scene.links)
    mass = "" if scene.total is None else f"{number_text(scene.total.mass)} kg"
    mass += f" of {scene.counted} · " if " (" in scene.counted and mass else " · " if mass else ""
    head = escape(f"{scene.file} · {links} link{'s' * (links != 1)} · {mass}")
    counts = counts_text(scene_finding.finding.severity for scene_finding in scene.findings) or "no errors or warnings"
    return f'{head}<a href="#findings">{counts}</a>'


def _notes(scene: RobotScene, meshes: DrawnMeshes) -> str:
    notes = []
    if not any(link.is_mesh for link in scene.links):
        notes.append("Published is what the file says; computed is what follows from the geometry.")
    if total_row(scene):
        notes.append("Centres are in the frames of the links; that of the total in the world, all joints at 0.")
    if meshes.after < meshes.before:
        notes.append(
            f"Meshes are simplified for display, from {meshes.before:,} to {meshes.after:,} triangles;"
            " the numbers are those of the full meshes."
        )
    return " ".join(notes)


def _checked(scene: RobotScene, has_visuals: bool) -> str:
    if not any(link.collisions for link in scene.links):
        return " disabled"
    return "" if has_visuals else " checked"
