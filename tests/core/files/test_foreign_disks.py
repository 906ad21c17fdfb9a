# SPDX-License-Identifier: GPL-3.0-or-later
"""Files on disks with the habits of other systems: case, accents, devices' names, folders that cannot be synced."""

import errno
import json
import os
import shutil
import stat

import pytest

from core.cli.main import main
from core.files.temporary import exclusive
from core.files.whole_files import LONGEST, ignores_case, write_atomic
from core.formats.package import Target, folder_name
from core.formats.sdf.spec.names import UniqueNames, is_device, valid_name

from ..exported import contents, model_of, scaled, uris, write
from ..foreign_disk import HABITS, is_of_windows, mounted
from ..permissions import unprivileged

SDF = """<sdf version='1.11'><model name='m'><link name='l'><inertial auto='1'><density>1</density></inertial>
<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""


@pytest.fixture
def disk(request, tmp_path):
    with mounted(tmp_path, *request.param) as mount:
        yield mount


def on(*habits):
    assert HABITS.keys() >= set(habits)
    return pytest.mark.parametrize("disk", [habits], indirect=True)


def assert_complete(sdf, elsewhere):
    """Assert that each mesh is there under the very name that the SDF has, also on a disk that distinguishes case."""
    shutil.copytree(sdf.parent, elsewhere)
    assert {f"meshes/{name}" for name in os.listdir(elsewhere / "meshes")} == set(uris(sdf))


@on("ignores-case")
def test_an_object_renamed_in_case_alone_keeps_its_mesh(disk, tmp_path):
    write(model_of(("link", {"arm": scaled(1.0), "hand": scaled(2.0)})), disk)
    sdf = write(model_of(("link", {"Arm": scaled(1.0), "hand": scaled(2.0)})), disk)
    assert uris(sdf)[0].startswith("meshes/Arm-")
    assert_complete(sdf, tmp_path / "copied")


@pytest.mark.thorough
@on("ignores-case")
def test_a_mesh_that_nothing_names_in_any_case_goes(disk, tmp_path):
    sdf = write(model_of(("link", {"arm": scaled(1.0), "hand": scaled(2.0)})), disk)
    write(model_of(("link", {"Arm": scaled(1.0), "Hand": scaled(3.0)})), disk)
    assert_complete(sdf, tmp_path / "copied")


def test_two_meshes_that_differ_in_case_are_two_on_a_disk_with_case(tmp_path):
    assert not ignores_case(tmp_path)
    sdf = write(model_of(("link", {"arm": scaled(1.0)})), tmp_path)
    (old,) = uris(sdf)
    write(model_of(("link", {"Arm": scaled(1.0)})), tmp_path)
    assert uris(sdf) == [old.replace("arm-", "Arm-")]
    assert_complete(sdf, tmp_path / "copied")


@pytest.mark.thorough
@on("decomposes")
def test_an_accent_that_the_disk_spells_its_own_way_costs_no_mesh(disk):
    for _ in range(2):
        sdf = write(model_of(("link", {"Grünteil": scaled(1.0), "가": scaled(2.0)})), disk)
        assert all((sdf.parent / uri).is_file() for uri in uris(sdf))
        assert os.listdir(sdf.parent / "meshes") != [uri.removeprefix("meshes/") for uri in uris(sdf)]


def test_a_folder_that_cannot_be_synced_is_written_to(tmp_path, monkeypatch):
    sync, refused = os.fsync, []

    def fsync(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            refused.append(descriptor)
            raise OSError(errno.EINVAL, "as CIFS, vboxsf and many disks by FUSE say")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    sdf = write(model_of(("link", {"part": scaled(1.0)})), tmp_path)
    assert refused
    assert_complete(sdf, tmp_path / "copied")


def test_a_folder_that_may_not_be_read_is_written_to(tmp_path):
    with unprivileged(capabilities=0):
        tmp_path.chmod(0o333)
        with pytest.raises(PermissionError):
            os.listdir(tmp_path)
        for size in (1.0, 2.0):
            sdf = write(model_of(("link", {"part": scaled(size)})), Target(tmp_path))
        with exclusive(tmp_path) as alone:
            assert not alone
    tmp_path.chmod(0o755)
    assert all((tmp_path / uri).is_file() for uri in uris(sdf))


def test_a_file_is_replaced_where_files_have_no_permissions(tmp_path, monkeypatch):
    """As on FAT, where all files have the same, and to set them fails."""
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "file").chmod(0o640)

    def fchmod(descriptor, mode):
        raise PermissionError(errno.EPERM, "no permissions here")

    monkeypatch.setattr(os, "fchmod", fchmod)
    (finding,) = write_atomic(tmp_path / "file", b"new")
    assert (finding.code, "permissions" in finding.message) == ("cannot_keep", True)
    assert contents(tmp_path) == {"file": b"new"}


DEVICES = ("CON", "prn", "AUX", "nul", "COM1", "lpt9", "COM¹")
HOSTILE = (
    *("world", "__model__", "a::b", "", "\udcff", "&<>\"'", "two\nlines", "\x1b", "\U0001f600" * 70, "é" * 300),
    *("trailing. ", "trailing.", "a:b", "what?", 'a"<>|*\\b', "..", "C:\\", "a/b", "x\x00y", "con.txt"),
)


@pytest.mark.thorough
@pytest.mark.fault(51, 52)
@on("windows-names", "ignores-case")
def test_names_that_windows_has_no_files_of_are_exported_there(disk, tmp_path):
    with pytest.raises(OSError):
        (disk / "a:b").touch()
    names = UniqueNames()
    parts = {names.give(name): scaled(1.0 + i) for i, name in enumerate((*DEVICES, *HOSTILE, "con", "Con"))}
    for name in ("CON", "trailing. "):
        sdf = write(model_of((valid_name(name), parts), name=valid_name(name)), disk)
        assert len(set(uris(sdf))) == len(parts)
    assert_complete(sdf, tmp_path / "copied")


@pytest.mark.fault(51, 53)
@pytest.mark.parametrize("name", (*DEVICES, *HOSTILE), ids=lambda name: ascii(name)[:20])
def test_a_folder_and_a_uri_of_a_model_have_a_name_that_windows_takes(name):
    made = folder_name(valid_name(name))
    assert is_of_windows(made) and made == folder_name(valid_name(name))
    changed = is_device(valid_name(name)) or len(valid_name(name).encode()) > LONGEST
    assert (made != valid_name(name)) == changed and len(made.encode()) <= LONGEST + len("-01234567")


# --- batches --------------------------------------------------------------------------------------------------------


def batch(*words):
    return main(["batch", *map(str, words), "--jobs", "1"])


def outcomes(report):
    return {line["input"]: line for line in map(json.loads, report.read_text().splitlines())}


@pytest.fixture
def inputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for name in ("arm.sdf", "Arm.sdf", "hand.sdf"):
        (tmp_path / "in" / name).write_text(SDF, encoding="utf-8")
    return tmp_path / "in"


@pytest.mark.thorough
@on("ignores-case")
def test_outputs_of_a_batch_that_would_be_one_file_are_refused_and_named(disk, inputs, tmp_path):
    report = disk / "report.jsonl"
    assert batch("fill", inputs, "--output", disk / "out", "--report", report) == 1
    lines = outcomes(report)
    assert {name: line["outcome"] for name, line in lines.items()} == {
        **{str(inputs / "Arm.sdf"): "refused", str(inputs / "arm.sdf"): "refused"},
        str(inputs / "hand.sdf"): "done",
    }
    assert "same_output" in lines[str(inputs / "arm.sdf")]["message"]
    assert str(inputs / "Arm.sdf") in lines[str(inputs / "arm.sdf")]["message"]
    assert os.listdir(disk / "out" / "in") == ["hand.sdf"]


@pytest.mark.thorough
def test_outputs_of_a_batch_that_differ_in_case_are_all_written(inputs, tmp_path):
    assert batch("fill", inputs, "--output", tmp_path / "out", "--report", tmp_path / "report.jsonl") == 0
    assert sorted(os.listdir(tmp_path / "out" / "in")) == ["Arm.sdf", "arm.sdf", "hand.sdf"]


def test_inputs_alike_below_two_folders_do_not_overwrite_each_other(inputs, tmp_path, monkeypatch):
    below = tmp_path / "elsewhere"
    inside = below.joinpath(*inputs.parts[1:])  # below the folder of work as the other below the root
    inside.mkdir(parents=True)
    shutil.copy(inputs / "hand.sdf", inside)
    monkeypatch.chdir(below)
    report = tmp_path / "report.jsonl"
    status = batch("fill", inputs / "hand.sdf", inside / "hand.sdf", "--output", tmp_path / "out", "--report", report)
    assert status == 1
    assert [line["outcome"] for line in outcomes(report).values()] == ["refused", "refused"]
    assert not list((tmp_path / "out").rglob("*"))


@pytest.mark.thorough
@on("windows-names", "ignores-case")
def test_an_output_that_the_disk_cannot_name_is_reported_and_others_written(disk, inputs):
    (inputs / "Arm.sdf").rename(inputs / "a:b.sdf")
    report = disk / "report.jsonl"
    assert batch("fill", inputs, "--output", disk / "out", "--report", report) == 1
    lines = outcomes(report)
    assert lines[str(inputs / "a:b.sdf")]["outcome"] == "unwritable"
    assert "cannot write" in lines[str(inputs / "a:b.sdf")]["message"]
    assert sorted(os.listdir(disk / "out" / "in")) == ["arm.sdf", "hand.sdf"]
