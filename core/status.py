# SPDX-License-Identifier: Apache-2.0
"""Exit statuses, the same for every command, with and without Blender."""

DONE, REFUSED, CANNOT_RUN, OUR_BUG = 0, 1, 2, 3
INTERRUPTED = 130
"""The shell's status for Ctrl-C."""
