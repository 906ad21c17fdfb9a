# SPDX-License-Identifier: GPL-3.0-or-later
"""How faces are connected: points, edges, components, and the places where they are not closed. It builds on
geometry."""
