# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles, boxes and lines in space, and which of them meet. It builds on the surface."""
