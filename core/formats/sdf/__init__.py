# SPDX-License-Identifier: Apache-2.0
"""SDFormat: read by libsdformat's rules, imported, filled and written."""
