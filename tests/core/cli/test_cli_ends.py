# SPDX-License-Identifier: GPL-3.0-or-later
"""How a command ends that cannot speak, is stopped, or meets an internal error in one of several files."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core import read_robot
from core.cli import check
from core.cli.main import main
from core.cli.options import inputs

from ...thorough import sample

CHECKOUT = Path(__file__).parents[3]
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
AUTO = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>1</density></inertial>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>"""
shell_only = pytest.mark.skipif(os.name != "posix", reason="a POSIX shell closes the streams")


@pytest.fixture
def mesh(tmp_path):
    (tmp_path / "t.obj").write_text(TETRAHEDRON)
    return str(tmp_path / "t.obj")


def run_in_shells(*ways):
    """Run commands, each (words, redirection), at once; return how each ended: its status, output and errors."""
    running = [
        subprocess.Popen(
            ["sh", "-c", f'exec "$0" -m core "$@" {redirection}', sys.executable, *words],
            cwd=CHECKOUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for words, redirection in ways
    ]
    ends = [process.communicate() for process in running]
    return [(process.returncode, *end) for process, end in zip(running, ends, strict=True)]


CLOSED = [(command, streams) for command in ("mass", "check") for streams in (">&-", "2>&-", ">&- 2>&-", "1</dev/null")]


@shell_only
def test_a_closed_stream_ends_with_2_and_no_traceback(mesh):
    ways = sample(CLOSED, 1)
    ends = run_in_shells(*(([command, mesh], redirection) for command, redirection in ways))
    for way, (status, out, err) in zip(ways, ends, strict=True):
        assert status == 2 and b"Traceback" not in err and out == b"", way
        assert "2>" in way[1] or b"cannot write" in err, way


@shell_only
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.thorough
def test_an_error_that_cannot_be_said_keeps_its_status(mesh):
    ways = {("mass", "nowhere.obj"): 2, ("mass", mesh, "--density", "1"): 0, ("nonsense",): 2}
    ends = run_in_shells(*((words, "2>/dev/full") for words in ways))
    assert [status for status, _, _ in ends] == [ways[words] for words in ways]


@pytest.mark.skipif(os.name != "posix", reason="no other system sends SIGINT to a process")
def test_ctrl_c_during_the_import_ends_with_130_and_no_traceback(mesh):
    # A shell's background job, in which tests may run, ignores SIGINT; a command at a terminal does not.
    for seen in sample(["core.mesh.surface", "numpy.version", "core.multiarray"], 1):
        process = subprocess.Popen(
            [sys.executable, "-X", "importtime", "-m", "core", "mass", mesh],
            cwd=CHECKOUT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        lines = iter(process.stderr.readline, "")
        assert any(line.strip().endswith(seen) for line in lines)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        lines_of_error = [line for line in err.splitlines() if not line.startswith("import time:")]
        assert (process.returncode, out, lines_of_error) == (130, "", ["interrupted"]), seen


def test_the_installed_command_stops_at_ctrl_c_as_the_module_does():
    settings = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'sdf-inertia = "sdf_inertia.__main__:run"' in settings


def test_the_package_imports_each_public_name_only_when_it_is_used():
    code = (
        "import sys, core; assert 'numpy' not in sys.modules\n"
        "for name in core.__all__: assert getattr(core, name).__name__ == name and name in dir(core)\n"
        "from core import *; assert measure_mesh is core.measure_mesh; assert 'numpy' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=True)
    assert set(core._HOME) == set(core.__all__)
    with pytest.raises(AttributeError, match="nothing_of_ours"):
        _ = getattr(core, "nothing_of_ours")  # noqa: B009  # a checker knows that it is missing


def test_a_bug_in_one_file_does_not_silence_the_others(capsys, mesh, tmp_path, monkeypatch):
    checked = check.check_surface  # type: ignore[attr-defined]

    def broken(surface):
        if len(surface.vertices) == 5:
            raise ZeroDivisionError("ours")
        return checked(surface)

    (tmp_path / "bad.obj").write_text(TETRAHEDRON.replace("f 1 3 2", "v 2 2 2\nf 1 3 2"))
    monkeypatch.setattr(check, "check_surface", broken)
    files = [mesh, str(tmp_path / "bad.obj"), str(shutil.copy(mesh, tmp_path / "copy.obj"))]
    assert main(["check", *files]) == 3
    out, err = capsys.readouterr()
    assert [line.split(": ")[-1] for line in out.splitlines() if line.startswith(str(tmp_path))] == [
        "good",
        "not checked",
        "good",
    ]
    assert "ZeroDivisionError: ours" in err and "Traceback" in err and "internal error" in err
    assert main(["check", *files, "--json"]) == 3
    answer = json.loads(capsys.readouterr().out)["files"]
    assert [[finding["code"] for finding in file["findings"]] for file in answer] == [[], ["our_bug"], []]


def test_a_bug_in_one_file_leaves_the_report_of_the_others(capsys, tmp_path, monkeypatch):
    for name in ("a.sdf", "b.sdf"):
        (tmp_path / name).write_text(AUTO)
    read = read_robot

    def broken(path, *words, **named):
        if path.name == "a.sdf":
            raise ZeroDivisionError("ours")
        return read(path, *words, **named)

    monkeypatch.setattr(inputs, "read_robot", broken)
    assert main(["report", str(tmp_path / "a.sdf"), str(tmp_path / "b.sdf"), "--format", "json"]) == 3
    out, err = capsys.readouterr()
    first, second = json.loads(out)["files"]
    assert [finding["code"] for finding in first["findings"]] == ["our_bug"] and first["models"] == []
    assert second["models"][0]["links"][0]["mass"] == 1.0
    assert "ZeroDivisionError: ours" in err
