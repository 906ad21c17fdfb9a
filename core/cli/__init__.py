# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands on SDF files; each module has a parser and a function that returns the exit status."""
