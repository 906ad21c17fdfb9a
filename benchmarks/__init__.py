# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers side by side. `make bench` writes results.md."""
