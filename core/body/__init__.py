# SPDX-License-Identifier: GPL-3.0-or-later
"""A rigid body's numbers: moments, inertials, poses, shapes in closed form, and densities of materials."""
