# SPDX-License-Identifier: GPL-3.0-or-later
"""Box, sphere and the other solids of SDFormat, each in a class of its own.

docs/architecture.md lists what else a new shape needs.
"""

from .box import Box
from .capsule import Capsule
from .cone import Cone
from .cylinder import Cylinder
from .ellipsoid import Ellipsoid
from .shape import Shape
from .sphere import Sphere

SHAPES: dict[str, type[Shape]] = {shape.kind: shape for shape in (Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid)}
"""Shapes by their names in SDF, the simplest first: of two that fit a mesh equally well, the first is chosen."""

__all__ = ["SHAPES", "Box", "Capsule", "Cone", "Cylinder", "Ellipsoid", "Shape", "Sphere"]
