# SPDX-License-Identifier: GPL-3.0-or-later
"""What a simulator says to the links of a file."""
