# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill an SDF world, in multiples of what Drake (libsdformat) takes to load the same file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

from core.files import write_whole
from core.sdf.fill import fill
from core.sdf.read import read_sdf

from .timing import interleaved

SIZES = (1_000, 10_000)
LINKS_PER_MODEL = 10
LINEAR = 1.2

SHAPES = (
    "<box><size>0.3 0.2 0.1</size></box>",
    "<cylinder><radius>0.05</radius><length>0.4</length></cylinder>",
    "<sphere><radius>0.07</radius></sphere>",
    "<capsule><radius>0.04</radius><length>0.3</length></capsule>",
    "<ellipsoid><radii>0.1 0.2 0.05</radii></ellipsoid>",
)


def table() -> str:
    """Return the figures as Markdown."""
    with TemporaryDirectory() as folder:
        worlds = {size: Path(folder) / f"{size}.sdf" for size in SIZES}
        ways: dict[str, Callable[[], object]] = {}
        for size, path in worlds.items():
            path.write_text(world(size), "utf-8")
            ways[f"fill {size}"] = lambda path=path: _fill(path)
            ways[f"Drake {size}"] = lambda path=path: _load(path)
        times = interleaved(ways, rounds=3)
    text = "| links | fill | Drake loads it | ratio |\n|---:|---:|---:|---:|\n"
    for size in SIZES:
        ours, theirs = times[f"fill {size}"], times[f"Drake {size}"]
        text += f"| {size:,} | {ours:.2f} s | {theirs:.2f} s | {ours / theirs:.2f} x |\n"
    small, large = SIZES
    growth = times[f"fill {large}"] / times[f"fill {small}"] / (large / small)
    text += (
        f"\nFrom {small:,} to {large:,} links the time per link grows {growth:.2f} x (target: at most {LINEAR:g} x).\n"
    )
    return text


def world(links: int) -> str:
    """Return a world of so many auto links, ten to a model, each with a visual and two collisions."""
    models = "".join(_model(number) for number in range(links // LINKS_PER_MODEL))
    return f'<?xml version="1.0"?>\n<sdf version="1.11">\n  <world name="w">\n{models}  </world>\n</sdf>\n'


def _model(number: int) -> str:
    links = ""
    for index in range(LINKS_PER_MODEL):
        first, second = (SHAPES[(number + index + shift) % len(SHAPES)] for shift in (0, 2))
        links += f"""      <link name="link_{index}">
        <pose>{number} 0 {index} 0.1 0.2 0.3</pose>
        <inertial auto="true">
          <density>{1000 + index}</density>
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
    write_whole(path.with_suffix(".filled"), changed.data)
    path.with_suffix(".filled").unlink()


def _load(path: Path) -> None:
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))


if __name__ == "__main__":
    print(table())
