# SPDX-License-Identifier: Apache-2.0
"""Parses the bytes of a file to a tree of elements as TinyXML2, the parser of libsdformat, does."""
