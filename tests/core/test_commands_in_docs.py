# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command in the documents works as shown: with these words, on such files, and with the printed output."""

import contextlib
import glob
import io
import re
import shlex
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.cli.main import COMMANDS as VERBS
from core.cli.main import main
from core.files.mesh_writers import obj_bytes, stl_bytes
from core.mesh.surface import Surface
from tests.core.printed.cad_texts import far_body, solidworks
from tests.core.solids import box
from tools.house import CHECKOUT

PAGES = [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md")]
PAGES = sorted({*PAGES} - {CHECKOUT / "CHANGELOG.md", CHECKOUT / "docs/findings.md", CHECKOUT / "docs/reliability.md"})

ELSEWHERE = {
    **({} if find_spec("pxr") else {"robot.usda": "needs usd-core, which has no wheel for this Python"}),
    "apt-get": "needs root and a network",
    "batch export": "needs Blender: tests/core/cli/batch, tests/blender/export",
    "blender": "needs Blender: tests/blender/export",
    "bpy": "needs Blender: tests/blender",
    "colcon": "needs ROS: test_desk_arm.py runs what colcon would run",
    "dask": "needs a cluster: test_cluster.py",
    "headless.py": "needs Blender: tests/blender/export",
    "in_drake.py": "the tutorial's own script: tools/tutorials/imported.py",
    "in_mujoco.py": "the tutorial's own script: tools/tutorials/imported.py",
    "pip": "needs a network: test_installed.py",
    "pipx": "needs a network: test_installed.py",
    "pxr": "OpenUSD alone: it has no command of ours",
    "--shard": "needs a cluster: test_batch.py",
    "uvx": "needs a network: test_installed.py",
    "sdf-inertia view": "serves until Ctrl-C: tests/core/cli/test_pages.py",
    "--changed-since": "needs a repository: tests/core/cli/test_changed_files.py",
    "--scheduler": "needs a cluster: test_cluster.py",
    r"[\w/]+\.step": "needs OpenCASCADE: tests/cad/test_documents.py",
}
"""What is not run here, and why, or which test does."""

PLACEHOLDERS = {"FILE...": "robot.urdf", "CODE": "triangle_inequality", "KG": "5"}
"""What stands for any value in a command within a sentence."""

BLOCK = re.compile(r"^(```.*?^```)|(?<=\n\n)((?: {4}(?![*-] )[^\n]*\n)+)", re.MULTILINE | re.DOTALL)
"""A code block: between fences, or indented below an empty line."""

CHOICES = re.compile(r"(\w+)(?:\|\w+)+")
"""Alternatives: the first of them is run."""


def blocks(page):
    """Yield the language and the lines of each code block of a page; an indented block has no language."""
    text = page.read_text(encoding="utf-8")
    for fenced, indented in BLOCK.findall(text):
        if fenced:
            language, *lines = fenced.splitlines()[:-1]
            yield language.removeprefix("```"), lines
        else:
            yield "", [line[4:] for line in indented.splitlines()]


def commands(page):
    """Yield each command of a page with the output that the page shows, or None."""
    for language, lines in blocks(page):
        if language == "bash":  # a script
            lines = [line for line in "\n".join(lines).replace("\\\n", " ").splitlines() if "sdf-inertia " in line]
        elif language not in ("", "console"):
            continue
        text = "\n".join(lines).replace("\\\n", " ")
        if page.name == "command-line.md":
            text = re.sub(rf"^(?={'|'.join(VERBS)})", "sdf-inertia ", text, flags=re.MULTILINE)
        if re.search(r"^\$ ", text, re.MULTILINE):
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield command, output.rstrip() or None
        else:
            yield from ((line, None) for line in text.splitlines() if line.strip())
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for span in re.findall(r"`([^`\n]+)`", text):
        words = span.removeprefix("sdf-inertia ").split()
        if words[0] in VERBS and any(re.search(r"\w\.\w|FILE|CODE", word) for word in words):
            yield f"sdf-inertia {' '.join(PLACEHOLDERS.get(word, word) for word in words)}", None


def elsewhere(command):
    """Return the key of `ELSEWHERE` that a command has, if any."""
    words = command.partition(" #")[0]
    return next((key for key in ELSEWHERE if re.search(rf"(?<![\w-]){key}\b", words)), None)


def ours(page):
    return [(command, output) for command, output in commands(page) if "sdf-inertia " in command]


@pytest.fixture
def robots(tmp_path, monkeypatch):
    """A folder with a file of each name that the documents use."""
    arm = CHECKOUT / "examples" / "arm.urdf"
    shutil.copytree(CHECKOUT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("*.blend", "*.py"))
    shutil.copytree(CHECKOUT / "tests/core/golden", tmp_path / "tests/core/golden")
    for name in ("arm.urdf", "robot.urdf", "robots/one.urdf", "src/arm.urdf", "out/gripper/model.urdf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(arm, tmp_path / name)
    auto = (
        '<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry>'
        "<box><size>1 1 1</size></box></geometry></collision></link></model></sdf>"
    )
    for name in (
        "out/gripper/model.sdf",
        "robot.sdf",
        "world.sdf",
        "old.sdf",
        "new.sdf",
        "robots/two.sdf",
        "biped/model.sdf",
        "arm/model.sdf",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(auto, encoding="utf-8")
    xacro = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="l"/></robot>'
    mjcf = '<mujoco><worldbody><body name="a"><joint/><geom size=".1" density="500"/></body></worldbody></mujoco>'
    for name in ("robot.xml", "out/gripper/model.xml"):
        (tmp_path / name).write_text(mjcf, encoding="utf-8")
    schemas = 'apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]'
    usd = f'#usda 1.0\n(\nmetersPerUnit = 1\n)\ndef Cube "a" ({schemas})\n{{\n}}\n'
    (tmp_path / "robot.usda").write_text(usd, encoding="utf-8")
    (tmp_path / "robot.urdf.xacro").write_text(xacro, encoding="utf-8")
    (tmp_path / "ws/src").mkdir(parents=True)
    (tmp_path / "meshes").mkdir()
    wheel = Surface(*box((1.0, 2.0, 3.0)))
    (tmp_path / "wheel.stl").write_bytes(stl_bytes(wheel))
    (tmp_path / "meshes/mug.obj").write_bytes(obj_bytes(wheel))
    (tmp_path / "map.csv").write_text("match,density\n*,1000\n", encoding="utf-8")
    (tmp_path / "arm.txt").write_text(solidworks(far_body()), encoding="utf-8")
    (tmp_path / "list.txt").write_text("robot.urdf\n", encoding="utf-8")
    (tmp_path / "known.json").write_text('{"schema": 1, "files": []}', encoding="utf-8")
    for name in ("biped", "desk_arm"):
        shutil.copytree(tmp_path / f"examples/{name}_description", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def run(command):
    """Run a line of a shell in this process, as far as the documents need it; return status and output."""
    command = CHOICES.sub(r"\1", command) if " | " not in command else command
    line = command.rpartition(" | ")[2]
    line, _, target = line.partition(" > ")
    words = []
    for word in shlex.split(line.replace("~/", ""), comments=True)[1:]:
        words += sorted(glob.glob(word)) or [word] if "*" in word else [word]
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            status: object = main(words)
        except SystemExit as error:
            status = error.code
        output.flush()
        errors.flush()
    printed, reported = (stream.buffer.getvalue().decode("utf-8") for stream in (output, errors))
    if target:
        Path(target.split()[0]).write_text(printed, encoding="utf-8")
    return status, printed, reported


def test_every_command_of_the_documents_runs_on_such_files(robots, monkeypatch):
    seen, failed = 0, []
    for page in PAGES:
        for command, _ in ours(page):
            if elsewhere(command):
                continue
            piped = "robot.sdf" if "--from -" in command else ""
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped.encode())))
            for path in (*robots.glob("*.jsonl*"), *robots.glob(".*.jsonl*")):
                path.unlink()
            status, _, errors = run(command)
            if status not in (0, 1):
                failed.append(f"{page.name}: {command}: {errors[-200:]}")
            seen += 1
    assert failed == []
    assert seen > 50


def test_every_command_is_shown_with_the_output_that_it_prints(robots):
    """A line of three dots stands for any lines; the outputs in tutorials are made by their scripts."""
    seen = 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for command, shown in ours(page):
            if page.name.startswith("tutorial-") or f"$ {command}\n" not in text or "robots/" in command:
                continue
            status, printed, errors = run(command)
            assert status in (0, 1), errors
            if shown:
                pattern = ".*".join(map(re.escape, re.split(r"^ *\.\.\.$", shown, flags=re.MULTILINE)))
                assert re.fullmatch(pattern, printed.rstrip(), re.DOTALL), f"{page.name}: {command}\n{printed}"
                seen += 1
    assert seen >= 4


def test_every_other_command_is_a_target_of_make_or_is_listed_with_its_reason():
    targets = set()
    for page in PAGES:
        for command, _ in commands(page):
            words = command.split()
            if words[0] == "make":
                targets.add(words[1])
            elif words[:2] == ["python", "-m"]:
                assert (CHECKOUT / words[2].replace(".", "/")).exists(), command
            elif "pytest" in words:
                assert all((CHECKOUT / word).exists() for word in words if word.startswith("tests/")), command
            elif words[0] == "cd":  # a folder of files that the page names
                assert f" {words[1]}/" in page.read_text(encoding="utf-8"), command
            elif "sdf-inertia" not in command and not command.startswith("#"):
                assert elsewhere(command), f"{page.name}: {command}"
        targets.update(re.findall(r"`make ([\w.-]+)", page.read_text(encoding="utf-8")))
    assert {"test", "demo", "package"} <= targets
    rules = subprocess.run(["make", "-pRrn", "help"], cwd=CHECKOUT, capture_output=True, text=True).stdout
    known = {name for names in re.findall(r"^([\w./ -]+):", rules, re.MULTILINE) for name in names.split()}
    assert targets - known == set()


def test_the_examples_in_python_run(robots):
    seen = 0
    for page in PAGES:
        for language, lines in blocks(page):
            code = "\n".join(lines)
            if language != "python" or page.name.startswith("tutorial-") or elsewhere(code):
                continue
            compile(code, page.name, "exec")
            if "sdf_inertia" in code:
                output = io.StringIO()
                with contextlib.redirect_stdout(output):
                    exec(code.replace("sdf_inertia", "core"), {})
                shown = re.findall(r"^print\(.*\)  # (?!kg)([^:\n]+)", code, re.MULTILINE)
                assert all(text.strip() in output.getvalue() for text in shown)
                seen += 1
    assert seen == 3
