# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of a long list of examples is tried: a sample in every run, all of it where `make test-all` asks for it."""

import os

THOROUGH = bool(os.environ.get("SDF_INERTIA_THOROUGH"))


def sample(examples, count):
    """Return all of a sequence of examples in a thorough run, else so many (two or more), from its first to its last.

    They are spread evenly, so they are the same on every machine and in every run.
    """
    if THOROUGH:
        return list(examples)
    return [examples[round(i * (len(examples) - 1) / (count - 1))] for i in range(count)]
