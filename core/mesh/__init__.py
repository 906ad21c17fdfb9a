# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass properties of triangle meshes: a module for each method, `measure`, which picks one, and `diagnose`, which says
what is wrong; in the rooms, what these stand on."""
