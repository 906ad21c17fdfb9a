# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay in Blender's 3D views: which links it shows, how, and its draw handlers."""
