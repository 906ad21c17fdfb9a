# SPDX-License-Identifier: GPL-3.0-or-later
"""A rigid body's numbers: moments, inertials, poses, closed forms, and what materials weigh."""
