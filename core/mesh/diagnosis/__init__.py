# SPDX-License-Identifier: Apache-2.0
"""Finds and reports what may be wrong with a surface, and what can be fixed. It builds on topology and columns."""
