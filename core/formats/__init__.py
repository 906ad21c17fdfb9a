# SPDX-License-Identifier: Apache-2.0
"""The formats of robots' files side by side: read, imported, and given new inertials."""
