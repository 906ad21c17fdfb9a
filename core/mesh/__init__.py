# SPDX-License-Identifier: Apache-2.0
"""Mass properties of triangle meshes: a module for each method, `measure`, which chooses one, and `diagnose`; the
folders have what these build on."""
