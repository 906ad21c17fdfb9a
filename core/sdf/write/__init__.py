# SPDX-License-Identifier: GPL-3.0-or-later
"""From links to the bytes of a file."""
