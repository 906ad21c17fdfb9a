# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m core``, or ``python -m sdf_inertia`` and ``sdf-inertia`` where it is installed."""

import os
import sys


def run() -> int:
    """Run the command line and return its exit status, be it stopped by Ctrl-C while it is still being imported."""
    try:
        import signal

        # An exception would not do: numpy turns one that comes while it is imported into an ImportError of its own.
        # A shell's background job, which ignores Ctrl-C, goes on doing so.
        heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if heeded:
            signal.signal(signal.SIGINT, _stop)
        from .cli.main import import_commands, main

        import_commands(sys.argv[1:])

        if heeded:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return main()
    except KeyboardInterrupt:
        return _stop()


def _stop(*_: object) -> int:
    """End at once, which is safe: nothing has been read or written, or all of it has."""
    from .status import INTERRUPTED

    try:
        if sys.stderr is not None:
            os.write(2, b"interrupted\n")
    finally:
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(run())
