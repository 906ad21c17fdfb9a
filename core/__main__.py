# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m core``, or ``python -m sdf_inertia`` where it is installed."""

import sys

from .cli.main import main

if __name__ == "__main__":
    sys.exit(main())
