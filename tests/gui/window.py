# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Blender in a window of its own on a virtual screen: asked from outside, clicked and typed at as by a user."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import uuid
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from .picture import Picture

HERE = Path(__file__).parent
WIDTH, HEIGHT = 1280, 960

START, ANSWER, COMMAND = 600.0, 300.0, 120.0
"""Seconds that a start may take, an answer, a program: many times what they do take, for a busy machine."""

WAIT = 240.0
"""Seconds after which what is waited for is taken not to come."""

SETTLED = 60.0
"""Seconds after which a picture that still changes is taken as it is."""


class Window:
    """Blender and its screen, inside a chroot. Positions are pixels from the top left of the screen, as xdotool's."""

    def __init__(self, chroot: Path) -> None:
        self.chroot = chroot
        self.inside = Path("/tmp") / f"sdf-inertia-gui-{uuid.uuid4().hex[:12]}"
        self.folder = chroot / self.inside.relative_to("/")
        (self.folder / "home").mkdir(parents=True)
        self._running: list[subprocess.Popen[bytes]] = []
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    # --- starting and ending ---------------------------------------------------------------------------------

    def _start(self) -> None:
        for path in (HERE / "inside").glob("*.py"):
            shutil.copy(path, self.folder)
        self.display = self._start_screen()
        ours, theirs = socket.socketpair()
        blender = ("blender", "--window-geometry", "0", "0", str(WIDTH), str(HEIGHT), "--python-exit-code", "3")
        with (self.folder / "console.txt").open("wb") as console, theirs:
            self.blender = self._spawn(
                (*blender, "--python", f"{self.inside}/driver.py"),
                stdout=console,
                stderr=subprocess.STDOUT,
                pass_fds=[theirs.fileno()],
                variables={"SDF_INERTIA_GUI_SOCKET": str(theirs.fileno())},
            )
        self._socket = Connection(ours.detach())
        self.run("screen.be_quiet()", timeout=START)

    def _start_screen(self) -> str:
        read, write = os.pipe()
        with os.fdopen(read, "rb") as number:
            # It picks a free number by itself, so that two runs never meet.
            screen = ("Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp")
            # What it shows lies in a file for us to read; a pointer would be drawn into that.
            drawn = ("-fbdir", str(self.inside), "-nocursor")
            self._spawn((*screen, *drawn, "+extension", "GLX"), stderr=subprocess.DEVNULL, pass_fds=[write])
            os.close(write)
            line = number.readline().strip().decode()
        if not line:
            raise RuntimeError("Xvfb did not start")
        return f":{line}"

    def _command(self, command: tuple[str, ...], variables: dict[str, str]) -> list[str]:
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "TMPDIR": str(self.inside),
            "HOME": f"{self.inside}/home",
            "BLENDER_USER_RESOURCES": f"{self.inside}/user",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "MESA_SHADER_CACHE_DIR": "/var/cache/sdf-inertia-shaders",  # what one window compiled is there for the next
            "PYTHONDONTWRITEBYTECODE": "1",
            "PWD": str(self.inside),  # which Blender believes before it asks the system
            "LC_ALL": "C.UTF-8",
            **variables,
        }
        settings = [f"{name}={value}" for name, value in environment.items()]
        return ["chroot", str(self.chroot), "/usr/bin/env", "-i", "-C", str(self.inside), *settings, *command]

    def _spawn(self, command: tuple[str, ...], *, variables: dict[str, str] | None = None, **options: Any) -> Any:
        if hasattr(self, "display"):
            variables = {"DISPLAY": self.display, **(variables or {})}
        # Killed with us, however we end.
        line = ["setpriv", "--pdeathsig", "KILL", *self._command(command, variables or {})]
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, start_new_session=True, **options)
        self._running.append(process)
        return process

    def close(self) -> None:
        """End what was started, whatever it is doing, and remove its files."""
        for process in reversed(self._running):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(COMMAND)
        shutil.rmtree(self.folder, ignore_errors=True)

    def quit(self) -> int:
        """Quit as the File menu does; return the exit status."""
        self.send("bpy.ops.wm.quit_blender()")
        status: int = self.blender.wait(COMMAND)
        return status

    @property
    def alive(self) -> bool:
        return self.blender.poll() is None

    def console(self) -> str:
        """Return what Blender has printed so far."""
        return (self.folder / "console.txt").read_text(errors="replace")

    # --- asking ----------------------------------------------------------------------------------------------

    def send(self, code: str, **names: Any) -> None:
        """Have something done without waiting for an answer."""
        self._socket.send((code, names))

    def run(self, code: str, timeout: float = ANSWER, **names: Any) -> Any:
        """Evaluate an expression, or execute statements, in Blender; `names` are known to it."""
        self.send(code, **names)
        end = time.monotonic() + timeout
        while not self._socket.poll(0.5):
            if not self.alive:
                raise RuntimeError(f"Blender ended with status {self.blender.returncode}:\n{self.console()[-3000:]}")
            if time.monotonic() > end:
                raise TimeoutError(f"Blender did not answer in {timeout:g} s: {code}")
        done, value = self._socket.recv()
        if not done:
            raise RuntimeError(f"in Blender: {value}")
        return value

    def until(self, code: str, timeout: float = WAIT, **names: Any) -> Any:
        """Ask until the answer is true, and return it; the last answer if it never is."""
        end = time.monotonic() + timeout
        while not (value := self.run(code, **names)) and time.monotonic() < end:
            time.sleep(0.05)
        return value

    # --- mouse and keyboard ----------------------------------------------------------------------------------

    def program(self, *command: str) -> bytes:
        """Run a program on Blender's screen, inside the chroot; return what it prints."""
        line = self._command(command, {"DISPLAY": self.display})
        done = subprocess.run(line, capture_output=True, timeout=COMMAND)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
        return done.stdout

    def move(self, x: float, y: float) -> None:
        self.program("xdotool", "mousemove", str(round(x)), str(round(y)))
        self.breathe()

    def click(self, x: float, y: float, button: int = 1, held: str = "", times: int = 1) -> None:
        """Move there and click, with a key held if one is named.

        Blender finds out what is below the pointer only when it moves.
        """
        self.move(x - 2, y - 2)
        self.move(x, y)
        if held:
            self.program("xdotool", "keydown", held)
        self.program("xdotool", "click", "--repeat", str(times), "--delay", "60", str(button))
        self.breathe()  # while the key is held: an operator asks for it when it runs
        if held:
            self.program("xdotool", "keyup", held)
            self.breathe()

    def drag(self, start: tuple[float, float], end: tuple[float, float], held: str = "", steps: int = 8) -> None:
        """Press the left button, move with a key held if one is named, and release."""
        self.move(start[0] - 2, start[1] - 2)
        self.move(*start)
        self.program("xdotool", "mousedown", "1")
        self.breathe()
        if held:
            self.program("xdotool", "keydown", held)
        for step in range(1, steps + 1):
            share = step / steps
            self.move(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
        self.program("xdotool", "mouseup", "1")
        if held:
            self.program("xdotool", "keyup", held)
        self.breathe()

    def key(self, *keys: str) -> None:
        """Press keys one after the other, such as ``"g"``, ``"ctrl+z"``, ``"Return"``, where the pointer is."""
        for key in keys:
            self.program("xdotool", "key", key)
            self.breathe()

    def type(self, text: str) -> None:
        self.program("xdotool", "type", "--delay", "20", "--", text)
        self.breathe()

    def breathe(self) -> None:
        """Wait until Blender has handled what was sent: two answers are two rounds of its event loop."""
        self.run("None")
        self.run("None")

    # --- looking ---------------------------------------------------------------------------------------------

    def picture(self) -> Picture:
        """Return the screen once it has stopped changing: panels fade in, and drawing takes its time."""
        self.run("screen.redraw()")
        end = time.monotonic() + SETTLED
        same, before = 0, self._grab()
        while same < 2 and time.monotonic() < end:
            time.sleep(0.1)
            self.breathe()
            after = self._grab()
            same = same + 1 if after == before else 0
            before = after
        return Picture(before)

    def glance(self) -> Picture:
        """Return the screen as it is now, which may be changing."""
        return Picture(self._grab())

    def _grab(self) -> bytes:
        return (self.folder / "Xvfb_screen0").read_bytes()

    def save(self, path: Path) -> None:
        """Save the screen as it is, if there is one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.program("import", "-window", "root", "png:-"))
