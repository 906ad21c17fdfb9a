# SPDX-License-Identifier: Apache-2.0
"""URDF: read like urdfdom, imported, written, and as the SDF that libsdformat makes of it."""
