# SPDX-License-Identifier: GPL-3.0-or-later
"""The union of components that overlap: exactly, by the parts of faces that are buried; or else by columns."""
