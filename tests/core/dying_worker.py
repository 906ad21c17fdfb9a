# SPDX-License-Identifier: GPL-3.0-or-later
"""A process of the fuzzer that dies at input 3, as one does in which a library crashes."""

import json
import os
import signal
import sys

if __name__ == "__main__":
    first, count = map(int, sys.argv[3:5])
    for number in range(first, first + count):
        if number == 3:
            os.kill(os.getpid(), signal.SIGSEGV)
        print(json.dumps({"number": number, "outcome": "read", "seconds": 0.1, "peak": 1}), flush=True)
