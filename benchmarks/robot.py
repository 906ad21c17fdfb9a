# SPDX-License-Identifier: GPL-3.0-or-later
"""Check a robot of thirty links with meshes, in multiples of what trimesh takes to load those meshes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import trimesh

from core import read_robot
from core.files.mesh_writers import MeshFormat, mesh_bytes
from core.formats.sdf.fill import fill
from core.formats.sdf.read import read_sdf
from core.mesh.surface import Surface

from .exact import torus
from .timing import interleaved

LINKS = 30
TRIANGLES = (500, 1_000, 2_000, 4_000, 8_000)
"""Of the links' meshes, in turn: what published robots have for collisions."""

TARGET = 2.0

FORMATS: dict[str, MeshFormat] = {"binary STL": "stl", "OBJ": "obj"}


def table() -> str:
    """Return the figures as Markdown."""
    text = "| 30 links, a mesh each | inertials | check | trimesh loads the meshes | ratio | as they stand | ratio |\n"
    text += "|---|---|---:|---:|---:|---:|---:|\n"
    for title, kind in FORMATS.items():
        with TemporaryDirectory() as name:
            files = _meshes(Path(name), kind)
            automatic, numbers = Path(name) / "auto.sdf", Path(name) / "numbers.sdf"
            automatic.write_text(robot(files), "utf-8")
            numbers.write_bytes(fill(read_sdf(automatic)).data)
            times = interleaved(
                {
                    "numbers": lambda path=numbers: _check(path),  # type: ignore[misc]
                    "auto": lambda path=automatic: _check(path),  # type: ignore[misc]
                    "loaded": lambda files=files: [trimesh.load(file) for file in files],  # type: ignore[misc]
                    "raw": lambda files=files: [trimesh.load(file, process=False) for file in files],  # type: ignore[misc]
                }
            )
        for inertials in ("numbers", "auto"):
            own, loaded, raw = times[inertials], times["loaded"], times["raw"]
            text += f"| {title} | {inertials} | {own * 1e3:.0f} ms | {loaded * 1e3:.0f} ms | {own / loaded:.2f} x"
            text += f" | {raw * 1e3:.0f} ms | {own / raw:.2f} x |\n"
    text += f"\nTarget: at most {TARGET:g} x. Meshes of {TRIANGLES[0]:,} to {TRIANGLES[-1]:,} triangles. Trimesh loads"
    text += " them as it does by default, which welds them, or as they stand. Of a link with numbers, a mesh's box is"
    text += " looked at, and more only in doubt; of one with auto, the mesh is diagnosed as `measure_mesh` does.\n"
    return text


def robot(files: list[Path]) -> str:
    """Return a robot of auto links, each with the mesh of a file."""
    links = "".join(
        f"    <link name='{file.stem}'>\n      <inertial auto='true'><density>2700</density></inertial>\n"
        f"      <collision name='c'><geometry><mesh><uri>{file.name}</uri></mesh></geometry></collision>\n    </link>\n"
        for file in files
    )
    return f"<sdf version='1.11'>\n  <model name='robot'>\n{links}  </model>\n</sdf>\n"


def _meshes(folder: Path, kind: MeshFormat) -> list[Path]:
    files = []
    for number in range(LINKS):
        vertices, triangles = torus(TRIANGLES[number % len(TRIANGLES)])
        file = folder / f"link_{number}.{kind}"
        file.write_bytes(mesh_bytes(Surface(vertices * (0.05 + 0.005 * number), triangles), kind))
        files.append(file)
    return files


def _check(path: Path) -> None:
    assert not read_robot(path).check(), "the robot is good"


if __name__ == "__main__":
    print(table())
