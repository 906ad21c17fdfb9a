# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the mistake behind wrong numbers."""
