# SPDX-License-Identifier: GPL-3.0-or-later
"""What labels say, where they go, and drawing them."""
