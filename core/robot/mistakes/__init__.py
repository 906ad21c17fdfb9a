# SPDX-License-Identifier: Apache-2.0
"""Finds the mistake behind wrong numbers."""
