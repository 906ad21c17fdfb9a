# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws where a mesh is faulty: edges of holes, and faces, in the colour of the finding that counts them."""

from __future__ import annotations

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...core.arrays import FloatArray
from ..colors import ERROR, WARNING
from ..live.faulty_search import FaultyPart
from . import shaders
from .camera import Camera

EDGE, RIM = 2.6, 5.0
"""Width of an edge, and of the dark line below it: it is to be seen on any ground [interface px]."""

FACE = 0.45
"""Opacity of a face."""

DARK = (0.0, 0.0, 0.0, 0.75)

BEHIND = 0.3
"""How much is left of what lies behind a surface: the user has to find it."""

NEARER = 2e-3
"""By what share of its distance all is drawn nearer than the mesh itself, to be seen upon it."""


class FaultyMarks:
    """The places of one finding on the GPU: the same for every camera, and wherever the part goes."""

    def __init__(self, part: FaultyPart) -> None:
        self.part = part
        places = part.places
        self._edges = self._faces = None
        if len(places.edges):
            self._edges = batch_for_shader(shaders.lines(), "LINES", {"pos": places.edges.reshape(-1, 3)})
        if len(places.faces):
            self._faces = batch_for_shader(shaders.faces(), "TRIS", {"pos": places.faces.reshape(-1, 3)})

    def moved_to(self, part: FaultyPart) -> FaultyMarks:
        """Return the same marks on a part with another pose."""
        moved = object.__new__(FaultyMarks)
        moved.__dict__.update(self.__dict__, part=part)
        return moved

    def draw(self, camera: Camera, metres_per_unit: float, in_front: bool = False) -> None:
        """Draw into the framebuffer that is bound; blending and depth are as `Drawing` sets them."""
        with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            gpu.matrix.load_matrix(Matrix(self._to_camera(camera, metres_per_unit)))
            gpu.matrix.load_projection_matrix(Matrix(camera.projection))
            if in_front:
                self._draw(camera, "NONE", 1.0)
            else:
                self._draw(camera, "GREATER", BEHIND)
                self._draw(camera, "LESS_EQUAL", 1.0)
        gpu.state.depth_test_set("NONE")

    def _draw(self, camera: Camera, test: str, share: float) -> None:
        gpu.state.depth_test_set(test)
        color = ERROR if self.part.severity == "error" else WARNING
        if self._faces is not None:
            shader = shaders.faces()
            shader.bind()
            shader.uniform_float("color", (*color, FACE * share))
            self._faces.draw(shader)
        if self._edges is not None:
            shader = shaders.lines()
            shader.bind()
            shader.uniform_float("viewportSize", (camera.width, camera.height))
            for width, ink in ((RIM, DARK), (EDGE, (*color, 1.0))):
                shader.uniform_float("lineWidth", width * camera.scale)
                shader.uniform_float("color", (*ink[:3], ink[3] * share))
                self._edges.draw(shader)

    def _to_camera(self, camera: Camera, metres_per_unit: float) -> FloatArray:
        """Return the map (4, 4) from the places to the camera, a little nearer than they are."""
        part = self.part
        placed = np.eye(4)
        placed[:3, :3] = part.pose.R @ part.stretch / metres_per_unit
        placed[:3, 3] = (part.pose.R @ (part.stretch @ part.places.middle) + part.pose.p) / metres_per_unit
        to_camera: FloatArray = camera.view @ placed
        if camera.projection[3, 3] == 0.0:  # about the eye: nothing moves on the screen
            to_camera[:3] *= 1.0 - NEARER
        else:
            to_camera[2, 3] += NEARER * float(np.abs(to_camera[:3, 3]).max())
        return to_camera
