# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with the inertials of a robot's file, and how to repair them."""
