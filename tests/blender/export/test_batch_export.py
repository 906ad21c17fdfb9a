# SPDX-License-Identifier: GPL-3.0-or-later
"""Many .blend files by Blenders that stay open: each as if it were exported alone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from core.cli.batch.blender import CHOICES, FLAGS

from ..scenes import contents

CHECKOUT = Path(__file__).parents[3]


def run(folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "core", "batch", "export", *map(str, words)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stderr


def alone(blend, folder):
    script = CHECKOUT / "sdf_inertia_addon" / "headless.py"
    subprocess.run([sys.executable, script, blend, "--output", folder], check=True, capture_output=True, timeout=120)


def test_each_file_is_exported_as_if_alone_and_a_broken_one_is_named(tmp_path):
    for name in ("rover", "gripper"):
        shutil.copyfile(CHECKOUT / "examples" / f"{name}.blend", tmp_path / f"{name}.blend")
        alone(tmp_path / f"{name}.blend", tmp_path / "alone" / name)
    (tmp_path / "broken.blend").write_bytes(b"BLENDER-v405 and nothing else")
    words = ("--output", "out", "--blender", sys.executable, "--addon", CHECKOUT, "--jobs", 1, "--report", "r.jsonl")
    status, said = run(tmp_path, "broken.blend", "rover.blend", "gone.blend", "gripper.blend", *words)
    lines = {line["input"]: line for line in map(json.loads, (tmp_path / "r.jsonl").read_text().splitlines())}
    assert status == 1, said
    assert {name: line["outcome"] for name, line in lines.items()} == {
        **{"rover.blend": "done", "gripper.blend": "done"},
        **{"broken.blend": "unreadable", "gone.blend": "unreadable"},
    }
    assert "broken.blend" in lines["broken.blend"]["message"]
    for name in ("rover", "gripper"):
        assert contents(tmp_path / "out" / name) == contents(tmp_path / "alone" / name)
        assert lines[f"{name}.blend"]["result"]["models"][0]["links"]
    before = (tmp_path / "r.jsonl").read_text()
    assert run(tmp_path, "rover.blend", "gripper.blend", *words, "--resume")[0] == 0
    again = (tmp_path / "r.jsonl").read_text().splitlines()
    assert set(again) < set(before.splitlines()) and len(again) == 2  # with their times: nothing was done twice


def test_a_batch_does_not_begin_without_a_blender_that_has_the_add_on(tmp_path):
    for program, words in ((sys.executable, "no extension SDF Inertia"), ("/bin/true", "Blender ended")):
        status, said = run(tmp_path, "rover.blend", "--output", "out", "--blender", program, "--report", "r.jsonl")
        assert status == 2 and "no_addon" in said and words in said
    assert not list(tmp_path.iterdir())


def test_an_export_is_done_again_when_what_the_file_links_has_changed(tmp_path):
    script = """if True:
        import sys, bpy
        bpy.ops.wm.read_homefile(use_empty=True)
        mesh = bpy.data.meshes.new("part")
        size, folder = float(sys.argv[1]), sys.argv[2]
        corners = [(x, y, z) for x in (0, size) for y in (0, size) for z in (0, size)]
        sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        mesh.from_pydata(corners, [], sides)
        bpy.data.libraries.write(folder + "/parts.blend", {mesh}, fake_user=True)
        if size == 1.0:
            bpy.ops.wm.read_homefile(use_empty=True)
            with bpy.data.libraries.load(folder + "/parts.blend", link=True) as (there, here):
                here.meshes = ["part"]
            body = bpy.data.objects.new("body", bpy.data.meshes["part"])
            bpy.context.collection.objects.link(body)
            import importlib.util
            spec = importlib.util.spec_from_file_location("h", sys.argv[3] + "/sdf_inertia_addon/headless.py")
            headless = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(headless)
            headless.prepare()
            body.sdf_inertia.is_link = body.sdf_inertia.is_collision = True
            bpy.ops.wm.save_as_mainfile(filepath=folder + "/robot.blend")
        import os
        os._exit(0)
    """
    words = ("--output", "out", "--blender", sys.executable, "--addon", CHECKOUT, "--report", "r.jsonl", "--resume")
    masses = []
    for size in (1.0, 1.0, 2.0):
        if size not in masses:
            subprocess.run([sys.executable, "-c", script, str(size), tmp_path, CHECKOUT], check=True, timeout=120)
        status, said = run(tmp_path, "robot.blend", *words)
        (line,) = map(json.loads, (tmp_path / "r.jsonl").read_text().splitlines())
        (link,) = line["result"]["models"][0]["links"]
        masses += [size, link["mass"], "1 of them before" in said]
    assert masses == [1.0, 1000.0, False, 1.0, 1000.0, True, 2.0, 8000.0, False]


def test_the_options_are_those_of_the_export_that_go_for_many_files(addon):
    from importlib import import_module

    parser = import_module(f"{addon.__name__}.sdf_inertia_addon.export.command")._parser("test")
    known = {word: action for action in parser._actions for word in action.option_strings}
    assert set(known) - {"-h", "--help", "--output", "--report", "--preview"} == {*CHOICES, *FLAGS}
    assert all(tuple(known[name].choices) == choices for name, choices in CHOICES.items())
    assert all(known[name].help == text for name, text in FLAGS.items())
    assert all(known[name].default == choices[0] for name, choices in CHOICES.items())
