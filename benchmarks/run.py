# SPDX-License-Identifier: GPL-3.0-or-later
"""Run all comparisons and write results.md."""

from __future__ import annotations

from pathlib import Path

from .timing import machine  # first: it sets the number of threads

RESULTS = Path(__file__).with_name("results.md")


def main() -> None:
    from . import exact, scene

    text = (
        "# Benchmarks\n\n"
        f"Medians of 7 interleaved rounds, one thread each. {machine()}. Made by `make bench`.\n\n"
        f"## Exact integral against trimesh\n\n{exact.table()}\n"
        f"## From an evaluated object to its Inertial\n\n{scene.table()}"
    )
    RESULTS.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
