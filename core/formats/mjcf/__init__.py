# SPDX-License-Identifier: Apache-2.0
"""MJCF, as MuJoCo's own parser reads it: bodies as links, imported and written."""
