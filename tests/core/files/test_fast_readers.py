# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fast readers of OBJ, PLY and STL take is to the bit what the slow ones read; those read all others."""

from random import Random

import pytest

from core.errors import InertiaError
from core.files import obj_file, ply_file, stl_file
from core.files.mesh_store import load_mesh
from tools.fuzz.meshes import FORMATS

from ...thorough import many

FILES = many(500, 60)
"""Files of each kind: two thirds of them have faults of words, counts, fields and bytes."""


def refuse(*_):
    raise ValueError


FAST = {
    "obj": (obj_file, "_read_plain", lambda *_: None),
    "ply": (ply_file, "_alike", lambda *_: None),
    "stl": (stl_file, "_corners_of_facets", refuse),
}
"""The function of each module that is the fast way, and what makes it take nothing."""


def outcome(path):
    """Return all arrays of a file, or what it is refused by."""
    try:
        file = load_mesh(path, (path.parent,))
    except InertiaError as error:
        return str(error)
    surface = file.surface
    arrays = surface.vertices, surface.triangles, surface.quads
    return [*((array.dtype, array.shape, array.tobytes()) for array in arrays if array is not None), file.submeshes]


@pytest.mark.fault(57, 199)
@pytest.mark.parametrize("suffix", FAST)
def test_odd_files_are_read_as_by_the_slow_reader(suffix, tmp_path, monkeypatch):
    module, name, nothing = FAST[suffix]
    fast, taken = getattr(module, name), []
    path = tmp_path / f"mesh.{suffix}"

    def noted(*parameters):
        answer = fast(*parameters)
        taken.append(answer is not None)
        return answer

    read = 0
    for number in range(FILES):
        path.write_bytes(FORMATS[suffix](Random(f"fast:{number}")))
        monkeypatch.setattr(module, name, noted)
        quick = outcome(path)
        monkeypatch.setattr(module, name, nothing)
        assert quick == outcome(path), path.read_bytes()
        read += isinstance(quick, list)
    assert read > FILES / 5 and sum(taken) > FILES / 10
