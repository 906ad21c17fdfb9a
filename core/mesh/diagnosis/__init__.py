# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds and reports what may be wrong with a surface, and what can be fixed. It builds on topology and columns."""
