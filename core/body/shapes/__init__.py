# SPDX-License-Identifier: GPL-3.0-or-later
"""Box, sphere and the other solids that SDFormat has a word for: all that is known of one is in its class.

What else a new one takes is in docs/architecture.md.
"""

from .box import Box
from .capsule import Capsule
from .cone import Cone
from .cylinder import Cylinder
from .ellipsoid import Ellipsoid
from .shape import Shape
from .sphere import Sphere

SHAPES: dict[str, type[Shape]] = {shape.kind: shape for shape in (Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid)}
"""By their names in SDF, the plainest first: of two that fit a mesh alike, the first is taken."""

__all__ = ["SHAPES", "Box", "Capsule", "Cone", "Cylinder", "Ellipsoid", "Shape", "Sphere"]
