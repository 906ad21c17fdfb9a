# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be wrong with a surface, looked for and put into words, and what can be fixed. It stands on topology and on
columns."""
