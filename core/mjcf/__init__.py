# SPDX-License-Identifier: Apache-2.0
"""The bodies of an MJCF file, as MuJoCo's own parser reads them."""
