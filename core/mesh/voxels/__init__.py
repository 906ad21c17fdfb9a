# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns through a surface: where it crosses them, what it encloses there, and how fine they should be. It builds only
on the surface."""
