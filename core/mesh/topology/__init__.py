# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faces hang together: points, edges, components, and the places where they do not close by themselves. It stands
on geometry."""
