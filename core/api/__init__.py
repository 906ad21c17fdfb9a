# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python interface: meshes and robots' files."""
