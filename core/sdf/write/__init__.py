# SPDX-License-Identifier: Apache-2.0
"""Writes links to the bytes of a file."""
