# SPDX-License-Identifier: GPL-3.0-or-later
"""Line ends: those of Windows are read as any, and files of ours have the same on every system."""

import ast
import re
from pathlib import Path

import pytest

from core.body.density_map import DensityMap
from core.cli.main import main
from core.files.mesh_file import load_surface
from core.formats.sdf.fill import fill
from core.formats.sdf.read import read_sdf
from tools.house import CHECKOUT

VERTICES = "0 0 0\n1.5 0 0\n0 1.5 0\n0 0 1.5\n"
FACES = "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"
PLY = f"""ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z
element face 4\nproperty list uchar int vertex_indices\nend_header\n{VERTICES}{FACES}"""
FACET = "facet normal 0 0 0\nouter loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet\n"
CORNERS, SIDES = VERTICES.splitlines(), [line.split()[1:] for line in FACES.splitlines()]
MESHES = {
    "a.obj": "".join(f"v {line}\n" for line in CORNERS)
    + "".join(f"f {' '.join(str(int(i) + 1) for i in side)}\n" for side in SIDES),
    "a.ply": PLY,
    "a.off": f"OFF\n4 4 0\n{VERTICES}{FACES}",
    "a.stl": "solid s\n" + "".join(FACET.format(*(CORNERS[int(i)] for i in side)) for side in SIDES) + "endsolid s\n",
}

SDF = """<?xml version="1.0"?>
<sdf version='1.11'>
  <model name='m'>
    <link name='l'>
      <inertial auto='1'>
        <density>1000.5</density>
      </inertial>
      <collision name='c'><geometry><box><size>1
        2 3</size></box></geometry></collision>
    </link>
  </model>
</sdf>
"""


def crlf(text):
    assert "\n" in text and "\r" not in text
    return text.replace("\n", "\r\n").encode()


@pytest.mark.parametrize("name", MESHES)
def test_a_mesh_with_the_line_ends_of_windows_is_the_same_mesh(name, tmp_path):
    if name.endswith((".off", ".stl")):
        pytest.importorskip("trimesh")
    plain, windows = tmp_path / name, tmp_path / "windows" / name
    windows.parent.mkdir()
    plain.write_bytes(MESHES[name].encode())
    windows.write_bytes(crlf(MESHES[name]))
    (one, said), (other, said_too) = load_surface(plain), load_surface(windows)
    assert (one.vertices == other.vertices).all() and (one.triangles == other.triangles).all()
    assert said == said_too


@pytest.mark.fault(59)
def test_a_filled_file_keeps_the_line_ends_of_windows(tmp_path):
    (tmp_path / "plain.sdf").write_bytes(SDF.encode())
    (tmp_path / "windows.sdf").write_bytes(crlf(SDF))
    plain, windows = (fill(read_sdf(tmp_path / f"{name}.sdf")).data for name in ("plain", "windows"))
    assert b"<mass>6003</mass>" in plain
    assert windows == plain.replace(b"\n", b"\r\n")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a byte order mark"])
def test_a_map_of_densities_is_read_as_windows_writes_it(mark, tmp_path):
    (tmp_path / "map.csv").write_bytes(mark + crlf("match,density,mass\nbox,2700.5,\nball,,1.5\n"))
    (tmp_path / "map.json").write_bytes(mark + crlf('{\n"box": {"density": 2700.5},\n"ball": {"mass": 1.5}\n}\n'))
    for name in ("map.csv", "map.json"):
        known = DensityMap.read(tmp_path / name)
        assert (known.find("box").density, known.find("ball").mass) == (2700.5, 1.5)


def test_a_baseline_is_read_as_windows_writes_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("bad.sdf").write_text(SDF.replace("1000.5", "-1"), encoding="ascii")
    assert main(["check", "bad.sdf", "--json"]) == 1
    Path("known.json").write_bytes(b"\xef\xbb\xbf" + crlf(capsys.readouterr().out))
    assert main(["check", "bad.sdf", "--baseline", "known.json"]) == 0


# --- writing ---------------------------------------------------------------------------------------------------------

OPENS = ("open", "fdopen", "TextIOWrapper", "NamedTemporaryFile", "read_text", "write_text")


def unnamed(text):
    """Return the lines of calls that open a text file without its encoding, or write one without its line ends."""
    if not any(f"{name}(" in text for name in OPENS):
        return []  # parsing takes long
    lines = []
    for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
        opener, name = ast.unparse(call.func), ast.unparse(call.func).rpartition(".")[2]
        if name not in OPENS or opener == "os.open" or "archive" in opener:  # what is in a zip is bytes
            continue
        words = [ast.unparse(word) for word in (*call.args, *call.keywords)]
        modes = re.findall(r"'([rwax][bt+]*)'", " ".join(words))
        if any("b" in mode for mode in modes):
            continue
        named = [word.arg for word in call.keywords] + ["encoding"] * (name == "read_text" and len(call.args))
        writes = name == "write_text" or any(mode[0] in "wax" for mode in modes)
        if "encoding" not in named or (writes and "newline" not in named):
            lines.append(call.lineno)
    return lines


@pytest.mark.parametrize("tree", ["core", "sdf_inertia_addon"])
def test_text_files_are_opened_with_encoding_and_line_ends(tree):
    modules = list((CHECKOUT / tree).rglob("*.py"))
    assert len(modules) > 50
    found = {str(path): unnamed(path.read_text(encoding="utf-8")) for path in modules}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "text",
    [
        "open(p)",
        "open(p, 'w', encoding='utf-8')",
        "p.open('w')",
        "p.write_text(t)",
        "p.write_text(t, 'utf-8')",
        "p.read_text()",
    ],
)
def test_a_text_file_opened_without_saying_so_is_found(text):
    assert unnamed(text) == [1]
    for good in (
        "open(p, 'rb')",
        "open(p, 'w', encoding='utf-8', newline='\\n')",
        "p.read_text('utf-8')",
        "os.open(p, 1)",
    ):
        assert unnamed(good) == []
