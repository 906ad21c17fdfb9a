# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuzzer: numbered inputs of every kind that the product reads, and results that are always faults.

``python -m tools.fuzz --help``; docs/fuzzing.md describes what is fuzzed, and past faults.
"""
