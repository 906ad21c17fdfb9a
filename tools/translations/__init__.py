# SPDX-License-Identifier: GPL-3.0-or-later
"""Gathers what the interface says, and keeps the catalogues of its translations: ``make translations``."""
