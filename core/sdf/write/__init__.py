# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes links to the bytes of a file."""
