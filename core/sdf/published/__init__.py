# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots as others have published them: read whole, compared with what their geometry gives, and written back."""
