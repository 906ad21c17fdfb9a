# SPDX-License-Identifier: GPL-3.0-or-later
"""SDFormat's description of elements, attributes and the texts of values."""
