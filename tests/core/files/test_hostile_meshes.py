# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files that lie about their size, their indices or what lies beside them: refused, at once, in our own words."""

import base64
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.cli.main import main
from core.files.limits import LIMITS

from .dense_meshes import POINTS as POINTS_TEXT
from .dense_meshes import dae, triangles

CHECKOUT = Path(__file__).parents[3]

CORNERS = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

POINTS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype="<f4")
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], dtype="<u2")

COMMANDS = pytest.mark.parametrize("command", ["check", "mass"])


def answered(capsys, *words):
    """Run the command line; return its exit status and all that it says."""
    status = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert "Traceback" not in err and "Warning" not in err
    return status, out + err


def gltf(uri, **accessor):
    """Return a glTF file of one tetrahedron whose bytes are at `uri`."""
    views = [(0, POINTS.nbytes), (POINTS.nbytes, FACES.nbytes)]
    positions = {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0] * 3, "max": [1] * 3}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
        "buffers": [{"uri": uri, "byteLength": POINTS.nbytes + FACES.nbytes}],
        "bufferViews": [{"buffer": 0, "byteOffset": start, "byteLength": length} for start, length in views],
        "accessors": [
            positions | accessor,
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
    }


def sparse(path, size):
    with open(path, "wb") as file:
        file.truncate(size)


# --- indices --------------------------------------------------------------------------------------------------------


@pytest.mark.fault(76)
@COMMANDS
@pytest.mark.parametrize(
    "index",
    [2**63, 2**64, -(2**63) - 1, -(2**64), "9" * 4000, "9" * 5000],
    ids=["2^63", "2^64", "-2^63-1", "-2^64", "4000 digits", "5000 digits"],
)
@pytest.mark.parametrize("rest", ["", " # by line", " \\\n"], ids=["plain", "comment", "continued"])
def test_an_index_that_no_array_can_hold_is_reported_with_its_line(command, index, rest, tmp_path, capsys):
    path = tmp_path / "mesh.obj"
    path.write_text(f"{CORNERS}f 1 3 2\nf 1 2 {index}{rest}\n")
    status, text = answered(capsys, command, path)
    assert status == 2 and "line 6" in text and "unreadable_file" in text
    assert len(text) < 1000


@COMMANDS
@pytest.mark.parametrize("index", [5, 2**31, 2**32, 2**62, 2**63 - 1])
def test_an_index_past_the_last_vertex_is_refused(command, index, tmp_path, capsys):
    path = tmp_path / "mesh.obj"
    path.write_text(f"{CORNERS}f 1 3 2\nf 1 2 {index}\n")
    status, text = answered(capsys, command, path)
    assert status == 1 and f"names vertex {index - 1}" in text


@COMMANDS
@pytest.mark.parametrize("count", [0, 1, 2**31, 2**32 - 1])
def test_an_stl_that_lies_about_its_triangles_is_refused(command, count, tmp_path, capsys):
    path = tmp_path / "mesh.stl"
    path.write_bytes(bytes(80) + struct.pack("<I", count) + bytes(150))
    status, text = answered(capsys, command, path)
    assert status == 2 and f"{count} triangles" in text


@COMMANDS
@pytest.mark.parametrize("count", [-1, 2**31, 10**12, 10**30, 1.5, "4", None])
@pytest.mark.parametrize("view", [True, False])
def test_a_gltf_accessor_that_lies_about_its_count_is_refused(command, count, view, tmp_path, capsys):
    data = base64.b64encode(POINTS.tobytes() + FACES.tobytes()).decode()
    file = gltf(f"data:application/octet-stream;base64,{data}", count=count)
    if not view:
        del file["accessors"][0]["bufferView"]
    (tmp_path / "mesh.gltf").write_text(json.dumps(file))
    assert answered(capsys, command, tmp_path / "mesh.gltf")[0] == 2


@pytest.mark.parametrize("suffix", ["stl", "obj", "ply", "off", "glb", "gltf", "dae", "3mf", "sdf", "urdf"])
def test_a_pointer_of_git_lfs_is_reported_as_such(suffix, tmp_path, capsys):
    path = tmp_path / f"a.{suffix}"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4665a5ea\nsize 12345\n")
    status, text = answered(capsys, "check", path)
    text = " ".join(text.split())
    assert (status, "Git LFS" in text, "git lfs pull" in text) == (2, True, True)


def test_a_text_that_is_no_stl_is_unreadable_and_an_empty_one_empty(tmp_path, capsys):
    path = tmp_path / "a.stl"
    path.write_text("<html>404</html>")
    assert answered(capsys, "check", path)[0] == 2
    path.write_text("solid nothing\nendsolid nothing\n")
    assert answered(capsys, "check", path)[0] == 1


def test_a_folder_and_a_missing_file_are_reported_as_such(tmp_path, capsys):
    status, text = answered(capsys, "check", tmp_path)
    assert (status, "this folder has no file" in text) == (2, True)
    status, text = answered(capsys, "check", tmp_path / "missing")
    assert (status, "No such file" in text) == (2, True)


@COMMANDS
@pytest.mark.parametrize("suffix", ["stl", "none"])
def test_a_name_that_no_disk_has_is_reported_as_such(command, suffix, tmp_path, capsys):
    status, text = answered(capsys, command, f"{'a' * 300}.{suffix}")
    assert (status, "File name too long" in text) == (2, True)


def test_a_folder_of_a_name_that_no_disk_has_is_a_wrong_usage(capsys):
    with pytest.raises(SystemExit, match="^2$"):
        main(["check", "--path", "a" * 300, "x.sdf"])
    assert "there is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("type", ["SCALAR", "VEC2"])
def test_positions_of_gltf_that_are_no_triples_are_refused(type, turned, tmp_path, capsys):
    data = base64.b64encode(POINTS.tobytes() + FACES.tobytes()).decode()
    file = gltf(f"data:application/octet-stream;base64,{data}", type=type)
    file["nodes"][0] |= {"translation": [1, 2, 3]} if turned else {}
    (tmp_path / "mesh.gltf").write_text(json.dumps(file))
    robot = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="c">
        <geometry><mesh><uri>mesh.gltf</uri></mesh></geometry></collision></link></model></sdf>"""
    (tmp_path / "robot.sdf").write_text(robot)
    for command, status in (("check", 2), ("report", 1)):
        path = tmp_path / ("mesh.gltf" if command == "check" else "robot.sdf")
        ended, text = answered(capsys, command, path)
        assert (ended, f"the type {type}, not VEC3" in " ".join(text.split())) == (status, True)


@COMMANDS
@pytest.mark.parametrize("count", [-1, 10**9, 10**30])
@pytest.mark.parametrize("form", ["ascii", "binary_little_endian"])
def test_a_ply_that_lies_about_its_elements_is_refused(command, count, form, tmp_path, capsys):
    head = f"ply\nformat {form} 1.0\nelement vertex {count}\nproperty float x\nproperty float y\nproperty float z\n"
    text = f"{head}element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
    (tmp_path / "mesh.ply").write_text(text)
    assert answered(capsys, command, tmp_path / "mesh.ply")[0] in (1, 2)


# --- size -----------------------------------------------------------------------------------------------------------


@pytest.mark.fault(79)
@COMMANDS
@pytest.mark.parametrize("suffix", ["stl", "obj", "ply", "off", "glb", "gltf", "dae", "3mf"])
def test_a_file_above_the_limit_is_refused_before_it_is_read(command, suffix, tmp_path, capsys):
    path = tmp_path / f"mesh.{suffix}"
    sparse(path, 10 << 30)
    status, text = answered(capsys, command, path)
    assert status == 1 and "file_too_large" in text and f"{10 << 30} bytes" in text
    assert str(LIMITS[path.suffix].bytes) in text


@COMMANDS
def test_a_buffer_above_the_limit_is_refused_before_it_is_read(command, tmp_path, capsys):
    (tmp_path / "mesh.gltf").write_text(json.dumps(gltf("buffer.bin")))
    sparse(tmp_path / "buffer.bin", 10 << 30)
    status, text = answered(capsys, command, tmp_path / "mesh.gltf")
    assert status == 1 and "file_too_large" in text


# --- what lies beside -----------------------------------------------------------------------------------------------


def in_sdf(path):
    sdf = path.with_name(f"{path.name}.sdf")
    sdf.write_text(
        "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='1'><density>1</density></inertial>"
        f"<collision name='c'><geometry><mesh><uri>{path.name}</uri></mesh></geometry></collision></link></model></sdf>"
    )
    return sdf


@pytest.mark.fault(62, 80)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
@pytest.mark.parametrize("command", ["check", "mass", "fill", "report"])
@pytest.mark.parametrize("what", ["fifo", "folder", "missing", "outside", "link outside"])
def test_a_buffer_that_is_not_a_file_of_the_folder_is_refused(command, what, tmp_path, capsys):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "buffer.bin").write_bytes(POINTS.tobytes() + FACES.tobytes())
    uri = "../buffer.bin" if what == "outside" else "buffer.bin"
    (folder / "mesh.gltf").write_text(json.dumps(gltf(uri)))
    if what == "fifo":
        os.mkfifo(folder / "buffer.bin")
    elif what == "folder":
        (folder / "buffer.bin").mkdir()
    elif what == "link outside":
        (folder / "buffer.bin").symlink_to(tmp_path / "buffer.bin")
    path = folder / "mesh.gltf"
    status, text = answered(capsys, command, path if command in ("check", "mass") else in_sdf(path))
    assert status in (1, 2)
    reasons = {"fifo": "not a regular file", "folder": "buffer.bin: it is a folder", "missing": "No such file"}
    assert reasons.get(what, "outside") in " ".join(text.split())


@COMMANDS
def test_a_buffer_beside_is_read_whatever_its_uri_looks_like(command, tmp_path, capsys):
    for name, uri in (("buffer.bin", "buffer.bin"), ("a b.bin", "a%20b.bin"), ("c%20d.bin", "c%20d.bin")):
        (tmp_path / name).write_bytes(POINTS.tobytes() + FACES.tobytes())
        (tmp_path / "mesh.gltf").write_text(json.dumps(gltf(uri)))
        assert answered(capsys, command, tmp_path / "mesh.gltf")[0] == 0


@pytest.mark.fault(141)
@COMMANDS
def test_a_collada_file_without_a_scene_is_called_that(command, tmp_path, capsys):
    path = tmp_path / "a.dae"
    whole = dae(POINTS_TEXT, 3, triangles("0 1 2 ", 1))
    path.write_text(whole[: whole.index("<scene>")] + "</COLLADA>")
    status, text = answered(capsys, command, path)
    assert status == 2 and "it has no scene" in " ".join(text.split())


@COMMANDS
def test_pictures_and_materials_are_never_opened(command, tmp_path, capsys):
    os.mkfifo(tmp_path / "fifo.png")
    os.mkfifo(tmp_path / "mesh.mtl")
    (tmp_path / "buffer.bin").write_bytes(POINTS.tobytes() + FACES.tobytes())
    file = gltf("buffer.bin") | {"images": [{"uri": "fifo.png"}], "textures": [{"source": 0}]}
    file["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    file["meshes"][0]["primitives"][0]["material"] = 0
    (tmp_path / "mesh.gltf").write_text(json.dumps(file))
    (tmp_path / "mesh.obj").write_text(f"mtllib mesh.mtl\n{CORNERS}usemtl m\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    for name in ("mesh.gltf", "mesh.obj"):
        assert answered(capsys, command, tmp_path / name)[0] == 0


# --- nothing but our own words --------------------------------------------------------------------------------------


OFF = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

FACET = "facet normal 0 0 1\nouter loop\nvertex 0 0 1e39\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"


MUTATED = {
    "far.off": OFF.replace("1 0 0\n", "1e308 0 0\n"),
    "infinite.off": OFF.replace("1 0 0\n", "-1e400 0 nan\n"),
    "index.off": OFF.replace("3 1 2 3", "3 1 2 99999999999999999999"),
    "beyond_float32.stl": f"solid\n{FACET * 4}endsolid\n",
    "infinite.obj": CORNERS.replace("1 0 0", "1e400 0 0") + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
    "tiny.obj": CORNERS.replace("1", "1e-320") + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
    "large.obj": CORNERS.replace("1", "9e49") + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
}


@pytest.mark.fault(87)
@pytest.mark.thorough
def test_nothing_but_findings_is_reported_of_a_mutated_mesh(tmp_path):
    paths = [tmp_path / name for name in MUTATED]
    for path in paths:
        path.write_text(MUTATED[path.name])
    meshes, models = [str(path) for path in paths], [str(in_sdf(path)) for path in paths]
    environment = dict(os.environ)  # without the COLUMNS that readline hands to child processes
    lines = [["check", *meshes], ["mass", meshes[3]], ["fill", models[3]], ["report", "--format", "csv", *models]]
    code = (
        "import sys; from core.cli.main import main\n"
        + f"sys.exit(not all(main(line) in (1, 2) for line in {lines!r}))"
    )
    command = [sys.executable, "-W", "always", "-c", code]
    run = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0
    message = re.compile(r"(error|warning|info|/\S+|  The same|  Likewise|  Fix): ")
    messages = run.stderr.splitlines()
    assert len(messages) > len(MUTATED) and all(message.match(line) for line in messages), run.stderr
