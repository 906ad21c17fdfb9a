# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen of a link's inertia: what to draw (`content`, `body_view`) apart from drawing it (`draw`)."""
