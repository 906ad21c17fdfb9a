# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten times the scene is about ten times the work: calls are counted, not timed."""

import bpy
import pytest

from ...core.work import calls
from ...thorough import many
from ..scenes import add, box_mesh, export, tag

pytestmark = pytest.mark.usefixtures("scene")

LARGE = many(10_000, 300)
AT_MOST = 13
"""Times the work: linear, and some room for what grows with a logarithm."""


def boxes(count):
    """Fill the scene with links of ten boxes each."""
    bpy.ops.wm.read_homefile(use_empty=True)
    mesh = box_mesh()
    for number in range(count // 10):
        link = tag(add(mesh, f"link{number}"), "link", "collision", use_density=True)
        for place in range(1, 10):
            tag(add(mesh, f"part{number}-{place}", link, location=(2 * place, 0, 0)), "collision")
    bpy.context.view_layer.update()


def test_exporting_ten_times_as_many_objects_is_ten_times_the_work(tmp_path):
    def work(count):
        boxes(count)
        written = []
        found = calls(lambda: written.append(export(tmp_path / str(count))))
        assert sum(len(link.collisions) for link in written[0].model.links) == count
        return found

    assert work(LARGE) <= AT_MOST * work(LARGE // 10)
