# SPDX-License-Identifier: GPL-3.0-or-later
"""Primitives that stand for a mesh."""
