# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of a long list of examples is tried: a sample in every run, all of it where `make test-all` asks for it."""

import os

THOROUGH = bool(os.environ.get("SDF_INERTIA_THOROUGH"))

SAMPLED = bool(os.environ.get("SDF_INERTIA_SAMPLED"))
"""True where tests that are named run as `make test` runs them: tools/mutants asks what that notices."""


def many(thorough, quick):
    """Return how many of something are tried, or how large it is: in a thorough run, and in every other."""
    return thorough if THOROUGH else quick


def sample(examples, count):
    """Return all of a sequence of examples in a thorough run, else so many of it, from its first to its last.

    They are spread evenly, so they are the same on every machine and in every run.
    """
    examples = list(examples)
    if THOROUGH:
        return examples
    return [examples[round(i * (len(examples) - 1) / max(count - 1, 1))] for i in range(count)]
