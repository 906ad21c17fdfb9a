# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the texts of the interface, and updates the catalogues of their translations: ``make translations``."""
