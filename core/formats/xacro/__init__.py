# SPDX-License-Identifier: Apache-2.0
"""xacro: expanded to URDF by the package xacro; its links are those of the URDF."""
