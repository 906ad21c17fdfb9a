# SPDX-License-Identifier: Apache-2.0
"""Exports .blend files by a Blender process that stays open from file to file; see `blender_worker`."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

from ...errors import Finding, InertiaError
from ...files.input_file import digest, note_read
from ...formats.writers import WRITERS
from ...robot.report import Json, finding_json
from ...status import CANNOT_RUN, DONE, REFUSED
from .blender_worker import MARK
from .task import die_with_parent, signal_name

RENEWED_AFTER = 50
"""Files that one Blender process exports; its memory grows from file to file."""

CHOICES = {
    "--inertia": ("as-set", "auto", "filled"),
    "--uri": ("relative", "model", "file"),
    "--format": tuple(WRITERS),
    "--mesh-format": ("obj", "stl"),
}
FLAGS = {
    "--skip-invalid": "export the other links if some have errors",
    "--trust": "run the Python in the .blend; it is loaded again for that",
    "--strict-auto": "make it an error if AUTO has to be written filled",
    "--no-drawn-collisions": "write links without a visual as they are; by default their collisions are drawn",
    "--fixed-base": "fix the root to the world, if no joint does",
    "--dummy-root": "in URDF, add a link without mass above the root",
    "--thumbnail": "a picture of the model beside it, for Gazebo's lists",
}
"""The options of headless.py that apply to many files."""


class BlenderEndedError(Exception):
    """Blender ended before its file was done."""


def add_options(parser: ArgumentParser) -> None:
    """Add the options of an export, and the one for Blender's path."""
    for name, choices in CHOICES.items():
        parser.add_argument(name, choices=choices, default=choices[0], help=f"default {choices[0]}")
    for name, text in FLAGS.items():
        parser.add_argument(name, action="store_true", help=text)
    parser.add_argument("--blender", metavar="PATH", help="default: the one on PATH; or a Python that has bpy")
    parser.add_argument(
        "--addon", metavar="DIR", type=Path, help="a checkout of SDF Inertia; default: the extension of that Blender"
    )


def prepared(options: Namespace) -> dict[str, Any]:
    """Return the options with Blender's full path, and the versions of Blender and the extension.

    Raises
    ------
    InertiaError
        ``no_blender`` if there is none, ``no_addon`` if it does not have the extension.
    """
    program = shutil.which(options.blender or "blender")
    if program is None:
        what = options.blender or "blender"
        raise InertiaError.of("no_blender", what, "unknown")
    if options.addon is not None and not (options.addon / "sdf_inertia_addon" / "headless.py").is_file():
        raise InertiaError.of("no_addon", str(options.addon))
    addon = "" if options.addon is None else str(options.addon.resolve())
    paths = {"blender": os.path.abspath(program), "addon": addon}
    try:
        blender = _Blender(paths["blender"], paths["addon"])
        impatience = Timer(options.timeout, blender.end)
        impatience.start()
        try:
            return paths | {"versions": blender.versions()}
        finally:
            impatience.cancel()
            blender.end()
    except OSError as error:
        raise InertiaError.of("no_blender", program, "broken", reason=error.strerror) from None
    except BlenderEndedError as error:
        raise InertiaError.of("no_addon", program, "broken", reason=error) from None


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Export one file of a batch.

    Raises
    ------
    BlenderEndedError
        If Blender ends before the file is done.
    """
    assert target is not None
    words = [word for name in CHOICES for word in (name, getattr(options, _attribute(name)))]
    words += [name for name in FLAGS if getattr(options, _attribute(name))]
    job = {"blend": os.path.abspath(options.input), "output": os.path.abspath(target), "words": words}
    before = note_read(options.input)
    try:
        answer = _blender(options.blender, options.addon).export(job)
    except BaseException:
        _give_up()
        raise
    if answer["status"] not in (0, 1):
        _give_up()
    if digest(options.input) != before:  # nobody knows which bytes Blender has read
        error = InertiaError.of("source_changed", str(options.input))
        return CANNOT_RUN, {"findings": [finding_json(error.finding())]}
    value: Json = answer["report"] or {}
    for path in answer.get("read", ()):
        note_read(Path(path))
    if answer["status"] == DONE or (answer["status"] == REFUSED and options.skip_invalid):
        value = value | {"output": str(target)}
    if answer["message"]:
        finding = Finding.of("error", "our_bug", str(options.input), "blender", message=answer["message"])
        if answer["status"] == CANNOT_RUN:
            finding = Finding.of("error", "file_read", str(options.input), "blender", message=answer["message"])
        value = value | {"findings": [finding_json(finding)]}
    return answer["status"], value


def _attribute(name: str) -> str:
    return name.lstrip("-").replace("-", "_")


class _Blender:
    """A Blender process that waits for files."""

    def __init__(self, program: str, addon: str) -> None:
        self.key = program, addon
        self.done = 0
        worker = str(Path(__file__).with_name("blender_worker.py"))
        is_python = Path(program).name.startswith("python")
        words = [program, worker] if is_python else [program, "-b", "--python-exit-code", "3", "--python", worker]
        self._process = subprocess.Popen(
            [*words, "--", addon],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )

    def versions(self) -> Json:
        """Return the versions of Blender and the extension, which it prints first, once it is ready."""
        return self._answer()

    def export(self, job: Json) -> Json:
        """Export a file."""
        self.done += 1
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Json:
        assert self._process.stdout is not None
        last = ""
        for line in self._process.stdout:
            if line.startswith(MARK):
                answer: Json = json.loads(line[len(MARK) :])
                return answer
            last = line.strip() or last
        code = self._process.wait()
        how = signal_name(-code) if code < 0 else f"exit status {code}"
        raise BlenderEndedError(f"Blender ended ({how}): {last[:500]}")

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()


_open: list[_Blender] = []


def _blender(program: str, addon: str) -> _Blender:
    if _open and (_open[0].key != (program, addon) or _open[0].done >= RENEWED_AFTER):
        _give_up()
    if not _open:
        _open.append(_Blender(program, addon))
        _open[0].versions()
    return _open[0]


@atexit.register
def _give_up() -> None:
    while _open:
        _open.pop().end()
