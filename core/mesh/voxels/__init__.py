# SPDX-License-Identifier: Apache-2.0
"""Columns through a surface: where it crosses them, what it encloses there, and how fine they should be. It builds only
on the surface."""
