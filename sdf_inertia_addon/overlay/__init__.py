# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen of a link's inertia: what to draw (`shapes`, `layout`) apart from drawing it (`draw`, `labels`)."""
