# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a tree of elements as links, by libsdformat's rules."""
