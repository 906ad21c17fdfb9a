# SPDX-License-Identifier: GPL-3.0-or-later
import os

# Before anything imports numpy: its products here are small, and threads that wait for them only keep the cores warm.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
