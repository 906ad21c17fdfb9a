# SPDX-License-Identifier: GPL-3.0-or-later
"""A target that is there and is no regular file is written to as a stream, or refused; it is never replaced."""

import errno
import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.files.temporary import remove_leftovers
from core.files.whole_files import check_target, write_all_whole, write_whole

from ..command_line import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="devices and FIFOs are files on POSIX only")

CHECKOUT = Path(__file__).parents[3]

SDF = """<sdf version='1.11'><model name='m'><link name='l'><inertial auto='1'><density>1</density></inertial>
<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""


def kind(path):
    return stat.S_IFMT(os.stat(path).st_mode)


def node(path, mode, minor):
    """Make a private device node: 1, 3 takes everything, 1, 7 has never any room."""
    try:
        os.mknod(path, mode | 0o666, os.makedev(1, minor))
        with open(path, "rb" if stat.S_ISBLK(mode) else "r+b"):
            pass
    except FileNotFoundError:
        raise
    except OSError as error:
        if not stat.S_ISBLK(mode) or isinstance(error, PermissionError):
            pytest.skip(f"no device node can be made and used here: {error.strerror}")
    return path


def unchanged(folder):
    return sorted((path.name, kind(path)) for path in folder.iterdir() if path.exists())


@pytest.mark.fault(73)
def test_a_character_device_is_written_to_and_stays_one(tmp_path):
    (tmp_path / "nodes").mkdir()
    null = node(tmp_path / "nodes" / "null", stat.S_IFCHR, 3)
    (tmp_path / "link").symlink_to(null)
    for path in (null, tmp_path / "link"):
        write_whole(path, b"data")
        assert unchanged(null.parent) == [("null", stat.S_IFCHR)]


def test_a_character_device_without_room_says_so(tmp_path):
    full = node(tmp_path / "full", stat.S_IFCHR, 7)
    with pytest.raises(OSError) as refusal:
        write_whole(full, b"data")
    assert (refusal.value.errno, refusal.value.filename) == (errno.ENOSPC, str(full))
    assert unchanged(tmp_path) == [("full", stat.S_IFCHR)]


@pytest.mark.fault(73)
def test_a_fifo_gets_the_whole_of_it_and_stays_one(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    data = bytes(range(256)) * 4096  # more than a pipe holds
    read = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    write_whole(fifo, data)
    reader.join()
    assert read == [data]
    assert unchanged(tmp_path) == [("fifo", stat.S_IFIFO)]


@pytest.mark.fault(73)
def test_sockets_and_block_devices_are_refused(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "socket", node(tmp_path / "block", stat.S_IFBLK, 250)):
            with pytest.raises(OSError) as refusal:
                write_whole(path, b"data")
            assert refusal.value.filename == str(path)
        assert unchanged(tmp_path) == [("block", stat.S_IFBLK), ("socket", stat.S_IFSOCK)]


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for refused in (check_target, lambda path: write_whole(path, b"data")):
        with pytest.raises(OSError) as refusal:
            refused(tmp_path / "a")
        assert (refusal.value.errno, refusal.value.filename) == (errno.ELOOP, str(tmp_path / "a"))
    assert (tmp_path / "a").is_symlink() and (tmp_path / "b").is_symlink()


def test_dangling_links_are_filled_where_they_point(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "second").symlink_to("folder/file")
    (tmp_path / "first").symlink_to("second")
    write_whole(tmp_path / "first", b"data")
    assert (tmp_path / "folder" / "file").read_bytes() == b"data"
    assert (tmp_path / "first").is_symlink() and (tmp_path / "second").is_symlink()


@pytest.mark.parametrize("make", ["fifo", "device", "socket", "folder"])
def test_a_model_s_own_file_is_never_a_stream(make, tmp_path):
    path = tmp_path / "model.sdf"
    if make == "device":
        node(path, stat.S_IFCHR, 3)
    elif make == "fifo":
        os.mkfifo(path)
    elif make == "folder":
        path.mkdir()
    else:
        socket.socket(socket.AF_UNIX).bind(str(path))
    before = unchanged(tmp_path)
    (tmp_path / "link").symlink_to(path)
    for target in (path, tmp_path / "link"):
        with pytest.raises(OSError) as refusal:
            check_target(target)
        assert refusal.value.filename == str(target)
        with pytest.raises(OSError):
            write_all_whole(tmp_path, {target.name: b"data"})
    (tmp_path / "link").unlink()
    assert unchanged(tmp_path) == before


@pytest.mark.thorough
def test_what_has_the_name_of_a_temporary_file_is_neither_written_to_nor_removed(tmp_path):
    """Ours are regular files; whatever else has such a name was put there by somebody."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for pid in (dead.pid, os.getpid()):
        for number in range(300):
            (tmp_path / f".sdf_inertia-{pid}-{number}.tmp").symlink_to("precious")
        (tmp_path / f".sdf_inertia-{pid}-x.tmp").mkdir()
        os.mkfifo(tmp_path / f".sdf_inertia-{pid}-y.tmp")
    (tmp_path / f".sdf_inertia-{dead.pid}-z.tmp").write_text("half")
    (tmp_path / "precious").write_text("precious")
    before = {path.name for path in tmp_path.iterdir()}
    write_whole(tmp_path / "file", b"data")
    remove_leftovers(tmp_path)
    assert (tmp_path / "precious").read_text() == "precious"
    assert (tmp_path / "file").read_bytes() == b"data"
    assert {path.name for path in tmp_path.iterdir()} == before - {f".sdf_inertia-{dead.pid}-z.tmp"} | {"file"}


# --- fill -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def sdf(tmp_path):
    path = tmp_path / "in.sdf"
    path.write_text(SDF)
    return path


@pytest.mark.fault(73)
def test_fill_into_a_device_keeps_the_device(sdf, tmp_path):
    null = node(tmp_path / "null", stat.S_IFCHR, 3)
    assert run("fill", sdf, "-o", null) == 0
    assert kind(null) == stat.S_IFCHR


def test_a_dash_is_standard_output(sdf, capfdbinary):
    assert run("fill", sdf) == 0
    plain = capfdbinary.readouterr().out
    assert run("fill", sdf, "-o", "-") == 0
    assert capfdbinary.readouterr().out == plain and b"<mass>6</mass>" in plain
    assert not Path("-").exists()
    with pytest.raises(SystemExit) as end:
        run("fill", sdf, "-o", "-", "--json")
    assert end.value.code == 2


WRITE = """
import sys
from pathlib import Path
from core.files.whole_files import write_whole

for name in sys.argv[1:]:
    write_whole(Path(name), b"data")
"""


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="this system has no name for standard output")
@pytest.mark.parametrize("to", ["pipe", "file"])
def test_standard_output_by_its_name_is_what_the_shell_says(to, tmp_path):
    """Appended to a file, it is that file's end, not a new file in its place."""
    words = [sys.executable, "-c", WRITE, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
    if to == "pipe":
        assert subprocess.run(words, cwd=CHECKOUT, stdout=subprocess.PIPE, check=True).stdout == 3 * b"data"
        return
    log = tmp_path / "log"
    log.write_bytes(b"kept ")
    with open(log, "ab") as stdout:
        subprocess.run(words, cwd=CHECKOUT, stdout=stdout, check=True)
    assert log.read_bytes() == b"kept " + 3 * b"data"
