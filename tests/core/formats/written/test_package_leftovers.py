# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export that was killed or found no room leaves behind, and what the next one may remove."""

import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from core.files.whole_files import new_folder, write_atomic
from core.formats import package
from core.formats.package import Target, meshes_named_by, remove_unused_meshes
from core.mesh.surface import Surface

from ....thorough import many
from ...exported import contents, model_of, scaled, uris, write

fcntl = pytest.importorskip("fcntl", reason="no locks of POSIX here")

ANOTHER = multiprocessing.get_context("fork")
"""Processes that begin as copies of this one: what is imported need not be imported again."""


def export_until_killed(path, size, mesh_format):
    def dies(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    package.write_several_atomic = dies  # type: ignore[attr-defined]
    write(model_of(("link", {f"part{i}": scaled(size + i) for i in range(3)})), path, mesh_format=mesh_format)


def killed_export(path, size, mesh_format="obj"):
    run = ANOTHER.Process(target=export_until_killed, args=(path, size, mesh_format))
    run.start()
    run.join(timeout=60)
    assert run.exitcode == -signal.SIGKILL


def meshes(folder):
    return sorted(path.name for path in (folder / "meshes").iterdir())


@pytest.mark.parametrize("mesh_format", ["obj", "stl"])
def test_the_meshes_of_a_killed_export_go_with_the_next_of_any_kind(mesh_format, tmp_path):
    killed_export(tmp_path, 3.0, mesh_format)
    assert len(meshes(tmp_path / "model")) == 3
    sdf = write(model_of(("link", {"other": scaled(1.0)})), tmp_path)
    assert meshes(sdf.parent) == [Path(uri).name for uri in uris(sdf)]


def test_the_meshes_of_a_killed_export_go_even_if_the_next_writes_none(tmp_path):
    killed_export(tmp_path, 3.0)
    write(model_of(), tmp_path)
    assert meshes(tmp_path / "model") == []


def test_only_what_is_ours_and_named_by_no_file_of_a_robot_goes(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    first = write(model_of(("link", {"part": scaled(1.0)})), folder / "first.sdf")
    killed_export(tmp_path, 3.0)
    kept = {Path(uri).name for uri in uris(first)}
    left = [name for name in meshes(folder) if name not in kept]
    assert len(left) == 3
    (folder / "arm.urdf").write_text(f'<robot><mesh filename="package://model/meshes/{left[0]}"/></robot>')
    (folder / "world.sdf").write_bytes(f"<sdf><uri>meshes/{left[1]}</uri></sdf>".encode("utf-16"))
    theirs = {"hand-01234567.obj", "notes.txt", f"link-{left[2].rpartition('-')[2]}"}
    for name in theirs:
        if name.startswith("link"):  # to a mesh of ours
            (folder / "meshes" / name).symlink_to(left[2])
        else:
            (folder / "meshes" / name).write_text("theirs")
    write(model_of(("link", {"other": scaled(2.0)})), tmp_path)
    there = set(os.listdir(folder / "meshes"))
    assert kept | {left[0], left[1]} | theirs < there
    assert left[2] not in there


def test_nothing_goes_where_a_neighbour_cannot_be_read(tmp_path):
    killed_export(tmp_path, 3.0)
    huge = tmp_path / "model" / "world.sdf"
    with open(huge, "wb") as file:
        file.truncate(10 << 30)  # sparse
    write(model_of(("link", {"other": scaled(1.0)})), tmp_path)
    assert len(meshes(tmp_path / "model")) == 4


def exports(path, step, count):
    for i in range(count):
        parts = {f"part{j}": scaled(1.0 + (i * step + j) % 5) for j in range(3)}
        write(model_of(("link", parts)), path)


def test_exports_at_the_same_time_never_take_each_other_s_meshes(tmp_path):
    """The models have meshes in common, which one would remove as those of the former model."""
    runs = [ANOTHER.Process(target=exports, args=(tmp_path, step, many(25, 5))) for step in (1, 2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(timeout=120)
        assert run.exitcode == 0
    folder = tmp_path / "model"
    assert meshes(folder) == sorted({Path(uri).name for uri in uris(folder / "model.sdf")})
    assert sorted(os.listdir(folder)) == ["meshes", "model.config", "model.sdf"]


def test_an_export_waits_for_the_one_before_it(tmp_path):
    sdf = write(model_of(("link", {"part": scaled(1.0)})), tmp_path)
    before = contents(sdf.parent)
    run = ANOTHER.Process(target=exports, args=(tmp_path, 1, 2))
    held = os.open(sdf.parent, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        run.start()
        run.join(timeout=many(1.0, 0.2))
        assert run.is_alive()
        assert contents(sdf.parent) == before
        # The lock is of the open file, which the other process has as well: releasing it must be explicit.
        fcntl.flock(held, fcntl.LOCK_UN)
    finally:
        os.close(held)
    run.join(timeout=60)
    assert run.exitcode == 0
    assert contents(sdf.parent) != before


def test_an_export_goes_on_where_the_one_before_it_has_removed_the_folder(tmp_path):
    """As one does that was the first and failed."""
    folder = tmp_path / "model"
    folder.mkdir()
    run = ANOTHER.Process(target=exports, args=(tmp_path, 1, 1))
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        run.start()
        run.join(timeout=many(0.5, 0.2))
        assert run.is_alive() and os.listdir(folder) == []
        folder.rmdir()
        fcntl.flock(held, fcntl.LOCK_UN)
    finally:
        os.close(held)
    run.join(timeout=60)
    assert run.exitcode == 0
    assert len(meshes(folder)) == 3


# --- a full disk ----------------------------------------------------------------------------------------------------


@contextmanager
def small_disk(path, **options):
    """Mount a file system of this size [bytes], or skip."""
    path.mkdir()
    words = ",".join(f"{name}={value}" for name, value in options.items())
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", words, "tmpfs", str(path)], capture_output=True)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield path
    finally:
        subprocess.run(["umount", str(path)], check=True)


def ball(points):
    """Return a closed mesh of many triangles: a strip around a cylinder, and its caps."""
    angles = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(points)], axis=1)
    low, high = np.arange(points), np.arange(points) + points
    after = np.roll(low, -1)
    triangles = [*zip(low, after, high, strict=True), *zip(after, after + points, high, strict=True)]
    triangles += [(0, low[i + 1], low[i]) for i in range(1, points - 1)]
    triangles += [(points, high[i], high[i + 1]) for i in range(1, points - 1)]
    return Surface(np.concatenate([ring, ring + (0.0, 0.0, 1.0)]), np.array(triangles))


def too_large():
    """A model with one mesh that fits on a small disk, and one that does not."""
    return model_of(("link", {"small": scaled(1.0), "large": scaled(2.0, ball(800))}))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a tmpfs")
class TestAFullDisk:
    def test_a_first_export_leaves_nothing_of_itself(self, tmp_path):
        with small_disk(tmp_path / "disk", size="64k") as disk:
            with pytest.raises(OSError, match="No space left"):
                write(too_large(), disk / "new" / "folder")
            assert os.listdir(disk) == []
            write(model_of(("link", {"small": scaled(1.0)})), disk / "new" / "folder")
            assert len(meshes(disk / "new" / "folder" / "model")) == 1

    @pytest.mark.parametrize("inodes", range(2, 9))
    def test_wherever_it_comes_nothing_is_left(self, inodes, tmp_path):
        """No more room for names: the disk is full at the folder, at a mesh, at the config, at the SDF."""
        model = model_of(("link", {"small": scaled(1.0), "other": scaled(2.0)}))
        with small_disk(tmp_path / "disk", size="1m", nr_inodes=inodes) as disk:
            try:
                sdf = write(model, disk)
            except OSError:
                assert os.listdir(disk) == []
                assert inodes < 8
            else:
                assert inodes >= 7 and len(uris(sdf)) == 2

    def test_a_later_export_leaves_the_former_as_it_was(self, tmp_path):
        with small_disk(tmp_path / "disk", size="64k") as disk:
            write(model_of(("link", {"small": scaled(3.0)})), disk)
            before = contents(disk)
            assert len(before) == 3
            with pytest.raises(OSError, match="No space left"):
                write(too_large(), disk)
            assert contents(disk) == before

    def test_a_single_file_leaves_nothing_either(self, tmp_path):
        with small_disk(tmp_path / "disk", size="64k") as disk:
            for path in (disk / "report.json", disk / "new" / "folder" / "report.json"):
                with pytest.raises(OSError, match="No space left"), new_folder(path.parent):
                    write_atomic(path, bytes(200_000))
                assert os.listdir(disk) == []


def test_folders_that_hold_something_by_now_stay(tmp_path):
    with pytest.raises(KeyError), new_folder(tmp_path / "a" / "b" / "c"):
        (tmp_path / "a" / "theirs").write_text("theirs")
        raise KeyError
    assert contents(tmp_path) == {"a/theirs": b"theirs"}
    assert os.listdir(tmp_path / "a") == ["theirs"]


def test_a_link_where_the_meshes_go_is_followed(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "model" / "meshes").symlink_to(tmp_path / "there")
    sdf = write(model_of(("link", {"part": scaled(1.0)})), tmp_path)
    assert [path.name for path in (tmp_path / "there").iterdir()] == [Path(uri).name for uri in uris(sdf)]


@pytest.mark.parametrize("what", ["fifo", "file", "dangling"])
def test_a_meshes_that_is_no_folder_is_refused_by_name(what, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    {
        "fifo": os.mkfifo,
        "file": lambda path: path.write_text("theirs"),
        "dangling": lambda path: path.symlink_to("nowhere"),
    }[what](folder / "meshes")
    with pytest.raises(OSError) as refusal:
        write(model_of(("link", {"part": scaled(1.0)})), Target(folder))
    assert refusal.value.filename.startswith(str(folder / "meshes"))
    assert os.listdir(folder) == ["meshes"]


def test_next_to_another_export_only_meshes_of_the_former_model_go(tmp_path):
    sdf = write(model_of(("link", {"part": scaled(1.0)})), tmp_path)
    killed_export(tmp_path, 3.0)
    former = meshes_named_by(sdf)
    assert former == {Path(uri).name for uri in uris(sdf)} and len(meshes(sdf.parent)) == 4
    remove_unused_meshes(sdf, former)
    assert len(meshes(sdf.parent)) == 4  # the model names its own
    sdf.write_text("<sdf/>")
    remove_unused_meshes(sdf, former)
    assert len(meshes(sdf.parent)) == 3
    remove_unused_meshes(sdf, None)
    assert meshes(sdf.parent) == []
