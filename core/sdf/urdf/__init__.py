# SPDX-License-Identifier: GPL-3.0-or-later
"""A URDF as the SDF that libsdformat makes of it."""
