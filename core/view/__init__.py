# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot as a page: its scene, tables and findings in one HTML file that needs no network."""
