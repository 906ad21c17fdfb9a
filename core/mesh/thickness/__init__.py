# SPDX-License-Identifier: GPL-3.0-or-later
"""The middle surface of a thin wall: its angles, its faces that are there twice, and its sheets that come too near. It
stands on geometry."""
