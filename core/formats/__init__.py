# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats of robots' files side by side: read, imported, and given new inertials."""
