# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders and files of every name that a system allows, through every command; and a package that nobody may write."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import pytest

from core.cli.main import main
from core.cli.options.inputs import inputs_of
from core.errors import InertiaError
from core.files.input_file import SiblingFiles, on_a_drive_of

from ..exported import contents, model_of, scaled, write
from ..permissions import bound_by_permissions, read_only

CHECKOUT = Path(__file__).parents[3]

AUTO = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>1000</density></inertial>
<collision name="c"><geometry><mesh><uri>{uri}</uri></mesh></geometry></collision></link></model></sdf>"""

AS_BOX = "<mesh><uri>{uri}</uri></mesh>", "<box><size>1 2 3</size></box>"

BOX = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""

NAMES = {
    "spaces": " two  spaces ",
    "umlauts": "Größe 加工 é",
    "hash": "a#b",
    "percent": "50%25 off %41",
    "question": "what? & <why>; $HOME `x` 'y'",
    "no-utf-8": os.fsdecode(b"caf\xe9 \xff"),
    "long": "/".join(["a folder whose name is as long as a user may well have it " + "x" * 20] * 4),
    "dots": "trailing... ",
    "dash": "-rf",
    "new-line": "two\nlines",
}


@pytest.fixture(params=list(NAMES.values()), ids=list(NAMES))
def folder(request, tmp_path):
    path = tmp_path / request.param
    try:
        path.mkdir(parents=True)
        (path / "box.obj").write_text(BOX, encoding="ascii")
    except (OSError, ValueError) as error:
        pytest.skip(f"this system has no such name: {error}")
    (path / "auto.sdf").write_text(AUTO.format(uri="box.obj"), encoding="ascii")
    return path


def printed(capfd, *words):
    capfd.readouterr()
    status = main([str(word) for word in words])
    return status, capfd.readouterr().out


def test_every_command_reads_and_writes_there(folder, capfd, monkeypatch):
    monkeypatch.chdir("/")
    box, auto, filled = folder / "box.obj", folder / "auto.sdf", folder / "filled.sdf"
    assert json.loads(printed(capfd, "mass", box, "--density", 1000, "--json")[1])["mass"] == pytest.approx(1000)
    assert printed(capfd, "check", box, auto)[0] == 0
    assert printed(capfd, "fill", auto, "-o", filled)[0] == 0
    assert b"<mass>1000" in filled.read_bytes()
    status, report = printed(capfd, "report", filled, "--format", "json")
    assert status == 0 and json.loads(report)["file"] == str(filled)
    assert printed(capfd, "report", filled, "--format", "csv")[0] == 0
    assert printed(capfd, "diff", auto, filled)[0] == 0
    assert printed(capfd, "repair", filled, "-o", folder / "repaired.sdf", "--what", "all")[0] == 0
    assert not [path for path in folder.iterdir() if path.suffix == ".tmp"]


@pytest.mark.parametrize("style", ["relative", "model", "file"])
def test_an_export_there_finds_its_own_meshes(style, folder, capfd):
    model = model_of(("link", {"part": scaled(1.0)}))
    try:
        sdf = write(model, folder, uri_style=style)
    except OSError as error:
        assert style == "file" and "XML cannot hold" in str(error)
        return
    if style == "file" and "\n" in str(folder):
        pytest.skip("a URI has no line ends")
    status, text = printed(capfd, "report", sdf, "--format", "json", "--path", folder)
    assert status == 0
    assert json.loads(text)["models"][0]["links"][0]["volume"] == pytest.approx(model_volume())


def model_volume():
    from core import mesh_moments

    return abs(mesh_moments(scaled(1.0).surface.vertices, scaled(1.0).surface.triangles).volume)


@pytest.mark.thorough
def test_a_batch_keeps_all_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = []
    for name in NAMES.values():
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "auto.sdf").write_text(AUTO.replace(*AS_BOX), encoding="ascii")
        named.append(f"in/{name}/auto.sdf")
    words = ["--output", "out", "--report", "r.jsonl", "--summary", "s.md"]
    assert main(["batch", "fill", "in", *words]) == 0
    lines = [json.loads(line) for line in Path("r.jsonl").read_text(encoding="ascii").splitlines()]
    assert {line["input"] for line in lines} == set(named)
    assert all(b"<mass>6000" in Path(line["output"]).read_bytes() for line in lines)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("form", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_list_of_inputs_is_read_as_any_shell_writes_it(form, ends, tmp_path):
    names = ["a b.sdf", "Größe#%.sdf", "加工\u2028.sdf"]
    listed = tmp_path / "list"
    listed.write_bytes((ends.join(names) + ends).encode(form))
    assert inputs_of("check", [], str(listed)).files == names


@pytest.mark.skipif(os.name != "posix", reason="names are text on Windows")
def test_a_list_of_inputs_has_names_that_are_no_text(tmp_path):
    (tmp_path / "list").write_bytes(b"caf\xe9.sdf\n")
    assert [os.fsencode(name) for name in inputs_of("check", [], str(tmp_path / "list")).files] == [b"caf\xe9.sdf"]


@pytest.mark.thorough
def test_the_summary_of_a_batch_holds_names_that_are_no_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gone = NAMES["no-utf-8"] + ".sdf"
    assert main(["batch", "fill", gone, "--output", "out", "--report", "r.jsonl", "--summary", "s.md"]) == 1
    assert rb"caf\udce9" in Path("s.md").read_bytes()


# --- Windows' paths, as it reads them --------------------------------------------------------------------------------


@pytest.mark.fault(62)
@pytest.mark.parametrize(
    "path", ["//server/share/x.obj", r"\\server\share\x.obj", r"\\?\UNC\server\share\x", "D:x.obj"]
)
def test_a_path_to_a_server_or_another_drive_of_windows_is_not_read(path):
    roots = (PureWindowsPath("C:/robots"), PureWindowsPath("//ours/robots"))
    assert not on_a_drive_of(roots[0] / path, roots)
    assert on_a_drive_of(roots[0] / "meshes/x.obj", roots)
    assert on_a_drive_of(PureWindowsPath("c:/x.obj"), roots) and on_a_drive_of(
        PureWindowsPath("//OURS/robots/x"), roots
    )


def test_where_there_are_no_drives_every_path_is_checked(tmp_path):
    (tmp_path / "x.bin").write_bytes(b"data")
    assert SiblingFiles(tmp_path / "x.gltf", (tmp_path,), 100).get("x.bin") == b"data"
    with pytest.raises(InertiaError):
        SiblingFiles(tmp_path / "x.gltf", (tmp_path,), 100).get("//server/share/x.bin")


# --- a package that nobody may write ---------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_an_installation_that_may_only_be_read_works(tmp_path):
    place, work = tmp_path / "site", tmp_path / "work"
    shutil.copytree(CHECKOUT / "core", place / "sdf_inertia", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CHECKOUT / "blender_manifest.toml", place)  # which has the version
    work.mkdir()
    (work / "auto.sdf").write_text(AUTO.replace(*AS_BOX), encoding="ascii")
    before = contents(place)
    python = [*bound_by_permissions(), sys.executable]
    environment = {**os.environ, "PYTHONPATH": str(place), "HOME": "/nonexistent"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with read_only(place):
        touch = f"open({str(place / 'sdf_inertia' / 'new')!r}, 'w')"
        assert b"PermissionError" in subprocess.run([*python, "-c", touch], capture_output=True).stderr
        for words in ("fill auto.sdf -o filled.sdf", "batch check filled.sdf --report r.jsonl --jobs 1"):
            command = [*python, "-m", "sdf_inertia", *words.split()]
            done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
    assert contents(place) == before
    assert b"<mass>6000" in (work / "filled.sdf").read_bytes() and (work / "r.jsonl").is_file()


def test_step_files_beside_meshes_are_left_out_and_counted(tmp_path, monkeypatch):
    """Those of a folder that has nothing else are its inputs, and so are those that are named."""
    monkeypatch.chdir(tmp_path)
    names = ("mixed/a.stl", "mixed/cad/a.STEP", "mixed/cad/b.STEP", "alone/c.stp", "alone/d.p21", "alone/.e.step")
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    files, (left,) = inputs_of("mass", ["mixed", "alone"], None)
    assert [Path(file).as_posix() for file in files] == ["mixed/a.stl", "alone/c.stp", "alone/d.p21"]
    assert (left.code, left.subject, left.severity) == ("step_left_out", "mixed", "info")
    assert "2 STEP files are left out" in left.message and "/*.STEP`" in left.remedy
    named = inputs_of("mass", ["mixed", "mixed/cad/a.STEP", "mixed/cad/b.STEP"], None)
    assert len(named.files) == 3 and not named.findings
    assert inputs_of("repair", ["mixed"], None) == (["mixed"], ())  # a STEP file cannot be repaired
