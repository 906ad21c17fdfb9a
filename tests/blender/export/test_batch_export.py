# SPDX-License-Identifier: GPL-3.0-or-later
"""Many .blend files by Blenders that stay open: each as if it were exported alone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from core.cli.batch.blender import CHOICES, FLAGS

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


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def alone(blend, folder):
    script = CHECKOUT / "sdf_inertia_addon" / "headless.py"
    subprocess.run([sys.executable, script, blend, "--output", folder], check=True, capture_output=True, timeout=120)


def test_each_file_is_exported_as_it_would_be_alone_and_a_broken_one_is_named(tmp_path):
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
        assert files(tmp_path / "out" / name) == files(tmp_path / "alone" / name)
        assert lines[f"{name}.blend"]["result"]["models"][0]["links"]
    before = (tmp_path / "r.jsonl").read_text()
    assert run(tmp_path, "rover.blend", "gripper.blend", *words, "--resume")[0] == 0
    again = (tmp_path / "r.jsonl").read_text().splitlines()
    assert set(again) < set(before.splitlines()) and len(again) == 2  # with their times: nothing was done twice


def test_a_blender_that_has_no_add_on_is_an_outcome_that_says_so(tmp_path):
    shutil.copyfile(CHECKOUT / "examples" / "rover.blend", tmp_path / "rover.blend")
    status, _ = run(tmp_path, "rover.blend", "--output", "out", "--blender", sys.executable, "--report", "r.jsonl")
    (line,) = map(json.loads, (tmp_path / "r.jsonl").read_text().splitlines())
    assert status == 1 and line["outcome"] == "crash" and "no extension SDF Inertia" in line["message"]


def test_the_options_are_those_of_the_export_that_go_for_many_files(addon):
    from importlib import import_module

    parser = import_module(f"{addon.__name__}.sdf_inertia_addon.export.command")._parser("test")
    known = {word: action for action in parser._actions for word in action.option_strings}
    assert set(known) - {"-h", "--help", "--output", "--report", "--preview"} == {*CHOICES, *FLAGS}
    assert all(tuple(known[name].choices) == choices for name, choices in CHOICES.items())
    assert all(known[name].default == choices[0] for name, choices in CHOICES.items())
