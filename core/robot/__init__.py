# SPDX-License-Identifier: GPL-3.0-or-later
"""Links and their parts as values, and their inertials by libsdformat's rules."""
