# SPDX-License-Identifier: GPL-3.0-or-later
"""``batch``: one command for thousands of files, on this machine or on a cluster, with no result lost or repeated."""
