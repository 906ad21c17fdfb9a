# SPDX-License-Identifier: GPL-3.0-or-later
"""How faces lie and are connected: which meet or cross, points, edges, components, and where they are not closed."""
