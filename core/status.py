# SPDX-License-Identifier: GPL-3.0-or-later
"""Exit statuses: the contract of every command, with Blender and without."""

DONE, REFUSED, CANNOT_RUN, OUR_BUG = 0, 1, 2, 3
INTERRUPTED = 130
"""The shell's own for Ctrl-C."""
