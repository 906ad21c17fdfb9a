# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass properties of triangle meshes: one file per method, and `measure`, which picks one."""
