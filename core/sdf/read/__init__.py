# SPDX-License-Identifier: Apache-2.0
"""Reads a tree of elements as links, by libsdformat's rules."""
