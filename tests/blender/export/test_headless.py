# SPDX-License-Identifier: GPL-3.0-or-later
"""headless.py answers as the design's section 5 says: options, exit status, report, and what goes to which stream.

Here it runs in the bpy wheel; test_real_blender runs it in a Blender of its own.
"""

import json
import os
import re
import stat
import subprocess

import bpy
import pytest
from lxml import etree

from ..scenes import BOX_FACES, HEADLESS, add, box_mesh, contents, empty, mesh_data, module, python, tag, wedge_mesh

INERTIA = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


@pytest.fixture(scope="module")
def blends(addon, tmp_path_factory):
    """Three files: `robot` without a fault, `mixed` with a bad link beside a good one, `bare` without a tag."""
    folder = tmp_path_factory.mktemp("blends")

    def save(name):
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"))
        bpy.ops.wm.read_homefile(use_empty=True)

    bpy.ops.wm.read_homefile(use_empty=True)
    base = tag(add(wedge_mesh(), "base", scale=(1, -2, 1), rotation_euler=(1, 2, 3)), "link", "collision", "visual")
    tag(base, use_density=True, density=700)
    tag(add(box_mesh((1, 2, 3)), "box", base, location=(0, 0, 3)), "collision", geometry="BOX", material="Steel")
    arm = tag(empty("arm", base, location=(3, 0, 0), rotation_euler=(1, 2, 3)), "link", inertia="FILLED")
    tag(add(wedge_mesh(), "bone.001", arm, scale=(0.1, 0.2, 0.3)), "collision", use_density=True, density=2700)
    tag(arm, use_mass=True, mass=0.5)
    hand = tag(add(box_mesh(), "hand", arm), "link", "collision", inertia="MANUAL", manual_mass=2)
    tag(hand, manual_com=(0.1, 0, 0), manual_inertia=(1, 2, 2.5, 0.1, 0.2, 0.3))
    save("robot")
    box = box_mesh()
    tag(add(box, "good"), "link", "collision", use_density=True)
    tag(add(mesh_data([vertex.co for vertex in box.vertices], BOX_FACES[1:]), "bad"), "link", "collision")
    save("mixed")
    add(box_mesh())
    save("bare")
    (folder / "torn.blend").write_bytes((folder / "robot.blend").read_bytes()[:500])
    return folder


def headless(*arguments):
    return subprocess.run(python(HEADLESS, *arguments), capture_output=True, text=True, timeout=120)


@pytest.fixture
def export(scene, capfd):
    """Run the command in this process: that what it returns is the exit status, the tests of `headless` show."""

    def run(*arguments):
        capfd.readouterr()
        status = module("sdf_inertia_addon.export.command").run([str(argument) for argument in arguments])
        return subprocess.CompletedProcess(arguments, status, *capfd.readouterr())

    return run


@pytest.fixture(scope="module")
def done(blends, tmp_path_factory):
    """One run with everything: the finished process, the model's folder, the report and the table."""
    out = tmp_path_factory.mktemp("out")
    run = headless(blends / "robot.blend", "--output", out, "--report", out / "reports" / "robot.json")
    assert run.returncode == 0, run.stderr
    report = out / "reports" / "robot.json"
    return run, out / "robot", json.loads(report.read_text("utf-8")), report.with_suffix(".md").read_text("utf-8")


# --- the report ------------------------------------------------------------------------------------------------------


def test_the_report_has_the_shape_of_the_contract(done):
    _run, _folder, report, _table = done
    assert list(report) == ["schema", "file", "blender", "version", "models"]
    assert (report["file"], report["blender"]) == ("robot.blend", bpy.app.version_string)
    assert re.fullmatch(r"\d+\.\d+\.\d+", report["version"])
    (model,) = report["models"]
    assert {"name", "links"} <= model.keys() <= {"name", "links", "findings", "total"}
    body = {"mass", "com", "inertia", "volume", "principal", "method", "error", "error_inertia", "findings"}
    for link in model["links"]:
        assert link.keys() == {"name", "inertia_mode", "pose", "parts"} | body
        assert len(link["pose"]) == 6
        for part in link["parts"]:
            assert part.keys() == {"name", "geometry", "density", "inertia_at_link_com"} | body
        for thing in (link, *link["parts"]):
            assert len(thing["com"]) == 3
            assert tuple(thing["inertia"]) == INERTIA
            assert thing["principal"].keys() == {"moments", "axes"}
            for finding in thing["findings"]:
                assert tuple(finding) == ("severity", "code", "subject", "message", "remedy")
                assert finding["severity"] in ("info", "warning", "error")


def test_the_report_says_what_was_written(done):
    _run, folder, report, _table = done
    root = etree.parse(folder / "model.sdf")
    links = {link["name"]: link for link in report["models"][0]["links"]}
    assert {name: link["inertia_mode"] for name, link in links.items()} == {
        "arm": "filled",
        "base": "auto",
        "hand": "manual",
    }
    for element in root.iter("link"):
        link = links[element.get("name")]
        pose = [float(text) for text in (element.findtext("pose") or "0 0 0 0 0 0").split()]
        assert pose == pytest.approx(link["pose"], abs=1e-9)
        assert [part["name"] for part in link["parts"]] in ([], [c.get("name") for c in element.iter("collision")])
        if link["inertia_mode"] != "auto":
            assert float(element.findtext("inertial/mass")) == link["mass"]
    assert links["arm"]["mass"] == 0.5
    given = {"ixx": 1, "iyy": 2, "izz": 2.5, "ixy": 0.1, "ixz": 0.2, "iyz": 0.3}
    assert links["hand"]["inertia"] == given
    # 7850 kg/m³ of steel, 1 x 2 x 3 m.
    (box,) = (part for part in links["base"]["parts"] if part["name"] == "box")
    assert (box["density"], box["mass"]) == (7850, pytest.approx(7850 * 6 * 2, rel=1e-6))
    assert (box["geometry"], box["method"], box["error"]) == ("box", "primitive", 0)


def test_messages_go_to_standard_error(done):
    run, folder, _report, _table = done
    assert f"wrote {folder / 'model.sdf'}" in run.stderr
    assert "[free_links]" in run.stderr
    assert "wrote" not in run.stdout and "free_links" not in run.stdout


def test_renamed_objects_are_reported_by_their_new_names(done):
    names = [part["name"] for link in done[2]["models"][0]["links"] for part in link["parts"]]
    assert "bone_001" in names and "bone.001" not in names
    assert "[renamed]" in done[0].stderr


# --- options ---------------------------------------------------------------------------------------------------------


def sdf(folder):
    return etree.parse(folder / "robot" / "model.sdf")


@pytest.mark.parametrize(
    "inertia, autos",
    [("auto", {"arm": "true", "base": "true", "hand": None}), ("filled", dict.fromkeys(("arm", "base", "hand")))],
)
def test_inertia_overrides_what_the_links_say_but_never_manual(export, blends, tmp_path, inertia, autos):
    run = export(blends / "robot.blend", "--output", tmp_path, "--inertia", inertia)
    assert run.returncode == 0, run.stderr
    root = sdf(tmp_path)
    assert {link.get("name"): link.find("inertial").get("auto") for link in root.iter("link")} == autos
    (hand,) = (link for link in root.iter("link") if link.get("name") == "hand")
    assert hand.findtext("inertial/mass") == "2"
    assert ("[auto_not_possible]" in run.stderr) == (inertia == "auto")


def test_strict_auto_makes_it_an_error_that_auto_is_not_possible(export, blends, tmp_path):
    run = export(blends / "robot.blend", "--output", tmp_path / "out", "--inertia", "auto", "--strict-auto")
    assert run.returncode == 1
    assert re.search(r"error: hand: .*\[auto_not_possible\]", run.stderr)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("style, prefix", [("model", "model://robot/meshes/"), ("file", "file:///")])
def test_uri(export, blends, tmp_path, style, prefix):
    assert export(blends / "robot.blend", "--output", tmp_path, "--uri", style).returncode == 0
    assert all(uri.text.startswith(prefix) for uri in sdf(tmp_path).iter("uri"))


def test_a_relative_output_is_relative_to_where_one_stands(blends, tmp_path):
    command = python(HEADLESS, blends / "robot.blend", "--output", "out", "--uri", "file", "--report", "report.json")
    assert subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=120).returncode == 0
    assert (tmp_path / "report.json").is_file()
    (uri, *_rest) = [uri.text for uri in sdf(tmp_path / "out").iter("uri")]
    assert uri.startswith(f"file://{tmp_path}/out/robot/meshes/")


def test_the_same_file_gives_the_same_bytes_in_another_process(blends, done, tmp_path):
    folder = done[1]
    assert headless(blends / "robot.blend", "--output", tmp_path).returncode == 0
    assert contents(tmp_path / "robot") == contents(folder)


def test_a_bad_link_stops_the_export_with_1(blends, tmp_path):
    report = tmp_path / "report.json"
    run = headless(blends / "mixed.blend", "--output", tmp_path / "out", "--report", report)
    assert run.returncode == 1
    assert re.search(r"error: bad/bad: .*\[open_mesh\] Fix: ", run.stderr)
    assert "nothing was written" in run.stderr
    assert not (tmp_path / "out").exists()
    # What is known is still reported.
    links = {link["name"]: link for link in json.loads(report.read_text())["models"][0]["links"]}
    assert [links["bad"][key] for key in ("mass", "com", "inertia")] == [None] * 3
    assert "open_mesh" in {finding["code"] for part in links["bad"]["parts"] for finding in part["findings"]}
    assert links["good"]["mass"] == pytest.approx(1000)
    assert "refused" in report.with_suffix(".md").read_text()


def test_skip_invalid_writes_the_others_and_ends_with_1(export, blends, tmp_path):
    run = export(blends / "mixed.blend", "--output", tmp_path, "--skip-invalid")
    assert run.returncode == 1
    root = etree.parse(tmp_path / "mixed" / "model.sdf")
    assert [link.get("name") for link in root.iter("link")] == ["good"]


@pytest.mark.parametrize(
    "arguments, text",
    [
        ([], "--output"),
        (["robot.blend"], "--output"),
        (["robot.blend", "--output", "out", "--inertia", "guess"], "invalid choice"),
        (["robot.blend", "--output", "out", "--surprise"], "unrecognized"),
        (["--output", "out"], "no .blend is loaded"),
        (["missing.blend", "--output", "out"], "there is no file"),
        (["torn.blend", "--output", "out"], "cannot open"),
        (["bare.blend", "--output", "out"], "no object is tagged"),
        (["robot.blend", "--output", "robot.blend/below"], "cannot write"),
        (["robot.blend", "--output", "out", "--report", "robot.blend/report.json"], "cannot write"),
        (["robot.blend", "--output", "out", "--report", "r.md"], "has to end in .json"),
        (["robot.blend", "--output", "out", "--report", "report"], "has to end in .json"),
        (["robot.blend", "--output", "out", "--preview", "r.json"], "has to end in .png"),
    ],
    ids=lambda value: "_".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_cannot_run_ends_with_2_and_says_why(export, blends, tmp_path, arguments, text):
    known = {"robot.blend", "torn.blend", "bare.blend"}
    placed = [
        str(blends / a) if a.split("/")[0] in known else str(tmp_path / a) if a == "out" else a for a in arguments
    ]
    run = export(*placed)
    assert run.returncode == 2, run.stderr
    assert text in run.stderr
    assert "Traceback" not in run.stderr
    assert (blends / "robot.blend").is_file()


def test_a_report_that_cannot_be_written_does_not_hide_what_was_done(export, blends, tmp_path):
    (tmp_path / "file").write_text("in the way")
    run = export(blends / "robot.blend", "--output", tmp_path / "out", "--report", tmp_path / "file" / "report.json")
    assert run.returncode == 2
    sdf_file = tmp_path / "out" / "robot" / "model.sdf"
    assert sdf_file.is_file()
    lines = run.stderr.splitlines()
    wrote = lines.index(f"wrote {sdf_file}")
    assert any("[free_links]" in line for line in lines[:wrote])
    assert any(line.startswith("error: cannot write") for line in lines[wrote:])


def test_the_endings_of_report_and_preview_are_taken_in_capitals_too(export, blends, tmp_path):
    run = export(blends / "robot.blend", "--output", tmp_path, "--report", tmp_path / "R.JSON")
    assert run.returncode == 0, run.stderr
    assert json.loads((tmp_path / "R.JSON").read_text("utf-8"))["models"]
    assert (tmp_path / "R.md").read_text("utf-8").startswith("# robot")


def test_a_link_refused_as_a_whole_has_no_numbers_in_the_report(export, blends, tmp_path):
    report = tmp_path / "report.json"
    arguments = ("--output", tmp_path / "out", "--report", report, "--inertia", "auto", "--strict-auto")
    run = export(blends / "robot.blend", *arguments)
    assert run.returncode == 1
    links = {link["name"]: link for link in json.loads(report.read_text("utf-8"))["models"][0]["links"]}
    assert "auto_not_possible" in {finding["code"] for finding in links["hand"]["findings"]}
    assert [links["hand"][key] for key in ("mass", "com", "inertia")] == [None] * 3
    assert links["base"]["mass"] > 0


def test_help_ends_with_0():
    run = headless("--help")
    assert run.returncode == 0
    options = ("--output", "--inertia", "--skip-invalid", "--strict-auto", "--uri", "--report", "--preview", "--trust")
    for option in options:
        assert option in run.stdout


def test_the_blend_is_not_touched(blends, done):
    assert done[0].returncode == 0
    assert not list(blends.glob("*.blend1"))
    assert sorted(path.name for path in blends.iterdir()) == ["bare.blend", "mixed.blend", "robot.blend", "torn.blend"]


@pytest.mark.fault(73)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no devices and FIFOs here")
def test_a_report_and_a_preview_go_into_a_device_and_never_into_its_place(blends, tmp_path):
    null = tmp_path / "null"
    try:
        os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # of our own: it takes whatever comes
        null.write_bytes(b"")
    except OSError as error:
        pytest.skip(f"no device node can be made and used here: {error.strerror}")
    for name in ("robot.json", "robot.md", "robot.png"):
        (tmp_path / name).symlink_to(null)
    arguments = ("--output", tmp_path / "out", "--report", tmp_path / "robot.json", "--preview", tmp_path / "robot.png")
    run = headless(blends / "robot.blend", *arguments)
    assert run.returncode == 0, run.stderr
    assert stat.S_ISCHR(null.stat().st_mode)
    assert all((tmp_path / name).is_symlink() for name in ("robot.json", "robot.md", "robot.png"))
