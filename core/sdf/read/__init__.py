# SPDX-License-Identifier: GPL-3.0-or-later
"""From a tree of elements to links, by libsdformat's rules."""
