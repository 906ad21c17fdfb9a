# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles, boxes and lines in space: what meets what, whichever faces hang together. It stands on the surface."""
