# SPDX-License-Identifier: Apache-2.0
"""Box, sphere and the other solids, each in a class of its own.

docs/architecture.md lists what else a new shape needs.
"""

from .box_ellipsoid import Box, Ellipsoid, Sphere
from .round import Capsule, Cone, Cylinder
from .shape import Shape

SHAPES: dict[str, type[Shape]] = {shape.kind: shape for shape in (Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid)}
"""Shapes by kind, the simplest first: of two that fit a mesh equally well, the first is chosen."""

__all__ = ["SHAPES", "Box", "Capsule", "Cone", "Cylinder", "Ellipsoid", "Shape", "Sphere"]
