# SPDX-License-Identifier: GPL-3.0-or-later
"""Published robots as objects of a scene, and their inertials back into the file."""
