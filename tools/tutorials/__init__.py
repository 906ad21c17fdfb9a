# SPDX-License-Identifier: GPL-3.0-or-later
"""The tutorials in docs/: text and pictures of one source, made in a real window by ``make tutorials``."""
