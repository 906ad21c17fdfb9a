# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers and names in every locale: one that writes 1,5, and one whose encoding is not UTF-8."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.files.whole_files import write_atomic

from .. import comma_locale
from ..exported import contents, model_of, scaled, write

CHECKOUT = Path(__file__).parents[3]

BOX = """v 0 0 0\nv 1.25 0 0\nv 1.25 1 0\nv 0 1 0\nv 0 0 1e-1\nv 1.25 0 1e-1\nv 1.25 1 1e-1\nv 0 1 1e-1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""

TETRAHEDRON = {
    "asc.ply": "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1.5 0 0\n0 1.5 0\n0 0 1.5\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n",
    "a.off": "OFF\n4 4 0\n0 0 0\n1.5 0 0\n0 1.5 0\n0 0 1.5\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n",
}

AUTO = """<sdf version="1.11"><model name="m"><link name="l"><pose>0.5 1.25 0 0 0.1 0</pose>
<inertial auto="true"><density>2700.5</density></inertial>
<collision name="c"><geometry><mesh><uri>box.obj</uri><scale>0.5 0.5 0.5</scale></mesh></geometry></collision>
</link></model></sdf>"""

URDF = """<robot name="r"><link name="l"><inertial><origin xyz="0.5 0 0"/><mass value="1.5"/>
<inertia ixx="1.5" iyy="1.5" izz="9.5" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.5 1.5 2.5"/></geometry></collision></link></robot>"""

COMMANDS = (
    "mass box.obj --density 2700.5 --json",
    "mass box.obj --method voxel --voxel-size 0.05 --scale 0.5",
    "mass asc.ply --mass 1.5",
    "mass a.off",
    "check box.obj auto.sdf robot.urdf --format sarif",
    "fill auto.sdf",
    "report auto.sdf robot.urdf --format csv",
    "report auto.sdf --format md",
    "report auto.sdf --format json",
    "diff auto.sdf robot.urdf",
    "repair robot.urdf --densities map.csv --mass density --json -o repaired.urdf",
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = {"box.obj": BOX, "auto.sdf": AUTO, "robot.urdf": URDF, "map.csv": "match,density,mass\nl,2700.5,\n"}
    for name, text in (named | TETRAHEDRON).items():
        Path(name).write_text(text, encoding="ascii")
    return tmp_path


def answers_of(capfdbinary):
    """Run all commands; return what each prints, and the files that are written."""
    answers = {}
    for words in COMMANDS:
        status = main(words.split())
        answers[words] = (status, *capfdbinary.readouterr())
    write(model_of(("l", {"obj": scaled(1.5)})), Path("exported"))
    write(model_of(("l", {"stl": scaled(2.5)})), Path("exported"), mesh_format="stl")
    return answers, contents(Path())


@pytest.mark.fault(61)
def test_no_number_depends_on_the_locale(files, capfdbinary, monkeypatch, tmp_path_factory):
    plain, written = answers_of(capfdbinary)
    assert {status for status, *_ in plain.values()} == {0, 1}
    assert all(out for _, out, _ in plain.values())
    with comma_locale.set_by(monkeypatch, tmp_path_factory.mktemp("locale")):
        again, rewritten = answers_of(capfdbinary)
    assert again == plain
    assert rewritten == written


def run(folder, *words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "core", *words],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONUTF8": "0", **environment},
        cwd=folder,
        capture_output=True,
    )


@pytest.mark.thorough
def test_json_is_utf_8_where_the_system_s_encoding_is_another(files, tmp_path_factory):
    locales = comma_locale.build(tmp_path_factory.mktemp("locale"), "ISO-8859-1")
    name = "Grün".encode("latin-1") + b".obj"
    with open(os.path.join(os.fsencode(files), name), "w", encoding="ascii", newline="\n") as file:
        file.write(BOX)
    done = run(files, "check", name, "box.obj", "--json", LC_ALL=comma_locale.NAME, LOCPATH=str(locales))
    assert done.returncode == 0, done.stderr
    assert [one["file"] for one in json.loads(done.stdout.decode("utf-8"))["files"]] == ["Grün.obj", "box.obj"]


WRITE = """
import sys
from pathlib import Path
from core.files.whole_files import write_atomic

assert sys.getfilesystemencoding() == "ascii", sys.getfilesystemencoding()
try:
    write_atomic(Path("\\u0416.obj"), b"data")
except OSError as error:
    print(ascii(error.filename), ascii(error.strerror))
"""


def test_a_name_that_the_encoding_lacks_is_a_path_that_cannot_be_written(tmp_path):
    locales = comma_locale.build(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", WRITE],
        env={**os.environ, "PYTHONUTF8": "0", "LC_ALL": comma_locale.NAME, "LOCPATH": str(locales)},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )
    assert done.stderr == "" and done.returncode == 0
    assert r"'\u0416.obj'" in done.stdout and "encoding, ascii, has no" in done.stdout
    write_atomic(tmp_path / "\u0416.obj", b"data")
