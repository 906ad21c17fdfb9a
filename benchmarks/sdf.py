# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill an SDF world, in multiples of what Drake (libsdformat) takes to load the same file."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, MultibodyPlant
from pydrake.systems.framework import DiagramBuilder

from core.files.whole_files import write_atomic
from core.formats.sdf.fill import fill
from core.formats.sdf.read import read_sdf

from . import hard_files, robot
from .timing import interleaved

SMALL, LARGE = 1_000, 10_000
LINEAR = 1.2
LAYOUTS = {"one link in each model": 1, "ten links in each model": 10, "one model": LARGE}

SHAPES = (
    "<box><size>0.3 0.2 0.1</size></box>",
    "<cylinder><radius>0.05</radius><length>0.4</length></cylinder>",
    "<sphere><radius>0.07</radius></sphere>",
    "<capsule><radius>0.04</radius><length>0.3</length></capsule>",
    "<ellipsoid><radii>0.1 0.2 0.05</radii></ellipsoid>",
)


def table() -> str:
    """Return the figures as Markdown."""
    text = "| world | links | fill | Drake, plant only | ratio | fill, per link, against 1,000 links |\n"
    text += "|---|---:|---:|---:|---:|---:|\n"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "world.sdf"
        for title, links_per_model in LAYOUTS.items():
            ours: dict[int, float] = {}
            for size in (SMALL, LARGE):
                path.write_text(world(size, links_per_model), "utf-8")
                times = interleaved({"fill": lambda: _fill(path), "Drake": lambda: _load(path)}, rounds=3)
                ours[size] = times["fill"] / size
                text += f"| {title} | {size:,} | {times['fill']:.2f} s | {times['Drake']:.2f} s"
                text += f" | {times['fill'] / times['Drake']:.2f} x | {ours[size] / ours[SMALL]:.2f} x |\n"
        path.write_text(world(SMALL, 10), "utf-8")
        start = perf_counter()
        _load(path, with_geometry=True)
        whole = perf_counter() - start
    text += f"\nTargets: at most 1 x of Drake, and {LINEAR:g} x from {SMALL:,} to {LARGE:,} links. Each link has two"
    text += " collisions and a visual. Medians of three rounds or more. Drake as it is used, with a scene graph for the"
    text += f" geometry, takes {whole:.1f} s"
    text += f" for {SMALL:,} links in models of ten; plant only, it skips all geometry but for its inertia.\n"
    text += "\n### Small files whose elements lean on each other\n\n" + hard_files.table()
    return text + "\n### Checking a robot with meshes against loading the meshes\n\n" + robot.table()


def world(links: int, links_per_model: int) -> str:
    """Return a world of so many auto links, each with a visual and two collisions."""
    per_model = min(links, links_per_model)
    models = "".join(_model(number, per_model) for number in range(links // per_model))
    return f'<?xml version="1.0"?>\n<sdf version="1.11">\n  <world name="w">\n{models}  </world>\n</sdf>\n'


def _model(number: int, size: int) -> str:
    links = ""
    for index in range(size):
        first, second = (SHAPES[(number + index + shift) % len(SHAPES)] for shift in (0, 2))
        links += f"""      <link name="link_{index}">
        <pose>{number} 0 {index} 0.1 0.2 0.3</pose>
        <inertial auto="true">
          <density>{1000 + index % 10}</density>
        </inertial>
        <collision name="a">
          <geometry>{first}</geometry>
        </collision>
        <collision name="b">
          <pose>0.1 0.2 0.3 0.5 0 {index}</pose>
          <geometry>{second}</geometry>
        </collision>
        <visual name="v">
          <geometry>{first}</geometry>
        </visual>
      </link>
"""
    return f'    <model name="model_{number}">\n{links}    </model>\n'


def _fill(path: Path) -> None:
    changed = fill(read_sdf(path))
    assert not changed.refused and all(link.done for link in changed.links)
    write_atomic(path.with_suffix(".filled"), changed.data)
    path.with_suffix(".filled").unlink()


def _load(path: Path, with_geometry: bool = False) -> None:
    builder = DiagramBuilder()
    plant = AddMultibodyPlantSceneGraph(builder, 0.0)[0] if with_geometry else MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))


if __name__ == "__main__":
    print(table())
