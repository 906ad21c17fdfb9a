# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers side by side. `python -m benchmarks.run` writes results.md."""
