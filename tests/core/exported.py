# SPDX-License-Identifier: GPL-3.0-or-later
"""Small models, the files that an export of them writes, and what stands in these."""

from pathlib import Path

import numpy as np
from lxml import etree

from core.body.pose import Pose
from core.formats.package import Target, write_model
from core.judge.geometry.resolve_model import resolve_model
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh, Model

VERTICES = np.array([(0, 0, 0), (1.5, 0.125, 0), (0.25, 1, 0.125), (0.125, 0.25, 0.75)])


TRIANGLES = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])


def wedge(inside_out=False):
    return Surface(VERTICES, TRIANGLES[:, ::-1] if inside_out else TRIANGLES)


def model_of(*links, name="model"):
    """Return a model; a link is its name and the meshes of its collisions by name."""
    return Model(
        name,
        tuple(
            Link(
                link,
                density=1000.0,
                collisions=tuple(
                    Collision(part, Pose(np.eye(3), (i, 0, 0)), mesh) for i, (part, mesh) in enumerate(parts.items())
                ),
            )
            for link, parts in links
        ),
    )


def write(model, target, **options):
    if isinstance(target, Path):
        target = Target.of(target, model.name)
    return write_model(model, resolve_model(model), target, **options).file


def scaled(x, surface=None):
    return Mesh(surface or wedge(), np.diag([x, 1.0, 1.0]))


def uris(sdf):
    return [uri.text for uri in etree.fromstring(sdf.read_bytes()).iter("uri")]


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
