# SPDX-License-Identifier: Apache-2.0
"""``python -m core``, or ``python -m sdf_inertia`` and ``sdf-inertia`` where it is installed."""

import gc
import os
import signal
import sys
from contextlib import suppress

from .status import INTERRUPTED


def run() -> int:
    """Run the command line and return its exit status."""
    # While numpy is imported, it turns KeyboardInterrupt into an ImportError. A shell's background job ignores Ctrl-C.
    by_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if by_default:
        signal.signal(signal.SIGINT, _stop)
    gc.disable()  # modules are no garbage: looking for it among them, at the end too, takes a quarter of the time
    from .cli.main import import_commands, main

    import_commands(sys.argv[1:])
    gc.freeze()
    gc.enable()
    if by_default:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


def _stop(*_: object) -> None:
    with suppress(OSError):
        os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(run())
