# SPDX-License-Identifier: Apache-2.0
"""How faces lie and are connected: which meet or cross, points, edges, components, and where they are not closed."""
