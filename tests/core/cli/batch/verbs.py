# SPDX-License-Identifier: GPL-3.0-or-later
"""A verb for tests of what a batch survives: each file says in one word what its task is to do."""

import os
import signal
import time
from threading import Thread

from core.files.input_file import read_bytes


def task(options, target):
    word, _, rest = read_bytes(options.input, 1000).decode().partition(" ")
    if word == "hang":
        time.sleep(1000.0)
    if word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "eat":
        bytearray(5_000_000_000)
    if word == "once":  # it dies at the first attempt
        mark = options.input.with_suffix(".tried")
        if not mark.exists():
            mark.write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
    if word == "later":  # it dies once a file is there
        options.input.with_suffix(".tried").write_text(str(os.getpid()))
        Thread(target=die_for, args=(rest,), daemon=True).start()
    if word == "corrupt":
        return 1, {"findings": [{"severity": "error", "code": "open_mesh", "message": "it is not closed"}]}
    if word == "bug":
        raise ZeroDivisionError("of ours")
    if word == "wait":  # for a file, after it has said that it is at work
        options.input.with_suffix(".tried").write_text("")
        while not os.path.exists(rest):
            time.sleep(0.01)
    if word == "nan":
        return 0, {"mass": float("nan")}
    return 0, {"said": word}


def die_for(file):
    while not os.path.exists(file):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)
