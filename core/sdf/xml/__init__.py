# SPDX-License-Identifier: GPL-3.0-or-later
"""Parses the bytes of a file to a tree of elements as TinyXML2, the parser of libsdformat, does."""
