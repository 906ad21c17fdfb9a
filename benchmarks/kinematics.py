# SPDX-License-Identifier: GPL-3.0-or-later
"""Run where Drake is by `benchmarks.imports`: where Drake puts the links of robots, all joints at zero."""

from __future__ import annotations

import json
import sys

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant


def main() -> int:
    """Read robots of URDF by name as JSON, and print the poses of each one's links in its first link."""
    json.dump({name: _poses(text) for name, text in json.load(sys.stdin).items()}, sys.stdout)
    return 0


def _poses(text: str) -> dict[str, list[list[float]]] | None:
    """Return the pose of each link as a matrix (4, 4); None if Drake refuses the robot."""
    plant = MultibodyPlant(time_step=0.0)
    try:
        (robot,) = Parser(plant).AddModelsFromString(text, "urdf")
        plant.Finalize()
    except (RuntimeError, ValueError):
        return None
    context = plant.CreateDefaultContext()
    bodies = [plant.get_body(index) for index in plant.GetBodyIndices(robot)]
    frames = {body.name(): body.body_frame() for body in bodies}
    first = next(iter(frames.values()), plant.world_frame())
    return {name: frame.CalcPose(context, first).GetAsMatrix4().tolist() for name, frame in frames.items()}


if __name__ == "__main__":
    sys.exit(main())
