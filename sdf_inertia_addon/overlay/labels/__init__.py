# SPDX-License-Identifier: GPL-3.0-or-later
"""The labels: their texts, places and drawing."""
