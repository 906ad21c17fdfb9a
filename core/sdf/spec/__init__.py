# SPDX-License-Identifier: GPL-3.0-or-later
"""What SDFormat says of elements, attributes and the texts of values."""
