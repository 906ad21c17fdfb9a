# SPDX-License-Identifier: GPL-3.0-or-later
"""What each simulator makes of the inertials of a file, by rules of our own: no engine is needed."""
