# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that is replaced: nobody's edit is lost, and the new file is as open, and belongs to the same, as the old."""

import os
import stat
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import InertiaError
from core.files.input_file import noting_reads, read_bytes
from core.files.whole_files import write_atomic, write_folder, write_several_atomic

from ..permissions import as_root, unprivileged
from ..starved.job import TEMPORARY

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and permissions are POSIX's")

ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
SOMEBODY, SOMEGROUP = 1234, 2345


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def acl(*entries):
    """Return an ACL as Linux keeps it, of tags, permissions and ids."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


ALL = 0xFFFFFFFF
READ_BY_SOMEBODY = acl((1, 6, ALL), (2, 4, SOMEBODY), (4, 0, ALL), (16, 4, ALL), (32, 0, ALL))


def set_attribute(path, name, value):
    try:
        os.setxattr(path, name, value)
    except (AttributeError, OSError) as error:
        pytest.skip(f"no such extended attributes here: {error}")


def read(path):
    with noting_reads() as noted:
        read_bytes(path, 1000)
    return noted


# --- an edit meanwhile ------------------------------------------------------------------------------------------------


@pytest.mark.fault(126)
@pytest.mark.parametrize("way", ["itself", "symbolic link", "hard link", "folder that is a link"])
def test_a_file_edited_since_it_was_read_is_not_replaced(tmp_path, path, way):
    target = tmp_path / "other"
    if way == "symbolic link":
        target.symlink_to(path)
    elif way == "hard link":
        target.hardlink_to(path)
    elif way == "folder that is a link":
        (tmp_path / "there").symlink_to(tmp_path)
        target = tmp_path / "there" / path.name
    else:
        target = path
    noted = read(path)
    path.write_bytes(b"edited")
    for written in (lambda: write_atomic(target, b"new", noted), lambda: write_several_atomic({target: b"new"}, noted)):
        with pytest.raises(InertiaError) as refusal:
            written()
        assert (refusal.value.code, refusal.value.subject) == ("source_changed", str(target))
        assert path.read_bytes() == b"edited"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.fault(126)
def test_a_file_removed_since_it_was_read_stays_removed(path):
    noted = read(path)
    path.unlink()
    with pytest.raises(InertiaError, match="source_changed"):
        write_atomic(path, b"new", noted)
    assert not path.exists()


@pytest.mark.fault(126)
def test_a_file_edited_while_it_is_read_twice_is_not_replaced(path):
    with noting_reads() as noted:
        read_bytes(path, 1000)
        path.write_bytes(b"edited")
        read_bytes(path, 1000)
    with pytest.raises(InertiaError, match="source_changed"):
        write_atomic(path, b"new", noted)


@pytest.mark.fault(211)
def test_a_thread_notes_only_the_files_that_it_reads_itself(tmp_path):
    (tmp_path / "ours").write_bytes(b"1")
    (tmp_path / "theirs").write_bytes(b"2")
    with noting_reads() as reads, ThreadPoolExecutor(1) as pool:
        with noting_reads() as inner:
            pool.submit(read_bytes, tmp_path / "theirs", 1000).result()
            read_bytes(tmp_path / "ours", 1000)
        assert [Path(name).name for name in reads] == [Path(name).name for name in inner] == ["ours"]


@pytest.mark.fault(126)
def test_of_several_files_none_is_replaced_if_the_last_was_edited(tmp_path, path):
    first = tmp_path / "first"
    first.write_bytes(b"old")
    noted = read(first) | read(path)
    path.write_bytes(b"edited")
    with pytest.raises(InertiaError, match="source_changed"):
        write_several_atomic({first: b"new", path: b"new"}, noted)
    assert (first.read_bytes(), path.read_bytes()) == (b"old", b"edited")


def test_a_file_that_is_as_it_was_read_is_replaced(tmp_path, path):
    noted = read(path)
    other = tmp_path / "other"
    other.write_bytes(b"not read")
    assert write_atomic(other, b"new", noted) == ()
    assert write_atomic(path, b"new", noted) == ()
    assert (path.read_bytes(), other.read_bytes()) == (b"new", b"new")


# --- a backup ---------------------------------------------------------------------------------------------------------


@pytest.mark.fault(126)
def test_a_backup_is_the_first_original_whatever_comes_later(tmp_path, path):
    path.chmod(0o600)
    write_atomic(path, b"old", backup=True)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]  # nothing changes
    for data in (b"new", b"newer"):
        write_atomic(path, data, backup=True)
    backup = tmp_path / "file.bak"
    assert (path.read_bytes(), backup.read_bytes()) == (b"newer", b"old")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_there_is_no_backup_of_an_edit_or_of_a_new_file(tmp_path, path):
    noted = read(path)
    path.write_bytes(b"edited")
    with pytest.raises(InertiaError):
        write_atomic(path, b"new", noted, backup=True)
    write_atomic(tmp_path / "another", b"new", backup=True)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["another", "file"]


# --- permissions ------------------------------------------------------------------------------------------------------


@pytest.fixture
def modes(monkeypatch, tmp_path):
    """The permissions of temporary files, at each call that makes, changes or syncs one."""
    seen = []

    def watched(name):
        call = getattr(os, name)

        def then_look(*words, **named):
            result = call(*words, **named)
            seen.extend(stat.S_IMODE(one.stat().st_mode) for one in tmp_path.glob(TEMPORARY))
            return result

        monkeypatch.setattr(os, name, then_look)

    for name in ("open", "fchmod", "fchown", "setxattr", "removexattr", "fsync"):
        if hasattr(os, name):
            watched(name)
    return seen


@pytest.mark.fault(127)
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o400, 0o664, 0o755])
@pytest.mark.parametrize("backup", [False, True])
def test_a_temporary_file_is_never_wider_than_its_target(path, modes, mode, backup):
    path.chmod(mode)
    before = os.umask(0)
    try:
        write_atomic(path, b"new", backup=backup)
    finally:
        os.umask(before)
    assert modes[0] == mode & 0o600
    assert all(seen & ~mode == 0 for seen in modes)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.fault(127)
def test_a_new_file_has_the_permissions_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomic(tmp_path / "new", b"data")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


# --- owner, ACL, attributes, links ------------------------------------------------------------------------------------


@as_root
@pytest.mark.fault(128)
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o4755])
def test_a_file_written_by_root_still_belongs_to_its_owner(path, mode):
    os.chown(path, SOMEBODY, SOMEGROUP)
    path.chmod(mode)
    assert [one.code for one in write_atomic(path, b"new", backup=True)] == ["backup"]
    for one in (path, Path(f"{path}.bak")):
        found = one.stat()
        assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (SOMEBODY, SOMEGROUP, mode)


@as_root
@pytest.mark.fault(128)
def test_an_owner_that_cannot_be_kept_is_reported_and_opens_nothing(path):
    os.chown(path, SOMEBODY, SOMEGROUP)
    path.chmod(0o664)
    with unprivileged():
        (finding,) = write_atomic(path, b"new")
    assert (finding.severity, finding.code, finding.subject) == ("warning", "cannot_keep", str(path))
    assert "owner, group" in finding.message
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (0, 0, 0o644)


@pytest.mark.fault(128)
def test_an_acl_and_extended_attributes_are_kept(path):
    set_attribute(path, "user.origin", b"CAD")
    set_attribute(path, ACCESS, READ_BY_SOMEBODY)
    assert write_atomic(path, b"new") == ()
    assert os.getxattr(path, "user.origin") == b"CAD"
    assert os.getxattr(path, ACCESS) == READ_BY_SOMEBODY
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.fault(128)
def test_a_folders_acl_for_new_files_does_not_open_one_that_is_replaced(tmp_path, path):
    path.chmod(0o640)
    set_attribute(tmp_path, DEFAULT, acl((1, 7, ALL), (2, 6, SOMEBODY), (4, 7, ALL), (16, 7, ALL), (32, 7, ALL)))
    write_atomic(tmp_path / "new", b"data")
    assert ACCESS in os.listxattr(tmp_path / "new")
    assert write_atomic(path, b"new") == ()
    assert ACCESS not in os.listxattr(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@as_root
@pytest.mark.fault(128)
def test_what_a_user_may_not_set_is_reported_by_name(path):
    set_attribute(path, "trusted.origin", b"CAD")
    set_attribute(path, "security.origin", b"CAD")
    with unprivileged():
        (finding,) = write_atomic(path, b"new")
    assert finding.message == "the new file could not keep its security.origin"  # without privileges no other is seen


@pytest.mark.fault(128)
def test_other_hard_links_keep_the_old_content_which_is_reported(tmp_path, path):
    other = tmp_path / "other"
    other.hardlink_to(path)
    (finding,) = write_atomic(path, b"new")
    assert (finding.severity, finding.code) == ("warning", "cannot_keep") and "2 hard links" in finding.message
    assert (path.read_bytes(), other.read_bytes()) == (b"new", b"old")
    assert write_atomic(path, b"newer") == ()


@as_root
@pytest.mark.fault(128)
def test_each_file_of_many_keeps_its_owner(tmp_path, path):
    os.chown(path, SOMEBODY, SOMEGROUP)
    write_folder(tmp_path, {"file": b"new"})
    assert path.stat().st_uid == SOMEBODY
    assert write_several_atomic({path: b"newer"}) == ()
    assert path.stat().st_gid == SOMEGROUP
