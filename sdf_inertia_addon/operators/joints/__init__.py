# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints: by hand, and from what a scene already has."""
