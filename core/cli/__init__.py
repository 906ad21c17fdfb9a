# SPDX-License-Identifier: Apache-2.0
"""The commands on SDF files; each module has a parser and a function that returns the exit status."""
