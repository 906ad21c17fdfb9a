# SPDX-License-Identifier: Apache-2.0
"""Primitives fitted to a mesh."""
