# SPDX-License-Identifier: GPL-3.0-or-later
"""What helps a mesh: remedies tried and applied, primitives fitted, faulty elements found."""
