# SPDX-License-Identifier: GPL-3.0-or-later
"""SDFormat files: the only part of the core that uses lxml."""
