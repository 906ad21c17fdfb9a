# SPDX-License-Identifier: Apache-2.0
"""The Python interface: meshes and robots' files."""
