# SPDX-License-Identifier: Apache-2.0
"""A rigid body's numbers: moments, inertials, poses, shapes in closed form, and densities of materials."""
