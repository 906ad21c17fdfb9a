# SPDX-License-Identifier: GPL-3.0-or-later
"""A target that is there and is no regular file is written to as a stream, or refused; it is never replaced."""

import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.files.temporary import remove_leftovers
from core.files.whole_files import check_target, write_atomic, write_folder

from ..command_line import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="devices and FIFOs are files on POSIX only")

CHECKOUT = Path(__file__).parents[3]

SDF = """<sdf version='1.11'><model name='m'><link name='l'><inertial auto='1'><density>1</density></inertial>
<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""


def device(path, kind=stat.S_IFCHR, minor=3):
    """Make a private device: a character device that takes everything, as /dev/null does, or a block device."""
    try:
        os.mknod(path, kind | 0o666, os.makedev(1, minor))
        if kind == stat.S_IFCHR:
            path.write_bytes(b"")
    except PermissionError as error:
        pytest.skip(f"no device can be made and used here: {error.strerror}")


MAKE = {
    "fifo": os.mkfifo,
    "device": device,
    "block device": lambda path: device(path, stat.S_IFBLK, 250),
    "socket": lambda path: socket.socket(socket.AF_UNIX).bind(str(path)),
    "folder": os.mkdir,
    "link to itself": lambda path: path.symlink_to(path),
}


@pytest.fixture
def path(make, tmp_path):
    MAKE[make](tmp_path / "target")
    (tmp_path / "link").symlink_to("target")
    before = kinds(tmp_path)
    yield tmp_path / "target"
    assert kinds(tmp_path) == before


def kinds(folder):
    return {path.name: stat.S_IFMT(path.lstat().st_mode) for path in folder.iterdir()}


@pytest.mark.fault(73)
@pytest.mark.parametrize("make", ["device"])
def test_a_character_device_is_written_to_and_stays_one(path):
    for target in (path, path.with_name("link")):
        assert write_atomic(target, b"data") == ()


@pytest.mark.fault(73)
@pytest.mark.parametrize("make", ["fifo"])
def test_a_fifo_gets_the_whole_of_it_and_stays_one(path):
    data = bytes(range(256)) * 4096  # more than a pipe holds
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_atomic(path, data)
    reader.join()
    assert read == [data]


@pytest.mark.fault(73)
@pytest.mark.parametrize("make", ["socket", "block device", "link to itself", "folder"])
def test_what_is_neither_file_nor_stream_is_refused(path):
    for target in (path, path.with_name("link")):
        with pytest.raises(OSError) as refusal:
            write_atomic(target, b"data")
        assert refusal.value.filename == str(target)


@pytest.mark.parametrize("make", MAKE)
def test_a_model_s_own_file_is_never_a_stream(path):
    for target in (path, path.with_name("link")):
        with pytest.raises(OSError) as refusal:
            check_target(target)
        assert refusal.value.filename == str(target)
        with pytest.raises(OSError):
            write_folder(target.parent, {target.name: b"data"})


def test_dangling_links_are_filled_where_they_point(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "second").symlink_to("folder/file")
    (tmp_path / "first").symlink_to("second")
    write_atomic(tmp_path / "first", b"data")
    assert (tmp_path / "folder" / "file").read_bytes() == b"data"
    assert (tmp_path / "first").is_symlink() and (tmp_path / "second").is_symlink()


@pytest.mark.thorough
def test_what_others_name_as_a_temporary_file_is_left_alone(tmp_path):
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
    write_atomic(tmp_path / "file", b"data")
    remove_leftovers(tmp_path)
    assert (tmp_path / "precious").read_text() == "precious"
    assert (tmp_path / "file").read_bytes() == b"data"
    assert {path.name for path in tmp_path.iterdir()} == before - {f".sdf_inertia-{dead.pid}-z.tmp"} | {"file"}


def test_a_dash_is_standard_output(tmp_path, capfdbinary):
    sdf = tmp_path / "in.sdf"
    sdf.write_text(SDF)
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
from core.files.whole_files import write_atomic

for name in sys.argv[1:]:
    write_atomic(Path(name), b"data")
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
