# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/engines.md from the rules in core/engines and what the engines themselves gave: `make docs`."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[1]
PAGE = "docs/engines.md"
RECORDED = CHECKOUT / "tests" / "core" / "engines" / "recorded.json"
RULES = CHECKOUT / "core" / "engines"

TITLES = {
    "drake": "Drake",
    "mujoco": "MuJoCo",
    "pinocchio": "Pinocchio",
    "pybullet": "PyBullet",
    "pybullet-file": "PyBullet, inertia from file",
    "newton": "Newton",
}

HEAD = """\
<!-- Made by tools/engines_page.py from core/engines and tests/core/engines: edit those, then `make docs`. -->

# What each engine simulates

One URDF is not one robot: engines fill in what a file lacks, replace what no body can have, and some ignore a tensor
that is right. `--for` shows it for your own file, without any engine installed:

    sdf-inertia check --for mujoco,pybullet robot.urdf     # errors if one refuses it, warnings where one changes it
    sdf-inertia report --for gazebo,drake,mujoco,pinocchio,pybullet,pybullet-file,newton robot.urdf

Both print a table of the moving bodies: the links that fixed joints join, as one body in the frame of the first one.
Engines that agree share a row. With `--format json` it is under the key `engines`, and `--format html` and `view`
show it on the page; in Python it is `read_robot("robot.urdf").compare_engines()`. In Blender, the panel
[Engines](blender.md#engines) compares what an export would write.

In a URDF, `fill --for ENGINE,...` makes engines agree where no new number is needed: a link without inertial that fixed
joints hold to a link with mass gets an inertial of 0 kg, so that no engine makes one up. What needs numbers is for
`repair`; that PyBullet ignores tensors cannot be said in a URDF.

`pybullet-file` is PyBullet with the flag URDF_USE_INERTIA_FROM_FILE. Gazebo and Drake also read SDF; for the others
an SDF is not compared. The rules are for each engine's defaults: a URDF with options in `<mujoco>` other than
`strippath="false"` is not compared for MuJoCo. Numbers agree if they differ by less than 1e-5, since Newton computes
in float32. Bullet rounds the corners of a mesh from an .stl, so its moments may differ by 5e-4. Meshes are tested as
.obj and .stl. Gazebo's row follows libsdformat's source: there is no package to test it with, but Drake holds the
same library, and reads the same SDF.
"""

TABLE = """\
## What the engines give

What the engines themselves made of a link with one fault: the mass, and the largest moment about the centre of mass
[kg·m²]. `make record-engines` asks them again, and `make test-engines` compares the rules with them, in these cases and
on 300 generated robots. The files are in tests/engines/cases.py.
"""


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join([HEAD, TABLE, _table(json.loads(RECORDED.read_text(encoding="utf-8"))), _rules()])


def _table(recorded: dict[str, Any]) -> str:
    versions = recorded["versions"]
    head = ["URDF", *(f"{title} {versions[engine]}" for engine, title in TITLES.items())]
    rows = [head, ["---"] * len(head)]
    for name, engines in recorded["robots"].items():
        if not name.startswith("seed"):
            rows.append([name, *(_cell(engines, engine) for engine in TITLES)])
    of_sdf = [["SDF", head[1]], ["---", "---"], *(row[:2] for row in rows if row[0].startswith("sdf "))]
    of_urdf = [row for row in rows if not row[0].startswith("sdf ")]
    return "\n".join("".join(f"| {' | '.join(row)} |\n" for row in some) for some in (of_urdf, of_sdf))


def _cell(engines: dict[str, Any], engine: str) -> str:
    if engine not in engines:
        return ""
    if engines[engine] is None:
        return "refuses"
    numbers = engines[engine].get("body") or engines[engine].get("base")
    if numbers is None:
        return "does not move"
    mass, largest = numbers[0], max(numbers[4], numbers[7], numbers[9])
    return f"{mass:.4g} kg, {largest:.3g}"


def _rules() -> str:
    """Return the docstrings of the rules: those that begin with the name of their engine."""
    text = "## The rules\n"
    for name in ("gazebo", "drake", "mujoco", "pinocchio", "pybullet", "newton"):
        tree = ast.parse((RULES / f"{name}.py").read_text(encoding="utf-8"))
        title = TITLES.get(name, "Gazebo")
        texts = (ast.get_docstring(one) or "" for one in tree.body if isinstance(one, ast.FunctionDef))
        rules = [" ".join(one.split()) for one in texts if title in one.partition(".")[0]]
        text += f"\n### {title}\n\n" + "".join(f"* {one}\n" for one in rules)
    return text


if __name__ == "__main__":
    (CHECKOUT / PAGE).write_text(page(), encoding="utf-8")
