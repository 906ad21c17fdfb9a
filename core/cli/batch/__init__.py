# SPDX-License-Identifier: Apache-2.0
"""``batch``: one command for thousands of files, on this machine or on a cluster, with no result lost or repeated."""
