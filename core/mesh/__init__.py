# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass properties of triangle meshes: a module for each method, `measure`, which chooses one, and `diagnose`; the
folders have what these build on."""
