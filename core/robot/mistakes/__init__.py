# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong numbers that point to the mistake that made them."""
