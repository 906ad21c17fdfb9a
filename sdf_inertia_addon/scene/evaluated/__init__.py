# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender's evaluated scene holds: meshes, hidden objects, and instances where instancers put them."""
