# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands `mass` and `check`: output, findings and exit status, as the design promises them."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core import mesh_moments
from core.cli import mass, terminal
from core.cli.main import main

from ..solids import box, inverted, joined, polygon, prism

CHECKOUT = Path(__file__).parents[3]
SIZE, LOW = np.array([0.2, 0.3, 0.4]), np.array([1.0, -2.0, 0.5])
VOLUME = float(np.prod(SIZE))
BODY_KEYS = {"mass", "com", "inertia", "volume", "principal", "method", "error", "error_inertia", "findings"}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write meshes as OBJ files into the working directory, and return their names."""
    monkeypatch.chdir(tmp_path)

    return write_obj


def write_obj(name, mesh):
    vertices, triangles = mesh
    lines = [f"v {x!r} {y!r} {z!r}\n" for x, y, z in np.asarray(vertices).tolist()]
    Path(name).write_text("".join(lines + [f"f {a} {b} {c}\n" for a, b, c in (triangles + 1).tolist()]))
    return name


@pytest.fixture
def block(write):
    return write("block.obj", box(SIZE, LOW))


@pytest.fixture
def holed(write):
    vertices, triangles = box(SIZE, LOW)
    return write("holed.obj", (vertices, triangles[1:]))


def run_json(capsys, *arguments):
    status = main([*arguments, "--json"])
    output = capsys.readouterr()
    return status, json.loads(output.out), output.err


def codes(findings):
    return {finding["code"] for finding in findings}


def box_inertia(mass, size=SIZE):
    x, y, z = np.square(size)
    return dict(ixx=mass * (y + z) / 12, iyy=mass * (x + z) / 12, izz=mass * (x + y) / 12, ixy=0, ixz=0, iyz=0)


@pytest.mark.parametrize(
    ("arguments", "mass"),
    [((), 1000 * VOLUME), (("--density", "7850"), 7850 * VOLUME), (("--mass", "3.5"), 3.5)],
    ids=["water", "density", "mass"],
)
def test_the_json_of_a_box_is_the_body_of_the_design(capsys, block, arguments, mass):
    status, body, err = run_json(capsys, "mass", block, *arguments)
    assert status == 0 and set(body) == {"schema", *BODY_KEYS}
    assert body["mass"] == pytest.approx(mass, rel=1e-14)
    assert body["volume"] == pytest.approx(VOLUME, rel=1e-14)
    assert body["com"] == pytest.approx(LOW + SIZE / 2, rel=1e-14)
    assert body["inertia"] == pytest.approx(box_inertia(mass), rel=1e-13, abs=1e-15 * mass)
    assert body["principal"]["moments"] == pytest.approx(sorted(body["inertia"][i] for i in ("ixx", "iyy", "izz")))
    assert np.linalg.det(body["principal"]["axes"]) == pytest.approx(1.0)
    assert (body["method"], body["error"]) == ("exact", 0.0)
    if arguments:
        assert body["findings"] == [] and err == ""
    else:
        (finding,) = body["findings"]
        assert finding["code"] == "default_density" and finding["subject"] == block
        assert "default_density" in err


@pytest.mark.fault(41)
def test_products_of_inertia_have_the_sign_of_sdformat(capsys, write):
    # Two cubes along the diagonal x = y: ∫xy dm > 0, so ixy < 0.
    pair = write("pair.obj", joined(box(), box(low=(2.0, 2.0, 0.0))))
    _, body, _ = run_json(capsys, "mass", pair, "--density", "1")
    assert body["inertia"]["ixy"] == pytest.approx(-2.0)
    assert body["inertia"]["ixz"] == body["inertia"]["iyz"] == 0.0


def test_products_that_are_rounding_alone_are_zero(capsys, write):
    tower = prism(polygon(7))
    assert 0.0 < abs(mesh_moments(*tower).covariance[0, 1]) < 1e-15
    _, body, _ = run_json(capsys, "mass", write("tower.obj", tower), "--density", "1")
    assert body["inertia"]["ixy"] == body["inertia"]["ixz"] == body["inertia"]["iyz"] == 0.0


def test_scale_is_metres_per_unit_of_the_file(capsys, write):
    name = write("mm.obj", box(1000 * SIZE))
    _, body, _ = run_json(capsys, "mass", name, "--scale", "0.001", "--density", "1000")
    assert body["volume"] == pytest.approx(VOLUME, rel=1e-14)
    assert body["inertia"] == pytest.approx(box_inertia(1000 * VOLUME), rel=1e-12, abs=1e-14)


def test_a_voxel_size_alone_means_voxels_and_its_length_is_metres(capsys, write):
    name = write("mm.obj", box(1000 * SIZE))
    _, body, _ = run_json(capsys, "mass", name, "--scale", "0.001", "--voxel-size", "0.1", "--density", "1")
    assert body["method"] == "voxel"
    assert body["volume"] == pytest.approx(VOLUME, rel=1e-12)  # its sides are whole multiples of the voxel's


def test_a_shell_has_the_mass_of_its_area_times_its_thickness(capsys, holed):
    _, body, _ = run_json(capsys, "mass", holed, "--method", "shell", "--thickness", "1e-4", "--density", "1000")
    x, y, z = SIZE
    triangle = x * y / 2, y * z / 2, z * x / 2
    whole = 2 * (x * y + y * z + z * x)
    assert min(abs(body["mass"] - 0.1 * (whole - hole)) for hole in triangle) < 1e-3 * body["mass"]
    assert body["method"] == "shell"


def test_overlapping_boxes_are_measured_as_their_union_with_a_warning(capsys, write):
    name = write("two.obj", joined(box(), box(low=(0.5, 0.0, 0.0))))
    status, body, err = run_json(capsys, "mass", name, "--density", "1")
    assert status == 0 and body["method"] == "union" and body["error"] == 0.0
    assert body["volume"] == pytest.approx(1.5, rel=1e-12)
    assert [finding["severity"] for finding in body["findings"]] == ["warning"] and "0.5" in err


def test_holes_are_closed_on_request_and_the_error_covers_the_doubt(capsys, holed):
    status, body, _ = run_json(capsys, "mass", holed, "--density", "1", "--close-holes")
    (finding,) = body["findings"]
    assert status == 0 and (finding["severity"], finding["code"]) == ("warning", "holes_closed")
    x, y, z = SIZE
    assert abs(body["volume"] - x * y * z) <= body["error"] * body["volume"] and 0.0 < body["error"] < 1.0
    assert "1 hole (3 edges" in finding["message"] and "--" not in finding["remedy"]


def test_closed_holes_that_leave_all_in_doubt_are_not_to_be_closed_again(capsys, write):
    vertices, triangles = box()
    flat = np.asarray(vertices) * (4.0, 2.0, 1.0)
    lid = (flat[triangles, 2] == flat[:, 2].max()).all(axis=1)
    name = write("open.obj", (flat, triangles[~lid]))
    status, body, _ = run_json(capsys, "mass", name, "--density", "1", "--close-holes")
    (finding,) = body["findings"]
    assert status == 1 and finding["code"] == "no_inside"
    assert "--method shell" in finding["remedy"] and "--close-holes" not in finding["remedy"]


def test_a_closed_mesh_has_no_holes_to_close(capsys, block):
    _, asked, _ = run_json(capsys, "mass", block, "--density", "1", "--close-holes")
    _, plain, _ = run_json(capsys, "mass", block, "--density", "1")
    assert asked == plain and asked["error"] == 0.0


def test_closing_holes_goes_with_the_exact_method(capsys, holed):
    with pytest.raises(SystemExit) as ended:
        main(["mass", holed, "--close-holes", "--voxel-size", "0.1"])
    assert ended.value.code == 2 and "--close-holes goes with --method exact" in capsys.readouterr().err


def test_a_refused_mesh_has_no_numbers_and_ends_with_1(capsys, holed):
    status, body, err = run_json(capsys, "mass", holed)
    assert status == 1 and set(body) == {"schema", *BODY_KEYS}
    assert body["mass"] is body["com"] is body["inertia"] is body["volume"] is None
    assert codes(body["findings"]) >= {"open_mesh"}
    assert "open_mesh" in err and holed in err


def test_a_refused_mesh_prints_no_table(capsys, holed):
    assert main(["mass", holed]) == 1
    assert capsys.readouterr().out == ""


def test_the_table_says_how_and_of_what_and_keeps_findings_apart(capsys, block):
    assert main(["mass", block]) == 0
    out, err = capsys.readouterr()
    for text in ("block.obj", "exact", "1000 kg/m³", "24 kg", "0.024 m³", "SDFormat's sign", "principal"):
        assert text in out
    assert "default_density" in err and "default_density" not in out


def test_a_mass_in_place_of_a_density_shows_the_density_it_means(capsys, block):
    assert main(["mass", block, "--mass", "2.4"]) == 0
    out, err = capsys.readouterr()
    assert "100 kg/m³" in out and "2.4 kg" in out and err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("mass",),
        ("mass", "a.obj", "--density", "1", "--mass", "1"),
        ("mass", "a.obj", "--density", "0"),
        ("mass", "a.obj", "--density", "nan"),
        ("mass", "a.obj", "--mass", "-1"),
        ("mass", "a.obj", "--mass", "heavy"),
        ("mass", "a.obj", "--scale", "0"),
        ("mass", "a.obj", "--voxel-size", "inf"),
        ("mass", "a.obj", "--method", "guess"),
        ("mass", "a.obj", "--method", "hull", "--voxel-size", "0.1"),
        ("mass", "a.obj", "--method", "shell"),
        ("mass", "a.obj", "--thickness", "0.1"),
        ("mass", "a.obj", "--dens", "1"),
        ("check",),
        ("weigh", "a.obj"),
    ],
    ids=" ".join,
)
def test_a_wrong_usage_ends_with_2_and_says_why(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    out, err = capsys.readouterr()
    assert out == "" and "usage: sdf-inertia" in err and "error: " in err


def test_a_file_that_is_not_there_ends_with_2(capsys):
    status, body, _ = run_json(capsys, "mass", "absent.stl")
    assert status == 2 and body["mass"] is None and codes(body["findings"]) == {"unreadable_file"}


def test_without_trimesh_the_install_command_is_named_and_the_status_is_2(capsys, tmp_path, monkeypatch):
    (tmp_path / "a.off").write_bytes(b"OFF")
    monkeypatch.setitem(sys.modules, "trimesh", None)  # importing it raises
    assert main(["mass", str(tmp_path / "a.off")]) == 2
    assert "pip install 'sdf-inertia[mesh]'" in capsys.readouterr().err


def test_check_prints_a_verdict_for_each_file_and_its_findings_below(capsys, block, holed, write):
    inside_out = write("inside_out.obj", inverted(box()))
    assert main(["check", block, holed, inside_out]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert (
        f"{block}: good" in lines
        and f"{holed}: invalid, 1 error" in lines
        and f"{inside_out}: usable, 1 warning" in lines
    )
    below_holed = lines[lines.index(f"{holed}: invalid, 1 error") + 1 : lines.index(f"{inside_out}: usable, 1 warning")]
    assert below_holed[0].startswith("  error: ") and "[open_mesh]" in " ".join(below_holed)
    assert lines[lines.index(f"{inside_out}: usable, 1 warning") + 1].startswith("  warning: ")
    assert len(below_holed) == 2  # what is wrong, and the fix, each in a line


def test_check_as_json_lists_the_findings_of_each_file(capsys, block, holed):
    status, answer, _ = run_json(capsys, "check", block, holed)
    assert status == 1
    good, bad = answer["files"]
    assert good == {"file": block, "findings": []}
    assert bad["file"] == holed and codes(bad["findings"]) == {"open_mesh"}
    assert set(bad["findings"][0]) == {"severity", "code", "subject", "message", "remedy"}


def test_good_files_end_with_0(capsys, block):
    assert main(["check", block]) == 0


@pytest.mark.fault(175)
def test_unreadable_files_are_not_read_and_the_others_are_checked(capsys, holed):
    Path("robot.sdf").write_text("<sdf/>")
    assert run_json(capsys, "check", "absent.stl")[0] == 2
    status, answer, _ = run_json(capsys, "check", "absent.stl", "robot.sdf", holed)
    assert status == 1 and [file.get("read", True) for file in answer["files"]] == [False, True, True]
    assert [codes(file["findings"]) for file in answer["files"]] == [
        {"unreadable_file"},
        {"bad_version"},
        {"open_mesh"},
    ]


def test_check_scales_as_mass_does(capsys, write):
    name = write("mm.obj", box(1000 * SIZE))
    _, answer, _ = run_json(capsys, "check", name)
    assert codes(answer["files"][0]["findings"]) == {"unit_suspicion"}
    _, answer, _ = run_json(capsys, "check", name, "--scale", "0.001")
    assert answer["files"][0]["findings"] == []


def test_an_internal_error_ends_with_3_and_shows_its_traceback(capsys, block, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(mass, "measure_surface", broken)
    assert main(["mass", block, "--json"]) == 3
    out, err = capsys.readouterr()
    assert out == "" and "ZeroDivisionError: ours" in err and "internal error" in err


def test_ctrl_c_ends_with_130_one_line_and_no_output(capsys, block, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(mass, "measure_surface", interrupted)
    assert main(["mass", block, "--json"]) == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_voxels_report_their_progress_up_to_the_end(capsys, block, monkeypatch):
    shares = []

    class Bar:
        def __enter__(self):
            return shares.append

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(mass, "progress_bar", lambda _title: Bar())
    assert main(["mass", block, "--method", "voxel"]) == 0
    assert shares and shares == sorted(shares) and shares[-1] == 1.0


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Give what runs one of the real commands by its name, and returns the status, the output and the errors."""
    mesh = write_obj(str(tmp_path_factory.mktemp("real") / "block.obj"), box(SIZE, LOW))
    core = [sys.executable, "-m", "core"]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    commands = {
        "json": ([*core, "mass", mesh, "--json"], pipes),
        "enough": (f"{' '.join(core)} check {mesh} {mesh} {mesh} | true", pipes | {"shell": True}),
    }
    with open("/dev/full" if os.path.exists("/dev/full") else os.devnull, "wb") as full:
        commands["full"] = ([*core, "mass", mesh, "--json"], pipes | {"stdout": full, "env": buffered})  # type: ignore[assignment]

        def end(name):
            words, how = commands[name]
            ended = subprocess.run(words, cwd=CHECKOUT, **how)  # type: ignore[call-overload]
            return ended.returncode, ended.stdout, ended.stderr

        yield end


@pytest.mark.thorough
def test_the_real_command_prints_one_json_object_and_nothing_else(real):
    status, out, err = real("json")
    assert status == 0
    assert json.loads(out)["volume"] == pytest.approx(VOLUME)
    assert b"default_density" in err


def test_a_terminal_that_knows_ascii_only_still_gets_a_table(block, monkeypatch):
    class Terminal(io.BytesIO):
        def isatty(self):
            return True

    written = Terminal()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert main(["mass", block]) == 0
    assert b"0.024 m\\xb3" in written.getvalue()


def test_a_file_gets_the_same_bytes_on_every_system(block, monkeypatch):
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    outputs = set()
    for encoding, newline in (("ascii", None), ("cp1252", "\r\n"), ("utf-8", "\n")):
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding, newline=newline))
        assert main(["mass", block]) == 0
        outputs.add(written.getvalue())
    assert len(outputs) == 1 and "0.024 m³\n".encode() in outputs.pop()


def watch(monkeypatch, shown_after=0.0):
    """Make standard error a terminal, and return what is written to it."""
    pytest.importorskip("rich")

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(terminal, "SHOWN_AFTER", shown_after)
    return shown


ERASED = "\x1b[1A\x1b[2K"
"""What a terminal is sent to go up a line and clear it."""


def test_a_bar_shows_the_share_that_is_done_and_is_removed(monkeypatch):
    bar = watch(monkeypatch)
    with terminal.progress_bar("voxels") as report:
        for share in (0.25, 0.5):
            report(share)
    assert "voxels" in bar.getvalue() and re.findall(r"(\d+)%", bar.getvalue())[-1] == "50"
    assert bar.getvalue().endswith(ERASED)


def test_a_bar_of_a_batch_counts_inputs_and_failures(monkeypatch):
    bar = watch(monkeypatch)
    with terminal.library_bar(8, "check") as advance:
        for failed in (0, 1, 1):
            advance(failed)
    assert re.search(r"3/8, [0-9.e+]+ files/s, 1 failed", bar.getvalue())


def test_work_that_is_soon_done_shows_no_bar(monkeypatch):
    bar = watch(monkeypatch, shown_after=60.0)
    with terminal.progress_bar("voxels") as report:
        report(0.5)
    assert bar.getvalue() == ""


def test_the_command_shows_a_bar_on_a_terminal_and_ctrl_c_ends_it_with_130(write):
    pytest.importorskip("pty")  # POSIX only
    pytest.importorskip("rich")
    import fcntl
    import pty
    import struct
    import termios

    # Tests that run in a shell's background inherit that SIGINT is ignored; a command at a terminal does not.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import sys, time; from core.cli import main, mass, terminal; terminal.SHOWN_AFTER = 0.0\n"
        "def slow(surface, method, lengths, report):\n"
        "    for step in range(1000): report(step / 1000); time.sleep(0.02)\n"
        "mass.measure_surface = slow\n"
        f"sys.exit(main.main(['mass', {os.path.abspath(write('b.obj', box()))!r}]))"
    )
    try:
        terminal, end = pty.openpty()
    except OSError as error:  # a chroot without /dev/pts
        pytest.skip(f"no terminal to be had here: {error}")
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen([sys.executable, "-c", code], cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=end)
    os.close(end)
    seen = b""
    while b"exact" not in seen or b"%" not in seen:
        seen += os.read(terminal, 4096)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    while b"interrupted" not in seen:
        seen += os.read(terminal, 4096)
    os.close(terminal)
    assert process.returncode == 130 and out == b"" and b"Traceback" not in seen


@pytest.mark.thorough
def test_a_reader_that_has_seen_enough_gets_no_traceback(real):
    _, _, err = real("enough")
    assert not any(word in err for word in (b"Traceback", b"Exception", b"cannot write"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.thorough
def test_output_that_cannot_be_written_ends_with_2(real):
    status, _, err = real("full")
    assert status == 2 and b"cannot write" in err and b"Traceback" not in err


@pytest.mark.parametrize("word", ["voxel", "Voxels", "VOXEL"])
def test_a_method_is_taken_as_findings_call_it(word, block, capsys):
    assert main(["mass", block, "--method", word, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["method"] == "voxel"
