# SPDX-License-Identifier: GPL-3.0-or-later
"""What reading a mesh file costs stays within the limits of its format.

`python -m tests.core.files.test_limits` prints what was measured; docs/security.md has it.
"""

import json
import multiprocessing
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from core.errors import InertiaError
from core.files import limits
from core.files.gltf_file import read_gltf
from core.files.limits import FORMATS, FREE_UNPACKED, LIMITS, MIB, REPEATED_MEMORY
from core.files.mesh_file import load_surface
from tests.thorough import sample

from .dense_meshes import BOMBS, CHAIN, DENSE, PLACED, dae, glb, triangles
from .dense_meshes import POINTS as POINTS_TEXT
from .test_hostile_meshes import FACES, POINTS, gltf

SIZE = 3_000_000
"""Bytes of a dense file: much more than a reader needs for any file."""

SMALL = 16 * MIB
"""Memory that a reader may need for any file [bytes]."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="VmHWM is Linux's")


def highest():
    """Return the most memory that this process has had so far [bytes]."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def read(path):
    """Read a file in a process of its own; return the memory that it took [bytes], and the error if it was refused."""
    load_surface(written(path.with_name("first" + path.suffix), DENSE[FIRST[path.suffix]](3000)))  # imports libraries
    here, there = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_read, args=(path, there))
    child.start()
    there.close()
    answer = here.recv()
    child.join()
    return answer


def _read(path, pipe):
    before, error = highest(), None
    try:
        load_surface(path)
    except InertiaError as refused:
        error = (refused.code, refused.subject)
    pipe.send((highest() - before, error))


FIRST = {Path(name).suffix: name for name in DENSE}


def written(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_each_format_has_limits_and_dense_files():
    assert set(FIRST) | {".gltf"} == set(FORMATS) == set(LIMITS)


@linux
@pytest.mark.fault(134)
@pytest.mark.parametrize("name", sample(sorted(DENSE), 6))
def test_the_densest_file_takes_no_more_memory_than_its_limit(name, tmp_path):
    path = written(tmp_path / name, DENSE[name](SIZE))
    used, _ = read(path)
    assert SIZE / 10 < used <= LIMITS[path.suffix].memory * SIZE + SMALL


@linux
@pytest.mark.fault(134, 135)
@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_that_stands_for_a_huge_one_is_refused(name, tmp_path):
    path = written(tmp_path / name, BOMBS[name]())
    used, (code, subject) = read(path)
    assert code == ("unreadable_file" if name in ("unpacked.3mf", "corners.dae") else "file_too_large")
    assert subject.startswith(str(path))
    assert used < FREE_UNPACKED + LIMITS[path.suffix].memory * path.stat().st_size


@linux
@pytest.mark.fault(134)
def test_what_may_be_repeated_takes_no_more_memory_than_its_limit(tmp_path):
    files = {
        "a.glb": glb(99_000, 3, nodes=[{"mesh": 0}] * 100),
        "a.dae": dae("0 0 0 " * 9900, 9900, triangles("0 1 2 ", 1), PLACED * 1000),
    }
    for name, data in files.items():
        used, error = read(written(tmp_path / name, data))
        assert error is None and 100 * MIB < used < REPEATED_MEMORY


@pytest.mark.fault(135)
def test_a_chain_of_3000_nodes_is_placed_one_after_the_other(tmp_path):
    step = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0, 0, 1]  # half a metre along x
    nodes = [{**node, "matrix": step} for node in CHAIN]
    pieces = read_gltf(tmp_path / "a.glb", glb(3, 3, nodes=nodes), ()).pieces
    assert len(pieces) == 3000
    at = sorted(piece.surface.vertices[0, 0] for piece in pieces)
    assert np.array_equal(at, 0.5 * np.arange(1, 3001))


@pytest.mark.fault(135)
def test_nodes_of_a_library_may_stand_before_those_that_they_place(tmp_path):
    place = '<instance_node url="#n{}"/>'
    nodes = "".join(f'<node id="n{i}">{place.format(i + 1)}</node>' for i in range(2000))
    library = f'<library_nodes>{nodes}<node id="n2000">{PLACED}</node></library_nodes>'
    path = written(tmp_path / "a.dae", dae(POINTS_TEXT, 3, triangles("0 1 2 ", 1), place.format(0), library))
    begun = time.process_time()
    assert len(load_surface(path)[0].triangles) == 1
    assert time.process_time() - begun < 30.0  # pycollada alone takes minutes


def test_files_beside_a_mesh_have_one_limit_together(tmp_path, monkeypatch):
    data = POINTS.tobytes() + FACES.tobytes()
    (tmp_path / "a.bin").write_bytes(data)
    one = gltf("a.bin")
    path = tmp_path / "mesh.gltf"
    path.write_text(json.dumps(one))
    size = len(data) + path.stat().st_size + 200
    monkeypatch.setitem(limits.LIMITS, ".gltf", limits.Limits(size, 1))
    assert len(load_surface(path)[0].triangles) == 4
    path.write_text(json.dumps({**one, "buffers": one["buffers"] * 20}))
    with pytest.raises(InertiaError, match="file_too_large"):
        load_surface(path)


def measured():
    """Print the memory for each dense file, per byte of the file, next to its limit."""
    with TemporaryDirectory() as folder:
        for name, dense in DENSE.items():
            data = dense(8_000_000)
            path = written(Path(folder, name), data)
            used, error = read(path)
            limit = LIMITS[path.suffix].memory
            print(f"{name:14} {used / len(data):5.1f} of {limit:3} bytes per byte; {error[0] if error else 'read'}")


if __name__ == "__main__":
    measured()
