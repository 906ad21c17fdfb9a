# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the real meshes, robots and reference answers are, which are not part of the project."""

import os
from pathlib import Path

from .versions import CHECKOUT

DATA = Path(os.environ.get("SDF_INERTIA_DATA") or CHECKOUT.parent / "shared" / "data")
"""The folder; what needs it skips where it is absent."""
