# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of all findings: by code the title, severities, meaning and remedy."""
