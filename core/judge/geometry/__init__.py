# SPDX-License-Identifier: Apache-2.0
"""Judges an inertial by the geometry of its link: if it is plausible, and which mistake is behind wrong numbers."""
