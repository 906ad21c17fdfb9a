# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside Blender's window: does what the tests outside ask for, one request per timer tick, or one step of it
where the request makes a generator.

The tests talk through a socket that this process was born with: no address, no port, and when they die it closes and
Blender quits. A request is ``(expression or statements, names)``, the answer ``(True, value)`` or ``(False, text)``.
"""

import os
import sys
import traceback
from collections.abc import Generator
from multiprocessing.connection import Connection
from pathlib import Path

import bpy

sys.path.append(str(Path(__file__).parent))
import buttons  # noqa: E402
import extension  # noqa: E402
import scene  # noqa: E402
import screen  # noqa: E402

TICK = 0.002
outside = Connection(int(os.environ["SDF_INERTIA_GUI_SOCKET"]))


running: list[Generator] = []


def tick() -> float:
    try:
        if not running and not outside.poll():
            return TICK
        request = None if running else outside.recv()
    except (EOFError, OSError):
        os._exit(1)
    try:
        if request is not None:
            value = _done(*request)
            if isinstance(value, Generator):
                running.append(value)
        if running:
            next(running[0])
            return TICK
        answer = (True, value)
    except StopIteration as end:
        running.clear()
        answer = (True, end.value)
    except BaseException:  # whatever it is, the test is to see it, and the window to live on
        running.clear()
        answer = (False, traceback.format_exc())
    outside.send(answer)
    return TICK


def _done(code: str, names: dict) -> object:
    scope = {"bpy": bpy, "buttons": buttons, "extension": extension, "scene": scene, "screen": screen, **names}
    try:
        expression = compile(code, "<test>", "eval")
    except SyntaxError:
        exec(compile(code, "<test>", "exec"), scope)
        return None
    return eval(expression, scope)


bpy.app.timers.register(tick, first_interval=0.5, persistent=True)  # outlives the loading of files
