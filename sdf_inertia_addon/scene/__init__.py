# SPDX-License-Identifier: GPL-3.0-or-later
"""From Blender's evaluated scene, and the settings of its objects, to values of the core."""
