# SPDX-License-Identifier: GPL-3.0-or-later
"""``batch``: one verb over thousands of files, on this machine or on a cluster; nothing is lost, nothing done twice."""
