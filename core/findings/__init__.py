# SPDX-License-Identifier: Apache-2.0
"""The catalogue of all findings: by code the title, severities, meaning and remedy."""
