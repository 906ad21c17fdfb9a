# SPDX-License-Identifier: Apache-2.0
"""Assemblies in STEP files: parts with exact moments, their placements, and the links that they make."""
