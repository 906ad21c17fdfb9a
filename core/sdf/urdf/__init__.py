# SPDX-License-Identifier: Apache-2.0
"""A URDF as the SDF that libsdformat makes of it."""
