# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel of a link shows, one section a file."""
