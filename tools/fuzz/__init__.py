# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuzzer: inputs of every kind that the product reads, made by the number, and what may never come of them.

``python -m tools.fuzz --help``; docs/fuzzing.md says what is fuzzed, and what has been found.
"""
