# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files in, whole files out."""
