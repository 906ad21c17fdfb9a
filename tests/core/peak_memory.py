# SPDX-License-Identifier: GPL-3.0-or-later
"""How much memory a call takes."""

import tracemalloc


def peak_memory(call, *arguments, **options):
    """Return the most bytes that Python and numpy held during a call, and its result."""
    tracemalloc.start()
    try:
        result = call(*arguments, **options)
        return tracemalloc.get_traced_memory()[1], result
    finally:
        tracemalloc.stop()
